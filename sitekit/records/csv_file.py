"""Reads the text of a CSV file: its encoding, its delimiter, its rows."""

import codecs
import csv
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from ..base.errors import InvalidInput
from ..base.text import fold, is_blank, one_line
from ..base.threads import Breaks
from . import csv_texts as texts

MOST_MEGABYTES = 5
MOST_ROWS = 5_000
MOST_BYTES = MOST_MEGABYTES * 1024 * 1024
MOST_COLUMNS = 200
MOST_BLANK = 20_000
_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"
_OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"
# That of UTF-32 begins with that of UTF-16.
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_CONTROLS = frozenset("\0\x01\x02\x03\x04\x05\x06\x0e\x0f")
_DELIMITERS = (",", ";", "\t", "|")
# The line by which a file tells Excel its delimiter; a program that has saved it again adds quotation marks and cells.
_SEP = re.compile(r'\A\s*"?sep=(?P<delimiter>[^\w"\r\n ])"?[,;\t| ]*(?:\r\n|\r|\n|\Z)', re.IGNORECASE)
_SAMPLE = 20
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row: its number as a spreadsheet program counts, and its cells."""

    number: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows of a file without blank ones, and its column names. `is_guessed`: the encoding is only likely."""

    head: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    is_guessed: bool = False


def unpack(content: bytes) -> bytes:
    """The file that a browser sent, which it may have compressed. Raises `InvalidInput` if it is too large."""
    if content.startswith(_GZIP):
        unzip = zlib.decompressobj(wbits=31)
        try:
            content = unzip.decompress(content, MOST_BYTES + 1)
        except zlib.error:
            raise InvalidInput(texts.FILE_UNREAD) from None
        if len(content) <= MOST_BYTES and not unzip.eof:
            raise InvalidInput(texts.FILE_UNREAD)
    if len(content) > MOST_BYTES:
        raise InvalidInput(texts.FILE_TOO_LARGE)
    return content


def read_sheet(content: bytes, known_names: Iterable[str] = ()) -> Sheet:
    """The rows of a file. `known_names` are the column names of the list, by which the delimiter is recognised.

    Raises `InvalidInput` if the file is no CSV file, is broken, empty or too long.
    """
    text, is_guessed = decode(content)
    known_names = frozenset(known_names)
    announced = _SEP.match(text)
    text = text[announced.end() :] if announced else text
    delimiter = _delimiter(text, known_names, announced["delimiter"] if announced else "")
    # A space before a quotation mark is none of the cell's: it would make the mark a part of the text.
    reader = csv.reader(_lines(text), delimiter=delimiter, strict=True, skipinitialspace=True)
    head: tuple[str, ...] = ()
    rows: list[SheetRow] = []
    breaks = Breaks()
    for number, cells in _rows(reader):
        breaks.take()
        if all(map(is_blank, cells)):
            if number - len(rows) > MOST_BLANK:
                raise InvalidInput(texts.FILE_TOO_LONG)
        elif not head:
            head = _head(cells)
        elif len(rows) == MOST_ROWS:
            raise InvalidInput(texts.FILE_TOO_LONG)
        else:
            rows.append(SheetRow(number, _fitted(cells, len(head))))
    if not rows:
        raise InvalidInput(texts.FILE_EMPTY)
    if _is_title(head, rows[:_SAMPLE], known_names):
        raise InvalidInput(texts.FILE_TITLED)
    return Sheet(head, tuple(rows), is_guessed)


def decode(content: bytes) -> tuple[str, bool]:
    """The text of a file, and whether its encoding is only likely: Windows-1252, because it is not UTF-8."""
    if content.startswith((_ZIP, _OLD_WORKBOOK)):
        raise InvalidInput(texts.FILE_WORKBOOK)
    encoding, is_guessed = next((name for mark, name in _MARKS.items() if content.startswith(mark)), "utf-8-sig"), False
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        if encoding != "utf-8-sig":
            raise InvalidInput(texts.FILE_NO_TEXT) from None
        text, is_guessed = _as_text(content, "cp1252"), True
    # Programs of DOS end a text with Ctrl-Z.
    text = text.lstrip("\ufeff").rstrip("\x1a\r\n")
    if not _CONTROLS.isdisjoint(text):
        raise InvalidInput(texts.FILE_NO_TEXT)
    return text, is_guessed


def _as_text(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        raise InvalidInput(texts.FILE_NO_TEXT) from None


def _lines(text: str) -> Iterator[str]:
    """The lines of a text with their line breaks. Old programs end lines with CR alone."""
    return (line[0] for line in _LINE.finditer(text))


def _rows(reader: Iterator[list[str]]) -> Iterator[tuple[int, list[str]]]:
    number = 0
    while True:
        number += 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            reason = texts.CELL_TOO_LONG if "limit" in str(error) else texts.QUOTES_BROKEN
            raise InvalidInput(texts.FILE_BROKEN.format(number=number, reason=reason)) from None
        yield number, cells


def _head(cells: list[str]) -> tuple[str, ...]:
    while cells and is_blank(cells[-1]):
        cells = cells[:-1]
    if len(cells) > MOST_COLUMNS:
        raise InvalidInput(texts.FILE_TOO_WIDE.format(limit=MOST_COLUMNS))
    return tuple(
        one_line(cell)[:100] or texts.COLUMN_UNNAMED.format(number=number) for number, cell in enumerate(cells, 1)
    )


def _fitted(cells: list[str], length: int) -> tuple[str, ...]:
    """The cells of a row, one for each column name.

    Spreadsheet programs leave out empty cells at the end of a row, or add some beyond the column names.
    """
    extra = cells[length:]
    return tuple(cells if not all(map(is_blank, extra)) else [*cells, *[""] * length][:length])


def _named(cells: Iterable[str], known_names: frozenset[str]) -> int:
    """How many of the cells are known column names."""
    return sum(normalised(cell) in known_names for cell in cells)


def _is_title(head: tuple[str, ...], rows: Iterable[SheetRow], known_names: frozenset[str]) -> bool:
    """Whether the first row is a title: a row below has more known column names, or all have more cells."""
    named = _named(head, known_names)
    is_short = len(head) == 1 and not named and all(len(row.cells) > 1 for row in rows)
    return is_short or any(_named(row.cells, known_names) > max(1, named) for row in rows)


def _delimiter(text: str, known_names: frozenset[str], announced: str) -> str:
    """The delimiter with which most column names are known ones, and the first rows are as long as the first.

    The announced one, if any, unless the column names do not have it.
    """

    def fit(delimiter: str) -> tuple[bool, int, int, int]:
        try:
            reader = csv.reader(_lines(text), delimiter=delimiter, skipinitialspace=True)
            sample = [row for row in islice(reader, _SAMPLE) if any(row)]
        except csv.Error:
            return False, 0, 0, 0
        # Below a title, if there is one.
        head = max(sample, key=lambda row: _named(row, known_names), default=[])
        alike = sum(len(row) == len(head) for row in sample) if len(head) > 1 else 0
        return delimiter == announced and len(head) > 1, _named(head, known_names), alike, len(head)

    delimiters: tuple[str, ...] = (*_DELIMITERS, *announced)
    return max(delimiters, key=fit)


def normalised(name: str) -> str:
    """A column's name as it is compared: folded, with spaces for hyphens and underscores."""
    return " ".join(fold(one_line(name)).replace("_", " ").replace("-", " ").split())
