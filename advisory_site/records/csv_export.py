"""Streams a list, searched and filtered, as a CSV file, row by row."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..content.csv_texts import ID, SLUG, ExportTexts
from ..core.permissions import Action, Actor, require
from .csv_cells import cells_of, escape_formula
from .inputs import form_of
from .listing import ListQuery
from .record_type import AnyRecordType

# Rows read at once. Few, because each batch is formatted without a break.
BATCH = 50
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, eq=False)
class CsvList:
    """A list that can be exported: its permission, its replies, its columns and its rows.

    `name` begins the file's name. `ids` is the query of the ids to export, in order; `rows` the query of the rows,
    which `id` identifies; `cells` the texts of a row, in the order of `head`.
    """

    name: str
    texts: ExportTexts
    action: Action
    head: tuple[str, ...]
    ids: Callable[[Actor, ListQuery], sa.Select[Any]]
    rows: sa.Select[Any]
    id: sa.ColumnElement[int]
    cells: Callable[[Any], Iterable[str]]

    def file_name(self, at: datetime) -> str:
        """The file's name: `companies-2026-11-22.csv`."""
        return f"{self.name}-{at:%Y-%m-%d}.csv"

    def count(self, session: Session, actor: Actor, query: ListQuery) -> tuple[int, int]:
        """The number of rows that an export would have now, and of all that match."""
        self._check(actor)
        ids = self.ids(actor, query)
        counted = (_count(ids).scalar_subquery(), _count(ids.order_by(None).limit(None)).scalar_subquery())
        exported, total = session.execute(sa.select(*counted)).one()
        return exported, total

    def write(self, session: Session, actor: Actor, query: ListQuery) -> Iterator[bytes]:
        """The file in pieces. All are of one moment, if the session's transaction is a snapshot (`snapshot`)."""
        self._check(actor)
        ids = session.execute(self.ids(actor, query)).scalars().all()
        yield (_BYTE_ORDER_MARK + _lines([self.head])).encode()
        for start in range(0, len(ids), BATCH):
            yield _lines(self._read(session, ids[start : start + BATCH])).encode()

    def _check(self, actor: Actor) -> None:
        require(actor, self.action)
        require(actor, Action.EXPORT_LISTS)

    def _read(self, session: Session, ids: Sequence[int]) -> Iterator[list[str]]:
        found = {row.id: row for row in session.execute(self.rows.where(self.id.in_(ids)))}
        return ([escape_formula(cell) for cell in self.cells(found[one])] for one in ids if one in found)


def _count(ids: sa.Select[Any]) -> sa.Select[Any]:
    return sa.select(sa.func.count()).select_from(ids.subquery())


def _lines(rows: Iterable[Iterable[str]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue()


def snapshot(session: Session) -> None:
    """Let all queries of a new session see the database as it is now; on SQLite they do anyway."""
    if session.get_bind().dialect.name == "postgresql":
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})


def csv_of(kind: AnyRecordType, name: str, texts: ExportTexts) -> CsvList:
    """The export of a record type: id and slug, then every field of its form by its label."""
    names = [one for one in kind.fields if one != "slug"]

    def cells(row: Any) -> list[str]:
        shown = cells_of(form_of(row, kind.fields), kind.fields)
        return [str(row.id), row.slug, *(shown[one] for one in names)]

    return CsvList(
        name=name,
        texts=texts,
        action=kind.action,
        head=(ID, SLUG, *(kind.fields[one].input.label for one in names)),
        ids=lambda _actor, query: kind.select_ids(query),
        rows=sa.select(*kind.columns),
        id=kind.columns.id,
        cells=cells,
    )
