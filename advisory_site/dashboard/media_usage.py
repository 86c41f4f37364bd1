"""Which records use uploaded pictures, and which older or deleted versions of records refer to them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..core.pictures import KEY_LENGTH, PREFIX
from ..records import revisions
from .record_types import RECORD_TYPES


@dataclass(frozen=True)
class Use:
    """A record that uses a picture, or whose older versions refer to it. `is_deleted`: it is in the trash."""

    of_table: str
    record_id: int
    name: str
    slug: str = ""
    is_deleted: bool = False


def used_keys() -> sa.Select[Any]:
    """The query of the keys of all pictures that a record uses."""
    return sa.select(_uses().c.key)


def count_uses(session: Session, keys: Collection[str]) -> dict[str, int]:
    """By how many records each of these pictures is used; those that none uses are left out."""
    if not keys:
        return {}
    uses = _uses()
    query = sa.select(uses.c.key, sa.func.count().label("uses")).where(uses.c.key.in_(keys)).group_by(uses.c.key)
    return {row.key: row.uses for row in session.execute(query)}


def records_using(session: Session, key: str) -> list[Use]:
    """The records that use a picture, by record type and name."""
    uses = _uses()
    query = sa.select(uses).where(uses.c.key == key).order_by(uses.c.of_table, sa.func.lower(uses.c.name))
    return [Use(row.of_table, row.record_id, row.name, row.slug) for row in session.execute(query)]


def versions_using(session: Session, key: str, present: Collection[Use] = ()) -> list[Use]:
    """The records whose older versions refer to a picture, or that are in the trash; not those that use it now."""
    columns, pictures, newest = revisions.columns, revisions.PICTURES, revisions.TABLE.alias("newest")
    of_picture = sa.select(columns.of_table, columns.record_id).join(pictures, pictures.c.revision_id == columns.id)
    found = of_picture.where(pictures.c.key == key).distinct().subquery()
    same = newest.c.of_table == found.c.of_table, newest.c.record_id == found.c.record_id
    newer = revisions.TABLE.alias("newer")
    is_newer = newer.c.of_table == newest.c.of_table, newer.c.record_id == newest.c.record_id
    is_last = ~sa.exists().where(*is_newer, newer.c.number > newest.c.number)
    query = (
        sa.select(newest.c.of_table, newest.c.record_id, newest.c.label, newest.c.action)
        .join(found, sa.and_(*same))
        .where(is_last)
        .order_by(newest.c.of_table, sa.func.lower(newest.c.label))
    )
    using_it = {(use.of_table, use.record_id) for use in present}
    deleted = revisions.RevisionAction.DELETED.value
    return [
        Use(row.of_table, row.record_id, row.label, is_deleted=row.action == deleted)
        for row in session.execute(query)
        if (row.of_table, row.record_id) not in using_it
    ]


def _uses() -> sa.Subquery:
    """Each record with an uploaded picture and that picture's key; one that has it in two columns is there once."""
    selects = (
        sa.select(
            sa.literal(name).label("of_table"),
            kind.columns.id.label("record_id"),
            kind.columns.name,
            kind.columns.slug,
            sa.func.substr(column, len(PREFIX) + 1, KEY_LENGTH).label("key"),
        ).where(column.startswith(PREFIX))
        for name, kind in RECORD_TYPES.items()
        for column in map(kind.columns.get, kind.picture_fields)
    )
    return sa.union(*selects).subquery("uses")
