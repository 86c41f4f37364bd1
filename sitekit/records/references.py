"""What records show of each other: the record that a field names, and the records that name one."""

from collections.abc import Collection
from typing import TypeVar

import sqlalchemy as sa
from sqlmodel import Session

from .features import record_types
from .fields.reference import ReferenceField
from .record_type import AnyRecordType

Shown = TypeVar("Shown")


def find_named(session: Session, to: ReferenceField, slug: str, shape: type[Shown]) -> Shown | None:
    """The public record of the field's table that has this slug or had it; None if there is none."""
    named = record_types()[to.table]
    present = named.resolve_slug(session, slug)
    found = named.select_public(session, shape, named.columns.slug == present) if present else []
    return next(iter(found), None)


def list_naming(
    session: Session, of: AnyRecordType, to: ReferenceField, slugs: Collection[str], shape: type[Shown]
) -> list[Shown]:
    """The public records of a type that have one of these slugs in a field, or a row of a group, for such a record."""
    naming = [of.columns[name].in_(slugs) for name, each in of.references.items() if to.table in each.tables]
    for name, group in of.groups.items():
        if cells := [cell for cell, each in group.references.items() if to.table in each.tables]:
            stored = session.execute(sa.select(of.columns.id, of.columns[name]).where(of.is_public))
            named = ((id, {getattr(row, cell) for row in group.rows_of(rows) for cell in cells}) for id, rows in stored)
            naming.append(of.columns.id.in_([id for id, among in named if not among.isdisjoint(slugs)]))
    return of.select_public(session, shape, sa.or_(sa.false(), *naming))
