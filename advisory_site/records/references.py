"""References: fields that name a record of another type by its slug."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, SQLModel

from ..content import backoffice as words
from ..core.text import may_be_slug
from .record import Publishing
from .slug_redirects import columns as former
from .slug_redirects import present_slug


@dataclass(frozen=True)
class Reference:
    """The records that a field may name, by the name of their table, because features do not import each other."""

    table: str
    publishing: Publishing

    @property
    def columns(self) -> Any:
        """The columns of the table, for queries."""
        return SQLModel.metadata.tables[self.table].c

    @property
    def is_public(self) -> sa.ColumnElement[bool]:
        """Whether visitors see a record."""
        public: sa.ColumnElement[bool] = self.columns[self.publishing.column] == self.publishing.public
        return public


def options(session: Session, to: Reference, stored: str) -> list[list[str]]:
    """The slugs to choose from, each with the name of its record, by name; empty for none.

    The `stored` slug is among them, whether its record has another one now, is hidden or was deleted.
    """
    columns = to.columns
    present = present_slug(session, columns.slug, sa.true(), stored)
    rows = session.execute(sa.select(columns.slug, columns.name, to.is_public.label("is_public"))).all()
    found = [
        [stored if row.slug == present else row.slug, row.name if row.is_public else f"{row.name} ({words.HIDDEN})"]
        for row in sorted(rows, key=lambda row: row.name.casefold())
    ]
    gone = [[stored, f"{stored} ({words.DELETED})"]] if stored and not present else []
    return [["", words.CHOICE_NONE], *found, *gone]


def known(session: Session, to: Reference, slugs: Collection[str]) -> set[str]:
    """Those of the slugs that a record has, public or not, or had."""
    wanted = {slug for slug in slugs if may_be_slug(slug)}
    if not wanted:
        return set()
    columns = to.columns
    present = sa.select(columns.slug).where(columns.slug.in_(wanted))
    moved = (
        sa.select(former.slug)
        .join(columns.id.table, columns.id == former.record_id)
        .where(former.of_table == to.table, former.slug.in_(wanted))
    )
    return set(session.execute(sa.union(present, moved)).scalars())


def find_public(session: Session, to: Reference, wanted: str, *names: str) -> Any:
    """These columns of the public record that has this slug or had it; None if there is none."""
    columns = to.columns
    present = present_slug(session, columns.slug, to.is_public, wanted)
    if present is None:
        return None
    return session.execute(sa.select(*(columns[name] for name in names)).where(columns.slug == present)).first()
