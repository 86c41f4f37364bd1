"""For a dashboard: what was changed last, and what needs attention, as far as a role may manage it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..base import paths
from ..base.db.database import UtcDateTime, now
from ..base.observability.audit_log import AuditEvent
from ..base.permissions import Action, Actor, AnyAction, may, require
from ..base.times import iso_text
from ..records import draft_texts, drafts, proposals
from ..records.activity import PROFILES
from ..records.activity import columns as acts
from ..records.features import record_types
from ..records.finding import Findable, read_some
from ..records.listing import INACTIVE_ONLY, WITH_DRAFT
from ..records.proposals import ProposalState
from ..records.record import ORDER
from ..records.record_type import AnyRecordType
from ..records.revisions import columns as revisions
from .history.state import fields_in_words

MOST_CHANGES = 5
MOST_REVISIONS = 300  # in which the last changes are looked for: the rest of a long import is skipped
MOST_NAMED = 5
TOLD_FOR = timedelta(days=7)  # of a draft that somebody else has published
CHANGED: Mapping[str, str] = MappingProxyType({"created": "added", "deleted": "deleted", "restored": "restored"})
ORDER_OF = "Order of the {noun} list"
AND_OTHERS = "{name} and others"
AND_MORE = "and {count} more"
NOT_PUBLISHED = "{} {} not published"


@dataclass(frozen=True, slots=True)
class Counted:
    """A text that follows a number, for one and for several."""

    one: str
    several: str

    def of(self, count: int) -> str:
        """The text for a count."""
        return self.one if count == 1 else self.several


_EARLIER = Counted("{what}, and {count} earlier change", "{what}, and {count} earlier changes")
_BLOCKED = Counted(draft_texts.BLOCKED_ONE, draft_texts.BLOCKED_SEVERAL)
_UNTOUCHED = Counted(draft_texts.UNTOUCHED_ONE, draft_texts.UNTOUCHED_SEVERAL)


@dataclass(frozen=True)
class RecentChange:
    """What the last act on a record has changed: the record and its type, and which fields.

    `name` is in words for several records. `who` is empty for a command. The time is an ISO text in UTC.
    """

    name: str = ""
    record_type: str = ""
    what: str = ""
    who: str = ""
    at: str = ""
    href: str = ""


@dataclass(frozen=True)
class RecordLink:
    """A record, and where its form is."""

    name: str = ""
    href: str = ""


@dataclass(frozen=True)
class WorkItem:
    """Something that needs attention: how many there are, in words, and where they are.

    Without a `href`, the first of them are named in `records`, and `more` says how many others there are.
    """

    count: int = 0
    text: str = ""
    href: str = ""
    records: tuple[RecordLink, ...] = ()
    more: str = ""


@dataclass(frozen=True)
class WorkCheck:
    """Rows that need attention. Records are named if nothing lists exactly them, and a single one always.

    `findable` is for a table that is no record type; `detail` says more of a single row.
    """

    action: AnyAction
    rows: sa.ColumnElement[bool]
    text: Counted
    href: str = ""
    record_type: AnyRecordType | None = None
    findable: Findable | None = None
    detail: sa.ColumnElement[str] | None = None


def recent_changes(session: Session, actor: Actor | None) -> tuple[RecentChange, ...]:
    """The records of the types that the actor manages that were changed last, newest first, each once."""
    require(actor, Action.VIEW_STATISTICS)
    tables = [table for table, record_type in record_types().items() if may(actor, record_type.read_action)]
    if not tables:
        return ()
    read = (revisions.id, revisions.of_table, revisions.record_id, revisions.label, revisions.by_name, revisions.at)
    newest = sa.select(*read, revisions.action, revisions.changed, revisions.batch)
    acts: dict[Any, list[Any]] = {}
    query = newest.where(revisions.of_table.in_(tables)).order_by(revisions.id.desc()).limit(MOST_REVISIONS)
    for row in session.execute(query):
        acts.setdefault(row.batch or row.id, []).append(row)
    lines: dict[Any, list[Sequence[Any]]] = {}
    for act, rows in acts.items():
        records = {(row.of_table, row.record_id) for row in rows}
        is_of_one = len(records) == 1 and not _is_order(rows)
        lines.setdefault(records.pop() if is_of_one else act, []).append(rows)
    return tuple(_change(session, rows, len(before)) for rows, *before in list(lines.values())[:MOST_CHANGES])


def _is_order(rows: Sequence[Any]) -> bool:
    return all(row.changed == [ORDER] for row in rows)


def _change(session: Session, rows: Sequence[Any], before: int) -> RecentChange:
    """The revisions of one act, newest first, as one line; `before` counts earlier acts on its record."""
    newest, record_type = rows[0], record_types()[rows[0].of_table]
    what = CHANGED.get(newest.action) or fields_in_words(record_type, newest.changed)
    name, href = newest.label, paths.history_page(newest.of_table, newest.record_id)
    if _is_order(rows):
        name, what, href = ORDER_OF.format(noun=record_type.noun), "", record_type.list_page()
    elif len({(row.of_table, row.record_id) for row in rows}) > 1:
        name, href = AND_OTHERS.format(name=newest.label), paths.ADMIN_ACTIVITY
    elif links := _links_of(session, record_type, record_type.columns.id == newest.record_id):
        href = links[0].href
    if before:
        what = _EARLIER.of(before).format(what=what, count=before)
    return RecentChange(name, record_type.title, what, newest.by_name, iso_text(newest.at), href)


def _links(session: Session, check: WorkCheck) -> tuple[RecordLink, ...]:
    """The first of the rows, if they have names."""
    if check.record_type:
        return _links_of(session, check.record_type, check.rows)
    if check.findable:
        return tuple(
            RecordLink(hit.name, hit.href) for hit in read_some(session, check.findable, check.rows, MOST_NAMED)
        )
    return ()


def _links_of(session: Session, record_type: AnyRecordType, rows: sa.ColumnElement[bool]) -> tuple[RecordLink, ...]:
    columns = record_type.columns
    query = sa.select(columns.id, columns.slug, columns.name).where(rows).order_by(columns.name, columns.id)
    records = session.execute(query.limit(MOST_NAMED))
    return tuple(RecordLink(record.name, record_type.form_page(record.id, record.slug)) for record in records)


def needs_attention(session: Session, actor: Actor | None, checks: Sequence[WorkCheck]) -> tuple[WorkItem, ...]:
    """The problems that the actor can fix."""
    require(actor, Action.VIEW_STATISTICS)
    told = _published_drafts(session, actor)
    allowed = [check for check in checks if may(actor, check.action)]
    if not allowed:
        return told
    counts = (sa.select(sa.func.count()).where(check.rows).scalar_subquery() for check in allowed)
    counted = zip(allowed, session.execute(sa.select(*counts)).one(), strict=True)
    return told + tuple(_item(session, check, count) for check, count in counted if count)


def _published_drafts(session: Session, actor: Actor | None) -> tuple[WorkItem, ...]:
    """The drafts of a user that others have published lately, as one line."""
    email = sa.select(PROFILES.c.email).where(PROFILES.c.id == (actor.user_id if actor else None)).scalar_subquery()
    of_user = acts.act == AuditEvent.COLLEAGUES_DRAFT_PUBLISHED.name.lower(), acts.subject == email
    query = sa.select(acts.of_table, acts.record_id, acts.by_name).where(*of_user, acts.at > now() - TOLD_FOR)
    rows = session.execute(query.order_by(acts.at.desc())).all()
    if not rows:
        return ()
    links = tuple(
        link
        for row in rows[:MOST_NAMED]
        if (record_type := record_types().get(row.of_table)) and may(actor, record_type.read_action)
        for link in _links_of(session, record_type, record_type.columns.id == row.record_id)
    )
    text = Counted(draft_texts.PUBLISHED_ONE.format(name=rows[0].by_name), draft_texts.PUBLISHED_SEVERAL)
    return (WorkItem(len(rows), text.of(len(rows)), records=links),)


def _item(session: Session, check: WorkCheck, count: int) -> WorkItem:
    text = check.text.of(count)
    if count == 1 and check.detail is not None:
        text = f"{text}. {session.execute(sa.select(check.detail).where(check.rows)).scalar()}".removesuffix(". ")
    named = () if check.href and count > 1 else _links(session, check)
    if not named:
        return WorkItem(count, text, check.href)
    more = AND_MORE.format(count=count - len(named)) if count > len(named) else ""
    return WorkItem(count, text, records=named, more=more)


def inactive_checks(record_types: Sequence[AnyRecordType]) -> tuple[WorkCheck, ...]:
    """Records that are not published, of the types with a tab."""
    return tuple(
        WorkCheck(
            record_type.change_action,
            sa.not_(record_type.is_public),
            Counted(*map(NOT_PUBLISHED.format, (record_type.noun, record_type.plural), ("is", "are"))),
            record_type.list_page({"filter": INACTIVE_ONLY}),
            record_type,
        )
        for record_type in record_types
        if record_type.tab
    )


def draft_checks(record_types: Sequence[AnyRecordType]) -> tuple[WorkCheck, ...]:
    """Drafts that could not be published at their times, and those left untouched for six months."""
    return tuple(check for record_type in record_types for check in _draft_checks(record_type))


def _draft_checks(record_type: AnyRecordType) -> tuple[WorkCheck, ...]:
    of_type = sa.and_(proposals.is_draft(record_type.table_name), drafts.is_kept([record_type]))
    since = sa.bindparam("untouched", callable_=lambda: now() - drafts.UNTOUCHED, type_=UtcDateTime)
    is_blocked = proposals.columns.state == ProposalState.BLOCKED.value
    href = record_type.list_page({"filter": WITH_DRAFT})
    action = record_type.change_action
    return (
        WorkCheck(action, sa.and_(of_type, is_blocked), _BLOCKED, href, detail=proposals.columns.problem),
        WorkCheck(action, sa.and_(of_type, proposals.columns.updated_at < since), _UNTOUCHED, href),
    )
