"""Fills dataclasses with the columns of a table: what a page, a card or a row of a list shows of a record."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import sqlalchemy as sa
from sqlmodel import Session

from .inputs import FormField
from .record import Record

Shown = TypeVar("Shown")


def computed(read: Callable[..., Any], *columns: str, default: Any = "") -> Any:
    """A field of such a dataclass that is made from other columns, or from a column in another way."""
    return dataclasses.field(default=default, metadata={"read": read, "columns": columns})


class Selection(Generic[Shown]):
    """The columns of a table that a dataclass shows. A field has the name of its column, or is `computed`."""

    def __init__(self, table: type[Record], shown: type[Shown], described: Mapping[str, FormField]) -> None:
        self._table: sa.Table = table.__table__  # type: ignore[attr-defined]
        stored = self._table.c
        self._shown, self._fields = shown, []
        names = {"id": stored.id}
        for one in dataclasses.fields(shown):  # type: ignore[arg-type]
            read, columns = one.metadata.get("read"), one.metadata.get("columns", (one.name,))
            if read is None and one.name in described:
                read = described[one.name].public
            self._fields.append((one.name, read, columns))
            names |= {name: stored[name] for name in columns}
        self.columns: Sequence[sa.ColumnElement[Any]] = list(names.values())

    def make(self, row: Any) -> Shown:
        """The dataclass for a row of these columns, or for a record."""
        values = {}
        for name, read, columns in self._fields:
            stored = [getattr(row, column) for column in columns]
            values[name] = read(*stored) if read else stored[0]
        return self._shown(**values)

    def select(self, session: Session, where: sa.ColumnElement[bool], order: Sequence[str]) -> list[Shown]:
        """The records that fit, ordered by these columns and the id; texts by their letters, ignoring case.

        Sorted here, because databases have different collations.
        """
        keys = [self._table.c[name].label(f"order_{name}") for name in (*order, "id")]
        rows = session.execute(sa.select(*self.columns, *keys).where(where)).all()
        ordered = sorted(rows, key=lambda row: [_folded(row._mapping[key.name]) for key in keys])
        return list(map(self.make, ordered))


def _folded(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value
