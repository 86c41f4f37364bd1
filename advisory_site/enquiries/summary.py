"""Numbers of enquiries for the dashboard: new ones, and how many came per week."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

import sqlalchemy as sa
from sqlmodel import Session

from ..core.permissions import Action, Actor, require
from ..db.database import now
from .models import columns

WEEKS = 8


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


def summarise(session: Session, actor: Actor | None) -> Summary:
    """Count new enquiries and those of the last eight weeks; two statements."""
    require(actor, Action.MANAGE_ENQUIRIES)
    unanswered = session.execute(
        sa.select(sa.func.count()).select_from(columns.id.table).where(columns.handled_at.is_(None))
    ).scalar_one()
    today = now().date()
    monday = today - timedelta(days=today.weekday())
    first = monday - timedelta(weeks=WEEKS - 1)
    starts = [datetime.combine(first + timedelta(weeks=place), time(), UTC) for place in range(WEEKS)]
    # Databases have different functions for weeks, so the query only compares times.
    within = (sa.case((_in_week(start), 1), else_=0) for start in starts)
    row = session.execute(sa.select(*(sa.func.coalesce(sa.func.sum(one), 0) for one in within))).one()
    weeks = (Week(f"{start.day} {start:%b}", count) for start, count in zip(starts, row, strict=True))
    return Summary(unanswered, tuple(weeks))


def _in_week(start: datetime) -> sa.ColumnElement[bool]:
    return sa.and_(columns.created_at >= start, columns.created_at < start + timedelta(weeks=1))
