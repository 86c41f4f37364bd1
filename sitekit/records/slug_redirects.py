"""Former slugs of records, so that old addresses redirect."""

from typing import Any

import sqlalchemy as sa
from sqlmodel import Field, Session, SQLModel

from ..base.errors import NotFound, RecordMoved
from ..base.text import may_be_slug


class FormerSlug(SQLModel, table=True):
    """A slug that a record had before; deleted when another record of its table takes it."""

    __tablename__ = "former_slugs"
    __table_args__ = (
        sa.UniqueConstraint("of_table", "slug"),
        sa.Index("ix_former_slugs_record", "of_table", "record_id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    of_table: str
    slug: str
    record_id: int


# For queries: to a type checker, an attribute of the class has the type of its value.
columns = SQLModel.metadata.tables["former_slugs"].c


def changed_slug(record: Any) -> tuple[str | None, str] | None:
    """The slug in the database (None for a new record) and the changed one; None if the slug has not changed."""
    change = sa.inspect(record).attrs.slug.history
    if not change.added:
        return None
    return (change.deleted[0] if change.deleted else None), change.added[0]


def note(session: Session, *changes: tuple[Any, str | None, str]) -> None:
    """Store the former slugs of records of a table; a redirect from a new slug to another record is deleted.

    A change is a record, its former slug (None for a new record) and its present one. Call it after the flush: from
    then on no other transaction can take either slug.
    """
    if not changes:
        return
    table = changes[0][0].__tablename__
    slugs = {slug for _, *both in changes for slug in both if slug}
    session.execute(sa.delete(FormerSlug).where(columns.of_table == table, columns.slug.in_(slugs)))
    former = [{"of_table": table, "slug": slug, "record_id": record.id} for record, slug, _ in changes if slug]
    if former:
        session.execute(sa.insert(FormerSlug), former)


def erase(session: Session, table: str, record: int) -> None:
    """Delete the former slugs of a record that is erased."""
    session.execute(sa.delete(FormerSlug).where(columns.of_table == table, columns.record_id == record))


def present_slug(
    session: Session, slug: sa.Column[str], is_public: sa.ColumnElement[bool], typed_slug: object
) -> str | None:
    """The current slug of the public record that has this slug, or had it if no record has it now; else None."""
    if not may_be_slug(typed_slug):
        return None
    table = slug.table
    owner = session.execute(sa.select(is_public).where(slug == typed_slug)).first()
    if owner is not None:
        return str(typed_slug) if owner[0] else None
    moved = (
        sa.select(slug)
        .join_from(table, FormerSlug, columns.record_id == table.c.id)
        .where(columns.of_table == table.name, columns.slug == typed_slug, is_public)
    )
    return session.execute(moved).scalar_one_or_none()


def all_slugs(session: Session, slug: sa.Column[str], is_public: sa.ColumnElement[bool], present: object) -> list[str]:
    """The slug of a public record and those that it had before; empty if there is no such record."""
    table = slug.table
    query = sa.select(table.c.id).where(slug == present, is_public)
    record = session.execute(query).scalar_one_or_none() if may_be_slug(present) else None
    if record is None:
        return []
    former = sa.select(columns.slug).where(columns.of_table == table.name, columns.record_id == record)
    return [str(present), *session.execute(former).scalars()]


def not_found_or_moved(
    session: Session, slug: sa.Column[str], is_public: sa.ColumnElement[bool], typed_slug: object, sentence: str
) -> NotFound:
    """The error for a slug without a public record: `RecordMoved` if it has another slug now, else `NotFound`."""
    present = present_slug(session, slug, is_public, typed_slug)
    return RecordMoved(sentence, present) if present else NotFound(sentence)
