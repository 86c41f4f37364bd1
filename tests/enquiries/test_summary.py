"""The enquiries in numbers: who waits, and what came in which week."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from advisory_site.core.errors import Forbidden
from advisory_site.core.permissions import Actor, Role
from advisory_site.db.database import now, read_session, transaction
from advisory_site.enquiries.summary import WEEKS, newest_to_answer, summarise
from tests.support.factories import add_enquiry

STAFF = Actor(1, Role.EMPLOYEE)


def test_only_what_nobody_has_handled_waits(database: Any) -> None:
    with transaction() as session:
        add_enquiry(session)
        add_enquiry(session, handled_at=now())
    with read_session() as session:
        assert summarise(session, STAFF).unanswered == 1


def test_each_enquiry_is_counted_in_its_week_and_old_ones_are_not(database: Any) -> None:
    monday = now().replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=now().weekday())
    with transaction() as session:
        add_enquiry(session, created_at=monday)
        add_enquiry(session, created_at=monday - timedelta(seconds=1))
        add_enquiry(session, created_at=monday - timedelta(weeks=1))
        add_enquiry(session, created_at=monday - timedelta(weeks=WEEKS))
    with read_session() as session:
        weeks = summarise(session, STAFF).weeks
    assert [week.count for week in weeks] == [0] * (WEEKS - 2) + [2, 1]
    assert weeks[-1].label == f"{monday.day} {monday:%b}"


def test_without_enquiries_there_are_zeros(database: Any) -> None:
    with read_session() as session:
        found = summarise(session, STAFF)
    assert (found.unanswered, [week.count for week in found.weeks]) == (0, [0] * WEEKS)


@pytest.mark.parametrize("listed", [summarise, newest_to_answer])
def test_a_stranger_is_refused(database: Any, listed: Callable[..., object]) -> None:
    with read_session() as session, pytest.raises(Forbidden):
        listed(session, None)


@pytest.mark.spec("CON-6")
def test_the_newest_to_answer_come_first_without_those_that_are_handled(database: Any) -> None:
    with transaction() as session:
        for hours in range(7):
            add_enquiry(session, first_name=f"Hour {hours}", created_at=now() - timedelta(hours=hours))
        add_enquiry(session, first_name="Done", handled_at=now())
        add_enquiry(session, first_name="Mei", company="Reef", stage="pmf", created_at=now() + timedelta(hours=1))
    with read_session() as session:
        found = newest_to_answer(session, STAFF)
    assert [one.name for one in found] == ["Mei Lee", *(f"Hour {hours} Lee" for hours in range(4))]
    assert (found[0].company, found[0].stage) == ("Reef", "Product-Market Fit")
