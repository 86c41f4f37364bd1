"""Reads and makes CSV files for tests."""

import csv
import io
from collections.abc import Iterable

from sqlmodel import Session

from sitekit.base.permissions import Actor
from sitekit.records.csv_export import CsvList
from sitekit.records.listing import ListQuery


def exported(session: Session, actor: Actor, listed: CsvList, query: ListQuery | None = None) -> list[list[str]]:
    """The cells of an export, line by line."""
    return lines_of(b"".join(listed.write(session, actor, query or ListQuery())))


def lines_of(content: bytes) -> list[list[str]]:
    """The cells of a file that begins with a byte order mark and ends its lines with CR and LF."""
    text = content.decode("utf-8")
    assert text.startswith("\ufeff") and text.endswith("\r\n")
    return list(csv.reader(io.StringIO(text[1:], newline=""), strict=True))


def csv_bytes(*lines: Iterable[str], delimiter: str = ",", encoding: str = "utf-8") -> bytes:
    """A file of these cells."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter).writerows(lines)
    return text.getvalue().encode(encoding)
