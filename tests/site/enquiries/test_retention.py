"""Enquiries go two years after the last we had to do with them, and not a moment before."""

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from advisory_site.enquiries import submission
from advisory_site.enquiries.models import EnquiryEntry, columns
from sitekit.base.db.database import read_session, transaction
from tests.support.factories import add_enquiry

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.spec("LAY-5")]
AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
TWO_YEARS_AGO = datetime(2024, 3, 2, 9, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def left(at: datetime = AT, most: int = 10) -> list[str]:
    """Who is left after old enquiries were forgotten."""
    with transaction() as session:
        submission.delete_expired(session, at, most)
    with read_session() as session:
        return list(session.execute(sa.select(columns.first_name).order_by(columns.id)).scalars())


def add(name: str, created_at: datetime, handled_at: datetime | None = None) -> None:
    with transaction() as session:
        add_enquiry(session, first_name=name, created_at=created_at, handled_at=handled_at)


def test_enquiries_are_deleted_after_two_years_handled_or_not() -> None:
    add("old", TWO_YEARS_AGO - SECOND)
    add("old, handled", TWO_YEARS_AGO - SECOND, TWO_YEARS_AGO - SECOND)
    add("just not old", TWO_YEARS_AGO)
    assert left() == ["just not old"]


def test_an_enquiry_handled_later_is_kept_for_two_years_from_then() -> None:
    add("answered late", TWO_YEARS_AGO - timedelta(days=90), TWO_YEARS_AGO)
    assert left() == ["answered late"]
    assert left(AT + SECOND) == []


def test_enquiries_are_deleted_in_limited_batches() -> None:
    for number in range(3):
        add(f"old {number}", TWO_YEARS_AGO - SECOND)
    assert len(left(most=2)) == 1


def test_two_years_before_the_29th_of_february_is_computed() -> None:
    add("old", datetime(2026, 2, 28, 8, 59, tzinfo=UTC))
    add("young", datetime(2026, 2, 28, 9, 0, tzinfo=UTC))
    assert left(datetime(2028, 2, 29, 9, 0, tzinfo=UTC)) == ["young"]


@pytest.mark.spec("ENQ-10")
def test_spam_is_deleted_thirty_days_after_it_was_marked() -> None:
    with transaction() as session:
        for name, days in (("old", 31), ("young", 29)):
            at = AT - timedelta(days=days)
            add_enquiry(session, first_name=name, state="spam", handled_at=at, created_at=AT - timedelta(days=90))
    assert left() == ["young"]


@pytest.mark.spec("ENQ-13")
def test_entries_are_deleted_with_their_enquiry() -> None:
    with transaction() as session:
        old = add_enquiry(session, created_at=TWO_YEARS_AGO - SECOND)
        session.add(EnquiryEntry(enquiry_id=old.id or 0, category="note", at=AT, text="Knows Mei."))
    left()
    with read_session() as session:
        assert session.execute(sa.select(sa.func.count()).select_from(EnquiryEntry)).scalar_one() == 0
