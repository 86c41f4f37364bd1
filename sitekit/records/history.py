"""Reads the revisions of a record, and puts one back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from ..base import messages
from ..base.db.database import rows_changed
from ..base.errors import Conflict, NotFound
from ..base.observability.audit_log import AuditEvent
from ..base.permissions import Action, Actor, require
from ..base.text import record_id
from . import activity, batch, saving
from .edits import Edit, IfTaken
from .record_form import RecordForm
from .record_type import AnyRecordType
from .revisions import REVISIONS_KEPT, TABLE, columns
from .snapshots import object_of, unanswered_in, values_of


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


def list_revisions(
    session: Session, actor: Actor, record_type: AnyRecordType, record: object
) -> tuple[RevisionLine, ...]:
    """The revisions of a record, stored or deleted, newest first; none if there is no such record."""
    require(actor, record_type.read_action)
    query = sa.select(*_LINE).where(*_of(record_type, record)).order_by(columns.number.desc()).limit(REVISIONS_KEPT)
    return tuple(map(_line, session.execute(query)))


def _line(row: Any) -> RevisionLine:
    changed = row.changed if isinstance(row.changed, list) else []
    names = tuple(name for name in changed if isinstance(name, str))
    return RevisionLine(**{column.name: row._mapping[column.name] for column in _LINE} | {"changed": names})


def get_revision(
    session: Session, actor: Actor, record_type: AnyRecordType, record: object, number: object
) -> tuple[RevisionLine, Any]:
    """A revision and its snapshot; raises `NotFound` if the record has no such one."""
    require(actor, record_type.read_action)
    query = sa.select(columns.snapshot, *_LINE).where(*_of(record_type, record), columns.number == record_id(number))
    row = session.execute(query).first()
    if row is None:
        raise NotFound(messages.REVISION_MISSING)
    return _line(row), row.snapshot


def get_snapshot(session: Session, actor: Actor, record_type: AnyRecordType, record: object, number: object) -> Any:
    """The snapshot of a revision; raises `NotFound` if the record has no such one."""
    return get_revision(session, actor, record_type, record, number)[1]


def form_of_revision(
    session: Session, actor: Actor, record_type: AnyRecordType, id_or_slug: object, number: object
) -> tuple[RecordForm, RevisionLine]:
    """The form of a stored record with the values of one of its revisions, to be saved as any other change."""
    form_now = record_type.get_for_edit(session, actor, id_or_slug)
    line, snapshot = get_revision(session, actor, record_type, form_now.id, number)
    form = record_type.described_form(session, object_of(record_type.table, snapshot))
    return replace(form, id=form_now.id, version=form_now.version), line


def restore_revision(
    session: Session, actor: Actor, record_type: AnyRecordType, record: object, number: object
) -> None:
    """Put a stored record back to one of its revisions.

    Raises `NotFound` if one of the two is gone, and `InvalidInput` if the revision does not fit the table any more.
    """
    require(actor, record_type.change_action)
    snapshot = get_snapshot(session, actor, record_type, record, number)
    edit = put_back(record_type, lock(session, record_type, record), snapshot, record_id(number))
    batch.write(session, actor, record_type, [edit])


def erase_older(session: Session, actor: Actor, record_type: AnyRecordType, record: object) -> int:
    """Erase all versions of a record but the present one, for a person whose data was in them; returns how many.

    Raises `NotFound` if there is no such record.
    """
    require(actor, record_type.change_action)
    require(actor, Action.ERASE_RECORDS)
    locked_record = lock(session, record_type, record)
    erased = session.execute(sa.delete(TABLE).where(*_of(record_type, record), columns.number < locked_record.version))
    activity.log(session, AuditEvent.ERASED, f"{record_type.noun} {locked_record.id}", by=actor.user_id)
    return rows_changed(erased)


def lock(session: Session, record_type: AnyRecordType, record: object) -> Any:
    """The stored record, locked until the transaction ends; raises `NotFound` if it was deleted."""
    query = sa.select(record_type.table).where(record_type.columns.id == record_id(record)).with_for_update()
    locked_record = session.execute(query.execution_options(populate_existing=True)).scalar_one_or_none()
    if locked_record is None:
        raise NotFound(saving.gone(record_type.texts.update_failed))
    return locked_record


def put_back(record_type: AnyRecordType, record: Any, snapshot: object, number: int) -> Edit:
    """What gives a record the values of a revision; it keeps its slug if another record has the old one now.

    Raises `InvalidInput` if the revision does not fit the table any more.
    """
    values = values_of(record_type.table, snapshot)
    slug = values.pop("slug")
    return Edit(record, values, slug if slug != record.slug else "", IfTaken.KEEP, restored_from=number)


def insert_again(record_type: AnyRecordType, record: int, snapshot: object, number: int, last: int) -> Edit:
    """What adds a deleted record again: with its old id, and its old slug or the first free one.

    `number` is that of the snapshot's revision. The record's versions go on after its last one. Raises `InvalidInput`
    if the revision does not fit the table any more.
    """
    values = values_of(record_type.table, snapshot)
    row = record_type.table(**values, id=record, version=last + 1, unanswered=unanswered_in(snapshot))
    return Edit(row, values, values.pop("slug"), restored_from=number)


def write_again(session: Session, actor: Actor, record_type: AnyRecordType, edits: Sequence[Edit]) -> None:
    """`batch.write` for records of which some were deleted; raises `Conflict` if one of these is stored already."""
    require(actor, record_type.change_action)
    try:
        batch.write(session, actor, record_type, edits)
    except IntegrityError as error:
        raise Conflict(messages.RESTORED_ALREADY) from error


def _of(record_type: AnyRecordType, record: object) -> tuple[sa.ColumnElement[bool], ...]:
    return columns.of_table == record_type.table_name, columns.record_id == record_id(record)
