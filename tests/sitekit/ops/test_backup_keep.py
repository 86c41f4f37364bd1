"""Which backups a rule keeps."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import pytest

from sitekit.ops.backup_keep import NAME, Keep, backup_name
from tests.support.each import check_each

pytestmark = pytest.mark.spec("DATA-3")

NIGHT = datetime(2026, 3, 2, 2, 15, tzinfo=UTC)  # a Monday


def nights(ages: Iterable[int]) -> list[str]:
    """The names of backups that were made so many days ago."""
    return [backup_name(NIGHT - timedelta(days=age)) for age in ages]


def kept(rule: str, ages: Iterable[int]) -> list[int]:
    """The ages of those that the rule keeps, newest first."""
    names = {name: age for age, name in zip(ages, nights(ages), strict=True)}
    unneeded = Keep.parse(rule).unneeded(list(names))
    return sorted(age for name, age in names.items() if name not in unneeded)


def test_backup_names_contain_and_sort_by_their_time() -> None:
    early, late = (backup_name(datetime(2026, 3, day, 23, tzinfo=UTC)) for day in (2, 10))
    assert NAME.fullmatch(early)
    assert early < late


def test_a_number_keeps_that_many_of_the_newest() -> None:
    assert kept("2", range(5)) == [0, 1]
    assert kept("9", range(5)) == [0, 1, 2, 3, 4]


def test_each_period_keeps_its_newest() -> None:
    # Monday; the Sundays that ended the three weeks before; the last days of January and December.
    assert kept("3d", range(100)) == [0, 1, 2]
    assert kept("4w", range(100)) == [0, 1, 8, 15]
    assert kept("3m", range(100)) == [0, 2, 30]
    assert kept("3d,4w,3m", range(100)) == [0, 1, 2, 8, 15, 30]


def test_two_years_of_nightly_backups_leave_a_year_of_monthly_ones() -> None:
    held: list[str] = []
    rule = Keep.parse("14d,8w,12m")
    for age in range(730, -1, -1):
        held += nights([age])
        for name in rule.unneeded(held):
            held.remove(name)
    assert held[-14:] == nights(range(13, -1, -1))
    assert held[0] == backup_name(datetime(2025, 4, 30, 2, 15, tzinfo=UTC))
    # The months of the last two weeks and of two of the weeks need no backups of their own.
    assert len(held) == 14 + 6 + 9


def test_only_the_newest_of_several_in_a_day_is_kept() -> None:
    names = [backup_name(NIGHT + timedelta(hours=hour)) for hour in (0, 1, 2)]
    assert Keep.parse("14d").unneeded(names) == names[:2]


def test_a_pause_in_backups_deletes_no_older_ones() -> None:
    assert kept("3d", [400, 401, 402, 403]) == [400, 401, 402]


def test_calendar_weeks_are_used_also_at_new_year() -> None:
    names = [backup_name(datetime(*day, tzinfo=UTC)) for day in ((2026, 12, 28), (2027, 1, 3), (2027, 1, 4))]
    assert Keep.parse("9w").unneeded(names) == names[:1]


def test_invalid_retention_rules_are_refused() -> None:
    def check(rule: str) -> None:
        with pytest.raises(ValueError, match="such as 14d,8w,12m"):
            Keep.parse(rule)

    check_each(["", "0", "x", "14d,", "d", "0d", "14d 8w", "14d,7d", "14y", "-1", "1.5d", "٣d"], check)
