"""Mail is stored with what it is about; admins see and repeat what was given up."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from sitekit.base.db.database import read_session, transaction
from sitekit.base.errors import Forbidden, NotFound
from sitekit.base.mail import outbox, transport
from sitekit.base.mail.models import OutgoingMail, columns
from sitekit.base.mail.outbox import enqueue
from sitekit.base.mail.worker import deliver_due
from sitekit.base.permissions import Actor, Role
from tests.sitekit.base.mail.conftest import MESSAGE, put

pytestmark = [pytest.mark.spec("AUTH-7"), pytest.mark.spec("CON-4"), pytest.mark.usefixtures("database")]
ADMIN = Actor(1, Role.ADMIN)


def test_rolled_back_mail_is_never_sent() -> None:
    with pytest.raises(RuntimeError), transaction() as session:
        enqueue(session, MESSAGE)
        raise RuntimeError
    assert deliver_due() == 0


def test_admins_see_failed_mail_and_can_send_it_again(unreachable: Callable[[], None]) -> None:
    put(transport.Message("nobody", "Hello", "Text"))
    deliver_due()
    with read_session() as session:
        (given_up,) = outbox.list_failed(session, ADMIN)
        assert outbox.queue_status(session).given_up == 1
    assert (given_up.recipient, given_up.subject) == ("nobody", "Hello")
    with transaction() as session:
        assert session.execute(sa.select(columns.attempts)).scalar_one() > 0
        outbox.send_again(session, ADMIN, given_up.id)
    with read_session() as session:
        assert outbox.queue_status(session).waiting == 1
        assert session.execute(sa.select(columns.attempts)).scalar_one() == 0


def test_all_failed_mail_can_be_sent_again_at_once() -> None:
    for recipient in ("nobody", "no one", "ann@example.com"):
        put(transport.Message(recipient, "Hello", "Text"))
    deliver_due()
    with transaction() as session:
        assert outbox.send_all_again(session, ADMIN) == 2
    with read_session() as session:
        standing = outbox.queue_status(session)
        assert outbox.list_failed(session, ADMIN) == []
    assert (standing.waiting, standing.given_up) == (2, 0)


@pytest.mark.parametrize("role", [Role.MANAGER, Role.EMPLOYEE])
def test_only_admins_can_see_or_resend_mail(role: Role) -> None:
    someone = Actor(1, role)
    with transaction() as session:
        with pytest.raises(Forbidden):
            outbox.list_failed(session, someone)
        with pytest.raises(Forbidden):
            outbox.send_again(session, someone, 1)
        with pytest.raises(Forbidden):
            outbox.send_all_again(session, someone)


def test_only_failed_mail_can_be_sent_again() -> None:
    put()
    deliver_due()
    with pytest.raises(NotFound), transaction() as session:
        outbox.send_again(session, ADMIN, 1)
    assert deliver_due() == 0


@pytest.mark.parametrize(("column", "kept"), [("sent_at", outbox.SENT_KEPT), ("given_up_at", outbox.FAILED_KEPT)])
def test_old_sent_and_failed_mail_is_deleted(column: str, kept: timedelta) -> None:
    at = datetime(2026, 3, 2, tzinfo=UTC)
    for _ in range(3):
        put()
    ages = {1: kept + timedelta(seconds=1), 2: kept}  # the third is on its way
    with transaction() as session:
        for number, age in ages.items():
            values = {"created_at": at - timedelta(days=400), "due_at": None, column: at - age}
            session.execute(sa.update(OutgoingMail).where(columns.id == number).values(**values))
        assert outbox.delete_expired(session, at, 10) == 1
    with read_session() as session:
        assert set(session.execute(sa.select(columns.id)).scalars()) == {2, 3}
