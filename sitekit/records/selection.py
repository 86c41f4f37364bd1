"""Fills dataclasses with the columns of a table: what a page, a card or a row of a list shows of a record."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import sqlalchemy as sa
from sqlmodel import Session

from ..base.text import fold
from .fields.field_type import FormField, fields_of
from .fields.picture import PictureField
from .pictures.addresses import answering
from .record import Record

Shown = TypeVar("Shown")

# In the `info` of a column: what is shown in place of its value.
READ_AS = "read as"


def computed(read: Callable[..., Any], *columns: str, default: Any = "") -> Any:
    """A field of such a dataclass that is made from other columns, or from a column in another way."""
    return dataclasses.field(default=default, metadata={"read": read, "columns": columns})


class Selection(Generic[Shown]):
    """The columns of a table that a dataclass shows. A field has the name of its column, or is `computed`.

    The address of a picture that does not answer is empty.
    """

    def __init__(self, table: type[Record], shape: type[Shown], described: Mapping[str, FormField]) -> None:
        self._table: sa.Table = table.__table__  # type: ignore[attr-defined]
        columns_of_table = self._table.c
        self._shown, self._fields = shape, []
        names = {"id": columns_of_table.id}
        for field in dataclasses.fields(shape):  # type: ignore[arg-type]
            read, columns = field.metadata.get("read"), field.metadata.get("columns", (field.name,))
            if read is None and field.name in described:
                read = described[field.name].field_type.public
            self._fields.append((field.name, read, columns))
            names |= {name: columns_of_table[name].info.get(READ_AS, columns_of_table[name]) for name in columns}
        self._pictures = [name for name in fields_of(described, PictureField) if name in names]
        if self._pictures:
            names["unanswered"] = columns_of_table.unanswered
        self.columns: Sequence[sa.ColumnElement[Any]] = [column.label(name) for name, column in names.items()]

    def make(self, row: Any) -> Shown:
        """The dataclass for a row of these columns, or for a record."""
        values, pictures = {}, {name: answering(getattr(row, name), row.unanswered) for name in self._pictures}
        for name, read, columns in self._fields:
            inputs = [pictures[column] if column in pictures else getattr(row, column) for column in columns]
            values[name] = read(*inputs) if read else inputs[0]
        return self._shown(**values)

    def select(self, session: Session, where: sa.ColumnElement[bool], order: Sequence[str]) -> list[Shown]:
        """The records that fit, ordered by these columns and the id; texts by their letters, ignoring case and accents.

        A column with a minus before it descends. Sorted here, because databases have different collations.
        """
        names = {name.removeprefix("-"): name.startswith("-") for name in ("id", *order)}
        names["id"] = names.pop("id")
        keys = {name: self._table.c[name].label(f"order_{name}") for name in names}
        rows = list(session.execute(sa.select(*self.columns, *keys.values()).where(where)))
        for name, descends in reversed(names.items()):
            rows.sort(key=lambda row: _folded(row._mapping[keys[name].name]), reverse=descends)
        return list(map(self.make, rows))


def _folded(value: Any) -> Any:
    return fold(value) if isinstance(value, str) else value
