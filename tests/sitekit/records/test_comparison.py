"""Two snapshots of a record compared: which fields changed, and how each kind of field shows it."""

import random
from typing import Any

import pytest

from advisory_site.advisors.service import ADVISORS
from advisory_site.companies.service import COMPANIES
from advisory_site.team.service import MEMBERS
from sitekit.records.comparison import compare
from sitekit.records.fields.changes import CHANGED, LIST, MOVED, PICTURE, ROWS, VALUE, WORDS, Change, RowChange
from sitekit.records.record_type import AnyRecordType
from sitekit.records.snapshots import object_of
from sitekit.records.text_diff import ADDED, KEPT, REMOVED, Part
from tests.support.record_types import SAMPLES

pytestmark = pytest.mark.spec("HIST-2")

ANN = {"name": "Ann Lim", "title": "CEO", "bio": "Built two robotics firms before this one."}
RAVI = {"name": "Ravi Das", "title": "CTO", "bio": "Led payments at a regional bank for ten years."}
MEI = {"name": "Mei Ong", "title": "COO", "bio": "Ran warehouses across Johor."}


def changed(record_type: AnyRecordType, old: dict[str, Any], new: dict[str, Any]) -> dict[str, Change]:
    found = compare(record_type.fields, object_of(record_type.table, old), object_of(record_type.table, new))
    return {one.name: one for one in found}


def only(record_type: AnyRecordType, name: str, old: Any, new: Any) -> Change:
    found = changed(record_type, {name: old}, {name: new})
    assert list(found) == [name]
    return found[name]


def rows(old: list[Any], new: list[Any]) -> list[tuple[str, str, str, int, list[str]]]:
    changes = only(COMPANIES, "founders", old, new).rows
    return [(row.label, row.title, row.mark, row.former, [cell.name for cell in row.cells]) for row in changes]


def test_only_the_changed_fields_are_shown_in_the_order_of_the_form() -> None:
    old = {"name": "Kelp", "industry": "Food", "description": "We grow kelp.", "services": ["a"], "status": "Active"}
    new = old | {"status": "Exited", "description": "We grow good kelp.", "name": "Kelp Asia"}
    assert list(changed(COMPANIES, old, new)) == ["name", "description", "status"]
    assert changed(COMPANIES, old, old) == {}


def test_a_long_text_is_compared_by_word() -> None:
    change = only(COMPANIES, "description", "We grow kelp.", "We grow good kelp.")
    assert (change.category, change.label) == (WORDS, "Description")
    assert change.parts == (Part("We grow "), Part("good ", ADDED), Part("kelp."))


def test_a_line_is_compared_by_word_if_most_of_it_stays() -> None:
    assert only(COMPANIES, "name", "Kelp Robotics", "Kelp Robotics Asia").category == WORDS
    change = only(COMPANIES, "founded", "2019", "2020")
    assert (change.category, change.old, change.new) == (VALUE, "2019", "2020")
    assert only(COMPANIES, "tagline", "", "Food from the sea").category == VALUE
    assert only(COMPANIES, "website_url", "https://a.example/x", "https://a.example/y").category == VALUE


def test_flags_numbers_and_choices_are_shown_as_before_and_after() -> None:
    flag, order = only(MEMBERS, "is_active", True, False), only(MEMBERS, "display_order", 3, 12)
    status = only(COMPANIES, "status", "Active", "Not Active")
    assert (flag.category, flag.old, flag.new) == (VALUE, "Yes", "No")
    assert (order.category, order.old, order.new) == (VALUE, "3", "12")
    assert (status.category, status.old, status.new) == (VALUE, "Active", "Not Active")


def test_a_picture_is_shown_before_and_after() -> None:
    change = only(MEMBERS, "image_url", "/images/ann.jpg", "https://pictures.example/ann.jpg")
    assert (change.category, change.shape) == (PICTURE, "portrait")
    assert (change.old_picture, change.new_picture) == ("/images/ann.jpg", "https://pictures.example/ann.jpg")
    hostile = only(MEMBERS, "image_url", "/images/ann.jpg", "javascript:alert(1)")
    assert (hostile.new, hostile.new_picture) == ("javascript:alert(1)", "")
    insecure = only(MEMBERS, "image_url", "", "http://pictures.example/ann.jpg")
    assert (insecure.new, insecure.new_picture) == ("http://pictures.example/ann.jpg", "")


def test_a_list_shows_added_removed_and_moved_entries() -> None:
    change = only(COMPANIES, "services", ["Farms", "Feed", "Boats", "Labs"], ["Boats", "Farms", "Food", "Labs"])
    assert change.category == LIST
    assert change.listed == (
        Part("Boats", MOVED),
        Part("Farms", KEPT),
        Part("Feed", REMOVED),
        Part("Food", ADDED),
        Part("Labs", KEPT),
    )


