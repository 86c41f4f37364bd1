"""Lists the activity log, as far as a role may read it, and exports it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..base import messages
from ..base.db.database import now
from ..base.observability.audit_log import AUDIT_EVENTS, AnyAuditEvent, AuditEvent
from ..base.permissions import Action, Actor, AnyAction, may, require
from ..base.text import fold
from ..base.times import iso_text
from . import csv_texts
from .activity import NAME, PROFILES, SIGN_INS, columns
from .csv_export import CsvList
from .features import features
from .listing import ListOptions, ListPage, ListQuery, ordered_ids

# The values of the filters `filter`, `since` and `who`.
CATEGORIES: Mapping[str, frozenset[AnyAuditEvent]] = {
    "records": frozenset(
        {
            AuditEvent.CREATED,
            AuditEvent.SAVED,
            AuditEvent.DELETED,
            AuditEvent.RESTORED,
            AuditEvent.ERASED,
            AuditEvent.DRAFT_SAVED,
            AuditEvent.DRAFT_SCHEDULED,
            AuditEvent.DRAFT_PUBLISHED,
            AuditEvent.COLLEAGUES_DRAFT_PUBLISHED,
            AuditEvent.DRAFT_DISCARDED,
            AuditEvent.DRAFT_BLOCKED,
            AuditEvent.PREVIEW_SHARED,
            AuditEvent.PREVIEW_REVOKED,
        }
    ),
    "pictures": frozenset({AuditEvent.PICTURE_ADDED, AuditEvent.PICTURE_CHANGED, AuditEvent.PICTURE_DELETED}),
    "files": frozenset({AuditEvent.EXPORTED, AuditEvent.IMPORTED}),
    "accounts": frozenset(
        {
            AuditEvent.ACCOUNT_CREATED,
            AuditEvent.INVITED,
            AuditEvent.INVITED_AGAIN,
            AuditEvent.INVITATION_REVOKED,
            AuditEvent.INVITATION_ACCEPTED,
            AuditEvent.ADDRESS_CONFIRMED,
            AuditEvent.ACCOUNT_DEACTIVATED,
            AuditEvent.ACCOUNT_REACTIVATED,
            AuditEvent.ACCOUNT_DELETED,
            AuditEvent.ACCOUNT_UNLOCKED,
            AuditEvent.ROLE_CHANGED,
            AuditEvent.NAMES_CHANGED,
            AuditEvent.FACTOR_RENAMED,
            AuditEvent.PASSWORD_CHANGED,
            AuditEvent.FACTOR_ADDED,
            AuditEvent.FACTOR_REMOVED,
            AuditEvent.FACTORS_RESET,
            AuditEvent.RECOVERY_CODES_MADE,
            AuditEvent.RESET_REQUESTED,
            AuditEvent.RESET_SENT,
            AuditEvent.EMAIL_CHANGE_REQUESTED,
            AuditEvent.EMAIL_CHANGED,
            AuditEvent.CONFIRMATION_REQUESTED,
            AuditEvent.PERSONAL_DATA_ERASED,
        }
    ),
    "sign-ins": SIGN_INS,
    "operations": frozenset({AuditEvent.MAIL_SENT_AGAIN}),
}
SPANS = {"day": timedelta(days=1), "week": timedelta(days=7), "month": timedelta(days=30)}
WHO, SINCE = "who", "since"
MOST_NAMES = 100

# Ordered by id, which is the order of time: no index and no sorting is needed.
OPTIONS = ListOptions(
    searched=(columns.searched,),
    is_folded=True,
    sorts={"when": columns.id},
    default=(columns.id.desc(),),
    id=columns.id,
    facets={WHO: columns.by_name},
)
# More are found by a filter or the other order, and exported. Counting all would read the whole table.
MOST_LISTED = 10_000

# The tables that managers see, with the action that manages their records.
Tables = Mapping[str, AnyAction]


@dataclass(frozen=True)
class ActivityLine:
    """One act. `by_name` is empty for a command; `act` is None if this release does not have it."""

    id: int
    at: datetime
    by_name: str
    audit_event: AnyAuditEvent | None
    of_table: str
    record_id: int
    subject: str
    network: str


def list_activity(session: Session, actor: Actor, tables: Tables, query: ListQuery) -> ListPage[ActivityLine]:
    """One page of the acts that the user may see, newest first: their own, those on `tables`, or all.

    Of more than `MOST_LISTED`, these are listed.
    """
    matches = _ids(tables, actor, query).limit(MOST_LISTED + 1).cte("found")
    total, page = 0, query.page
    if ids := _ids_on(session, matches, query, page):
        total = ids[0].total
    elif page > 1 and (total := session.execute(sa.select(sa.func.count()).select_from(matches)).scalar_one()):
        page = -(-min(total, MOST_LISTED) // query.size)
        ids = _ids_on(session, matches, query, page)
    rows = {row.id: row for row in session.execute(sa.select(*columns).where(columns.id.in_([row.id for row in ids])))}
    lines = tuple(_line(rows[row.id]) for row in ids if row.id in rows)
    listed = min(total, MOST_LISTED)
    pages = max(1, -(-listed // query.size))
    return ListPage(lines, listed, page if total else 1, pages, query.size, is_more=total > listed)


def _ids_on(session: Session, matches: sa.CTE, query: ListQuery, page: int) -> Sequence[sa.Row[Any]]:
    """The ids of a page, each with the number of ids found: one statement, which reads the table once."""
    total = sa.select(sa.func.count()).select_from(matches).scalar_subquery().label("total")
    first, last = (page - 1) * query.size, min(page * query.size, MOST_LISTED)
    order = matches.c.id.asc() if query.sort in OPTIONS.sorts and not query.descending else matches.c.id.desc()
    return session.execute(
        sa.select(matches.c.id, total).order_by(order).offset(first).limit(max(0, last - first))
    ).all()


def acts_of(category: str) -> frozenset[AnyAuditEvent]:
    """The acts that a filter selects: one of `KINDS`, or of the site's; none if there is no such filter."""
    return CATEGORIES.get(category) or frozenset().union(
        *(group.icons for group in features().audit_events if group.name == category)
    )


