"""A list's wish is read from any address without complaint."""

import pytest

from sitekit.records.listing import ListPage, ListQuery, list_parameters
from tests.support.each import check_each


def test_a_list_query_is_read_from_page_parameters() -> None:
    read = ListQuery.read({"search": " kelp ", "sort": "name", "order": "desc", "page": "3", "filter": "active"})
    assert read == ListQuery("kelp", "name", True, 3, "active")


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"page": "-1", "order": "up"},
        {"page": "x", "search": ["a"], "sort": {"a": 1}, "filter": None, "order": 7},
        {"page": "9" * 5000, "search": "\x00", "tab": "companies"},
    ],
)
def test_invalid_parameters_give_the_default_list_query(parameters: dict[str, object]) -> None:
    assert ListQuery.read(parameters) == ListQuery()


def test_a_search_is_cut_to_a_maximum_length() -> None:
    assert len(ListQuery.read({"search": "x" * 1_000_000}).search) == 200


def test_a_page_gives_the_numbers_of_its_first_and_last_row() -> None:
    page = ListPage(rows=("a", "b"), total=52, page=3, pages=3)
    assert (page.first, page.last) == (51, 52)
    assert (ListPage().first, ListPage().last) == (0, 0)


@pytest.mark.spec("LIST-2")
@pytest.mark.parametrize("size", ["25", "50", "100"])
def test_a_page_has_one_of_three_sizes(size: str) -> None:
    assert ListQuery.read({"size": size}).size == int(size)


@pytest.mark.spec("LIST-2")
def test_an_unknown_page_size_becomes_25() -> None:
    def check(size: object) -> None:
        assert ListQuery.read({"size": size}).size == 25

    check_each(["", "0", "-50", "51", "1000", "9" * 5000, "x", None, ["50"]], check)


@pytest.mark.spec("LIST-2")
def test_a_larger_page_gives_the_numbers_of_its_first_and_last_row() -> None:
    page = ListPage(rows=("a", "b"), total=102, page=3, pages=3, size=50)
    assert (page.first, page.last) == (101, 102)


@pytest.mark.spec("LIST-2")
def test_facets_are_read_from_page_parameters() -> None:
    read = ListQuery.read({"industry": " Health  care ", "country": "", "colour": "red"})
    assert read.facets == {"industry": "Health care"}


@pytest.mark.spec("LIST-3")
def test_only_the_list_parameters_are_passed_to_a_form() -> None:
    listed = {"search": "kelp", "filter": "active", "industry": "Tea", "country": "Laos", "sort": "name"}
    listed |= {"order": "desc", "size": "50", "page": "2"}
    assert list_parameters(listed | {"tab": "companies", "edit": "3"}) == listed
