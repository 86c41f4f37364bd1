"""Former slugs of records, so that old addresses redirect."""

from typing import Any

import sqlalchemy as sa
from sqlmodel import Field, Session, SQLModel

from ..core.errors import Moved, NotFound
from ..core.text import may_be_slug


class FormerSlug(SQLModel, table=True):
    """A slug that a record had, for as long as no other record of its table has it."""

    __tablename__ = "former_slugs"
    __table_args__ = (
        sa.UniqueConstraint("of_table", "slug"),
        sa.Index("ix_former_slugs_record", "of_table", "record_id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    of_table: str
    slug: str
    record_id: int


# The columns as queries name them: on the class, type checkers take a field for its value.
columns = SQLModel.metadata.tables["former_slugs"].c


def changed_slug(record: Any) -> tuple[str | None, str] | None:
    """The slug a record has in the database, None where it is new, and the one it is about to get; None if it stays."""
    change = sa.inspect(record).attrs.slug.history
    if not change.added:
        return None
    return (change.deleted[0] if change.deleted else None), change.added[0]


def note(session: Session, record: Any, former: str | None, present: str) -> None:
    """A record has moved from one slug to another; whatever the new one led to, it is this record's now.

    Called when the record has been sent to the database: from then on nobody else can take either slug.
    """
    table = record.__tablename__
    session.execute(sa.delete(FormerSlug).where(columns.of_table == table, columns.slug.in_([former, present])))
    if former:
        session.execute(sa.insert(FormerSlug).values(of_table=table, slug=former, record_id=record.id))


def forget(session: Session, record: Any) -> None:
    """A record goes, and with it whatever led to it."""
    of_record = (columns.of_table == record.__tablename__, columns.record_id == record.id)
    session.execute(sa.delete(FormerSlug).where(*of_record))


def present_slug(
    session: Session, slug: sa.Column[str], is_public: sa.ColumnElement[bool], wanted: object
) -> str | None:
    """The current slug of the public record that has this slug, or had it and nobody has it now; else None."""
    if not may_be_slug(wanted):
        return None
    table = slug.table
    owner = session.execute(sa.select(is_public).where(slug == wanted)).first()
    if owner is not None:
        return str(wanted) if owner[0] else None
    moved = (
        sa.select(slug)
        .join_from(table, FormerSlug, columns.record_id == table.c.id)
        .where(columns.of_table == table.name, columns.slug == wanted, is_public)
    )
    return session.execute(moved).scalar_one_or_none()


def not_found_or_moved(
    session: Session, slug: sa.Column[str], is_public: sa.ColumnElement[bool], wanted: object, sentence: str
) -> NotFound:
    """Why there is no public record with this slug: `Moved` where it has another one now, else `NotFound`."""
    present = present_slug(session, slug, is_public, wanted)
    return Moved(sentence, present) if present else NotFound(sentence)
