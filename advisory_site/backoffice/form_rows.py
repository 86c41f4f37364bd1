"""The rows of a form's repeating groups, and drafts stored in the browser."""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from ..core.text import clean_text, display_order

Form = TypeVar("Form")
MOST_ENTRIES = 50


@dataclass(frozen=True)
class Entry:
    """One row of a repeating group. Its key stays the same, so its inputs keep their text when other rows change."""

    key: int = 0
    texts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Group:
    """A repeating group: the fields of a row, and the minimum number of rows."""

    fields: tuple[str, ...]
    at_least: int = 0

    def blank(self, key: int) -> Entry:
        """An empty row."""
        return Entry(key, dict.fromkeys(self.fields, ""))


def with_texts(form: Form, typed: Mapping[str, object]) -> Form:
    """The form with typed values in place of its own, unchecked, and the version that they were typed over.

    The record's id is not taken from the browser.
    """
    texts = {
        one.name: clean_text(typed.get(one.name))
        for one in dataclasses.fields(form)  # type: ignore[arg-type]
        if isinstance(getattr(form, one.name), str) and one.name in typed
    }
    flags = {
        one.name: typed.get(one.name) == "on"
        for one in dataclasses.fields(form)  # type: ignore[arg-type]
        if isinstance(getattr(form, one.name), bool)
    }
    numbers = {
        one.name: display_order(typed.get(one.name))
        for one in dataclasses.fields(form)  # type: ignore[arg-type]
        if type(getattr(form, one.name)) is int and one.name in typed and one.name != "id"
    }
    return dataclasses.replace(form, **texts, **flags, **numbers)  # type: ignore[type-var]


def entries_of(group: Group, rows: Iterable[object]) -> list[Entry]:
    """The rows of a stored group, with empty ones up to the minimum."""
    found = [Entry(key, {name: getattr(row, name) for name in group.fields}) for key, row in enumerate(rows)]
    return found + [group.blank(key) for key in range(len(found), group.at_least)]


def entries_typed(group: Group, name: str, typed: Mapping[str, object]) -> list[Entry]:
    """The rows of a group in the typed texts, which are named `group.key.field`."""
    parts = (one.split(".") for one in typed if isinstance(one, str) and one.startswith(f"{name}."))
    keys = sorted({int(part[1]) for part in parts if len(part) == 3 and part[1].isascii() and part[1].isdigit()})
    found = [
        Entry(key, {one: clean_text(typed.get(f"{name}.{key}.{one}")) for one in group.fields})
        for key in keys[:MOST_ENTRIES]
    ]
    return found or entries_of(group, ())
