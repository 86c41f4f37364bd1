"""Undoes what one click did: a batch of revisions, unless one of the records has a newer revision.

`prepare` reads, and `undo` only writes, because on SQLite nobody else can write meanwhile.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..base import messages
from ..base.db.database import LenientJson, now
from ..base.errors import Conflict, Forbidden, NotFound
from ..base.permissions import Actor, may, require
from ..base.text import name_list
from . import history, saving
from .batch import read_records
from .edits import Edit
from .record import ORDER
from .record_type import AnyRecordType
from .revisions import BATCH, TABLE, RevisionAction, columns

UNDOABLE_FOR = timedelta(days=1)

_of_batch = TABLE.alias("of_batch")
# Whether a revision is a later one of a record of the batch, and of another batch. One that moved the record among the
# others counts only if the batch moved it, too: undoing anything else leaves its place.
_IS_NEWER = sa.and_(
    sa.or_(
        columns.changed != sa.literal([ORDER], LenientJson),
        sa.cast(_of_batch.c.changed, sa.Text).contains(f'"{ORDER}"'),
    ),
    _of_batch.c.of_table == columns.of_table,
    _of_batch.c.record_id == columns.record_id,
    _of_batch.c.number < columns.number,
    columns.batch.is_distinct_from(_of_batch.c.batch),
)


@dataclass(frozen=True)
class Undone:
    """What was undone in words, and a text about the records that have another page address now."""

    text: str
    moved: str = ""


@dataclass
class Changes:
    """What undoing a batch changes in a table: records to delete, and records to write."""

    created: list[Any] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)


@dataclass
class PreparedUndo:
    """What undoing a batch of so many revisions changes, by the names of the tables; `text` says it once it is done."""

    batch: str
    revisions: int
    text: str
    changes: dict[str, Changes]


def prepare(session: Session, actor: Actor, record_types: Mapping[str, AnyRecordType], batch: object) -> PreparedUndo:
    """Read what undoing a batch of this user changes. `kinds` are the record types by the names of their tables.

    Raises `Forbidden` unless the user may manage all of its records, and `NotFound` if the user did nothing with this
    batch within `UNDOABLE_FOR`, or if a revision before it is not kept any more.
    """
    _refuse_unless_any(actor, record_types)
    if not (isinstance(batch, str) and BATCH.fullmatch(batch)):
        raise NotFound(messages.UNDO_MISSING)
    written, earlier = _revisions_of(session, actor, batch), _revisions_before(session, batch)
    changes: dict[str, Changes] = {}
    for table, group in groupby(written, lambda revision: str(revision.of_table)):
        if table not in record_types or not may(actor, record_types[table].change_action):
            raise Forbidden(messages.NOT_ALLOWED)
        changes[table] = _changes(session, actor, record_types[table], list(group), earlier)
    return PreparedUndo(batch, len(written), _in_words(record_types, written), changes)


def _in_words(record_types: Mapping[str, AnyRecordType], written: Sequence[Any]) -> str:
    """What is said when these revisions are undone, with the names of their records."""
    labels = list(dict.fromkeys(revision.label for revision in written))
    if all(revision.changed == [ORDER] for revision in written):
        return messages.UNDONE_ORDER
    text, by_publishing = messages.UNDONE, [(record_types[row.of_table].publishing, row) for row in written]
    if all(revision.changed == [publishing.column] for publishing, revision in by_publishing):
        were_public = {row.snapshot[publishing.column] == publishing.public for publishing, row in by_publishing}
        texts = {(False,): messages.UNDONE_HIDDEN, (True,): messages.UNDONE_PUBLISHED}
        text = texts.get(tuple(were_public), text)
    return text.format(records=name_list(labels), verb="is" if len(labels) == 1 else "are")


def _changes(
    session: Session,
    actor: Actor,
    record_type: AnyRecordType,
    written: Sequence[Any],
    earlier: Mapping[tuple[str, int], Any],
) -> Changes:
    records = {
        record.id: record
        for record in read_records(session, actor, record_type, {revision.record_id for revision in written})
    }
    changes = Changes()
    for record_id, group in groupby(written, lambda revision: revision.record_id):
        first, *more = group
        record, before = records.get(record_id), _before(first, earlier)
        if before is None:
            changes.created += [record] if record else []
        elif record:
            edit = history.put_back(record_type, record, before.snapshot, before.number)
            if not any(ORDER in revision.changed for revision in (first, *more)):
                edit.values.pop(ORDER, None)
            changes.edits.append(edit)
        else:
            last = [first, *more][-1].number
            changes.edits.append(history.insert_again(record_type, record_id, before.snapshot, before.number, last))
    return changes


def undo(session: Session, actor: Actor, record_types: Mapping[str, AnyRecordType], prepared: PreparedUndo) -> Undone:
    """Carry out what was prepared, all of it or nothing.

    Raises `Conflict` that names a later change and its author, and `NotFound` if a record was erased meanwhile.
    """
    _refuse_unless_any(actor, record_types)
    for table in prepared.changes:
        require(actor, record_types[table].change_action)
    # Another Undo of the batch waits here, and then finds the revisions of this one.
    present = session.execute(sa.select(columns.id).where(columns.batch == prepared.batch).with_for_update()).all()
    if len(present) < prepared.revisions:
        raise NotFound(messages.UNDO_MISSING)
    _refuse_if_newer(session, actor, prepared.batch)
    for table, changes in prepared.changes.items():
        saving.delete(session, actor, *changes.created)
        history.write_again(session, actor, record_types[table], changes.edits)
    moved = (
        messages.UNDONE_ELSEWHERE.format(name=edit.record.name, page=each.page(edit.record.slug), noun=each.noun)
        for table, each in record_types.items()
        if table in prepared.changes
        for edit in prepared.changes[table].edits
        if edit.slug not in ("", edit.record.slug)
    )
    return Undone(prepared.text, " ".join(moved))


def _refuse_unless_any(actor: Actor, record_types: Mapping[str, AnyRecordType]) -> None:
    if not any(may(actor, record_type.change_action) for record_type in record_types.values()):
        raise Forbidden(messages.NOT_ALLOWED)


def _revisions_of(session: Session, actor: Actor, batch: str) -> Sequence[Any]:
    query = (
        sa.select(*columns)
        .where(columns.batch == batch, columns.by == actor.user_id, columns.at > now() - UNDOABLE_FOR)
        .order_by(columns.of_table, columns.record_id, columns.number)
    )
    revisions = session.execute(query).all()
    if not revisions:
        raise NotFound(messages.UNDO_MISSING)
    return revisions


def _refuse_if_newer(session: Session, actor: Actor, batch: str) -> None:
    newer = (
        sa.select(columns.by, columns.by_name, columns.label)
        .join(_of_batch, _IS_NEWER)
        .where(_of_batch.c.batch == batch)
        .order_by(columns.id.desc())
        .limit(1)
    )
    if newer_change := session.execute(newer).first():
        who = newer_change.by_name or messages.SOMEONE
        text = messages.CHANGED_SINCE_BY_YOU if newer_change.by == actor.user_id else messages.CHANGED_SINCE
        raise Conflict(text.format(who=who, name=newer_change.label))


def _revisions_before(session: Session, batch: str) -> dict[tuple[str, int], Any]:
    """The last revision that each record had before a batch, by table and id."""
    record = columns.of_table, columns.record_id
    first = sa.select(*record, sa.func.min(columns.number).label("number")).where(columns.batch == batch)
    of_batch = first.group_by(*record).subquery()
    query = sa.select(*record, columns.number, columns.snapshot, columns.action).join(
        of_batch,
        sa.and_(
            of_batch.c.of_table == columns.of_table,
            of_batch.c.record_id == columns.record_id,
            of_batch.c.number == columns.number + 1,
        ),
    )
    return {(row.of_table, row.record_id): row for row in session.execute(query)}


def _before(first: Any, earlier: Mapping[tuple[str, int], Any]) -> Any:
    """The revision that a record had before this one of a batch; None if it did not exist then."""
    if first.action == RevisionAction.CREATED.value:
        return None
    if first.action == RevisionAction.DELETED.value:
        return first  # its snapshot is the record that was deleted
    revision = earlier.get((first.of_table, first.record_id))
    if revision is None:
        raise NotFound(messages.REVISION_MISSING)
    return None if revision.action == RevisionAction.DELETED.value else revision
