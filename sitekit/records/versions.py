"""Whether a record was changed since one of its versions was read; to be moved among the others is no change."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..base.permissions import Actor
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


def refuse_if_changed(session: Session, actor: Actor, record: Record, version: int) -> None:
    """Raise `SavedSince`, with who and when, if a record was changed after this version was read."""
    if is_changed(session, record, version):
        saving.refuse_if_newer(session, actor, record, version)


def present_place(session: Session, record: Any, typed: Mapping[str, Any], version: int) -> dict[str, Any]:
    """The record's present place, if what was typed over this version of it has the place of the version."""
    if record.version == version or ORDER not in typed:
        return {}
    of_version = session.execute(sa.select(columns.snapshot).where(*_of(record), columns.number == version)).scalar()
    is_kept = isinstance(of_version, Mapping) and of_version.get(ORDER) == typed[ORDER]
    return {ORDER: record.display_order} if is_kept else {}


def _of(record: Record) -> tuple[sa.ColumnElement[bool], ...]:
    return columns.of_table == record.__tablename__, columns.record_id == record.id


def _leaves_values(revision: Any) -> bool:
    if revision.changed:
        return bool(revision.changed == [ORDER])
    return bool(revision.action == RevisionAction.DELETED or revision.restored_from == revision.number - 1)
