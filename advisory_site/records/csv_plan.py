"""Plans the import of a CSV file: matches its columns, and compares its rows with the records. Needs no database."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from ..content import csv_texts as words
from ..content import messages
from ..content.media_texts import UNDESCRIBED_CELL
from ..core.errors import InvalidInput
from ..core.text import one_line, record_id
from ..core.threads import Breaks
from .csv_cells import cells_of, input_of, unescape_formula
from .csv_file import Sheet, SheetRow, normalised
from .inputs import RecordDraft, RecordForm
from .pictures import shown_keys
from .record_type import AnyRecordType

ID, SLUG = "id", "slug"


class RowKind(StrEnum):
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
    kind: RowKind
    name: str
    record: int = 0
    version: int = 0
    inputs: dict[str, Any] = field(default_factory=dict)
    differences: tuple[Difference, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Stored:
    """A record as it was read for the plan; `shown` are the keys of its public pictures, by field."""

    id: int
    slug: str
    name: str
    form: RecordForm
    shown: Mapping[str, str]


def targets(kind: AnyRecordType) -> dict[str, str]:
    """What a column can be imported as, with its label: the id, the slug, and the fields of the form."""
    return {ID: words.ID, SLUG: words.SLUG} | {
        name: one.input.label for name, one in kind.fields.items() if name != SLUG
    }


def known_columns(kind: AnyRecordType) -> dict[str, str]:
    """The target of each column name that is recognised: labels and names of fields."""
    names = {normalised(name): name for name in targets(kind)}
    labels = {normalised(one.input.label): name for name, one in kind.fields.items()}
    return names | labels | {normalised(label): name for name, label in targets(kind).items()}


def match_columns(kind: AnyRecordType, head: Sequence[str]) -> list[str]:
    """The likely target of each column; empty for an unknown one, and for one that comes a second time."""
    known, used = known_columns(kind), set[str]()
    found = []
    for name in head:
        target = known.get(normalised(name), "")
        found.append("" if target in used else target)
        used.add(target)
    return found


def check_columns(kind: AnyRecordType, columns: Sequence[str]) -> None:
    """Raise `InvalidInput` if two columns have the same target."""
    for target, label in targets(kind).items():
        if list(columns).count(target) > 1:
            raise InvalidInput(words.COLUMN_TWICE.format(field=label))


def make_plan(
    kind: AnyRecordType,
    sheet: Sheet,
    columns: Sequence[str],
    stored: Iterable[Stored],
    without_description: Collection[str] = (),
    known: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> list[PlannedRow]:
    """What importing each row of a sheet would do.

    `without_description` are the keys of pictures that no row may begin to show to visitors, `known` the slugs that
    each field may name.
    """
    return _Planner(kind, sheet, columns, stored, without_description, known).plan()


class _Planner:
    def __init__(
        self,
        kind: AnyRecordType,
        sheet: Sheet,
        columns: Sequence[str],
        stored: Iterable[Stored],
        without_description: Collection[str],
        known: Mapping[str, Collection[str]],
    ) -> None:
        self._kind, self._sheet, self._columns = kind, sheet, columns
        self._without_description, self._known = without_description, known
        self._by_id = {one.id: one for one in stored}
        self._by_slug = {one.slug: one for one in self._by_id.values()}
        self._labels = targets(kind)
        self._blank = kind.blank_form()
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
            sentence = words.CELL_COUNT.format(cells=len(row.cells), columns=len(self._columns))
            return PlannedRow(row.number, RowKind.WRONG, name, problems=(Problem("", "", sentence),))
        found, problem = self._find(row.number, cells)
        name = name or (found.name if found else "")
        if problem:
            return PlannedRow(row.number, RowKind.WRONG, name, problems=(problem,))
        return self._compare(row.number, name, cells, found)

    def _find(self, number: int, cells: Mapping[str, str]) -> tuple[Stored | None, Problem | None]:
        """The record of a row, or why it has none."""
        wanted, slug = cells.get(ID, "").strip(), one_line(cells.get(SLUG))
        if wanted:
            found = self._by_id.get(record_id(wanted))
            if found is None:
                sentence = words.ID_UNKNOWN if record_id(wanted) else words.ID_UNREADABLE
                return None, Problem(words.ID, wanted, sentence)
            if slug and slug != found.slug and SLUG not in self._kind.fields:
                return None, Problem(words.SLUG, slug, words.SLUG_FIXED)
        else:
            found = self._by_slug.get(slug)
        if found and (before := self._seen.setdefault(found.id, number)) != number:
            key = ID if wanted else SLUG
            return None, Problem(self._labels[key], cells[key], words.ROW_TWICE.format(number=before))
        return found, None

    def _compare(self, number: int, name: str, cells: Mapping[str, str], found: Stored | None) -> PlannedRow:
        fields, form = self._kind.fields, found.form if found else self._blank
        before = cells_of(form, fields)
        given = {one: cell for one, cell in cells.items() if one in fields and (not found or cell != before[one])}
        inputs, problems = self._inputs(given)
        draft: RecordDraft | None = None
        if (given or not found) and not problems:
            shown = form.inputs() if found else {}
            try:
                draft = self._kind.draft.read(form.inputs() | inputs, shown)
            except InvalidInput as refused:
                problems = [self._problem(one, sentence, cells) for one, sentence in refused.fields.items()]
        if draft:
            problems = self._picture_problems(draft, found, cells) + self._reference_problems(draft, form, cells)
        slug = self._slug(draft, found)
        if slug and not problems:
            problems = self._slug_problems(number, slug, found)
        record, version = (found.id, form.version) if found else (0, 0)
        if problems:
            return PlannedRow(number, RowKind.WRONG, name, record, version, problems=tuple(problems))
        differences = self._differences(draft, form, before, is_new=found is None) if draft else ()
        if found and not differences:
            return PlannedRow(number, RowKind.SAME, name, record, version)
        planned = RowKind.CHANGED if found else RowKind.NEW
        return PlannedRow(number, planned, name, record, version, inputs, differences)

    def _inputs(self, cells: Mapping[str, str]) -> tuple[dict[str, Any], list[Problem]]:
        inputs, problems = {}, []
        for name, cell in cells.items():
            try:
                inputs[name] = input_of(self._kind.fields[name], cell)
            except ValueError as error:
                problems.append(Problem(self._labels[name], cell, str(error)))
        return inputs, problems

    def _problem(self, place: str, sentence: str, cells: Mapping[str, str]) -> Problem:
        """A refusal of the form, at its column: `founders.0.name` is the name in the first founder."""
        name, *rest = place.split(".")
        label, group = self._labels[name], self._kind.groups.get(name)
        if group and len(rest) == 2 and rest[1] in group.fields:
            label = f"{label}, {group.one} {int(rest[0]) + 1}, {group.fields[rest[1]].input.label}"
        return Problem(label, cells.get(name, ""), sentence)

    def _picture_problems(self, draft: RecordDraft, found: Stored | None, cells: Mapping[str, str]) -> list[Problem]:
        shown = shown_keys(draft.publishing, draft.picture_fields, draft.stored()).items()
        return [
            Problem(self._labels[name], cells.get(name, ""), UNDESCRIBED_CELL)
            for name, key in shown - (found.shown.items() if found else set())
            if key in self._without_description
        ]

    def _reference_problems(self, draft: RecordDraft, form: RecordForm, cells: Mapping[str, str]) -> list[Problem]:
        slugs = {name: getattr(draft, name) for name in self._kind.references}
        return [
            Problem(self._labels[name], cells.get(name, ""), messages.REFERENCE_UNKNOWN)
            for name, slug in slugs.items()
            if slug and slug != form.texts[name] and slug not in self._known.get(name, ())
        ]

    def _slug(self, draft: RecordDraft | None, found: Stored | None) -> str:
        """The slug that the row would have; empty if it is made from the name."""
        if SLUG not in self._kind.fields:
            return ""
        return str(draft.slug) if draft else (found.slug if found else "")

    def _slug_problems(self, number: int, slug: str, found: Stored | None) -> list[Problem]:
        owner = self._by_slug.get(slug)
        if owner and (found is None or owner.id != found.id):
            return [Problem(words.SLUG, slug, messages.SLUG_TAKEN)]
        if (before := self._slugs.setdefault(slug, number)) != number:
            return [Problem(words.SLUG, slug, words.SLUG_TWICE.format(number=before))]
        return []

    def _differences(
        self, draft: RecordDraft, form: RecordForm, before: Mapping[str, str], *, is_new: bool
    ) -> tuple[Difference, ...]:
        changed = draft.differing(form)
        after = cells_of(draft.as_form(), self._kind.fields)
        if SLUG in after and not after[SLUG]:
            after[SLUG] = words.MADE_FROM_NAME
        return tuple(
            Difference(self._labels[name], "" if is_new else before[name], after[name])
            for name in self._kind.fields
            if (after[name] if is_new else name in changed)
        )
