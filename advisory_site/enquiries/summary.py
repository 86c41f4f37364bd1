"""The enquiries in numbers, for the dashboard: how many wait, and how many came in each of the last weeks."""

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta

import sqlalchemy as sa
from sqlmodel import Session

from ..database import now
from ..permissions import Action, Actor, require
from .models import columns

WEEKS = 8


@dataclass(frozen=True)
class Week:
    """A week, named after its Monday, and how many enquiries came in it (in UTC)."""

    label: str = ""
    count: int = 0


@dataclass(frozen=True)
class Summary:
    """What the dashboard says of the enquiries."""

    unanswered: int = 0
    weeks: tuple[Week, ...] = ()


def summarise(session: Session, actor: Actor | None) -> Summary:
    """The enquiries nobody has handled, and those of the last eight weeks; two statements, however many there are."""
    require(actor, Action.MANAGE_ENQUIRIES)
    unanswered = session.execute(
        sa.select(sa.func.count()).select_from(columns.id.table).where(columns.handled_at.is_(None))
    ).scalar_one()
    today = now().date()
    monday = today - timedelta(days=today.weekday())
    first = monday - timedelta(weeks=WEEKS - 1)
    # Databases disagree about weeks, but not about days.
    day = sa.func.date(columns.created_at)
    rows = session.execute(sa.select(day, sa.func.count()).where(day >= str(first)).group_by(day))
    counts: Counter[int] = Counter()
    for name, count in rows:
        counts[(date.fromisoformat(str(name)) - first).days // 7] += count
    weeks = ((first + timedelta(weeks=place), counts[place]) for place in range(WEEKS))
    return Summary(unanswered, tuple(Week(f"{start.day} {start:%b}", count) for start, count in weeks))
