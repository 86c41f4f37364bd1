"""Writes several records of a type together: one query for each check, and one statement for all rows."""

from collections.abc import Collection, Sequence
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..base.permissions import Actor, require
from ..base.text import unused_slug
from . import activity, saving, slug_owners
from .edits import Edit, IfTaken
from .record import ORDER
from .record_table import RecordTable
from .revisions import RevisionAction, change_context
from .snapshots import changed_columns


def read_records(session: Session, actor: Actor, record_type: RecordTable[Any], ids: Collection[int]) -> list[Any]:
    """The records with these ids, to be changed outside of this session."""
    require(actor, record_type.change_action)
    records = list(session.execute(sa.select(record_type.table).where(record_type.columns.id.in_(ids))).scalars())
    for record in records:
        session.expunge(record)
    return records


def check_uses(session: Session, actor: Actor, record_type: RecordTable[Any], edits: Sequence[Edit]) -> None:
    """Check what typed values refer to, and keep it; what that takes is up to each field.

    Raises `InvalidInput` if a record begins to name a record of another type that never was, or a picture that is gone.
    """
    require(actor, record_type.change_action)
    for name, each in record_type.fields.items():
        each.field_type.prepare(session, actor, name, edits)


def write(session: Session, actor: Actor, record_type: RecordTable[Any], edits: Sequence[Edit]) -> None:
    """Write records in one flush.

    Raises `InvalidInput` if a typed slug is taken, or if a record would begin to show visitors a picture without a
    description, and `Conflict` if another user saved one of them since it was read.
    """
    require(actor, record_type.change_action)
    for name, each in record_type.fields.items():
        each.field_type.check_shown(session, record_type.publishing, name, edits)
    position = None
    for edit, slug in zip(edits, slugs_of(session, record_type, edits), strict=True):
        values = edit.values | ({"slug": slug} if slug else {})
        if ORDER in values and values[ORDER] is None:
            position = (last_place(session, record_type) if position is None else position) + 1
            values[ORDER] = position
        if edit.restored_from is not None:
            change_context(session).restored_from[record_type.table_name, edit.record.id] = edit.restored_from
        if edit.is_new:
            edit.record.updated_by = actor.user_id
        unanswered = edit.record.unanswered
        saving.write(session, edit.record, values, actor)
        if edit.record.unanswered != unanswered and not edit.is_new and not changed_columns(edit.record):
            # No revision logs it.
            _log_save(session, actor, record_type, edit.record)
    is_typed = any(edit.slug and edit.if_taken == IfTaken.REFUSE for edit in edits)
    saving.save(session, [edit.record for edit in edits], slug_is_typed=is_typed)


def _log_save(session: Session, actor: Actor, record_type: RecordTable[Any], record: Any) -> None:
    line = {"action": RevisionAction.SAVED, "by": actor.user_id, "label": record.name}
    activity.add_changes(session, [line | {"of_table": record_type.table_name, "record_id": record.id}])


def slugs_of(session: Session, record_type: RecordTable[Any], edits: Sequence[Edit]) -> list[str]:
    """The slug that each record gets; empty for one that keeps its own."""
    typed, slugs = [edit.slug for edit in edits if edit.slug], []
    owners = slug_owners.owners(session, record_type.columns.slug, typed) if typed else {}
    for row, edit in enumerate(edits):
        slug, own = edit.slug, edit.record.id or -row - 1
        if slug and owners.get(slug, own) != own:
            if edit.if_taken == IfTaken.REFUSE:
                raise saving.slug_taken(row)
            taken = (slug for slug, owner in owners.items() if owner != own)
            slug = "" if edit.if_taken == IfTaken.KEEP else unused_slug(slug, taken)
        if slug:
            owners[slug] = own
        slugs.append(slug)
    return slugs


def last_place(session: Session, record_type: RecordTable[Any]) -> int:
    """The position of the last record; 0 without records."""
    return session.execute(sa.select(sa.func.max(record_type.columns[ORDER]))).scalar() or 0
