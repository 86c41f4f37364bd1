"""A field that names a record of another type by its slug."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, SQLModel

from ...base import messages
from ...base.errors import InvalidInput
from ...base.permissions import Actor
from ...base.text import fold, may_be_slug
from .. import form_texts as texts
from ..edits import Edit
from ..record import Publishing
from ..slug_redirects import all_slugs, present_slug
from ..slug_redirects import columns as former
from .field_type import FieldType
from .line import LineField


@dataclass(frozen=True, eq=False)
class ReferenceField(LineField):
    """The slug of a record, chosen by its name.

    Its table is told by its name, because features do not import each other; `publishing` says whom visitors see. With
    `others` it may be a record of other types, too; of two with the same slug the first counts.
    """

    table: str
    publishing: Publishing
    others: tuple["ReferenceField", ...] = ()

    difference = FieldType.difference

    @property
    def columns(self) -> Any:
        """The columns of the table, for queries."""
        return SQLModel.metadata.tables[self.table].c

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables whose records it may name."""
        return self.table, *(each.table for each in self.others)

    @property
    def is_public(self) -> sa.ColumnElement[bool]:
        """Whether visitors see a record."""
        public: sa.ColumnElement[bool] = self.columns[self.publishing.column] == self.publishing.public
        return public

    def options(self, session: Session, *current: str) -> list[list[str]]:
        """The slugs to choose from, each with the name of its record, by name; empty for none.

        The `current` slugs are among them, whether their records have others now, are hidden or were deleted.
        """
        choices: list[list[str]] = []
        gone = set(current) - {""}
        for each in (self, *self.others):
            columns = each.columns
            slugs = {present_slug(session, columns.slug, sa.true(), slug): slug for slug in current}
            rows = session.execute(sa.select(columns.slug, columns.name, each.is_public.label("is_public"))).all()
            for row in rows:
                slug = slugs.get(row.slug, row.slug)
                choices.append([slug, row.name if row.is_public else f"{row.name} ({texts.HIDDEN})"])
                gone.discard(slug)
        choices.sort(key=lambda choice: fold(choice[1]))
        deleted = ([slug, f"{slug} ({texts.DELETED})"] for slug in sorted(gone))
        return [["", texts.CHOICE_NONE], *choices, *deleted]

    def existing_slugs(self, session: Session, slugs: Collection[str]) -> set[str]:
        """Those of the slugs that a record has, public or not, or had."""
        valid = {slug for slug in slugs if may_be_slug(slug)}
        if not valid:
            return set()
        queries = []
        for each in (self, *self.others):
            columns = each.columns
            queries.append(sa.select(columns.slug).where(columns.slug.in_(valid)))
            queries.append(
                sa.select(former.slug)
                .join(columns.id.table, columns.id == former.record_id)
                .where(former.of_table == each.table, former.slug.in_(valid))
            )
        return set(session.execute(sa.union(*queries)).scalars())

    def slugs_of(self, session: Session, slug: str) -> set[str]:
        """The slug of a public record and those that it had before; empty if there is no such record."""
        of_each = (all_slugs(session, each.columns.slug, each.is_public, slug) for each in (self, *self.others))
        return {one for slugs in of_each for one in slugs}

    def name_of(self, session: Session, slug: str) -> str:
        """The name of the record, public or not, that has a slug or had it; empty if there is none."""
        for each in (self, *self.others):
            columns = each.columns
            if present := present_slug(session, columns.slug, sa.true(), slug):
                return str(session.execute(sa.select(columns.name).where(columns.slug == present)).scalar_one())
        return ""

    def present_name(self, slug: sa.ColumnElement[str], otherwise: sa.ColumnElement[str]) -> sa.ColumnElement[str]:
        """The same in SQL, of the slug in a column; `otherwise` if there is no such record."""
        names: list[Any] = []
        for table in self.tables:
            record = sa.table(table, sa.column("id"), sa.column("slug"), sa.column("name"))
            name = sa.select(record.c.name)
            renamed = name.join(former.slug.table, former.record_id == record.c.id).where(former.of_table == table)
            # Each by itself, so that it is found by its index.
            names += [name.where(record.c.slug == slug), renamed.where(former.slug == slug)]
        return sa.func.coalesce(*(name.scalar_subquery() for name in names), otherwise)

    def prepare(self, session: Session, actor: Actor, name: str, edits: Sequence[Edit]) -> None:
        """Refuse a slug that no record has or had, unless it was stored before."""
        slugs = [edit.values.get(name) or "" for edit in edits]
        existing = self.existing_slugs(session, {*slugs} - {""}) | {""}
        for row, slug in enumerate(slugs):
            if slug not in existing:
                raise _unknown(name, row)

    def check_slug(self, session: Session, slug: str, name: str, row: int) -> None:
        """Refuse a slug that no record has or had; `name` is its input's, `row` that of the record."""
        if slug and not self.existing_slugs(session, {slug}):
            raise _unknown(name, row)


def _unknown(name: str, row: int) -> InvalidInput:
    return InvalidInput(messages.FIELDS_INVALID, {name: messages.REFERENCE_UNKNOWN}, row)
