"""The enquiries in numbers: who waits, and what came in which week."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from advisory_site.enquiries.desk.summary import WEEKS, summarise, to_answer
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.errors import Forbidden
from sitekit.base.permissions import Actor, Role
from sitekit.base.times import local
from tests.support.factories import add_enquiry, add_entry

STAFF = Actor(1, Role.EMPLOYEE)


def test_only_unhandled_enquiries_are_counted_as_new(database: Any) -> None:
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


def test_the_summary_is_zero_without_enquiries(database: Any) -> None:
    with read_session() as session:
        found = summarise(session, STAFF)
    assert (found.unanswered, [week.count for week in found.weeks]) == (0, [0] * WEEKS)


@pytest.mark.parametrize("listed", [summarise, to_answer])
def test_a_visitor_is_refused(database: Any, listed: Callable[..., object]) -> None:
    with read_session() as session, pytest.raises(Forbidden):
        listed(session, None)


@pytest.mark.spec("CON-6", "ENQ-4")
def test_enquiries_to_answer_are_listed_in_the_order_in_which_they_are_due(database: Any) -> None:
    with transaction() as session:
        for hours in range(7):
            add_enquiry(session, first_name=f"Hour {hours}", due_at=now() + timedelta(hours=hours, minutes=1))
        add_enquiry(session, first_name="Done", handled_at=now())
        add_enquiry(session, first_name="Mei", company="Reef", stage="pmf", due_at=now() - timedelta(hours=3))
        add_enquiry(session, first_name="Spam", state="spam")
    with read_session() as session:
        found = to_answer(session, STAFF)
    assert [one.name for one in found] == ["Mei Lee", *(f"Hour {hours} Lee" for hours in range(4))]
    assert (found[0].company, found[0].stage) == ("Reef", "Product-Market Fit")
    assert (found[0].due, found[0].is_overdue, found[1].is_overdue) == ("Overdue by 3 h", True, False)


@pytest.mark.spec("ENQ-12")
def test_the_time_of_first_replies_is_told_from_five_on(database: Any) -> None:
    month = local(now()).replace(day=2, hour=0)

    def reply(hours: int, **fields: Any) -> None:
        with transaction() as session:
            at = month + timedelta(hours=hours)
            due = month + timedelta(hours=24)
            add_enquiry(session, created_at=month, first_replied_at=at, due_at=due, **fields)

    def told() -> str:
        with read_session() as session:
            return summarise(session, STAFF).replies

    for hours in (1, 2, 4, 8):
        reply(hours)
    reply(1, state="spam")
    assert told() == ""
    reply(30)
    assert told() == "First reply: median 4 h this month, 4 of 5 within a working day"


@pytest.mark.spec("ENQ-5")
def test_an_enquiry_to_answer_says_why_its_reply_was_not_sent(database: Any) -> None:
    with transaction() as session:
        failed, handled = add_enquiry(session, state="open"), add_enquiry(session, handled_at=now())
        for enquiry in (failed, handled):
            add_entry(session, enquiry, failure="The mail server refused it.")
        add_enquiry(session)
    with read_session() as session:
        assert sorted(one.failure for one in to_answer(session, STAFF)) == ["", "The mail server refused it."]