def names(session: Session, actor: Actor) -> list[str]:
    """The names of the users who signed in last, for those who see more than their own acts."""
    require(actor, Action.VIEW_OWN_ACTIVITY)
    if not may(actor, Action.VIEW_CONTENT_ACTIVITY):
        return []
    signed_in = PROFILES.c.last_signed_in_at
    latest = sa.select(NAME).where(signed_in.is_not(None)).order_by(signed_in.desc())
    return sorted({*session.execute(latest.limit(MOST_NAMES)).scalars()}, key=fold)


def csv_of_activity(tables: Callable[[], Tables]) -> CsvList:
    """The export of the list."""
    return CsvList(
        name="activity",
        texts=csv_texts.ACTIVITY,
        action=Action.VIEW_OWN_ACTIVITY,
        head=csv_texts.ACTIVITY_HEAD,
        ids=lambda actor, query: _ids(tables(), actor, query),
        rows=sa.select(*columns),
        id=columns.id,
        cells=_cells,
    )


def _found(actor: Actor, tables: Tables, query: ListQuery) -> sa.Select[Any]:
    require(actor, Action.VIEW_OWN_ACTIVITY)
    statement = sa.select(*columns)
    if not may(actor, Action.VIEW_ALL_ACTIVITY):
        statement = statement.where(sa.or_(*_visible(actor, tables)))
    if listed := acts_of(query.filter):
        acts = sorted(audit_event.name.lower() for audit_event in listed)
        statement = statement.where(_unindexed(columns.act).in_(acts))
    if (since := query.facets.get(SINCE, "")) in SPANS:
        first = sa.select(columns.id).where(columns.at >= now() - SPANS[since]).order_by(columns.at).limit(1)
        statement = statement.where(columns.id >= first.scalar_subquery())
    return statement


def _visible(actor: Actor, tables: Tables) -> Iterator[sa.ColumnElement[bool]]:
    if not may(actor, Action.VIEW_CONTENT_ACTIVITY):
        yield columns.by == actor.user_id
        return
    yield columns.by + 0 == actor.user_id
    yield _unindexed(columns.of_table).in_([table for table, action in tables.items() if may(actor, action)])


def _unindexed(column: sa.ColumnElement[str]) -> sa.ColumnElement[str]:
    """The column as an expression: many rows match, and reading the table in its order is faster than an index."""
    return column.concat("")


def _ids(tables: Tables, actor: Actor, query: ListQuery) -> sa.Select[Any]:
    return ordered_ids(_found(actor, tables, query), query, OPTIONS)


def _line(row: Any) -> ActivityLine:
    subject, audit_event = row.subject, AUDIT_EVENTS.get(row.act)
    if audit_event and subject.casefold() == audit_event.casefold():
        subject = ""  # an ordinary sign-in
    return ActivityLine(
        row.id, row.at, row.by_name, audit_event, row.of_table, row.record_id or 0, subject, row.network
    )


def _cells(row: Any) -> tuple[str, ...]:
    line = _line(row)
    return (
        iso_text(line.at),
        line.by_name or messages.SYSTEM,
        str(line.audit_event or row.act),
        line.subject,
        line.of_table,
        str(line.record_id or ""),
        line.network,
    )
