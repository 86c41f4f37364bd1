"""Enquiries on the dashboard: how many are new, how many came per week, and the newest to answer."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

import sqlalchemy as sa
from sqlmodel import Session

from ..core.permissions import Action, Actor, require
from ..core.text import iso_text
from ..db.database import now
from .inbox import STAGE_LABELS
from .models import columns

WEEKS = 8
MOST_LISTED = 5


@dataclass(frozen=True)
class Week:
    """A week, given by its Monday (UTC), and the number of enquiries in it."""

    label: str = ""
    count: int = 0


@dataclass(frozen=True)
class Summary:
    """The numbers of enquiries on the dashboard."""

    unanswered: int = 0
    weeks: tuple[Week, ...] = ()


@dataclass(frozen=True)
class ToAnswer:
    """A new enquiry, as the dashboard lists it; `received` is ISO text in UTC."""

    id: int = 0
    name: str = ""
    company: str = ""
    stage: str = ""
    received: str = ""


def summarise(session: Session, actor: Actor | None) -> Summary:
    """Count new enquiries and those of the last eight weeks; one statement."""
    require(actor, Action.MANAGE_ENQUIRIES)
    today = now().date()
    monday = today - timedelta(days=today.weekday())
    first = monday - timedelta(weeks=WEEKS - 1)
    starts = [datetime.combine(first + timedelta(weeks=place), time(), UTC) for place in range(WEEKS)]
    # Databases have different functions for weeks, so the query only compares times.
    counted = (columns.handled_at.is_(None), *map(_in_week, starts))
    sums = (sa.func.coalesce(sa.func.sum(sa.case((one, 1), else_=0)), 0) for one in counted)
    unanswered, *counts = session.execute(sa.select(*sums)).one()
    weeks = (Week(f"{start.day} {start:%b}", count) for start, count in zip(starts, counts, strict=True))
    return Summary(unanswered, tuple(weeks))


def newest_to_answer(session: Session, actor: Actor | None) -> tuple[ToAnswer, ...]:
    """The newest enquiries that are not handled; one statement."""
    require(actor, Action.MANAGE_ENQUIRIES)
    query = sa.select(
        columns.id, columns.first_name, columns.last_name, columns.company, columns.stage, columns.created_at
    ).where(columns.handled_at.is_(None))
    found = session.execute(query.order_by(columns.created_at.desc(), columns.id.desc()).limit(MOST_LISTED))
    return tuple(
        ToAnswer(
            row.id,
            f"{row.first_name} {row.last_name}".strip(),
            row.company,
            STAGE_LABELS.get(row.stage, ""),
            iso_text(row.created_at),
        )
        for row in found
    )


def _in_week(start: datetime) -> sa.ColumnElement[bool]:
    return sa.and_(columns.created_at >= start, columns.created_at < start + timedelta(weeks=1))