def test_equal_entries_of_a_list_are_told_apart_by_their_number() -> None:
    change = only(COMPANIES, "services", ["Feed", "Feed"], ["Feed", "Feed", "Feed"])
    assert [entry.mark for entry in change.listed] == [KEPT, KEPT, ADDED]


def test_a_list_in_an_older_format_is_compared_as_it_is_read() -> None:
    assert changed(COMPANIES, {"services": "Farms, Feed"}, {"services": ["Farms", "Feed"]}) == {}


def test_rows_of_a_group_are_matched_after_moves_and_changes() -> None:
    promoted = RAVI | {"title": "CEO"}
    assert rows([ANN, RAVI], [ANN, promoted]) == [("Founder 2", "Ravi Das", CHANGED, 0, ["title"])]
    assert rows([ANN, RAVI], [RAVI, ANN]) == [("Founder 1", "Ravi Das", MOVED, 2, [])]
    assert rows([ANN, RAVI, MEI], [MEI, ANN, promoted]) == [
        ("Founder 1", "Mei Ong", MOVED, 3, []),
        ("Founder 3", "Ravi Das", CHANGED, 0, ["title"]),
    ]


def test_a_renamed_row_is_matched_by_its_other_fields() -> None:
    renamed = ANN | {"name": "Ann Tan"}
    assert rows([RAVI, ANN], [RAVI, renamed]) == [("Founder 2", "Ann Tan", CHANGED, 0, ["name"])]


def test_rows_that_were_added_and_removed_are_shown_whole() -> None:
    assert rows([ANN, RAVI], [ANN, MEI]) == [
        ("Founder 2", "Ravi Das", REMOVED, 0, ["name", "title", "bio"]),
        ("Founder 2", "Mei Ong", ADDED, 0, ["name", "title", "bio"]),
    ]
    change = only(COMPANIES, "founders", [], [{"name": "Ann Lim"}])
    assert change.category == ROWS
    assert [cell.parts for cell in change.rows[0].cells] == [(Part("Ann Lim", ADDED),)]


def test_a_group_in_an_older_format_is_compared_as_its_form_shows_it() -> None:
    older = [{"role": "CFO", "description": "Bank.", "achievements": ["Raised 3m"]}]
    newer = [{"role": "CFO", "description": "Bank.\n- Raised 3m", "achievements": []}]
    assert changed(ADVISORS, {"experience": older}, {"experience": newer}) == {}


def test_the_slug_is_compared_even_if_the_form_has_no_input_for_it() -> None:
    for sample in SAMPLES.values():
        change = only(sample.record_type, "slug", "ann-lim", "ann-tan")
        assert (change.label, change.category, change.old, change.new) == ("Page address", VALUE, "ann-lim", "ann-tan")


def test_columns_that_cannot_be_edited_are_not_shown() -> None:
    old = {"testimonials": [], "created_at": "2026-01-01T00:00:00+00:00"}
    assert changed(ADVISORS, old, {"testimonials": ["Fine"], "created_at": "2026-02-02T00:00:00+00:00"}) == {}


def test_mappings_and_row_objects_are_compared_alike() -> None:
    old, new = {"name": "Kelp"}, {"name": "Kelp Asia"}
    assert compare(COMPANIES.fields, old, new) == compare(
        COMPANIES.fields, object_of(COMPANIES.table, old), object_of(COMPANIES.table, new)
    )


def deep(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


HOSTILE: tuple[object, ...] = (
    None,
    True,
    -1,
    10**40,
    1.5,
    float("nan"),
    "",
    "\x00\ud800<script>",
    "word " * 30_000,
    "，" * 200_000,
    [],
    [None, [], {}, 3, "x" * 100_000],
    ["x"] * 50_000,
    [{"name": ["x"], "title": {}, "bio": None, "role": 3, "label": []}] * 500,
    {"name": {"name": {}}},
    deep(900),
    [{"name": deep(900)}],
)


@pytest.mark.parametrize("record_type", [sample.record_type for sample in SAMPLES.values()], ids=list(SAMPLES))
def test_snapshots_with_hostile_values_are_compared_without_an_error(record_type: AnyRecordType) -> None:
    chance = random.Random(11)
    for _ in range(20):
        old, new = ({name: chance.choice(HOSTILE) for name in (*record_type.fields, "slug")} for _ in range(2))
        for change in compare(record_type.fields, object_of(record_type.table, old), object_of(record_type.table, new)):
            assert change.label
            assert all(isinstance(row, RowChange) for row in change.rows)
    for snapshot in (None, 3, "x", [], object()):
        assert compare(record_type.fields, snapshot, snapshot) == ()


def test_comparisons_of_large_snapshots_stay_small() -> None:
    found = compare(COMPANIES.fields, {}, dict.fromkeys(COMPANIES.fields, "字" * 200_000))
    texts = [one.new for one in found] + [part.text for one in found for part in one.parts]
    assert max(map(len, texts)) == 50_000
