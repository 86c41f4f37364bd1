"""A repeating group: rows of fields, stored as a list of JSON."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass
from functools import cached_property
from typing import Annotated, Any

from pydantic import AfterValidator
from sqlmodel import Session

from ...base import messages
from ...base.permissions import Actor
from ...base.text import is_blank, one_line
from .. import csv_texts
from ..edits import Edit
from ..form_fields import MOST_ROWS
from ..record_form import RecordForm
from ..text_diff import ADDED, REMOVED, Part, fold
from . import changes
from .field_type import FieldType, FormField, fields_of, form_fields
from .reference import ReferenceField

# More rows, which no form stores, are not compared.
_MOST_COMPARED = 200

RowTexts = dict[str, str]


def _filled(rows: tuple[Any, ...]) -> tuple[Any, ...]:
    """The rows in which something was filled in."""
    return tuple(row for row in rows if not all(is_blank(text) for text in vars(row).values()))


@dataclass(frozen=True, eq=False)
class GroupField(FieldType):
    """Rows that are each a dataclass of texts, `of`, whose fields have an `Input` each. Empty ones are left out.

    `rows_of` gives the rows of a stored value of any age, `store` the stored value of a row. `one` and `add` are the
    labels of a row and of the button that adds one. If `always_writes`, every save writes all rows in the newest
    format, changed or not; `note` is shown above the rows if `is_noted` is true for the stored value.
    """

    _: KW_ONLY
    of: type[Any]
    rows_of: Callable[[object], tuple[Any, ...]]
    store: Callable[[Any], dict[str, Any]] = asdict
    one: str
    add: str
    at_least: int = 0
    always_writes: bool = False
    note: str = ""
    is_noted: Callable[[object], bool] = lambda value: False

    is_section = True

    @cached_property
    def fields(self) -> Mapping[str, FormField]:
        """The fields of a row."""
        return form_fields(self.of)

    @cached_property
    def references(self) -> Mapping[str, ReferenceField]:
        """The fields of a row that name records of another type."""
        return fields_of(self.fields, ReferenceField)

    @property
    def annotation(self) -> Any:
        rows: Any = tuple[self.of, ...]  # type: ignore[name-defined]
        return Annotated[rows, self, AfterValidator(_filled)]

    def read(self, value: object) -> tuple[Any, ...]:
        if value is None:
            return ()
        if not isinstance(value, (list, tuple)):
            raise ValueError(messages.FIELD_UNREADABLE)
        if len(value) > MOST_ROWS:
            raise ValueError(messages.TOO_MANY_ROWS.format(limit=MOST_ROWS))
        # Reflex wraps the lists and dicts of a state in proxies; pydantic needs plain dicts.
        return tuple(dict(item) if isinstance(item, Mapping) else item for item in value)

    def fill(self, form: RecordForm, name: str, value: Any) -> None:
        # Rows that were just read are a tuple, which JSON has not.
        rows = value if isinstance(value, tuple) else self.rows_of(value)
        cells = self.fields.items()
        form.rows[name] = [{key: each.field_type.form_text(getattr(row, key)) for key, each in cells} for row in rows]
        form.noted[name] = self.is_noted(value)

    def public(self, value: Any) -> tuple[Any, ...]:
        return self.rows_of(value)

    def stored(self, value: tuple[Any, ...]) -> list[dict[str, Any]]:
        return [self.store(row) for row in value]

    def is_rewritten(self, before: object, value: object) -> bool:
        # A stored value that is not a list is read as empty, and stays until there are rows to store.
        return self.always_writes and (bool(value) or isinstance(before, list))

    def prepare(self, session: Session, actor: Actor, name: str, edits: Sequence[Edit]) -> None:
        """Check what rows refer to, as the same fields outside of a group do."""
        for key, to in self.references.items():
            for number, edit in enumerate(edits):
                for index, row in enumerate(edit.values.get(name) or []):
                    to.check_slug(session, row[key], f"{name}.{index}.{key}", number)

    def cell(self, typed: list[RowTexts]) -> str:
        return json.dumps(typed, ensure_ascii=False) if typed else ""

    def from_cell(self, cell: str) -> list[RowTexts]:
        if not cell.strip():
            return []
        keys = list(self.fields)
        try:
            rows = json.loads(cell)
        except (ValueError, RecursionError):
            raise ValueError(csv_texts.GROUP_UNREADABLE.format(keys=", ".join(keys))) from None
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise ValueError(csv_texts.GROUP_UNREADABLE.format(keys=", ".join(keys)))
        for key in (key for row in rows for key in row if key not in keys):
            raise ValueError(csv_texts.GROUP_KEY_UNKNOWN.format(key=key[:40], keys=", ".join(keys)))
        return [dict.fromkeys(keys, "") | row for row in rows]

    def compare(self, name: str, label: str, old: object, new: object) -> changes.Change | None:
        rows = _row_changes(self, self._compared_rows(old), self._compared_rows(new))
        return changes.Change(name, label, changes.ROWS, rows=rows) if rows else None

    def _compared_rows(self, value: object) -> list[RowTexts]:
        rows = self.rows_of(value[:_MOST_COMPARED] if isinstance(value, list) else value)
        return [
            {name: each.field_type.compared(getattr(row, name)) for name, each in self.fields.items()} for row in rows
        ]


def label_of(fields: Mapping[str, FormField], location: str) -> str:
    """The label of the field that an input belongs to: of `authors.0.name`, the name in the first author."""
    name, *rest = location.split(".")
    each = fields.get(name) or next(each for each in fields.values() if name.startswith(each.name))
    group, label = each.field_type, each.input.label
    if isinstance(group, GroupField) and len(rest) == 2 and rest[1] in group.fields:
        label = f"{label}, {group.one} {int(rest[0]) + 1}, {group.fields[rest[1]].input.label}"
    return label


def group_options(
    session: Session, groups: Mapping[str, GroupField], rows: Mapping[str, Sequence[RowTexts]]
) -> dict[str, list[list[str]]]:
    """What the fields offer that name records of another type in these rows, by their names in a row."""
    return {
        name: to.options(session, *(row[name] for row in rows[group]))
        for group, field in groups.items()
        for name, to in field.references.items()
    }


def _row_changes(group: GroupField, old: list[RowTexts], new: list[RowTexts]) -> tuple[changes.RowChange, ...]:
    matched = _matched_rows(old, new)
    unmoved = changes.unmoved_of(matched)
    removed = changes.removed_after(list(enumerate(old)), matched, unmoved)

    def gone(index: int) -> Iterator[changes.RowChange]:
        return (_whole_row(group, row, before, REMOVED) for before, row in removed.get(index, []))

    lines = list(gone(-1))
    for index, row in enumerate(new):
        if index not in matched:
            lines.append(_whole_row(group, row, index, ADDED))
        else:
            before = matched[index]
            cells = _cells(group, old[before], row)
            former = before + 1 if index not in unmoved else 0
            if cells or former:
                mark = changes.CHANGED if cells else changes.MOVED
                lines.append(changes.RowChange(_row_label(group, index), _title(row), mark, former, cells))
        lines += gone(index)
    return tuple(lines)


def _matched_rows(old: list[RowTexts], new: list[RowTexts]) -> dict[int, int]:
    """The indexes of the old rows by those of the new: equal rows, else of the same name, else the most similar."""
    matched = changes.matched_exactly([tuple(row.values()) for row in old], [tuple(row.values()) for row in new])

    def match(name_old: list[Any], name_new: list[Any]) -> None:
        free_new = [index for index in range(len(new)) if index not in matched and name_new[index]]
        free_old = [index for index in range(len(old)) if index not in matched.values() and name_old[index]]
        named = changes.matched_exactly(
            [name_old[index] for index in free_old], [name_new[index] for index in free_new]
        )
        matched.update({free_new[index]: free_old[before] for index, before in named.items()})

    match([_title(row) for row in old], [_title(row) for row in new])
    words_old = {index: _row_words(row) for index, row in enumerate(old) if index not in matched.values()}
    words_new = {index: _row_words(row) for index, row in enumerate(new) if index not in matched}
    pairs = (
        (changes.likeness(words, other), -abs(index - before), index, before)
        for index, other in words_new.items()
        for before, words in words_old.items()
    )
    for alike, _, index, before in sorted(pairs, reverse=True):
        if alike >= changes.ALIKE and index not in matched and before not in matched.values():
            matched[index] = before
    return matched


def _row_words(row: RowTexts) -> Counter[str]:
    return changes.words_of(" ".join(text[: changes.MATCHED_BY] for text in row.values()))


def _cells(group: GroupField, old: RowTexts, new: RowTexts) -> tuple[changes.Cell, ...]:
    changed = ((name, each) for name, each in group.fields.items() if old[name] != new[name])
    return tuple(each.field_type.difference(name, each.input.label, old[name], new[name]) for name, each in changed)


def _whole_row(group: GroupField, row: RowTexts, index: int, mark: str) -> changes.RowChange:
    """A row that was added or removed, with its texts."""
    filled = ((name, each.input.label) for name, each in group.fields.items() if not is_blank(row[name]))
    cells = tuple(
        changes.Cell(name, label, changes.WORDS, parts=fold((Part(row[name], mark),))) for name, label in filled
    )
    return changes.RowChange(_row_label(group, index), _title(row), mark, cells=cells)


def _row_label(group: GroupField, index: int) -> str:
    return f"{group.one} {index + 1}"


def _title(row: RowTexts) -> str:
    return next((one_line(text)[:100] for text in row.values() if not is_blank(text)), "")
