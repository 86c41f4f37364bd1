"""Deleted records: those whose last revision is a deletion. They can be restored until they are erased."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..base import messages
from ..base.db.folding import folded
from ..base.errors import Forbidden, NotFound
from ..base.observability.audit_log import AuditEvent
from ..base.permissions import Action, Actor, may, require
from ..base.text import record_id
from ..base.times import iso_text
from . import activity, drafts, history, slug_redirects
from .listing import ListOptions, ListPage, ListQuery, paginate
from .record_type import AnyRecordType
from .revisions import IS_OLDER, TABLE, RevisionAction, columns

TRASH_KEPT = timedelta(days=30)

# A deleted record has no newer revision: restoring it writes one.
IN_TRASH = sa.and_(columns.action == RevisionAction.DELETED.value, sa.not_(IS_OLDER))
_DELETED = sa.select(columns.of_table, columns.record_id).where(IN_TRASH)


@dataclass(frozen=True)
class TrashRow:
    """A deleted record in the list; times are ISO texts in UTC, and `record_type` is a title.

    `id` is that of its revision, because records of several types are listed. `by_name` is empty for a command.
    """

    id: int = 0
    of_table: str = ""
    record_id: int = 0
    record_type: str = ""
    name: str = ""
    by_name: str = ""
    at: str = ""
    erased_at: str = ""


@dataclass(frozen=True)
class Restored:
    """A restored record: its slug, and the one that it had before."""

    name: str
    slug: str
    former_slug: str


_OPTIONS = ListOptions(
    searched=(columns.label, columns.by_name),
    sorts={"name": folded(columns.label), "kind": columns.of_table, "deleted": columns.at},
    default=(columns.at.desc(),),
    id=columns.id,
)


def list_trash(
    session: Session, actor: Actor, record_types: Mapping[str, AnyRecordType], query: ListQuery
) -> ListPage[TrashRow]:
    """One page of the deleted records of the types that the user may change; `query.filter` is the name of one table.

    `kinds` are the record types by the names of their tables.
    """
    names = [name for name, record_type in record_types.items() if may(actor, record_type.change_action)]
    if not names:
        raise Forbidden(messages.NOT_ALLOWED)
    tables = [query.filter] if query.filter in names else names
    statement = sa.select(
        columns.id, columns.of_table, columns.record_id, columns.label, columns.by_name, columns.at
    ).where(IN_TRASH, columns.of_table.in_(tables))
    rows, total, page, pages = paginate(session, statement, query, _OPTIONS)
    return ListPage(tuple(_row(row, record_types[row.of_table].title) for row in rows), total, page, pages, query.size)


def _row(row: Any, title: str) -> TrashRow:
    times = iso_text(row.at), iso_text(row.at + TRASH_KEPT)
    return TrashRow(row.id, row.of_table, row.record_id, title, row.label, row.by_name, *times)


def restore(session: Session, actor: Actor, record_type: AnyRecordType, record: object) -> Restored:
    """Restore a deleted record: the same id, and the old slug or the first free one.

    Raises `NotFound` if it is not in the trash, and `InvalidInput` if it does not fit the table any more.
    """
    require(actor, record_type.change_action)
    last = _last(session, record_type, record)
    edit = history.insert_again(record_type, last.record_id, last.snapshot, last.number, last.number)
    history.write_again(session, actor, record_type, [edit])
    return Restored(edit.record.name, edit.record.slug, edit.slug)


def erase(session: Session, actor: Actor, record_type: AnyRecordType, record: object) -> str:
    """Erase a deleted record with its history; returns its name. Raises `NotFound` if it is not in the trash."""
    require(actor, record_type.change_action)
    require(actor, Action.ERASE_RECORDS)
    last = _last(session, record_type, record)
    _erase(session, record_type.table_name, last.record_id)
    subject = {"of_table": record_type.table_name, "record_id": last.record_id}
    activity.log(session, AuditEvent.ERASED, f"{record_type.noun} {last.record_id}", by=actor.user_id, **subject)
    return str(last.label)


def erase_revisions(session: Session, revisions: Sequence[int]) -> int:
    """Erase the deleted records whose last revisions have these ids, with their histories; returns how many."""
    return _erase_all(session, _DELETED.where(columns.id.in_(revisions)))


def delete_expired(session: Session, at: datetime, limit: int) -> int:
    """Erase the records that were deleted more than `TRASH_KEPT` ago."""
    return _erase_all(session, _DELETED.where(columns.at < at - TRASH_KEPT).limit(limit))


def _erase_all(session: Session, deleted: sa.Select[Any]) -> int:
    erasable = [row for row in session.execute(deleted).all() if _deletion(session, row.of_table, row.record_id)]
    for row in erasable:
        _erase(session, row.of_table, row.record_id)
    return len(erasable)


def _last(session: Session, record_type: AnyRecordType, record: object) -> Any:
    deletion = _deletion(session, record_type.table_name, record)
    if deletion is None:
        raise NotFound(messages.NOT_IN_TRASH)
    return deletion


def _deletion(session: Session, table: str, record: object) -> Any:
    """The last revision of a record in the trash, locked until the transaction ends; None if it is not there."""
    of_record = columns.of_table == table, columns.record_id == record_id(record)
    # First locked, then read: it may be restored while this waits for the lock.
    session.execute(
        sa.select(columns.id).where(*of_record, columns.action == RevisionAction.DELETED.value).with_for_update()
    )
    return session.execute(sa.select(*columns).where(IN_TRASH, *of_record)).first()


def _erase(session: Session, table: str, record: int) -> None:
    """Delete the rest of a deleted record: its revisions, its former slugs, and its name in the activity."""
    session.execute(sa.delete(TABLE).where(columns.of_table == table, columns.record_id == record))
    slug_redirects.erase(session, table, record)
    drafts.erase(session, table, record)
    activity.erase_names(session, table, record)
