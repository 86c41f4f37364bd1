"""Enquiries on the dashboard: what there is to answer, how many came per week, and how soon they were answered."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from statistics import median

import sqlalchemy as sa
from sqlmodel import Session

from sitekit.base.db.database import now
from sitekit.base.permissions import Actor, require
from sitekit.base.times import iso_text, local

from ...permissions import SiteAction
from .. import admin_texts as texts
from ..mails import STAGE_LABELS, full_name
from ..models import Enquiry, columns
from .inbox import BY_DUE, FAILURE, IS_NO_SPAM, IS_OVERDUE, TO_ANSWER, next_step

WEEKS = 8
MOST_LISTED = 5
FEWEST_REPLIED = 5  # of fewer, a median says nothing


@dataclass(frozen=True)
class Week:
    """A week, given by its Monday (UTC), and the number of enquiries in it."""

    label: str = ""
    count: int = 0


@dataclass(frozen=True)
class Summary:
    """The numbers of enquiries on the dashboard; `replies` says in words how soon they were answered."""

    unanswered: int = 0
    overdue: int = 0
    replies: str = ""
    weeks: tuple[Week, ...] = ()


@dataclass(frozen=True)
class ToAnswer:
    """An enquiry to answer, as the dashboard lists it; `received` is ISO text in UTC, `due` is in words."""

    id: int = 0
    name: str = ""
    company: str = ""
    stage: str = ""
    received: str = ""
    due: str = ""
    is_overdue: bool = False
    failure: str = ""


def summarise(session: Session, actor: Actor | None) -> Summary:
    """Count the enquiries to answer, those overdue, and those of the last eight weeks, without spam; two statements."""
    require(actor, SiteAction.READ_ENQUIRIES)
    today = now().date()
    monday = today - timedelta(days=today.weekday())
    first = monday - timedelta(weeks=WEEKS - 1)
    starts = [datetime.combine(first + timedelta(weeks=week), time(), UTC) for week in range(WEEKS)]
    # Databases have different functions for weeks, so the query only compares times.
    counted = (TO_ANSWER, IS_OVERDUE, *map(_in_week, starts))
    sums = (sa.func.coalesce(sa.func.sum(sa.case((condition, 1), else_=0)), 0) for condition in counted)
    unanswered, overdue, *counts = session.execute(sa.select(*sums)).one()
    weeks = (Week(f"{start.day} {start:%b}", count) for start, count in zip(starts, counts, strict=True))
    return Summary(unanswered, overdue, _replies(session), tuple(weeks))


def _replies(session: Session) -> str:
    """How soon the enquiries of this month were answered; empty if only a few were."""
    today = local(now())
    month = today.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    answered = sa.and_(columns.created_at >= month, columns.first_replied_at.is_not(None), IS_NO_SPAM)
    rows = session.execute(
        sa.select(columns.created_at, columns.first_replied_at, columns.due_at).where(answered)
    ).all()
    if len(rows) < FEWEST_REPLIED:
        return ""
    hours = median((row.first_replied_at - row.created_at).total_seconds() for row in rows) / 3600
    in_time = sum(row.due_at is None or row.first_replied_at <= row.due_at for row in rows)
    return texts.REPLIES.format(hours=max(1, round(hours)), in_time=in_time, count=len(rows))


def to_answer(session: Session, actor: Actor | None) -> tuple[ToAnswer, ...]:
    """The first enquiries to answer, in the order in which they are due; one statement."""
    require(actor, SiteAction.READ_ENQUIRIES)
    first = sa.select(columns.id).where(TO_ANSWER).order_by(*BY_DUE.default).limit(MOST_LISTED)
    listed = sa.select(Enquiry, FAILURE).where(columns.id.in_(first.correlate(None))).order_by(*BY_DUE.default)
    return tuple(_to_answer(*row) for row in session.execute(listed))


def _to_answer(row: Enquiry, failure: str) -> ToAnswer:
    due, is_overdue = next_step(row, now())
    return ToAnswer(
        row.id or 0,
        full_name(row),
        row.company,
        STAGE_LABELS.get(row.stage, ""),
        iso_text(row.created_at),
        due,
        is_overdue,
        failure,
    )


def _in_week(start: datetime) -> sa.ColumnElement[bool]:
    return sa.and_(IS_NO_SPAM, columns.created_at >= start, columns.created_at < start + timedelta(weeks=1))
