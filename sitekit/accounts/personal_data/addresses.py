"""Finds an email address in stored values: as a whole value, or in a text, but not as part of a longer address."""

import re
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from ...base.db.folding import contains
from ...base.text import clean_text, fold, is_unspaced
from ..form_data import email_of

ERASED = "[erased]"
AROUND = 100  # characters of a passage on either side of the address

# Marks such as quotes and bullets may touch an address; a letter or digit before them is part of a longer one.
_MARKS = frozenset("_.+'&%-")
_LONGEST_LOCAL_PART = 64
_LONGER_DOMAIN = re.compile(r"(?:-*|\.)([^\W_]|@)")


def may_contain(column: sa.ColumnElement[Any], email: str) -> sa.ColumnElement[bool]:
    """The condition for rows that may have the address in this column; `passages` decides."""
    return contains((sa.type_coerce(column, sa.Text),), [fold(email)])


def is_address(value: object, email: str) -> bool:
    """Whether a value is this address and nothing else."""
    return isinstance(value, str) and email_of(value) == email


def passages(value: object, email: str) -> list[str]:
    """The passages around the mentions of the address in a text, or in the texts of a JSON value."""
    return [passage for text in _texts(value) for passage in _passages(text, _mentions(text, email))]


def _passages(text: str, mentions: list[tuple[int, int]]) -> Iterator[str]:
    """The passages around these places; those that overlap are one."""
    joined: list[tuple[int, int]] = []
    for start, end in mentions:
        first, last = max(0, start - AROUND), min(len(text), end + AROUND)
        if joined and first <= joined[-1][1]:
            first = joined.pop()[0]
        joined.append((first, last))
    for first, last in joined:
        yield f"{'...' if first else ''}{text[first:last]}{'...' if last < len(text) else ''}"


def without_address(value: Any, email: str) -> Any:
    """A text or a JSON value with `ERASED` in place of the address."""
    if isinstance(value, list):
        return [without_address(entry, email) for entry in value]
    if isinstance(value, dict):
        return {name: without_address(entry, email) for name, entry in value.items()}
    if not isinstance(value, str):
        return value
    text = clean_text(value)
    mentions = _mentions(text, email)
    for start, end in reversed(mentions):
        text = text[:start] + ERASED + text[end:]
    return text if mentions else value


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield clean_text(value)
    elif isinstance(value, list | dict):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _texts(entry)


def _mentions(text: str, email: str) -> list[tuple[int, int]]:
    """Where a text has the address, in any case."""
    spans = (match.span() for match in re.finditer(re.escape(email), text, re.IGNORECASE))
    return [(start, end) for start, end in spans if not _is_longer(text, start, end)]


def _is_longer(text: str, start: int, end: int) -> bool:
    """Whether the characters around make it another address."""
    is_ascii = text[start:end].isascii()

    def is_letter(character: str) -> bool:
        # Nothing separates an address from Chinese text around it.
        return character.isalnum() and not (is_ascii and is_unspaced(character))

    for character in reversed(text[max(0, start - _LONGEST_LOCAL_PART) : start]):
        if is_letter(character):
            return True
        if character not in _MARKS:
            break
    after = _LONGER_DOMAIN.match(text, end)
    return after is not None and (after[1] == "@" or is_letter(after[1]))
