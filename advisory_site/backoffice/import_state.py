"""The state of an import page: the file in pieces, its columns, the table of what would happen, and the import.

A file is sent as events, because an upload endpoint would read its body before checking its sender. Nothing of it is
kept on disk, and nothing in the state outlives the page.
"""

import base64
import binascii
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

import reflex as rx

from ..accounts.guard import staff_event
from ..content import csv_texts as words
from ..core import routes
from ..core.errors import InvalidInput
from ..core.permissions import Actor, require
from ..core.text import one_line
from ..core.threads import FILES
from ..framework.event_marks import ChainedEvent, EventReply
from ..records import csv_import, csv_plan
from ..records.csv_file import MOST_BYTES, Sheet, read_sheet, unpack
from ..records.csv_plan import ID, SLUG, PlannedRow, RowKind
from ..records.listing import list_parameters
from ..records.record_type import AnyRecordType
from ..ui.feedback import NoticeState, error_notice, subject_of, undo_notice
from .db_calls import change, read

# An event may have 64 kB (`http/socket_limits.py`). In base64, three bytes are four characters.
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
class ShownRow:
    """A row of the table of what would happen."""

    number: int = 0
    kind: str = ""
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


class Hidden(Generic[T]):
    """A value that a state keeps without wrapping what is in it, which would slow every access down."""

    def __init__(self, value: T) -> None:
        self.value = value


