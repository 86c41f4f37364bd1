"""A key figure is parted after its number, so that the number can stand large."""

import pytest

from advisory_site.companies.fields import Metric, metric_of
from tests.support.each import check_each


@pytest.mark.spec("CO-2")
def test_a_metric_is_split_into_number_and_words() -> None:
    def check(case: tuple[str, str, str]) -> None:
        text, value, words = case
        assert metric_of(text) == Metric(value, words)

    cases = [
        ("61 factories under contract", "61", "factories under contract"),
        ("60,000 t of capacity", "60,000 t", "of capacity"),
        ("60,000 tonnes a year of capacity", "60,000", "tonnes a year of capacity"),
        ("Up to 40% of cement replaced", "Up to 40%", "of cement replaced"),
        ("up to S$2m in each round", "up to S$2m", "in each round"),
        ("Up to the mark in 3 tests", "", "Up to the mark in 3 tests"),
        ("74 MWh at 29 sites", "74 MWh", "at 29 sites"),
        ("3 million trees", "3", "million trees"),
        ("1\u00a0200 cages", "1\u00a0200", "cages"),
        ("S$7.4m annual recurring revenue", "S$7.4m", "annual recurring revenue"),
        ("US$412m paid in 2025", "US$412m", "paid in 2025"),
        ("97% of contracts renewed", "97%", "of contracts renewed"),
        ("2.4x returned", "2.4x", "returned"),
        ("50+ startups", "50+", "startups"),
        ("Rework down from 5.1% to 1.4%", "", "Rework down from 5.1% to 1.4%"),
        ("2nd in its market", "", "2nd in its market"),
        ("42", "", "42"),
        ("", "", ""),
    ]
    check_each(cases, check)
