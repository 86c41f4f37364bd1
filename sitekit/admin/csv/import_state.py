"""The state of an import page: the file in pieces, its columns, the table of what would happen, and the import.

A file is sent as events, because an upload endpoint would read its body before checking its sender. It is neither on
disk nor in the state, which has only what the page shows (`chosen_files`).
"""

import base64
import binascii
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import reflex as rx

from ...base.errors import InvalidInput
from ...base.permissions import Actor, require
from ...base.text import one_line
from ...base.threads import FILES
from ...records import csv_import, csv_plan
from ...records import csv_texts as texts
from ...records.batch import read_records
from ...records.csv_file import MOST_BYTES, Sheet, read_sheet, unpack
from ...records.csv_plan import ID, SLUG, PlannedRow, RowCategory
from ...records.listing import list_parameters
from ...records.record_type import AnyRecordType
from ...server.framework.event_marks import ChainedEvent, EventReply
from ...ui.feedback import NoticeState, error_notice, subject_of, undo_notice
from ..db_calls import change, read
from ..guard import staff_event
from .chosen_files import ChosenFile, chosen_files

# An event may have 64 kB (`server/http/socket_limits.py`). In base64, three bytes are four characters.
PIECE_BYTES = 36_000
MOST_PIECES = -(-MOST_BYTES // PIECE_BYTES)
PIECE_LENGTH = PIECE_BYTES * 4 // 3
PAGE_SIZE = 50
SHOWN = 160
BEFORE_CHANGE = 30

T = TypeVar("T")


@dataclass(frozen=True)
class ShownColumn:
    """A column of the file: its name, an example from it, and what it is imported as."""

    index: int = 0
    name: str = ""
    example: str = ""
    target: str = ""


@dataclass(frozen=True)
class ShownDetail:
    """One line about a row: a field with its value before and after, or a cell with what is wrong with it."""

    label: str = ""
    old: str = ""
    new: str = ""
    problem: str = ""


@dataclass(frozen=True)
class ShownPlanRow:
    """A row of the table of what would happen."""

    number: int = 0
    category: str = ""
    name: str = ""
    details: tuple[ShownDetail, ...] = ()


@dataclass(frozen=True)
class Counts:
    """The number of rows of each kind, and of records that would be imported."""

    all: int = 0
    new: int = 0
    changed: int = 0
    same: int = 0
    wrong: int = 0
    imported: int = 0


class ImportState(rx.State, mixin=True):
    """Mix in before `rx.State`, set `record_type`. `open` is the page's `on_load`; leaving the page sends `close`.

    The browser calls `begin` and then sends piece after piece, each when `received` counts the one before.
    """

    file_name: str = ""
    pieces: int = 0
    received: int = 0
    is_checking: bool = False
    is_importing: bool = False
    error: str = ""
    is_guessed: bool = False
    columns: list[ShownColumn] = []
    ignored: str = ""
    counts: Counts = Counts()
    filter: str = ""
    page: int = 1
    pages: int = 1
    rows: list[ShownPlanRow] = []
    back: str = ""
    _file_id: str = ""

    record_type: ClassVar[AnyRecordType]

    @staff_event(failed=texts.IMPORT_FAILED)
    async def open(self, *, actor: Actor) -> None:
        """Show an empty page."""
        require(actor, self.record_type.change_action)
        self._clear()
        self.back = self.record_type.list_page(list_parameters(self.router.url.query_parameters))

    @staff_event(failed=texts.IMPORT_FAILED)
    async def close(self, *, actor: Actor) -> None:
        """Drop the file, because its page was left."""
        self._clear()

    @staff_event(failed=texts.IMPORT_FAILED)
    async def begin(self, name: str, pieces: int, *, actor: Actor) -> EventReply:
        """Expect a file of so many pieces."""
        require(actor, self.record_type.change_action)
        self._clear()
        self.file_name, self.pieces = one_line(name)[:200], 0
        if not 0 < pieces <= MOST_PIECES:
            self.error = texts.FILE_TOO_LARGE if pieces > 0 else texts.FILE_EMPTY
            return None
        self.pieces = pieces
        self._file_id = chosen_files.begin(self.router.session.client_token).id
        return NoticeState.withdraw(subject_of(self))

    @staff_event(failed=texts.IMPORT_FAILED)
    async def add_piece(self, number: int, piece: str, *, actor: Actor) -> AsyncIterator[EventReply]:
        """Take the next piece; after the last one, show what would happen."""
        require(actor, self.record_type.change_action)
        file = self._chosen_file()
        if file is None or number != self.received or number >= self.pieces:
            return
        try:
            if len(piece) > PIECE_LENGTH:
                raise binascii.Error
            file.pieces.append(base64.b64decode(piece, validate=True))
        except (binascii.Error, ValueError):
            self._clear()
            self.error = texts.FILE_UNREAD
            return
        self.received += 1
        if self.received < self.pieces:
            return
        self.is_checking = True
        yield None
        content = b"".join(file.pieces)
        file.pieces.clear()
        known_names = csv_plan.known_columns(self.record_type)
        try:
            sheet = await FILES.run(lambda: read_sheet(unpack(content), known_names))
            file.sheet, self.is_guessed = sheet, sheet.is_guessed
            self.columns = _shown_columns(sheet, csv_plan.match_columns(self.record_type, sheet.head))
        except Exception as error:
            yield self._fail(error, texts.FILE_UNREAD)
        else:
            yield await self._check(actor, file, sheet)
        finally:
            self.is_checking = False

    @staff_event(failed=texts.IMPORT_FAILED)
    async def set_column(self, index: int, target: str, *, actor: Actor) -> AsyncIterator[EventReply]:
        """Import a column as another field, or not at all if the target is empty."""
        targets = csv_plan.targets(self.record_type)
        file = self._chosen_file()
        if file is None or (sheet := file.sheet) is None:
            return
        if not 0 <= index < len(self.columns) or (target and target not in targets):
            return
        chosen = [target if column.index == index else column.target for column in self.columns]
        self.columns = _shown_columns(sheet, chosen)
        self.is_checking = True
        yield None
        try:
            yield await self._check(actor, file, sheet)
        finally:
            self.is_checking = False

    @staff_event(failed=texts.IMPORT_FAILED)
    async def show_rows(self, category: str, page: int, *, actor: Actor) -> None:
        """Show a page of the rows of a kind; of all rows if the kind is empty."""
        if file := self._chosen_file():
            self.filter = category if category in list(RowCategory) else ""
            self._show(page, file.plan or [])

    @staff_event(failed=texts.IMPORT_FAILED)
    async def import_records(self, *, actor: Actor) -> AsyncIterator[EventReply]:
        """Import the new and changed rows, and return to the list."""
        file = self._chosen_file()
        if file is None or (sheet := file.sheet) is None or file.plan is None or not self.counts.imported:
            return
        plan, record_type = file.plan, self.record_type
        self.is_importing, self.error = True, ""
        yield None
        try:
            ids = [row.record for row in plan if row.record and row.category == RowCategory.CHANGED]
            records = await _read_in_portions(read_records, actor, record_type, ids)
            prepared = await FILES.run(csv_import.prepare, record_type, plan, records)
            imported, batch = await change(lambda session: csv_import.carry_out(session, actor, record_type, prepared))
        except Exception as error:
            # Compare the file with the records as they are now.
            reply = self._fail(error, texts.IMPORT_FAILED)
            refusal = self.error
            await self._check(actor, file, sheet)
            self.error = refusal or self.error
            yield reply
        else:
            self._clear()
            yield rx.redirect(self.back)
            text = texts.IMPORTED.format(new=f"{imported.new:,}", changed=f"{imported.changed:,}")
            yield undo_notice(text, subject_of(self), batch)
        finally:
            self.is_importing = False

    async def _check(self, actor: Actor, file: ChosenFile, sheet: Sheet) -> EventReply:
        """Plan the import of a file's sheet; returns the notice of an error."""
        columns, record_type = [column.target for column in self.columns], self.record_type
        is_first = file.plan is None
        file.plan, self.counts, self.rows, self.error = None, Counts(), [], ""
        self.ignored = ", ".join(column.name for column in self.columns if not column.target)
        try:
            csv_plan.check_columns(record_type, columns)
            ids, named = await FILES.run(csv_import.keys_of, record_type, sheet, columns)
            records = await _read_in_portions(csv_import.read_stored, actor, record_type, ids, ID)
            records += await _read_in_portions(csv_import.read_stored, actor, record_type, named, SLUG)
            pictures = await FILES.run(csv_import.pictures_of, record_type, sheet, columns, records)
            undescribed = {*await _read_in_portions(csv_import.read_undescribed, actor, record_type, pictures)}
            named_records = await FILES.run(csv_import.references_of, record_type, sheet, columns)
            existing_slugs = {
                name: {*await _read_in_portions(csv_import.read_existing_slugs, actor, record_type, slugs, name)}
                for name, slugs in named_records.items()
            }
            plan = await FILES.run(
                csv_plan.make_plan, record_type, sheet, columns, records, undescribed, existing_slugs
            )
        except Exception as error:
            return self._fail(error, texts.FILE_UNREAD)
        file.plan = plan
        count = {category: sum(row.category == category for row in plan) for category in RowCategory}
        self.counts = Counts(
            len(plan),
            count[RowCategory.NEW],
            count[RowCategory.CHANGED],
            count[RowCategory.SAME],
            count[RowCategory.WRONG],
            count[RowCategory.NEW] + count[RowCategory.CHANGED],
        )
        if is_first and self.counts.changed:
            self.filter = RowCategory.CHANGED
        self._show(1, plan)
        return None

    def _show(self, page: int, plan: list[PlannedRow]) -> None:
        filtered = [row for row in plan if not self.filter or row.category == self.filter]
        self.pages = max(1, -(-len(filtered) // PAGE_SIZE))
        self.page = min(max(1, page), self.pages)
        start = (self.page - 1) * PAGE_SIZE
        self.rows = [_shown_row(row) for row in filtered[start : start + PAGE_SIZE]]

    def _chosen_file(self) -> ChosenFile | None:
        """The file of the tab; if it was dropped meanwhile, ask to choose it again."""
        file = chosen_files.find(self.router.session.client_token, self._file_id)
        if file is None and self._file_id:
            self._clear()
            self.error = texts.FILE_DROPPED
        return file

    def _clear(self) -> None:
        """Drop the file, but not the address that the page leads back to."""
        chosen_files.drop(self.router.session.client_token)
        back = self.back
        self.reset()  # type: ignore[no-untyped-call]  # Reflex gives it no types
        self.back = back

    def _fail(self, error: Exception, fallback: str) -> ChainedEvent | None:
        """Show the message of an error of the file on the page, and any other error as a notice."""
        if isinstance(error, InvalidInput):
            self.error = error.message
            return None
        return error_notice(error, fallback, subject_of(self))


async def _read_in_portions(
    what: Callable[..., Iterable[T]], actor: Actor, record_type: AnyRecordType, keys: Sequence[Any], *column: str
) -> list[T]:
    """What a function of `csv_import` reads for all keys, by a query for each portion of them."""
    results: list[T] = []
    for portion in csv_import.chunks(keys):
        results += await read(lambda session, portion=portion: what(session, actor, record_type, *column, portion))  # type: ignore[misc]
    return results


def _shown_columns(sheet: Sheet, targets: list[str]) -> list[ShownColumn]:
    def example(index: int) -> str:
        cells = (row.cells[index] for row in sheet.rows[:PAGE_SIZE] if index < len(row.cells))
        return one_line(next((cell for cell in cells if cell.strip()), ""))[:60]

    return [
        ShownColumn(index, name, example(index), target)
        for index, (name, target) in enumerate(zip(sheet.head, targets, strict=True))
    ]


def _shown_row(row: PlannedRow) -> ShownPlanRow:
    problems = (ShownDetail(problem.label, problem.cell[:SHOWN], problem=problem.sentence) for problem in row.problems)
    changes = (
        ShownDetail(difference.label, *excerpts(difference.old, difference.new)) for difference in row.differences
    )
    return ShownPlanRow(row.number, row.category.value, row.name, (*problems, *changes))


def excerpts(old: str, new: str) -> tuple[str, str]:
    """Two texts shortened to where they begin to differ."""
    if max(len(old), len(new)) <= SHOWN:
        return old, new
    same = next((at for at, (first, other) in enumerate(zip(old, new, strict=False)) if first != other), None)
    start = max(0, (min(len(old), len(new)) if same is None else same) - BEFORE_CHANGE)

    def cut(text: str) -> str:
        part = text[start : start + SHOWN]
        return f"{'…' if start and part else ''}{part}{'…' if start + SHOWN < len(text) else ''}"

    return cut(old), cut(new)
