"""The history of records: each change of a record writes a revision, in the same transaction.

Written when a session flushes, not by each service, so that no service can omit it. All revisions of a transaction are
a batch: what one click did.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import uuid4

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.orm import ORMExecuteState
from sqlmodel import Field, Session, SQLModel

from ..base.db.database import LenientJson, UtcDateTime, delete_some, now
from . import activity
from .pictures.addresses import keys_in
from .record import Record
from .snapshots import changed_columns, snapshot_of

# What is kept of each record: the newest revisions, none of them older than this.
REVISIONS_KEPT = 100
REVISIONS_KEPT_FOR = timedelta(days=730)

BATCH = re.compile("[0-9a-f]{32}")
_CONTEXT = "change_context"


class RevisionAction(StrEnum):
    """What was done to the record."""

    CREATED = "created"
    SAVED = "saved"
    DELETED = "deleted"
    RESTORED = "restored"


class RevisionSource(StrEnum):
    """What a record was changed through."""

    BACK_OFFICE = "back office"
    IMPORT = "import"
    COMMAND = "command"
    DRAFT = "draft"
    SCHEDULE = "schedule"


class Revision(SQLModel, table=True):
    """A record as one save left it, or as it was when it was deleted.

    `number` is the record's version after the change. `changed` names the columns that differ from the revision before.
    `by_name` remains when the account is deleted. `restored_from` is the number of the revision that was restored.
    """

    __tablename__ = "revisions"
    __table_args__ = (
        sa.UniqueConstraint("of_table", "record_id", "number"),
        sa.Index("ix_revisions_action_at", "action", "at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    of_table: str
    record_id: int
    number: int
    at: datetime = Field(sa_type=UtcDateTime, index=True)
    by: int | None = Field(default=None, foreign_key="profiles.id", ondelete="SET NULL", index=True)
    by_name: str = ""
    via: str
    action: str
    label: str
    snapshot: Any = Field(sa_type=LenientJson)
    changed: Any = Field(sa_type=LenientJson)
    batch: str | None = Field(default=None, index=True)
    restored_from: int | None = None


class RevisionPicture(SQLModel, table=True):
    """An uploaded picture, by its key, whose address is in the snapshot of a revision."""

    __tablename__ = "revision_pictures"

    revision_id: int = Field(primary_key=True, foreign_key="revisions.id", ondelete="CASCADE")
    key: str = Field(primary_key=True, index=True)


# For queries: to a type checker, an attribute of the class has the type of its value.
TABLE = SQLModel.metadata.tables["revisions"]
columns = TABLE.c
PICTURES = SQLModel.metadata.tables["revision_pictures"]
_newer = TABLE.alias("newer")
# Whether the record has a newer revision.
IS_OLDER = sa.exists().where(
    _newer.c.of_table == columns.of_table,
    _newer.c.record_id == columns.record_id,
    _newer.c.number > columns.number,
)


@dataclass
class ChangeContext:
    """What the revisions of a transaction have in common. Without an author it is a command."""

    author: int | None = None
    via: RevisionSource | None = None
    batch: str = field(default_factory=lambda: uuid4().hex)
    restored_from: dict[tuple[str, int], int] = field(default_factory=dict)
    is_written: bool = False


def change_context(session: Session) -> ChangeContext:
    """What a session writes into its revisions; `batch` names everything that its transaction changes."""
    context: ChangeContext = session.info.setdefault(_CONTEXT, ChangeContext())
    return context


def batch_of(session: Session) -> str:
    """The batch of what this transaction has changed, to undo it; empty if it has changed no record."""
    session.flush()
    context = change_context(session)
    return context.batch if context.is_written else ""


def set_author(session: Session, author: int, via: RevisionSource | None = None) -> None:
    """Write the user's id into the revisions of this transaction."""
    context = change_context(session)
    context.author, context.via = author, via or context.via


@event.listens_for(Session, "before_flush")
def _count_versions(session: Session, _context: Any, _instances: Any) -> None:
    """Number the next version of each changed record. An update fails if the record has a newer one."""
    for record in session.dirty:
        if isinstance(record, Record) and changed_columns(record):
            record.version += 1


