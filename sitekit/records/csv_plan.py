"""Plans the import of a CSV file: matches its columns, and compares its rows with the records. Needs no database."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from ..base import messages
from ..base.errors import InvalidInput
from ..base.text import one_line, record_id
from ..base.threads import Breaks
from . import csv_texts
from .csv_cells import cells_of, unescape_formula
from .csv_file import Sheet, SheetRow, normalised
from .fields.group import label_of
from .inputs import RecordData
from .pictures.held import shown_keys
from .pictures.texts import UNDESCRIBED_CELL
from .record_form import RecordForm
from .record_type import AnyRecordType

ID, SLUG = "id", "slug"


class RowCategory(StrEnum):
    """What importing a row would do."""

    NEW = "new"
    CHANGED = "changed"
    SAME = "same"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that would change: its label, and its cell before and after."""

    label: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a row cannot be imported: the message about its cell in a column, or about the whole row."""

    label: str
    cell: str
    sentence: str


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """What would happen with a row. `inputs` is what the form would send for its cells, for a new or changed record."""

    number: int
    category: RowCategory
    name: str
    record: int = 0
    version: int = 0
    inputs: dict[str, Any] = field(default_factory=dict)
    differences: tuple[Difference, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Stored:
    """A record as it was read for the plan; `public_pictures` are the keys of its public pictures, by field."""

    id: int
    slug: str
    name: str
    form: RecordForm
    public_pictures: Mapping[str, str]


def targets(record_type: AnyRecordType) -> dict[str, str]:
    """What a column can be imported as, with its label: the id, the slug, and the fields of the form."""
    return {ID: csv_texts.ID, SLUG: csv_texts.SLUG} | {
        name: form_field.input.label for name, form_field in record_type.fields.items() if name != SLUG
    }


def known_columns(record_type: AnyRecordType) -> dict[str, str]:
    """The target of each column name that is recognised: labels and names of fields."""
    names = {normalised(name): name for name in targets(record_type)}
    labels = {normalised(form_field.input.label): name for name, form_field in record_type.fields.items()}
    return names | labels | {normalised(label): name for name, label in targets(record_type).items()}


def match_columns(record_type: AnyRecordType, head: Sequence[str]) -> list[str]:
    """The likely target of each column; empty for an unknown one, and for one that comes a second time."""
    targets_by_name, used = known_columns(record_type), set[str]()
    matched = []
    for name in head:
        target = targets_by_name.get(normalised(name), "")
        matched.append("" if target in used else target)
        used.add(target)
    return matched


def check_columns(record_type: AnyRecordType, columns: Sequence[str]) -> None:
    """Raise `InvalidInput` if two columns have the same target."""
    for target, label in targets(record_type).items():
        if list(columns).count(target) > 1:
            raise InvalidInput(csv_texts.COLUMN_TWICE.format(field=label))


def make_plan(
    record_type: AnyRecordType,
    sheet: Sheet,
    columns: Sequence[str],
    records: Iterable[Stored],
    without_description: Collection[str] = (),
    existing_slugs: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> list[PlannedRow]:
    """What importing each row of a sheet would do.

    `without_description` are the keys of pictures that no row may begin to show to visitors, `existing_slugs` the
    slugs that each field may name.
    """
    return _Planner(record_type, sheet, columns, records, without_description, existing_slugs).plan()


class _Planner:
    def __init__(
        self,
        record_type: AnyRecordType,
        sheet: Sheet,
        columns: Sequence[str],
        records: Iterable[Stored],
        without_description: Collection[str],
        existing_slugs: Mapping[str, Collection[str]],
    ) -> None:
        self._kind, self._sheet, self._columns = record_type, sheet, columns
        self._without_description, self._existing_slugs = without_description, existing_slugs
        self._by_id = {record.id: record for record in records}
        self._by_slug = {record.slug: record for record in self._by_id.values()}
        self._labels = targets(record_type)
        self._blank = record_type.blank_form()
        self._seen: dict[int, int] = {}
        self._slugs: dict[str, int] = {}

    def plan(self) -> list[PlannedRow]:
        breaks, rows = Breaks(), []
        for row in self._sheet.rows:
            rows.append(self._plan(row))
            breaks.take()
        return rows

    def _plan(self, row: SheetRow) -> PlannedRow:
        cells = {
            target: unescape_formula(cell) for target, cell in zip(self._columns, row.cells, strict=False) if target
        }
        name = one_line(cells.get("name"))[:200]
        if len(row.cells) != len(self._columns):
            sentence = csv_texts.CELL_COUNT.format(cells=len(row.cells), columns=len(self._columns))
            return PlannedRow(row.number, RowCategory.WRONG, name, problems=(Problem("", "", sentence),))
        record, problem = self._find(row.number, cells)
        name = name or (record.name if record else "")
        if problem:
            return PlannedRow(row.number, RowCategory.WRONG, name, problems=(problem,))
        return self._compare(row.number, name, cells, record)

    def _find(self, number: int, cells: Mapping[str, str]) -> tuple[Stored | None, Problem | None]:
        """The record of a row, or why it has none."""
        typed_id, slug = one_line(cells.get(ID)), one_line(cells.get(SLUG))
        if typed_id:
            record = self._by_id.get(record_id(typed_id))
            if record is None:
                sentence = csv_texts.ID_UNKNOWN if record_id(typed_id) else csv_texts.ID_UNREADABLE
                return None, Problem(csv_texts.ID, typed_id, sentence)
            if slug and slug != record.slug and SLUG not in self._kind.fields:
                return None, Problem(csv_texts.SLUG, slug, csv_texts.SLUG_FIXED)
        else:
            record = self._by_slug.get(slug)
        if record and (before := self._seen.setdefault(record.id, number)) != number:
            key = ID if typed_id else SLUG
            return None, Problem(self._labels[key], cells[key], csv_texts.ROW_TWICE.format(number=before))
        return record, None

    def _compare(self, number: int, name: str, cells: Mapping[str, str], existing: Stored | None) -> PlannedRow:
        fields, form = self._kind.fields, existing.form if existing else self._blank
        if not existing and SLUG in fields and not one_line(cells.get(SLUG)):
            cells = {**cells, SLUG: self._kind.slug_for(name)}
        before = cells_of(form, fields)
        given = {
            column: cell
            for column, cell in cells.items()
            if column in fields and (not existing or cell != before[column])
        }
        inputs, problems = self._inputs(given)
        data: RecordData | None = None
        if (given or not existing) and not problems:
            original = form.inputs() if existing else {}
            try:
                data = self._kind.data_class.read(form.inputs() | inputs, original)
            except InvalidInput as refused:
                problems = [self._problem(location, sentence, cells) for location, sentence in refused.fields.items()]
        if data:
            problems = self._picture_problems(data, existing, cells) + self._reference_problems(data, form, cells)
        slug = self._slug(data, existing)
        if slug and not problems:
            problems = self._slug_problems(number, slug, existing)
        record, version = (existing.id, form.version) if existing else (0, 0)
        if problems:
            return PlannedRow(number, RowCategory.WRONG, name, record, version, problems=tuple(problems))
        differences = self._differences(data, form, before, is_new=existing is None) if data else ()
        if existing and not differences:
            return PlannedRow(number, RowCategory.SAME, name, record, version)
        planned = RowCategory.CHANGED if existing else RowCategory.NEW
        return PlannedRow(number, planned, name, record, version, inputs, differences)

    def _inputs(self, cells: Mapping[str, str]) -> tuple[dict[str, Any], list[Problem]]:
        inputs, problems = {}, []
        for name, cell in cells.items():
            try:
                inputs[name] = self._kind.fields[name].field_type.from_cell(cell)
            except ValueError as error:
                problems.append(Problem(self._labels[name], cell, str(error)))
        return inputs, problems

    def _problem(self, location: str, sentence: str, cells: Mapping[str, str]) -> Problem:
        """A refusal of the form, at its column."""
        return Problem(label_of(self._kind.fields, location), cells.get(location.split(".")[0], ""), sentence)

    def _picture_problems(self, data: RecordData, existing: Stored | None, cells: Mapping[str, str]) -> list[Problem]:
        pictures = shown_keys(data.publishing, self._kind.described_fields, data.stored()).items()
        return [
            Problem(self._labels[name], cells.get(name, ""), UNDESCRIBED_CELL)
            for name, key in pictures - (existing.public_pictures.items() if existing else set())
            if key in self._without_description
        ]

    def _reference_problems(self, data: RecordData, form: RecordForm, cells: Mapping[str, str]) -> list[Problem]:
        slugs = {name: getattr(data, name) for name in self._kind.references}
        return [
            Problem(self._labels[name], cells.get(name, ""), messages.REFERENCE_UNKNOWN)
            for name, slug in slugs.items()
            if slug and slug != form.texts[name] and slug not in self._existing_slugs.get(name, ())
        ]

    def _slug(self, data: RecordData | None, existing: Stored | None) -> str:
        """The slug that the row would have; empty if it is made from the name."""
        if SLUG not in self._kind.fields:
            return ""
        return str(data.slug) if data else (existing.slug if existing else "")

    def _slug_problems(self, number: int, slug: str, existing: Stored | None) -> list[Problem]:
        owner = self._by_slug.get(slug)
        if owner and (existing is None or owner.id != existing.id):
            return [Problem(csv_texts.SLUG, slug, messages.SLUG_TAKEN)]
        if (before := self._slugs.setdefault(slug, number)) != number:
            return [Problem(csv_texts.SLUG, slug, csv_texts.SLUG_TWICE.format(number=before))]
        return []

    def _differences(
        self, data: RecordData, form: RecordForm, before: Mapping[str, str], *, is_new: bool
    ) -> tuple[Difference, ...]:
        changed = data.differing(form)
        after = cells_of(data.as_form(), self._kind.fields)
        if SLUG in after and not after[SLUG]:
            after[SLUG] = csv_texts.MADE_FROM_NAME
        return tuple(
            Difference(self._labels[name], "" if is_new else before[name], after[name])
            for name in self._kind.fields
            if (after[name] if is_new else name in changed)
        )
