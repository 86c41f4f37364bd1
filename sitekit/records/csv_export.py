"""Streams a list, searched and filtered, as a CSV file, row by row."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

import sqlalchemy as sa
from sqlmodel import Session

from ..base.permissions import Action, Actor, AnyAction, require
from ..base.text import capitalised
from ..base.times import date_text
from .csv_cells import cells_of, escape_formula
from .csv_texts import ID, SLUG, ExportTexts
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
    action: AnyAction
    head: tuple[str, ...]
    ids: Callable[[Actor, ListQuery], sa.Select[Any]]
    rows: sa.Select[Any]
    id: sa.ColumnElement[int]
    cells: Callable[[Any], Iterable[str]]

    media_type: ClassVar[str] = "text/csv"

    def file_name(self, at: datetime) -> str:
        """The file's name: `articles-2026-11-22.csv`."""
        return f"{self.name}-{date_text(at)}.csv"

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

    def read_linked(self, session: Session, actor: Actor, subject: Mapping[str, str]) -> Iterator[bytes]:
        """The file that a link is for, whose subject is the query of the list."""
        return self.write(session, actor, ListQuery.read(subject))

    def _check(self, actor: Actor) -> None:
        require(actor, self.action)
        require(actor, Action.EXPORT_LISTS)

    def _read(self, session: Session, ids: Sequence[int]) -> Iterator[list[str]]:
        rows = {row.id: row for row in session.execute(self.rows.where(self.id.in_(ids)))}
        return (
            [escape_formula(cell) for cell in self.cells(rows[record_id])] for record_id in ids if record_id in rows
        )


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


def csv_of(record_type: AnyRecordType, name: str) -> CsvList:
    """The export of a record type: id and slug, then every field of its form by its label."""
    names = [name for name in record_type.fields if name != "slug"]

    def cells(row: Any) -> list[str]:
        cells = cells_of(form_of(row, record_type.fields), record_type.fields)
        return [str(row.id), row.slug, *(cells[name] for name in names)]

    return CsvList(
        name=name,
        texts=ExportTexts(
            f"{capitalised(record_type.plural)} exported: {{count}}", f"Failed to export {record_type.plural}"
        ),
        action=record_type.read_action,
        head=(ID, SLUG, *(record_type.fields[name].input.label for name in names)),
        ids=lambda _actor, query: record_type.select_ids(query),
        rows=sa.select(*record_type.columns),
        id=record_type.columns.id,
        cells=cells,
    )
