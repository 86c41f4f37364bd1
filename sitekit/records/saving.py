"""Loads, saves and deletes records with optimistic locking."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm.exc import StaleDataError
from sqlmodel import Session, SQLModel

from ..base import messages
from ..base.errors import Conflict, InvalidInput, NotFound, SavedSince
from ..base.permissions import Actor
from ..base.text import record_id, unused_slug
from ..base.times import iso_text
from . import revisions, slug_redirects
from .activity import NAME, PROFILES
from .slug_owners import owners

Record = TypeVar("Record", bound=SQLModel)


@dataclass(frozen=True)
class LastSave:
    """Who last saved a record and when (ISO text in UTC), and its page on the site; empty while it has none.

    The name is empty if no user did; `is_command`: a command changed it.
    """

    name: str = ""
    at: str = ""
    page: str = ""
    is_command: bool = False


def load(session: Session, table: type[Record], typed_id: object, missing: str) -> Record:
    """Load the record with this id from the database; raises `NotFound` with the message `missing`."""
    record = session.get(table, record_id(typed_id), populate_existing=True)
    if record is None:
        raise NotFound(missing)
    return record


def last_save(
    session: Session, slug: sa.Column[str], is_public: sa.ColumnElement[bool], page: Callable[[str], str], record: int
) -> LastSave:
    """The last save of the record in the slug column's table; `page` makes the path of a public page."""
    columns, last = slug.table.c, revisions.columns
    is_last = (last.of_table == slug.table.name, last.record_id == columns.id, last.number == columns.version)
    query = (
        sa.select(slug, columns.updated_at, is_public.label("is_public"), last.by_name, last.via, NAME.label("name"))
        .outerjoin(PROFILES, PROFILES.c.id == columns.updated_by)
        .outerjoin(revisions.TABLE, sa.and_(*is_last))
        .where(columns.id == record)
    )
    row = session.execute(query).first()
    if row is None:
        return LastSave()
    is_command = row.via == revisions.RevisionSource.COMMAND
    name = "" if is_command else row.name or row.by_name or ""
    return LastSave(name, iso_text(row.updated_at), page(row.slug) if row.is_public else "", is_command)


def gone(failure: str) -> str:
    """The message that something failed because the record has been deleted in the meantime."""
    return messages.DELETED_ALREADY.format(failure=failure)


def refuse_if_newer(session: Session, actor: Actor, record: Any, version: int) -> None:
    """Raise `SavedSince`, with who and when, if the record was saved after this version was read."""
    if record.version == version:
        return
    who = session.execute(sa.select(NAME).where(PROFILES.c.id == record.updated_by)).scalar()
    name = messages.YOU if record.updated_by == actor.user_id else who or messages.SOMEONE
    raise SavedSince(name, record.updated_at)


def write(session: Session, record: Any, values: dict[str, Any], actor: Actor) -> None:
    """Set the values of a record and `updated_by`; nothing is set if no value differs."""
    revisions.set_author(session, actor.user_id)
    new = {name: value for name, value in values.items() if getattr(record, name) != value}
    for name, value in new.items():
        setattr(record, name, value)
    if new:
        record.updated_by = actor.user_id


def save(session: Session, records: Sequence[Any], *, slug_is_typed: bool) -> None:
    """Write records of a type to the database, in one flush.

    The update checks the versions that were read; if another user saved at the same moment, raises `Conflict`. If
    another record took a slug at the same moment, raises `InvalidInput` for a typed slug, else `Conflict`, after which
    saving again succeeds. A former slug redirects to its record from now on.
    """
    session.add_all(records)
    changed = [(record, *slugs) for record in records if (slugs := slug_redirects.changed_slug(record))]
    try:
        flush(session)
    except IntegrityError as error:
        if "slug" not in str(error.orig):
            raise
        raise (slug_taken() if slug_is_typed else Conflict(messages.SAVED_JUST_NOW)) from error
    slug_redirects.note(session, *changed)


def delete(session: Session, actor: Actor, *records: SQLModel) -> None:
    """Delete records; raises `Conflict` if another user saved one of them at the same moment.

    Their former slugs remain for when they are restored; they lead nowhere until then.
    """
    revisions.set_author(session, actor.user_id)
    for record in records:
        session.delete(record)
    flush(session)


def flush(session: Session) -> None:
    """Write all changes to the database; raises `Conflict` if another user saved one of them at the same moment."""
    try:
        session.flush()
    except StaleDataError as error:
        raise Conflict(messages.SAVED_JUST_NOW) from error


def slug_taken(row: int = 0) -> InvalidInput:
    """The error beside the slug's field."""
    return InvalidInput(messages.SLUG_TAKEN, {"slug": messages.SLUG_TAKEN}, row)


def is_free(session: Session, slug: sa.Column[str], new_slug: str, except_id: object = None) -> bool:
    """Whether this slug is no other record's of the slug column's table."""
    return owners(session, slug, [new_slug]).get(new_slug) in (None, record_id(except_id) or None)


def free_slug(session: Session, slug: sa.Column[str], preferred: str) -> str:
    """The wanted slug, or the first one that is numbered after it and that is no record's."""
    return unused_slug(preferred, owners(session, slug, [preferred]))
