"""A list of short texts, typed as one text and stored as JSON."""

from collections.abc import Sequence
from typing import Any, ClassVar

from ...base.text import comma_list, one_line, shown_list, text_list
from ..form_fields import LONG, read_text
from ..text_diff import ADDED, KEPT, REMOVED, Part
from .changes import LIST, MOVED, Change, matched_exactly, removed_after, unmoved_of
from .field_type import FieldType

# More entries, which no form stores, are not compared.
_MOST_ENTRIES = 2_000


class ListField(FieldType):
    """A list of texts, typed with commas or line breaks between them (`base.text.comma_list`)."""

    value: ClassVar[Any] = tuple[str, ...]

    def read(self, value: object) -> tuple[str, ...]:
        return tuple(comma_list(read_text(str, LONG, value)))

    def form_text(self, value: object) -> str:
        return shown_list(list(value) if isinstance(value, tuple) else value)

    def public(self, value: object) -> tuple[str, ...]:
        return text_list(value)

    def stored(self, value: tuple[str, ...]) -> list[str]:
        return list(value)

    def compare(self, name: str, label: str, old: object, new: object) -> Change | None:
        entries = _entries(_texts(old), _texts(new))
        is_changed = any(entry.mark != KEPT for entry in entries)
        return Change(name, label, LIST, listed=entries) if is_changed else None


def _texts(value: object) -> list[str]:
    """The entries of a stored list."""
    return [one_line(text) for text in text_list(value[:_MOST_ENTRIES] if isinstance(value, list) else value)]


def _entries(old: Sequence[str], new: Sequence[str]) -> tuple[Part, ...]:
    """The entries of both lists: in the order of the new one, those removed where they were in the old one."""
    matched = matched_exactly(old, new)
    unmoved = unmoved_of(matched)
    removed = removed_after(old, matched, unmoved)
    entries = [Part(text, REMOVED) for text in removed[-1]]
    for index, text in enumerate(new):
        mark = KEPT if index in unmoved else MOVED if index in matched else ADDED
        entries.append(Part(text, mark))
        entries += [Part(gone, REMOVED) for gone in removed[index]]
    return tuple(entries)
