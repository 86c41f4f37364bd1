"""Filters of a list: what a query selects, what is offered next, and that no link leads to nothing."""

from typing import Any
from urllib.parse import urlsplit

import pytest

from sitekit.base.list_filters import Filter, FilterOption, ListFilters


def by(name: str, label: str, **more: Any) -> Filter:
    """A filter by a value of dictionaries."""
    return Filter(name, label, lambda record: record[name], **more)


RECORDS = [
    {"sector": ["Health"], "country": ["Singapore"], "stage": ["Seed"]},
    {"sector": ["Health"], "country": ["Vietnam"], "stage": [""]},
    {"sector": ["Food & Drink"], "country": ["Singapore"], "stage": ["Growth"]},
    {"sector": ["health"], "country": [], "stage": ["Seed"]},
]
FILTERS = ListFilters(
    [by("sector", "Sector"), by("country", "Country"), by("stage", "Stage", order=("Seed", "Growth"))],
    RECORDS,
)


def offered(query: str, label: str, filters: ListFilters = FILTERS) -> list[FilterOption]:
    """The options of one filter on the page with this query."""
    rows = filters.rows(filters.choice(query), "/companies", "list")
    return [option for row in rows if row.label == label for option in row.options]


@pytest.mark.spec("PUB-2")
@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("sector=Health", [0, 1, 3]),
        ("sector=Food+%26+Drink", [2]),
        ("sector=Food%20%26%20Drink&country=Singapore", [2]),
        ("stage=Seed&sector=Health", [0, 3]),
        ("utm_source=a&utm_source=&sector=Health&UTM_ID&gclid=a%FF&stage=Seed&mc_eid=1&msclkid=&li_fat_id=x", [0, 3]),
        ("sector=Food+%26+Drink&utm=x", [0, 1, 2, 3]),
        ("sector=Food+%26+Drink&country=Vietnam", [0, 1, 2, 3]),
    ],
)
def test_a_query_selects_the_records_with_all_its_values(query: str, places: list[int]) -> None:
    assert FILTERS.selected(FILTERS.choice(query)) == places


@pytest.mark.spec("PUB-2")
def test_all_spellings_of_a_query_are_normalised() -> None:
    spellings = (
        "country=Singapore&sector=Health",
        "sector=HEALTH&country=singapore",
        "sector=Healt%68&country=Singapore",
    )
    assert {FILTERS.canonical(one) for one in spellings} == {"sector=Health&country=Singapore"}


@pytest.mark.spec("PUB-2")
def test_every_filter_link_leads_to_the_stated_number_of_records() -> None:
    seen, to_visit = set(), [""]
    while to_visit:
        query = to_visit.pop()
        if query in seen:
            continue
        seen.add(query)
        assert FILTERS.canonical(query) == query
        for row in FILTERS.rows(FILTERS.choice(query), "/companies", "list"):
            for option in row.options:
                link = urlsplit(option.href)
                assert link.path == "/companies"
                if not option.is_chosen:
                    assert len(FILTERS.selected(FILTERS.choice(link.query))) == option.count > 0
                to_visit.append(link.query)
    assert len(seen) > 10


@pytest.mark.spec("PUB-2")
def test_the_chosen_option_comes_first_and_its_link_removes_it() -> None:
    assert [option.label for option in offered("", "Sector")] == ["Health", "Food & Drink"]
    first = offered("sector=Food+%26+Drink&country=Singapore", "Sector")[0]
    assert (first.label, first.is_chosen, first.href) == ("Food & Drink", True, "/companies?country=Singapore#list")
    assert offered("sector=Health", "Sector")[0].href == "/companies"


@pytest.mark.spec("PUB-2")
def test_a_filter_with_a_single_option_is_left_out() -> None:
    alike = ListFilters([by("country", "Country")], [{"country": ["Singapore"]}] * 3)
    assert offered("", "Country", alike) == []
    assert [option.is_chosen for option in offered("country=Singapore", "Country", alike)] == [True]


@pytest.mark.spec("PUB-2")
def test_rare_values_are_folded_unless_chosen_few_or_all() -> None:
    sector = by("sector", "Sector", folds_rare=True)

    def shown(values: str, query: str = "") -> tuple[str, str]:
        filters = ListFilters([sector], [{"sector": [value]} for value in values])
        (row,) = filters.rows(filters.choice(query), "/companies", "list")
        return "".join(one.label for one in row.options), "".join(one.label for one in row.folded)

    assert shown("aabbcde") == ("ab", "cde")
    assert shown("aabbcdef", "sector=d") == ("dab", "cef")
    assert shown("aacd") == ("acd", "")
    assert shown("cde") == ("cde", "")


@pytest.mark.spec("PUB-4")
def test_a_closed_filter_offers_all_its_options_and_links_only_to_those_in_use() -> None:
    fields = ListFilters(
        [by("field", "Field", order=("Pricing", "Exits"), is_closed=True)], [{"field": ["Pricing", "Rice"]}]
    )
    assert [(one.label, bool(one.href)) for one in offered("", "Field", fields)] == [
        ("Pricing", True),
        ("Exits", False),
    ]
    assert [one.label for one in offered("field=rice", "Field", fields)] == ["Rice", "Pricing", "Exits"]


@pytest.mark.spec("PUB-2")
@pytest.mark.parametrize("twin", ["Cafe\u0301s", "CAF\u00c9S", "Cafes", "Caf\u00e9s\u200b", " Caf\u00e9s\u00a0"])
def test_spellings_of_a_value_are_one_option(twin: str) -> None:
    filters = ListFilters(
        [by("sector", "Sector")], [{"sector": ["Caf\u00e9s"]}, {"sector": [twin]}, {"sector": ["Tea"]}]
    )
    assert [(one.label, one.count) for one in offered("", "Sector", filters)] == [("Caf\u00e9s", 2), ("Tea", 1)]


@pytest.mark.spec("PUB-2")
def test_stored_values_that_differ_in_spaces_alone_are_one_option() -> None:
    values = ["Market entry", "Tea", "Market  entry"]
    filters = ListFilters([by("sector", "Sector")], [{"sector": [value]} for value in values])
    assert [(one.label, one.count) for one in offered("", "Sector", filters)] == [("Market entry", 2), ("Tea", 1)]
