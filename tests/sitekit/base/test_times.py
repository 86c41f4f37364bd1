"""Times as text."""

from datetime import UTC, datetime, timedelta

import pytest

from sitekit.base import times

NOON = datetime(2026, 11, 25, 4, 0, tzinfo=UTC)


def test_timestamps_for_machines_are_in_utc() -> None:
    assert times.iso_text(datetime(2026, 11, 21, 19, 26, 5, tzinfo=UTC)) == "2026-11-21T19:26:05Z"
    assert times.iso_text(None) == ""


def test_dates_are_in_the_time_zone_of_the_site() -> None:
    assert times.date_text(datetime(2026, 11, 23, 16, 30, tzinfo=UTC)) == "2026-11-24"


def test_a_day_is_named_in_the_time_zone_of_the_site() -> None:
    assert times.day_text(datetime(2026, 11, 25, 17, 0, tzinfo=UTC)) == "Thursday, 26 November"


def test_a_moment_says_its_time_zone() -> None:
    assert times.time_text(NOON) == "25 Nov 2026, 12:00 (UTC+08:00)"
    assert times.time_in_zone(NOON - timedelta(hours=3)) == "25 Nov 2026, 9:00 am (Singapore)"
    assert times.time_in_zone(NOON) == "25 Nov 2026, 12:00 pm (Singapore)"


@pytest.mark.parametrize(
    ("minutes", "text"),
    [(0, "just now"), (1, "1 minute ago"), (2, "2 minutes ago"), (60, "1 hour ago"), (2_880, "2 days ago")],
)
def test_what_happened_is_dated_in_words(minutes: int, text: str) -> None:
    assert times.ago(NOON, NOON - timedelta(minutes=minutes)) == text
