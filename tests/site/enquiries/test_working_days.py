"""When a first reply is due, in Singapore's time, and how that is said."""

from datetime import UTC, date, datetime, timedelta

import pytest

from advisory_site.enquiries.working_days import due_after, due_text, is_working_day
from tests.support.each import check_each

pytestmark = pytest.mark.spec("ENQ-4")
NOON = datetime(2026, 11, 25, 4, 0, tzinfo=UTC)  # Wednesday in Singapore


@pytest.mark.parametrize(
    ("sent", "due"),
    [
        (datetime(2026, 11, 25, 4, 0, tzinfo=UTC), datetime(2026, 11, 26, 10, 0, tzinfo=UTC)),
        (datetime(2026, 11, 25, 15, 59, tzinfo=UTC), datetime(2026, 11, 26, 10, 0, tzinfo=UTC)),
        (datetime(2026, 11, 25, 16, 0, tzinfo=UTC), datetime(2026, 11, 27, 10, 0, tzinfo=UTC)),  # Thursday there
        (datetime(2026, 11, 27, 4, 0, tzinfo=UTC), datetime(2026, 11, 30, 10, 0, tzinfo=UTC)),  # over a weekend
        (datetime(2026, 12, 23, 4, 0, tzinfo=UTC), datetime(2026, 12, 28, 10, 0, tzinfo=UTC)),  # closed, Christmas
        (datetime(2027, 2, 5, 4, 0, tzinfo=UTC), datetime(2027, 2, 9, 10, 0, tzinfo=UTC)),  # Chinese New Year
    ],
)
def test_a_first_reply_is_due_in_the_evening_of_the_next_working_day(sent: datetime, due: datetime) -> None:
    assert due_after(sent) == due


def test_weekends_public_holidays_and_closed_days_are_no_working_days() -> None:
    days = [date(2026, 11, 8) + timedelta(days=number) for number in range(7)]
    assert [is_working_day(day) for day in days] == [False, False, True, True, True, True, False]  # Deepavali, observed
    assert not is_working_day(date(2026, 12, 24))


def test_a_time_is_told_in_words() -> None:
    def check(case: tuple[datetime | None, str]) -> None:
        due, text = case
        assert due_text(due, NOON) == text

    cases: list[tuple[datetime | None, str]] = [
        (NOON + timedelta(hours=6), "Due today, 6:00 pm"),
        (NOON + timedelta(hours=30), "Due tomorrow, 6:00 pm"),
        (NOON + timedelta(days=5, hours=6), "Due Mon 30 Nov, 6:00 pm"),
        (NOON, "Overdue by 1 min"),
        (NOON - timedelta(minutes=59), "Overdue by 59 min"),
        (NOON - timedelta(hours=3, minutes=30), "Overdue by 3 h"),
        (NOON - timedelta(hours=50), "Overdue by 2 days"),
        (None, ""),
    ]
    check_each(cases, check)
