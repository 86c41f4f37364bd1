"""Undoes what one click did: a batch of revisions, unless one of the records has a newer revision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..content import messages
from ..core.errors import Conflict, Forbidden, NotFound
from ..core.permissions import Actor, may
from ..core.text import one_line
from . import history, saving
from .bulk import locked
from .record_type import AnyRecordType
from .revisions import TABLE, RevisionAction, columns


@dataclass(frozen=True)
class Undone:
    """How many records were put back, and the name of one of them."""

    count: int
    name: str


def undo(session: Session, actor: Actor, kinds: Mapping[str, AnyRecordType], batch: object) -> Undone:
    """Undo a batch, all of it or nothing. `kinds` are the record types by the names of their tables.

    Raises `Forbidden` unless the user may manage all of its records, `NotFound` if there is no such batch or if a
    revision before it is not kept any more, and `Conflict` that names a later change and its author.
    """
    if not any(may(actor, kind.action) for kind in kinds.values()):
        raise Forbidden(messages.NOT_ALLOWED)
    written = _revisions_of(session, batch)
    tables = {one.of_table for one in written}
    if not all(table in kinds and may(actor, kinds[table].action) for table in tables):
        raise Forbidden(messages.NOT_ALLOWED)
    stored = {
        (table, record.id): record
        for table in sorted(tables)
        for record in locked(session, kinds[table], [one.record_id for one in written if one.of_table == table])
    }
    _refuse_if_newer(session, batch)
    records = [list(group) for _, group in groupby(written, lambda one: (one.of_table, one.record_id))]
    # All are read before the first is written, so that the records are written together.
    for last, before in [(revisions[-1], _before(session, revisions[0])) for revisions in records]:
        _undo(session, actor, kinds[last.of_table], last, before, stored.get((last.of_table, last.record_id)))
    return Undone(len(records), written[0].label)


def _revisions_of(session: Session, batch: object) -> Sequence[Any]:
    query = (
        sa.select(*columns)
        .where(columns.batch == one_line(batch))
        .order_by(columns.of_table, columns.record_id, columns.number)
        .with_for_update()
    )
    found = session.execute(query).all()
    if not found:
        raise NotFound(messages.UNDO_MISSING)
    return found


def _refuse_if_newer(session: Session, batch: object) -> None:
    of_batch = TABLE.alias("of_batch")
    newer = (
        sa.select(columns.by_name, columns.label)
        .join(
            of_batch,
            sa.and_(
                of_batch.c.of_table == columns.of_table,
                of_batch.c.record_id == columns.record_id,
                of_batch.c.number < columns.number,
            ),
        )
        .where(of_batch.c.batch == batch, columns.batch.is_distinct_from(batch))
        .order_by(columns.id.desc())
        .limit(1)
    )
    if found := session.execute(newer).first():
        who = found.by_name or messages.SOMEBODY
        raise Conflict(messages.CHANGED_SINCE.format(who=who, name=found.label))


def _undo(session: Session, actor: Actor, kind: AnyRecordType, last: Any, before: Any, record: Any) -> None:
    """Restore one record, whose last revision this is, to the state before it."""
    if before and record:
        history.put_back(session, actor, kind, record, before.snapshot, before.number)
    elif before:
        history.insert_again(session, actor, kind, last.record_id, before.snapshot, before.number, last.number)
    elif record:
        saving.delete(session, record, actor)


def _before(session: Session, first: Any) -> Any:
    """The revision that a record had before this one; None if it did not exist then."""
    if first.action == RevisionAction.CREATED.value:
        return None
    if first.action == RevisionAction.DELETED.value:
        return first  # its snapshot is the record that was deleted
    query = sa.select(columns.number, columns.snapshot, columns.action).where(
        columns.of_table == first.of_table, columns.record_id == first.record_id, columns.number == first.number - 1
    )
    found = session.execute(query).first()
    if found is None:
        raise NotFound(messages.REVISION_MISSING)
    return None if found.action == RevisionAction.DELETED.value else found
