"""The rows of a form's repeating groups, and drafts stored in the browser."""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..core.text import clean_text, record_id
from ..records.form_fields import MOST_ROWS
from ..records.inputs import DECORATIVE, FormField, Group, RecordForm


@dataclass(frozen=True)
class Entry:
    """One row of a repeating group. Its key stays the same, so its inputs keep their text when other rows change."""

    key: int = 0
    texts: dict[str, str] = field(default_factory=dict)


def with_texts(form: RecordForm, fields: Mapping[str, FormField], typed: Mapping[str, object]) -> RecordForm:
    """The form with typed values in place of its own, unchecked, and the version that they were typed over.

    The record's id is not taken from the browser. A flag that was not sent is not set.
    """

    def is_flag(name: str) -> bool:
        return fields[name].kind.control == "check" if name in fields else name.endswith(DECORATIVE)

    texts = {
        name: clean_text(typed.get(name)) if name in typed or is_flag(name) else text
        for name, text in form.texts.items()
    }
    version = record_id(typed.get("version")) if "version" in typed else form.version
    return dataclasses.replace(form, texts=texts, version=version)


def blank_entry(group: Group, key: int) -> Entry:
    """An empty row."""
    return Entry(key, dict.fromkeys(group.fields, ""))


def entries_of(group: Group, rows: Iterable[Mapping[str, str]]) -> list[Entry]:
    """The rows of a stored group, with empty ones up to the minimum."""
    found = [Entry(key, dict(row)) for key, row in enumerate(rows)]
    return found + [blank_entry(group, key) for key in range(len(found), group.at_least)]


def entries_typed(group: Group, name: str, typed: Mapping[str, object]) -> list[Entry]:
    """The rows of a group in the typed texts, which are named `group.key.field`, in their order."""
    parts = (one.split(".") for one in typed if isinstance(one, str) and one.startswith(f"{name}."))
    texts = (part[1] for part in parts if len(part) == 3)
    keys = dict.fromkeys(int(text) for text in texts if text.isascii() and text.isdigit() and len(text) < 5)
    found = [
        Entry(key, {one: clean_text(typed.get(f"{name}.{key}.{one}")) for one in group.fields})
        for key in list(keys)[:MOST_ROWS]
    ]
    return found or entries_of(group, ())
