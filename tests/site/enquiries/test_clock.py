"""What happens to enquiries by itself: waits end, and overdue replies are mailed once a working day."""

from datetime import UTC, datetime, timedelta
from types import ModuleType

import pytest
import sqlalchemy as sa

from advisory_site.enquiries.desk import clock, inbox
from advisory_site.enquiries.models import Enquiry, EnquiryState, entries
from sitekit.accounts.models import Credential
from sitekit.base.mail.models import OutgoingMail
from sitekit.base.permissions import Actor, Role
from sitekit.records.listing import ListQuery
from tests.support.factories import add_actor, add_enquiry

WEDNESDAY = datetime(2026, 11, 25, 1, 0, tzinfo=UTC)  # nine in the morning in Singapore


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Sets the clock."""
    set_time(monkeypatch, WEDNESDAY)
    return monkeypatch


def set_time(patch: pytest.MonkeyPatch, moment: datetime) -> None:
    for module in (clock, inbox):
        patch.setattr(module, "now", lambda: moment)


def people(database: ModuleType) -> tuple[Actor, Actor]:
    """Mei, and an admin; both addresses are confirmed."""
    with database.transaction() as session:
        mei = add_actor(session, email="mei@firm.example")
        admin = add_actor(session, Role.ADMIN, email="admin@firm.example")
        for actor in (mei, admin):
            session.add(Credential(user_id=actor.user_id, password_hash="", email_confirmed_at=WEDNESDAY))
    return mei, admin


def subjects(database: ModuleType) -> dict[str, str]:
    with database.read_session() as session:
        rows = session.execute(sa.select(OutgoingMail)).scalars()
        return {row.recipient: row.subject for row in rows}


@pytest.mark.spec("ENQ-4")
def test_owners_and_admins_are_reminded_once_a_working_day(database: ModuleType, at: pytest.MonkeyPatch) -> None:
    mei, _ = people(database)
    overdue = {"due_at": WEDNESDAY - timedelta(hours=1)}
    with database.transaction() as session:
        for _ in range(2):
            add_enquiry(session, owner_id=mei.user_id, state=EnquiryState.OPEN, **overdue)
        add_enquiry(session, **overdue)
        add_enquiry(session, state=EnquiryState.SPAM, **overdue)
        add_enquiry(session, first_replied_at=WEDNESDAY, **overdue)
        add_enquiry(session, due_at=WEDNESDAY + timedelta(hours=1))
    set_time(at, WEDNESDAY - timedelta(minutes=1))
    assert clock.remind() == 0
    set_time(at, WEDNESDAY)
    assert (clock.remind(), clock.remind()) == (2, 0)
    assert subjects(database) == {
        "mei@firm.example": "Overdue: 2 enquiries",
        "admin@firm.example": "Overdue: 1 enquiry without an owner",
    }
    set_time(at, WEDNESDAY + timedelta(days=1))
    assert clock.remind() == 2


@pytest.mark.spec("ENQ-4")
@pytest.mark.parametrize("days", [3, 4])
def test_nobody_is_reminded_at_the_weekend(database: ModuleType, at: pytest.MonkeyPatch, days: int) -> None:
    people(database)
    with database.transaction() as session:
        add_enquiry(session, due_at=WEDNESDAY)
    set_time(at, WEDNESDAY + timedelta(days=days))
    assert clock.remind() == 0


@pytest.mark.spec("ENQ-4")
def test_nobody_is_reminded_if_nothing_is_overdue(database: ModuleType, at: pytest.MonkeyPatch) -> None:
    people(database)
    clock.tick()
    assert subjects(database) == {}


@pytest.mark.spec("ENQ-2")
def test_a_waiting_enquiry_is_open_again_on_its_day(database: ModuleType, at: pytest.MonkeyPatch) -> None:
    mei, _ = people(database)
    waiting = {"state": EnquiryState.WAITING, "first_replied_at": WEDNESDAY - timedelta(days=9)}
    with database.transaction() as session:
        owned = add_enquiry(session, owner_id=mei.user_id, waiting_until=WEDNESDAY, **waiting)
        unowned = add_enquiry(session, waiting_until=WEDNESDAY, **waiting)
        later = add_enquiry(session, waiting_until=WEDNESDAY + timedelta(days=1), **waiting)
        forever = add_enquiry(session, **waiting)
    clock.tick()
    clock.tick()
    with database.read_session() as session:
        states = [session.get_one(Enquiry, one.id).state for one in (owned, unowned, later, forever)]
        told = session.execute(sa.select(entries.enquiry_id, entries.text)).all()
        first = inbox.list_admin(session, mei, ListQuery(filter="open")).rows[0]
    assert states == [EnquiryState.OPEN, EnquiryState.NEW, EnquiryState.WAITING, EnquiryState.WAITING]
    assert told == [(owned.id, "It is open again, as planned."), (unowned.id, "It is open again, as planned.")]
    assert (first.id, first.due) == (owned.id, "Open again since Wed 25 Nov")
