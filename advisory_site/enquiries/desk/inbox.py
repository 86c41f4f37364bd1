"""Lists and exports enquiries, for staff."""

from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from sitekit.base.db.database import now
from sitekit.base.db.folding import folded
from sitekit.base.permissions import Actor, require
from sitekit.base.text import in_brief, one_line
from sitekit.base.times import date_text, iso_text, short_day
from sitekit.records.activity import name_of
from sitekit.records.csv_export import CsvList
from sitekit.records.finding import Findable
from sitekit.records.listing import ListOptions, ListPage, ListQuery, matching, paginate

from ... import routes
from ...permissions import SiteAction
from .. import admin_texts
from ..mails import STAGE_LABELS, full_name
from ..models import HAS_FAILED, SEARCHED, EnquiryState, EntryCategory, columns, entries
from ..working_days import due_text

MINE = "mine"
EXCERPT = 160
MOST_EXPORTED = 5_000
TO_ANSWER = columns.state.in_((EnquiryState.NEW, EnquiryState.OPEN))
# When somebody has to do something: the first reply is due, or a wait has ended.
NEXT_AT = sa.case((columns.first_replied_at.is_(None), columns.due_at), else_=columns.waiting_until)
NOW = sa.bindparam("now", callable_=lambda: now(), type_=columns.due_at.type)
IS_OVERDUE = sa.and_(TO_ANSWER, columns.first_replied_at.is_(None), columns.due_at < NOW)
_REPLIES = sa.select(entries.failure).where(entries.enquiry_id == columns.id, entries.category == EntryCategory.REPLY)
_LAST_FAILURE = _REPLIES.order_by(entries.id.desc()).limit(1).correlate(columns.id.table).scalar_subquery()
# Why the newest reply to an enquiry that is to answer was not sent; empty if it was, or there is none.
FAILURE = sa.func.coalesce(sa.case((TO_ANSWER, _LAST_FAILURE)), "").label("failure")
HAS_FAILURE = sa.and_(columns.id.in_(sa.select(entries.enquiry_id).where(sa.text(HAS_FAILED))), FAILURE != "")
UNFINISHED = (EnquiryState.NEW, EnquiryState.OPEN, EnquiryState.WAITING)
IS_NO_SPAM = columns.state != EnquiryState.SPAM

LIST_OPTIONS = ListOptions(
    searched=(sa.func.coalesce(columns.searched, folded(*(columns[name] for name in SEARCHED))),),
    is_folded=True,
    sorts={
        "received": columns.created_at,
        "name": folded(columns.first_name),
        "company": folded(columns.company),
        "stage": columns.stage,
    },
    default=(columns.created_at.desc(), columns.id.desc()),
    id=columns.id,
)
BY_DUE = replace(LIST_OPTIONS, default=(NEXT_AT.asc().nulls_last(), columns.id))
OWNER = name_of(columns.owner_id)
FINDABLE = Findable(
    columns.id.table.name,
    admin_texts.ONE,
    SiteAction.READ_ENQUIRIES,
    columns.first_name + " " + columns.last_name,
    columns.company,
    LIST_OPTIONS,
    lambda row: routes.enquiry_page(row.id),
)


@dataclass(frozen=True)
class EnquiryRow:
    """An enquiry as the back office lists it; times are ISO texts in UTC. `is_alone` is the only one of its day."""

    id: int = 0
    name: str = ""
    email: str = ""
    company: str = ""
    stage: str = ""
    excerpt: str = ""
    received: str = ""
    is_alone: bool = True
    state: str = ""
    owner: str = ""
    due: str = ""
    is_overdue: bool = False
    failure: str = ""


