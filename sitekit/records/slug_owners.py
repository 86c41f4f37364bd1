"""Whose the slugs of a table are. One that a field of another record names stays with the record that had it last.

Were it free when its record is renamed or deleted, what names it would go over to a namesake.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..base.text import text_of
from . import proposals, revisions, slug_redirects
from .fields.field_type import FormField, fields_of, form_fields
from .fields.group import GroupField
from .fields.reference import ReferenceField
from .record import Record
from .snapshots import stored_values

MOST_SOUGHT = 20  # of more slugs, all of the table are read
ROWS_AT_ONCE = 500  # versions may be large, and many


def owners(session: Session, slug: sa.Column[str], wanted: Collection[str]) -> dict[str, int]:
    """The ids of records by their slugs, of those that begin with a wanted one; 0 for a record that is gone for good.

    Among them are the slugs that no record has now, but that a record, a draft or an older version names.
    """
    table, former, past = slug.table, slug_redirects.columns, revisions.columns
    present = sa.select(slug, table.c.id).where(_begins(slug, wanted))
    owned = {row.slug: row.id for row in session.execute(present)}
    named = {*_named(session, table.name, wanted)} - {""} - owned.keys()
    if not named:
        return owned
    is_deleted = past.action == revisions.RevisionAction.DELETED.value, sa.not_(revisions.IS_OLDER)
    deleted = sa.select(past.snapshot, past.record_id).where(past.of_table == table.name, *is_deleted).order_by(past.id)
    renamed = sa.select(former.slug, former.record_id).where(former.of_table == table.name, former.slug.in_(named))
    gone = (row for row in session.execute(deleted) if isinstance(row.snapshot, Mapping))
    last = {str(row.snapshot.get("slug")): row.record_id for row in gone}
    last |= {row.slug: row.record_id for row in session.execute(renamed)}
    return owned | {slug: last.get(slug, 0) for slug in named}


def _begins(text: sa.ColumnElement[str], wanted: Collection[str], before: str = "") -> sa.ColumnElement[bool]:
    """Whether a text begins with a wanted slug, or has one after these characters."""
    if len(wanted) > MOST_SOUGHT:
        return sa.true()
    find = text.contains if before else text.startswith
    return sa.or_(sa.false(), *(find(before + slug, autoescape=True) for slug in wanted))


def _named(session: Session, table: str, wanted: Collection[str]) -> Iterator[str]:
    """The slugs of this table that versions of records and drafts name, among them all that begin with a wanted one."""
    tables = {str(each.__tablename__): each for each in Record.__subclasses__()}
    fields = {name: form_fields(each) for name, each in tables.items()}
    naming = [name for name in tables if any(table in to.tables for to in _references(fields[name]))]
    sources = (revisions.columns, revisions.columns.snapshot), (proposals.columns, proposals.columns.inputs)
    for columns, stored in sources if naming else ():
        is_found = _begins(sa.cast(stored, sa.Text), wanted, '"')
        query = sa.select(columns.of_table, stored.label("stored")).where(columns.of_table.in_(naming), is_found)
        for row in session.execute(query, execution_options={"yield_per": ROWS_AT_ONCE}):
            yield from _slugs_in(fields[row.of_table], stored_values(tables[row.of_table], row.stored), table)


def _references(fields: Mapping[str, FormField]) -> Iterator[ReferenceField]:
    yield from fields_of(fields, ReferenceField).values()
    for group in fields_of(fields, GroupField).values():
        yield from group.references.values()


def _slugs_in(fields: Mapping[str, FormField], values: Mapping[str, Any], table: str) -> Iterator[str]:
    for name, to in fields_of(fields, ReferenceField).items():
        if table in to.tables:
            yield text_of(values.get(name))
    for name, group in fields_of(fields, GroupField).items():
        for row in group.rows_of(values.get(name)):
            yield from _slugs_in(group.fields, vars(row), table)
