"""Reads the revisions of a record, and puts one back."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from ..content import messages
from ..core.errors import Conflict, NotFound
from ..core.permissions import Actor, require
from ..core.text import record_id
from ..db.database import rows_changed
from ..observability.audit_log import Act
from . import activity, saving
from .inputs import RecordForm
from .record_type import AnyRecordType
from .revisions import REVISIONS_KEPT, TABLE, attribute, change_context, columns
from .snapshots import shown, values_of


@dataclass(frozen=True)
class RevisionLine:
    """One revision in a list. `changed` names columns; `by_name` is empty for a command."""

    number: int
    at: datetime
    by_name: str
    via: str
    action: str
    label: str
    changed: tuple[str, ...]
    restored_from: int | None


_LINE = (
    columns.number,
    columns.at,
    columns.by_name,
    columns.via,
    columns.action,
    columns.label,
    columns.changed,
    columns.restored_from,
)


def list_revisions(session: Session, actor: Actor, kind: AnyRecordType, record: object) -> tuple[RevisionLine, ...]:
    """The revisions of a record, stored or deleted, newest first; none if there is no such record."""
    require(actor, kind.action)
    query = sa.select(*_LINE).where(*_of(kind, record)).order_by(columns.number.desc()).limit(REVISIONS_KEPT)
    return tuple(map(_line, session.execute(query)))


def _line(row: Any) -> RevisionLine:
    changed = row.changed if isinstance(row.changed, list) else []
    names = tuple(name for name in changed if isinstance(name, str))
    return RevisionLine(**{column.name: row._mapping[column.name] for column in _LINE} | {"changed": names})


def get_revision(
    session: Session, actor: Actor, kind: AnyRecordType, record: object, number: object
) -> tuple[RevisionLine, Any]:
    """A revision and its snapshot; raises `NotFound` if the record has no such one."""
    require(actor, kind.action)
    query = sa.select(columns.snapshot, *_LINE).where(*_of(kind, record), columns.number == record_id(number))
    found = session.execute(query).first()
    if found is None:
        raise NotFound(messages.REVISION_MISSING)
    return _line(found), found.snapshot


def get_snapshot(session: Session, actor: Actor, kind: AnyRecordType, record: object, number: object) -> Any:
    """The snapshot of a revision; raises `NotFound` if the record has no such one."""
    return get_revision(session, actor, kind, record, number)[1]


def form_of_revision(
    session: Session, actor: Actor, kind: AnyRecordType, wanted: object, number: object
) -> tuple[RecordForm, RevisionLine]:
    """The form of a stored record with the values of one of its revisions, to be saved as any other change."""
    stored = kind.get_for_edit(session, actor, wanted)
    line, snapshot = get_revision(session, actor, kind, stored.id, number)
    form = kind.described_form(session, shown(kind.table, snapshot))
    return replace(form, id=stored.id, version=stored.version), line


def restore_revision(session: Session, actor: Actor, kind: AnyRecordType, record: object, number: object) -> None:
    """Put a stored record back to one of its revisions.

    Raises `NotFound` if one of the two is gone, and `InvalidInput` if the revision does not fit the table any more.
    """
    require(actor, kind.action)
    snapshot = get_snapshot(session, actor, kind, record, number)
    put_back(session, actor, kind, lock(session, kind, record), snapshot, record_id(number))


def erase_older(session: Session, actor: Actor, kind: AnyRecordType, record: object) -> int:
    """Erase all versions of a record but the present one, for a person whose data was in them; returns how many.

    Raises `NotFound` if there is no such record.
    """
    require(actor, kind.action)
    stored = lock(session, kind, record)
    erased = session.execute(sa.delete(TABLE).where(*_of(kind, record), columns.number < stored.version))
    activity.note(session, Act.ERASED, f"{kind.noun} {stored.id}", by=actor.user_id)
    return rows_changed(erased)


def lock(session: Session, kind: AnyRecordType, record: object) -> Any:
    """The stored record, locked until the transaction ends; raises `NotFound` if it was deleted."""
    query = sa.select(kind.table).where(kind.columns.id == record_id(record)).with_for_update()
    found = session.execute(query.execution_options(populate_existing=True)).scalar_one_or_none()
    if found is None:
        raise NotFound(saving.gone(kind.texts.update_failed))
    return found


def put_back(session: Session, actor: Actor, kind: AnyRecordType, record: Any, snapshot: object, number: int) -> None:
    """Give a locked record the values of a revision; it keeps its slug if another record has the old one now.

    Raises `InvalidInput` if it would show visitors a picture without a description.
    """
    require(actor, kind.action)
    values = values_of(kind.table, snapshot)
    kind.refuse_undescribed(session, values, record)
    has_other_slug = values["slug"] != record.slug
    if has_other_slug and not saving.is_free(session, kind.columns.slug, values["slug"], record.id):
        del values["slug"]
    change_context(session).restored_from[kind.table_name, record.id] = number
    saving.write(session, record, values, actor)
    if has_other_slug:  # others are written together, when the session is flushed
        saving.save(session, record, slug_is_typed=False)


def insert_again(
    session: Session, actor: Actor, kind: AnyRecordType, record: int, snapshot: object, number: int, last: int
) -> Any:
    """Insert a deleted record with its old id, and its old slug or the first free one; returns the row.

    `number` is that of the snapshot's revision. The record's versions go on after its last one. Raises `Conflict` if it
    is stored already, and `InvalidInput` if it would show visitors a picture without a description.
    """
    require(actor, kind.action)
    values = values_of(kind.table, snapshot)
    kind.refuse_undescribed(session, values)
    values["slug"] = saving.free_slug(session, kind.columns.slug, values["slug"])
    row = kind.table(**values, id=record, version=last + 1, updated_by=actor.user_id)
    change_context(session).restored_from[kind.table_name, record] = number
    attribute(session, actor.user_id)
    try:
        saving.save(session, row, slug_is_typed=False)
    except IntegrityError as error:
        raise Conflict(messages.RESTORED_ALREADY) from error
    return row


def _of(kind: AnyRecordType, record: object) -> tuple[sa.ColumnElement[bool], ...]:
    return columns.of_table == kind.table_name, columns.record_id == record_id(record)
