"""Lists the activity log, as far as a role may read it, and exports it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..content import csv_texts as words
from ..content import messages
from ..core.permissions import Action, Actor, may, require
from ..core.text import iso_text
from ..db.database import now
from ..observability.audit_log import Act
from .activity import NAME, PROFILES, SIGN_INS, columns
from .csv_export import CsvList
from .listing import ListOptions, ListQuery, Page, ordered_ids

# The values of the filters `filter`, `since` and `who`.
KINDS: Mapping[str, frozenset[Act]] = {
    "records": frozenset({Act.CREATED, Act.SAVED, Act.DELETED, Act.RESTORED, Act.ERASED}),
    "enquiries": frozenset({Act.ENQUIRY_HANDLED, Act.ENQUIRY_REOPENED, Act.ENQUIRY_DELETED}),
    "pictures": frozenset({Act.PICTURE_ADDED, Act.PICTURE_CHANGED, Act.PICTURE_DELETED}),
    "files": frozenset({Act.EXPORTED, Act.IMPORTED}),
    "accounts": frozenset(
        {
            Act.ACCOUNT_CREATED,
            Act.INVITED,
            Act.INVITED_AGAIN,
            Act.INVITATION_REVOKED,
            Act.INVITATION_ACCEPTED,
            Act.ADDRESS_CONFIRMED,
            Act.ACCOUNT_DEACTIVATED,
            Act.ACCOUNT_REACTIVATED,
            Act.ACCOUNT_DELETED,
            Act.ACCOUNT_UNLOCKED,
            Act.ROLE_CHANGED,
            Act.NAMES_CHANGED,
            Act.FACTOR_RENAMED,
            Act.PASSWORD_CHANGED,
            Act.FACTOR_ADDED,
            Act.FACTOR_REMOVED,
            Act.FACTORS_RESET,
            Act.RECOVERY_CODES_MADE,
            Act.RESET_REQUESTED,
            Act.RESET_SENT,
            Act.EMAIL_CHANGE_REQUESTED,
            Act.EMAIL_CHANGED,
            Act.CONFIRMATION_REQUESTED,
            Act.PERSONAL_DATA_ERASED,
        }
    ),
    "sign-ins": SIGN_INS,
    "operations": frozenset({Act.MAIL_SENT_AGAIN}),
}
SPANS = {"day": timedelta(days=1), "week": timedelta(days=7), "month": timedelta(days=30)}
WHO, SINCE = "who", "since"
MOST_NAMES = 100

# Ordered by id, which is the order of time: no index and no sorting is needed.
OPTIONS = ListOptions(
    searched=(columns.searched,),
    is_lower_case=True,
    sorts={"when": columns.id},
    default=(columns.id.desc(),),
    id=columns.id,
    facets={WHO: columns.by_name},
)
# More are found by a filter or the other order, and exported. Counting all would read the whole table.
MOST_LISTED = 10_000

# The tables that managers see, with the action that manages their records.
Tables = Mapping[str, Action]


@dataclass(frozen=True)
class ActivityLine:
    """One act. `by_name` is empty for a command; `act` is None if this release does not have it."""

    id: int
    at: datetime
    by_name: str
    act: Act | None
    of_table: str
    record_id: int
    subject: str
    network: str


def list_activity(session: Session, actor: Actor, tables: Tables, query: ListQuery) -> Page[ActivityLine]:
    """One page of the acts that the user may see, newest first: their own, those on `tables`, or all.

    Of more than `MOST_LISTED`, these are listed.
    """
    found = _ids(tables, actor, query).limit(MOST_LISTED + 1).cte("found")
    total, page = 0, query.page
    if ids := _ids_on(session, found, query, page):
        total = ids[0].total
    elif page > 1 and (total := session.execute(sa.select(sa.func.count()).select_from(found)).scalar_one()):
        page = -(-min(total, MOST_LISTED) // query.size)
        ids = _ids_on(session, found, query, page)
    rows = {row.id: row for row in session.execute(sa.select(*columns).where(columns.id.in_([one.id for one in ids])))}
    lines = tuple(_line(rows[one.id]) for one in ids if one.id in rows)
    listed = min(total, MOST_LISTED)
    pages = max(1, -(-listed // query.size))
    return Page(lines, listed, page if total else 1, pages, query.size, is_more=total > listed)


def _ids_on(session: Session, found: sa.CTE, query: ListQuery, page: int) -> Sequence[sa.Row[Any]]:
    """The ids of a page, each with the number of ids found: one statement, which reads the table once."""
    total = sa.select(sa.func.count()).select_from(found).scalar_subquery().label("total")
    first, last = (page - 1) * query.size, min(page * query.size, MOST_LISTED)
    order = found.c.id.asc() if query.sort in OPTIONS.sorts and not query.descending else found.c.id.desc()
    return session.execute(sa.select(found.c.id, total).order_by(order).offset(first).limit(max(0, last - first))).all()


def names(session: Session, actor: Actor) -> list[str]:
    """The names of the users who signed in last, for those who see more than their own acts."""
    require(actor, Action.VIEW_OWN_ACTIVITY)
    if not may(actor, Action.VIEW_CONTENT_ACTIVITY):
        return []
    signed_in = PROFILES.c.last_signed_in_at
    latest = sa.select(NAME).where(signed_in.is_not(None)).order_by(signed_in.desc())
    return sorted({*session.execute(latest.limit(MOST_NAMES)).scalars()}, key=str.casefold)


def csv_of_activity(tables: Tables) -> CsvList:
    """The export of the list."""
    return CsvList(
        name="activity",
        texts=words.ACTIVITY,
        action=Action.VIEW_OWN_ACTIVITY,
        head=words.ACTIVITY_HEAD,
        ids=partial(_ids, tables),
        rows=sa.select(*columns),
        id=columns.id,
        cells=_cells,
    )


def _found(actor: Actor, tables: Tables, query: ListQuery) -> sa.Select[Any]:
    require(actor, Action.VIEW_OWN_ACTIVITY)
    statement = sa.select(*columns)
    if not may(actor, Action.VIEW_ALL_ACTIVITY):
        statement = statement.where(sa.or_(*_visible(actor, tables)))
    if query.filter in KINDS:
        acts = sorted(act.name.lower() for act in KINDS[query.filter])
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
    subject, act = row.subject, Act.__members__.get(row.act.upper())
    if act and subject.casefold() == act.casefold():
        subject = ""  # an ordinary sign-in
    return ActivityLine(row.id, row.at, row.by_name, act, row.of_table, row.record_id or 0, subject, row.network)


def _cells(row: Any) -> tuple[str, ...]:
    line = _line(row)
    return (
        iso_text(line.at),
        line.by_name or messages.SYSTEM,
        str(line.act or row.act),
        line.subject,
        line.of_table,
        str(line.record_id or ""),
        line.network,
    )