class ImportState(rx.State, mixin=True):
    """Mix in before `rx.State`, set `kind`. `open` is the page's `on_load`; leaving the page sends `close`.

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
    rows: list[ShownRow] = []
    back: str = ""
    _content: list[bytes] = []
    _sheet: Hidden[Sheet] | None = None
    _plan: Hidden[list[PlannedRow]] | None = None

    kind: ClassVar[AnyRecordType]

    @staff_event
    async def open(self, *, actor: Actor) -> None:
        """Show an empty page."""
        require(actor, self.kind.action)
        self.reset()  # type: ignore[no-untyped-call]  # Reflex gives it no types
        self.back = routes.admin_tab(self.kind.tab, list_parameters(self.router.url.query_parameters))

    @staff_event
    async def close(self, *, actor: Actor) -> None:
        """Drop the file, because its page was left."""
        self.reset()  # type: ignore[no-untyped-call]

    @staff_event
    async def begin(self, name: str, pieces: int, *, actor: Actor) -> EventReply:
        """Expect a file of so many pieces."""
        require(actor, self.kind.action)
        self._clear()
        self.file_name, self.pieces = one_line(name)[:200], 0
        if not 0 < pieces <= MOST_PIECES:
            self.error = words.FILE_TOO_LARGE if pieces > 0 else words.FILE_EMPTY
            return None
        self.pieces = pieces
        return NoticeState.withdraw(subject_of(self))

    @staff_event
    async def add_piece(self, number: int, piece: str, *, actor: Actor) -> AsyncIterator[EventReply]:
        """Take the next piece; after the last one, show what would happen."""
        require(actor, self.kind.action)
        if number != self.received or number >= self.pieces:
            return
        try:
            if len(piece) > PIECE_LENGTH:
                raise binascii.Error
            self._content = [*self._content, base64.b64decode(piece, validate=True)]
        except (binascii.Error, ValueError):
            self._clear()
            self.error = words.FILE_UNREAD
            return
        self.received += 1
        if self.received < self.pieces:
            return
        self.is_checking = True
        yield None
        content, self._content = b"".join(self._content), []
        known = csv_plan.known_columns(self.kind)
        try:
            sheet = await FILES.run(lambda: read_sheet(unpack(content), known))
            self._sheet, self.is_guessed = Hidden(sheet), sheet.is_guessed
            self.columns = _shown_columns(sheet, csv_plan.match_columns(self.kind, sheet.head))
        except Exception as error:
            yield self._fail(error, words.FILE_UNREAD)
        else:
            yield await self._check(actor)
        finally:
            self.is_checking = False

    @staff_event
    async def set_column(self, index: int, target: str, *, actor: Actor) -> AsyncIterator[EventReply]:
        """Import a column as another field, or not at all if the target is empty."""
        targets = csv_plan.targets(self.kind)
        if self._sheet is None or not 0 <= index < len(self.columns) or (target and target not in targets):
            return
        sheet = self._sheet.value
        chosen = [target if one.index == index else one.target for one in self.columns]
        self.columns = _shown_columns(sheet, chosen)
        self.is_checking = True
        yield None
        try:
            yield await self._check(actor)
        finally:
            self.is_checking = False

    @staff_event
    async def show_rows(self, kind: str, page: int, *, actor: Actor) -> None:
        """Show a page of the rows of a kind; of all rows if the kind is empty."""
        self.filter = kind if kind in list(RowKind) else ""
        self._show(page)

    @staff_event
    async def import_records(self, *, actor: Actor) -> AsyncIterator[EventReply]:
        """Import the new and changed rows, and return to the list."""
        if self._plan is None or not self.counts.imported:
            return
        plan, kind = self._plan.value, self.kind
        self.is_importing = True
        yield None
        try:
            imported, batch = await change(lambda session: csv_import.carry_out(session, actor, kind, plan))
        except Exception as error:
            # Compare the file with the records as they are now.
            reply = self._fail(error, words.IMPORT_FAILED)
            await self._check(actor)
            yield reply
        else:
            self._clear()
            yield rx.redirect(self.back)
            text = words.IMPORTED.format(new=f"{imported.new:,}", changed=f"{imported.changed:,}")
            yield undo_notice(text, subject_of(self), batch)
        finally:
            self.is_importing = False

    async def _check(self, actor: Actor) -> EventReply:
        """Plan the import of the sheet; returns the notice of an error."""
        assert self._sheet is not None
        sheet, columns, kind = self._sheet.value, [one.target for one in self.columns], self.kind
        self._plan, self.counts, self.rows, self.error = None, Counts(), [], ""
        self.ignored = ", ".join(one.name for one in self.columns if not one.target)
        try:
            csv_plan.check_columns(kind, columns)
            ids, named = await FILES.run(csv_import.keys_of, sheet, columns)
            stored = await _read_in_portions(csv_import.read_stored, actor, kind, ids, ID)
            stored += await _read_in_portions(csv_import.read_stored, actor, kind, named, SLUG)
            pictures = await FILES.run(csv_import.pictures_of, kind, sheet, columns, stored)
            undescribed = {*await _read_in_portions(csv_import.read_undescribed, actor, kind, pictures)}
            named_records = await FILES.run(csv_import.references_of, kind, sheet, columns)
            known = {
                name: {*await _read_in_portions(csv_import.read_known, actor, kind, slugs, name)}
                for name, slugs in named_records.items()
            }
            plan = await FILES.run(csv_plan.make_plan, kind, sheet, columns, stored, undescribed, known)
        except Exception as error:
            return self._fail(error, words.FILE_UNREAD)
        self._plan = Hidden(plan)
        count = {one: sum(row.kind == one for row in plan) for one in RowKind}
        self.counts = Counts(
            len(plan),
            count[RowKind.NEW],
            count[RowKind.CHANGED],
            count[RowKind.SAME],
            count[RowKind.WRONG],
            count[RowKind.NEW] + count[RowKind.CHANGED],
        )
        self._show(1)
        return None

    def _show(self, page: int) -> None:
        plan = self._plan.value if self._plan else []
        found = [row for row in plan if not self.filter or row.kind == self.filter]
        self.pages = max(1, -(-len(found) // PAGE_SIZE))
        self.page = min(max(1, page), self.pages)
        start = (self.page - 1) * PAGE_SIZE
        self.rows = [_shown_row(row) for row in found[start : start + PAGE_SIZE]]

    def _clear(self) -> None:
        """Drop the file, but not the address that the page leads back to."""
        back = self.back
        self.reset()  # type: ignore[no-untyped-call]
        self.back = back

    def _fail(self, error: Exception, fallback: str) -> ChainedEvent | None:
        """Show the message of an error of the file on the page, and any other error as a notice."""
        if isinstance(error, InvalidInput):
            self.error = error.message
            return None
        return error_notice(error, fallback, subject_of(self))

    def _on_database_down(self, handler: str, error: Exception) -> EventReply:
        return error_notice(error, words.IMPORT_FAILED, subject_of(self))


async def _read_in_portions(
    what: Callable[..., Iterable[T]], actor: Actor, kind: AnyRecordType, keys: Sequence[Any], *column: str
) -> list[T]:
    """What a function of `csv_import` reads for all keys, by a query for each portion of them."""
    found: list[T] = []
    for some in csv_import.chunks(keys):
        found += await read(lambda session, some=some: what(session, actor, kind, *column, some))  # type: ignore[misc]
    return found


def _shown_columns(sheet: Sheet, targets: list[str]) -> list[ShownColumn]:
    def example(index: int) -> str:
        cells = (row.cells[index] for row in sheet.rows[:PAGE_SIZE] if index < len(row.cells))
        return one_line(next((cell for cell in cells if cell.strip()), ""))[:60]

    return [
        ShownColumn(index, name, example(index), target)
        for index, (name, target) in enumerate(zip(sheet.head, targets, strict=True))
    ]


def _shown_row(row: PlannedRow) -> ShownRow:
    problems = (ShownDetail(one.label, one.cell[:SHOWN], problem=one.sentence) for one in row.problems)
    changes = (ShownDetail(one.label, *excerpts(one.old, one.new)) for one in row.differences)
    return ShownRow(row.number, row.kind.value, row.name, (*problems, *changes))


def excerpts(old: str, new: str) -> tuple[str, str]:
    """Two texts shortened to where they begin to differ."""
    if max(len(old), len(new)) <= SHOWN:
        return old, new
    same = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), None)
    start = max(0, (min(len(old), len(new)) if same is None else same) - BEFORE_CHANGE)

    def cut(text: str) -> str:
        part = text[start : start + SHOWN]
        return f"{'…' if start and part else ''}{part}{'…' if start + SHOWN < len(text) else ''}"

    return cut(old), cut(new)
