"""Whether a record was changed since one of its versions was read; to be moved among the others is no change."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from . import saving
from .record import ORDER, Record
from .revisions import RevisionAction, columns


def is_changed(session: Session, record: Record, version: int) -> bool:
    """Whether a record differs from this version of it, but for its place.

    One that was restored from the trash as it was deleted does not.
    """
    if record.version == version:
        return False
    newer = sa.select(columns.number, columns.action, columns.changed, columns.restored_from)
    written = session.execute(newer.where(*_of(record), columns.number > version)).all()
    return len(written) != record.version - version or not all(map(_leaves_values, written))


def refuse_if_changed(session: Session, record: Record, version: int) -> None:
    """Raise `SavedSince`, with who and when, if a record was changed after this version was read."""
    if is_changed(session, record, version):
        saving.refuse_if_newer(session, record, version)


def with_present_place(session: Session, record: Any, typed: Mapping[str, Any], version: int) -> dict[str, Any]:
    """The values typed over this version of a record, with the record's present place unless another one was typed."""
    if record.version == version or ORDER not in typed:
        return dict(typed)
    of_version = session.execute(sa.select(columns.snapshot).where(*_of(record), columns.number == version)).scalar()
    is_typed = not isinstance(of_version, Mapping) or of_version.get(ORDER) != typed[ORDER]
    return dict(typed) | ({} if is_typed else {ORDER: record.display_order})


def _of(record: Record) -> tuple[sa.ColumnElement[bool], ...]:
    return columns.of_table == record.__tablename__, columns.record_id == record.id


def _leaves_values(revision: Any) -> bool:
    if revision.action == RevisionAction.DELETED:
        return True
    if not revision.changed:
        return bool(revision.restored_from == revision.number - 1)
    return bool(revision.changed == [ORDER])
