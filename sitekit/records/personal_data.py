"""How a table is searched for a person, and what erasing does: the rule that each table with personal data has."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session


@dataclass(frozen=True)
class DataSubject:
    """Whom to look for: an email address as accounts store it, and the id of its account, 0 if it has none."""

    email: str
    user_id: int = 0


class Relation(StrEnum):
    """How a row belongs to the person."""

    THEIRS = "theirs"
    MENTIONED = "mentioned"
    AUTHOR = "author"


class ErasureOutcome(StrEnum):
    """What erasing does with a row."""

    DELETED = "deleted"
    ADDRESS_REMOVED = "address removed"
    KEPT = "kept"


OUTCOMES = MappingProxyType(
    {
        Relation.THEIRS: ErasureOutcome.DELETED,
        Relation.MENTIONED: ErasureOutcome.ADDRESS_REMOVED,
        Relation.AUTHOR: ErasureOutcome.KEPT,
    }
)
KEPT = MappingProxyType(dict.fromkeys(Relation, ErasureOutcome.KEPT))


@dataclass(frozen=True, kw_only=True, eq=False)
class Rule:
    """How a table, or with `only` some of its rows, is searched for a person, and what erasing does.

    A row is the person's if one of the columns `addresses` is the address, if one of `owners` is the id of the account,
    or if `also` holds. `authors` are the ids of those who only wrote or changed a row. Every other text is searched for
    mentions, except columns that are `hidden`: hashes, secrets and folded copies, which are never read. `unshown`
    columns are searched and not shown. `brief` is what is shown of a row that is not the person's, beside the passages
    with the address; by default everything. `labels` are what forms call columns. `nouns` are one row and several.
    `why` says why something is kept, `why_author` why a row of an author is, if for another reason, `page` where staff
    see a row; `delete` deletes rows by keys.
    """

    table: type[Any]
    title: str
    nouns: tuple[str, str]
    addresses: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    also: Callable[[DataSubject], sa.ColumnElement[bool]] | None = None
    only: sa.ColumnElement[bool] | None = None
    hidden: tuple[str, ...] = ()
    unshown: tuple[str, ...] = ()
    brief: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    outcomes: Mapping[Relation, ErasureOutcome] = field(default_factory=lambda: OUTCOMES)
    why: str = ""
    why_author: str = ""
    page: Callable[[Any], str] | None = None
    delete: Callable[[Session, Sequence[Any]], object] | None = None

    @property
    def source(self) -> sa.Table:
        """The table, for queries."""
        return self.table.__table__  # type: ignore[no-any-return]

    @property
    def key(self) -> sa.Column[Any]:
        """The column that identifies a row."""
        return self.source.primary_key.columns[0]

    def counted(self, count: int) -> str:
        """So many rows, such as "2 invitations"."""
        return f"{count:,} {self.nouns[count != 1]}"

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The columns that may contain an address."""
        return tuple(column.name for column in self.source.c if is_text(column) and column.name not in self.hidden)


def is_text(column: sa.Column[Any]) -> bool:
    """Whether a column is stored as text, as JSON is too."""
    column_type = column.type
    return isinstance(
        column_type.impl_instance if isinstance(column_type, sa.types.TypeDecorator) else column_type, sa.String
    )
