"""The demo firm: companies, team and advisors, loaded into an empty database."""

import json
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from sitekit.records.features import record_types


def read_demo(table: str) -> list[dict[str, Any]]:
    """The demo records of one table, from the JSON file in this folder that is named after it, if there is one."""
    file = Path(__file__).with_name(f"{table}.json")
    records: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    return records


def seed(session: Session) -> int:
    """Load the demo firm; returns the number of records added.

    If there is any record, nothing is added, so that deleted demo records do not come back.
    """
    types = record_types().values()
    if any(session.execute(sa.select(record_type.columns.id).limit(1)).first() for record_type in types):
        return 0
    rows = [record_type.table(**record) for record_type in types for record in read_demo(record_type.table_name)]
    session.add_all(rows)
    return len(rows)
