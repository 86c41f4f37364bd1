"""Cells of CSV files: harmless in spreadsheet programs, and read back as they were."""

import itertools
from pathlib import Path
from typing import Any

import pytest

from advisory_site.advisors.service import ADVISORS
from advisory_site.companies.service import COMPANIES
from advisory_site.records.csv_cells import cells_of, escape_formula, input_of, unescape_formula
from advisory_site.team.service import MEMBERS

pytestmark = pytest.mark.spec("LIST-6", "LIST-7")
KINDS: list[Any] = [COMPANIES, MEMBERS, ADVISORS]


def test_every_escaped_cell_is_read_back_and_begins_no_formula() -> None:
    for length in range(5):
        for letters in itertools.product("'=-;\n\ta＠", repeat=length):
            cell = "".join(letters)
            escaped = escape_formula(cell)
            assert unescape_formula(escaped) == cell
            assert not any(part.startswith(("=", "-", "＠")) for part in escaped.replace("\n", ";").split(";"))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.table.__name__)
def test_no_two_columns_of_a_file_have_the_same_name(kind: Any) -> None:
    labels = ["ID", "Slug", *(one.input.label for one in kind.fields.values())]
    assert len({label.casefold() for label in labels}) == len(labels)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.table.__name__)
def test_a_form_is_read_back_from_its_cells(kind: Any) -> None:
    form = kind.blank_form()
    fields = kind.fields
    inputs = {name: input_of(fields[name], cell) for name, cell in cells_of(form, fields).items()}
    assert inputs == {name: text for name, text in form.inputs().items() if name in fields}


@pytest.mark.parametrize(
    ("cell", "typed"), [("TRUE", "on"), ("yes", "on"), ("1", "on"), ("false", ""), ("No", ""), ("", "")]
)
def test_a_flag_is_read_as_spreadsheets_write_it(cell: str, typed: str) -> None:
    assert input_of(MEMBERS.fields["is_active"], cell) == typed


@pytest.mark.parametrize(
    ("field", "cell", "sentence"),
    [
        ("is_active", "perhaps", "true or false"),
        ("stats", "12 boards", "JSON list of objects with the keys label, value"),
        ("stats", '["12 boards"]', "JSON list"),
        ("stats", "[" * 100_000, "JSON list"),
        ("stats", '[{"label": "Boards", "number": "12"}]', 'no key "number"'),
    ],
)
def test_a_cell_that_no_form_could_send_is_refused(field: str, cell: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        input_of(ADVISORS.fields[field], cell)


def test_the_page_for_staff_names_the_keys_of_every_group() -> None:
    text = (Path(__file__).parents[2] / "docs" / "csv.md").read_text(encoding="utf-8")
    for group in (group for kind in KINDS for group in kind.groups.values()):
        assert f"| {group.label} | {', '.join(f'`{name}`' for name in group.fields)} |" in text
