"""The demo firm: companies, team and advisors, loaded into an empty database."""

import json
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, SQLModel, col

from ..advisors.models import Advisor
from ..companies.models import Company
from ..team.models import TeamMember

_FILES: dict[type[SQLModel], str] = {
    Company: "companies.json",
    TeamMember: "team.json",
    Advisor: "advisors.json",
}


def read_demo(table: type[SQLModel]) -> list[dict[str, Any]]:
    """The demo records of one table, from the JSON file in this folder."""
    text = Path(__file__).with_name(_FILES[table]).read_text(encoding="utf-8")
    records: list[dict[str, Any]] = json.loads(text)
    return records


def seed(session: Session) -> int:
    """Load the demo firm; returns the number of records added.

    If there is any record, nothing is added, so that deleted demo records do not come back.
    """
    if any(session.execute(sa.select(col(table.id)).limit(1)).first() for table in (Company, TeamMember, Advisor)):
        return 0
    rows = [table(**record) for table in _FILES for record in read_demo(table)]
    session.add_all(rows)
    return len(rows)
