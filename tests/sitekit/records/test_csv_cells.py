"""Cells of CSV files: harmless in spreadsheet programs, and read back as they were."""

import itertools
from pathlib import Path
from typing import Any

import pytest

from advisory_site.advisors.service import ADVISORS
from advisory_site.companies.service import COMPANIES
from advisory_site.team.service import MEMBERS
from sitekit.records.csv_cells import cells_of, escape_formula, unescape_formula
from sitekit.records.csv_file import read_sheet
from sitekit.records.csv_plan import match_columns

pytestmark = pytest.mark.spec("LIST-6", "LIST-7")
RECORD_TYPES: list[Any] = [COMPANIES, MEMBERS, ADVISORS]


def test_every_escaped_cell_is_read_back_and_begins_no_formula() -> None:
    for length in range(5):
        for letters in itertools.product("'=-;\n\ta＠", repeat=length):
            cell = "".join(letters)
            escaped = escape_formula(cell)
            assert unescape_formula(escaped) == cell
            assert not any(part.startswith(("=", "-", "＠")) for part in escaped.replace("\n", ";").split(";"))


@pytest.mark.parametrize("record_type", RECORD_TYPES, ids=lambda record_type: record_type.table.__name__)
def test_no_two_columns_of_a_file_have_the_same_name(record_type: Any) -> None:
    labels = ["ID", "Slug", *(one.input.label for one in record_type.fields.values())]
    assert len({label.casefold() for label in labels}) == len(labels)


@pytest.mark.parametrize("record_type", RECORD_TYPES, ids=lambda record_type: record_type.table.__name__)
def test_a_form_is_read_back_from_its_cells(record_type: Any) -> None:
    form = record_type.blank_form()
    fields = record_type.fields
    inputs = {name: fields[name].field_type.from_cell(cell) for name, cell in cells_of(form, fields).items()}
    assert inputs == {name: text for name, text in form.inputs().items() if name in fields}


@pytest.mark.parametrize(
    ("cell", "typed"), [("TRUE", "on"), ("yes", "on"), ("1", "on"), ("false", ""), ("No", ""), ("", "")]
)
def test_flags_are_read_in_the_spellings_of_spreadsheets(cell: str, typed: str) -> None:
    assert MEMBERS.fields["is_active"].field_type.from_cell(cell) == typed


@pytest.mark.parametrize(
    ("field", "cell", "sentence"),
    [
        ("is_active", "perhaps", "true or false"),
        ("stats", "12 boards", "JSON list of objects with the keys label, value"),
        ("stats", '["12 boards"]', "JSON list"),
        ("stats", "[" * 100_000, "JSON list"),
        ("stats", '[{"label": "Boards", "number": "12"}]', "no key “number”"),
    ],
)
def test_cells_that_no_form_could_send_are_refused(field: str, cell: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        ADVISORS.fields[field].field_type.from_cell(cell)


def test_the_csv_documentation_names_the_keys_of_every_group() -> None:
    text = (Path(__file__).parents[3] / "docs" / "csv.md").read_text(encoding="utf-8")
    for record_type in RECORD_TYPES:
        for name, group in record_type.groups.items():
            label = record_type.fields[name].input.label
            assert f"| {label} | {', '.join(f'`{name}`' for name in group.fields)} |" in text


@pytest.mark.parametrize("head", ["\ufeff\ufeffID,Name", "\u200bID,Name\u2060", "I\u00adD,NAME\v", "id,Nam\u00e9"])
def test_column_names_are_recognised_whatever_is_not_seen_in_them(head: str) -> None:
    sheet = read_sheet(f"{head},\u200b\n7,x,\u200b\n\u200b,\u2060,\n".encode())
    assert match_columns(MEMBERS, sheet.head) == ["id", "name"]
    assert [row.cells for row in sheet.rows] == [("7", "x", "\u200b")[:2]]
