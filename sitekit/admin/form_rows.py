"""The rows of a form's repeating groups, and drafts stored in the browser."""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..base.text import clean_text, record_id
from ..records.fields.field_type import FormField, inputs_of
from ..records.fields.group import GroupField
from ..records.form_fields import MOST_ROWS, with_groups
from ..records.record_form import RecordForm


@dataclass(frozen=True)
class FormRow:
    """One row of a repeating group. Its key stays the same, so its inputs keep their text when other rows change."""

    key: int = 0
    texts: dict[str, str] = field(default_factory=dict)


def with_texts(form: RecordForm, fields: Mapping[str, FormField], typed: Mapping[str, object]) -> RecordForm:
    """The form with typed values in place of its own, unchecked, and the version that they were typed over.

    The record's id is not taken from the browser. A flag that was not sent is not set.
    """
    unsent = {name for name, field_type in inputs_of(fields).items() if not field_type.is_sent_if_empty}
    texts = {
        name: clean_text(typed.get(name)) if name in typed or name in unsent else text
        for name, text in form.texts.items()
    }
    version = record_id(typed.get("version")) if "version" in typed else form.version
    return dataclasses.replace(form, texts=texts, version=version)


def blank_entry(group: GroupField, key: int) -> FormRow:
    """An empty row."""
    return FormRow(key, dict.fromkeys(group.fields, ""))


def entries_of(group: GroupField, rows: Iterable[Mapping[str, str]]) -> list[FormRow]:
    """The rows of a stored group, with empty ones up to the minimum."""
    entries = [FormRow(key, dict(row)) for key, row in enumerate(rows)]
    return entries + [blank_entry(group, key) for key in range(len(entries), group.at_least)]


def entries_typed(group: GroupField, name: str, typed: Mapping[str, object]) -> list[FormRow]:
    """The rows of a group in the typed texts, which are named `group.key.field`, in their order."""
    _, keys = with_groups(typed)
    entries = [
        FormRow(key, {field_name: clean_text(typed.get(f"{name}.{key}.{field_name}")) for field_name in group.fields})
        for key in keys.get(name, [])[:MOST_ROWS]
    ]
    return entries or entries_of(group, ())