@event.listens_for(Session, "after_flush")
def _write_revisions(session: Session, _context: Any) -> None:
    # After the statements of the flush: new records have ids, and a save that lost against another one has failed.
    written = list(_revisions(session))
    if written:
        session.connection().execute(_INSERT, written)
        if pictures := list(_pictures(written)):
            session.connection().execute(_INSERT_PICTURES, pictures)
        activity.add_changes(session, written)
        change_context(session).is_written = True


def _revisions(session: Session) -> Iterator[dict[str, Any]]:
    flushed = (
        (RevisionAction.CREATED, session.new),
        (RevisionAction.SAVED, session.dirty),
        (RevisionAction.DELETED, session.deleted),
    )
    for action, rows in flushed:
        for record in (row for row in rows if isinstance(row, Record)):
            changed = changed_columns(record) if action == RevisionAction.SAVED else []
            if changed or action != RevisionAction.SAVED:
                yield _revision(session, record, action, changed)


def _revision(session: Session, record: Any, action: RevisionAction, changed: list[str]) -> dict[str, Any]:
    context, record_key = change_context(session), (record.__tablename__, record.id)
    restored_from = context.restored_from.pop(record_key, None)
    if restored_from is not None and action != RevisionAction.DELETED:
        action = RevisionAction.RESTORED
    via = context.via or (RevisionSource.BACK_OFFICE if context.author else RevisionSource.COMMAND)
    return {
        "of_table": record.__tablename__,
        "record_id": record.id,
        "number": record.version + (action == RevisionAction.DELETED),
        "at": now(),
        "by": context.author,
        "author": context.author,
        "via": via.value,
        "action": action.value,
        "label": record.name,
        "stored": json.dumps(snapshot_of(record), ensure_ascii=False),
        "changed": changed,
        "batch": context.batch,
        "restored_from": restored_from,
    }


def _pictures(written: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for line in written:
        for key in sorted(keys_in(line["stored"])):
            yield {"table": line["of_table"], "record": line["record_id"], "at_number": line["number"], "picture": key}


# The snapshot as text, which is also searched for pictures.
_INSERT = sa.insert(TABLE).values(
    by_name=activity.name_of(sa.bindparam("author")), snapshot=sa.bindparam("stored", type_=sa.Text)
)
_WRITTEN = (
    columns.of_table == sa.bindparam("table"),
    columns.record_id == sa.bindparam("record"),
    columns.number == sa.bindparam("at_number"),
)
_INSERT_PICTURES = sa.insert(PICTURES).from_select(
    ["revision_id", "key"], sa.select(columns.id, sa.bindparam("picture", type_=sa.String)).where(*_WRITTEN)
)


@event.listens_for(Session, "do_orm_execute")
def _refuse_bulk_statements(state: ORMExecuteState) -> None:
    """Raise for a statement that would change records without a revision."""
    table = getattr(state.statement, "table", None)
    name = None if state.is_select or table is None else table.name
    if name in {table.__tablename__ for table in Record.__subclasses__()}:
        raise RuntimeError(f"{name} has a history: change its records, not its table.")


def delete_expired(session: Session, at: datetime, limit: int) -> int:
    """Delete revisions beyond the newest `REVISIONS_KEPT` of a record, or older than `REVISIONS_KEPT_FOR`.

    The newest one of a record always stays: it is what the record is now, or what the trash restores.
    """
    old = columns.at < at - REVISIONS_KEPT_FOR, IS_OLDER
    record = _newer.c.of_table, _newer.c.record_id
    long = sa.select(*record, sa.func.max(_newer.c.number).label("newest")).group_by(*record)
    crowded = long.having(sa.func.count() > REVISIONS_KEPT).subquery()
    beyond = sa.exists().where(
        crowded.c.of_table == columns.of_table,
        crowded.c.record_id == columns.record_id,
        columns.number <= crowded.c.newest - REVISIONS_KEPT,
    )
    return delete_some(session, columns.id, sa.or_(sa.and_(*old), beyond), limit)