def list_admin(session: Session, actor: Actor, query: ListQuery) -> ListPage[EnquiryRow]:
    """One page of enquiries without their full messages: newest first, or what is to do in the order of its time."""
    require(actor, SiteAction.READ_ENQUIRIES)
    statement = _filtered(
        sa.select(
            columns.id,
            columns.first_name,
            columns.last_name,
            columns.email,
            columns.company,
            columns.stage,
            sa.func.substr(columns.message, 1, EXCERPT + 1).label("excerpt"),
            columns.created_at,
            columns.state,
            columns.due_at,
            columns.first_replied_at,
            columns.waiting_until,
            OWNER.label("owner"),
            FAILURE,
        ),
        actor,
        query,
    )
    options = BY_DUE if query.filter in (MINE, EnquiryState.OPEN) else LIST_OPTIONS
    rows, total, page, pages = paginate(session, statement, query, options)
    at = now()
    per_day = Counter(date_text(row.created_at) for row in rows)
    listed = (replace(_row(row, at), is_alone=per_day[date_text(row.created_at)] == 1) for row in rows)
    return ListPage(tuple(listed), total, page, pages, query.size)


def count_new(session: Session, actor: Actor) -> int:
    """The number of new enquiries."""
    require(actor, SiteAction.READ_ENQUIRIES)
    new = sa.select(sa.func.count()).select_from(columns.id.table).where(columns.state == EnquiryState.NEW)
    return int(session.execute(new).scalar_one())


def _filtered(statement: sa.Select[Any], actor: Actor, query: ListQuery) -> sa.Select[Any]:
    """Those with a state, or the actor's own unfinished ones; by default all but spam."""
    if query.filter in tuple(EnquiryState):
        return statement.where(columns.state == query.filter)
    if query.filter == MINE:
        return statement.where(columns.owner_id == actor.user_id, columns.state.in_(UNFINISHED))
    return statement.where(IS_NO_SPAM)


def next_step(row: Any, at: datetime) -> tuple[str, bool]:
    """When the next step is due, in words, and whether it is overdue; a wait has a day and is never overdue."""
    if row.state in (EnquiryState.NEW, EnquiryState.OPEN) and row.first_replied_at is None:
        return due_text(row.due_at, at), row.due_at is not None and row.due_at < at
    if row.waiting_until is None:
        return "", False
    if row.state == EnquiryState.WAITING:
        return admin_texts.WAITS_UNTIL.format(day=short_day(row.waiting_until)), False
    return admin_texts.BACK_SINCE.format(day=short_day(row.waiting_until)), False


def _row(row: sa.Row[Any], at: datetime) -> EnquiryRow:
    due, is_overdue = next_step(row, at)
    return EnquiryRow(
        id=row.id,
        name=full_name(row),
        email=row.email,
        company=row.company,
        stage=STAGE_LABELS.get(row.stage, ""),
        excerpt=in_brief(one_line(row.excerpt), EXCERPT),
        received=iso_text(row.created_at),
        state=row.state,
        owner=row.owner,
        due=due,
        is_overdue=is_overdue,
        failure=row.failure,
    )


def _cells(row: sa.Row[Any]) -> tuple[str, ...]:
    return (
        iso_text(row.created_at),
        row.first_name,
        row.last_name,
        row.email,
        row.company,
        STAGE_LABELS.get(row.stage, ""),
        row.message,
        iso_text(row.handled_at),
        admin_texts.STATES[row.state],
        row.owner,
        iso_text(row.due_at),
        iso_text(row.first_replied_at),
    )


def _exported_ids(actor: Actor, query: ListQuery) -> sa.Select[Any]:
    """The newest enquiries that match, independent of the order of the list."""
    matches = matching(_filtered(sa.select(columns.id), actor, query), query, LIST_OPTIONS)
    return matches.order_by(*LIST_OPTIONS.default).limit(MOST_EXPORTED)


CSV = CsvList(
    name="enquiries",
    texts=admin_texts.EXPORT,
    action=SiteAction.READ_ENQUIRIES,
    head=admin_texts.EXPORT_HEAD,
    ids=_exported_ids,
    rows=sa.select(*columns, OWNER.label("owner")),
    id=columns.id,
    cells=_cells,
)
