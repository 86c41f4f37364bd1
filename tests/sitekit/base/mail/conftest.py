"""Messages in the outbox, those that went out, and a mail server that is away."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import sqlalchemy as sa

from sitekit.base.db.database import read_session, transaction
from sitekit.base.mail import transport
from sitekit.base.mail.models import OutgoingMail
from sitekit.base.mail.outbox import enqueue
from sitekit.base.settings import get_settings
from tests.support.outbox import mail_files

MESSAGE = transport.Message(to="ann@example.com", subject="Hello", text="The secret link")


def put(message: transport.Message = MESSAGE) -> None:
    with transaction() as session:
        enqueue(session, message)


def stored() -> OutgoingMail:
    with read_session() as session:
        row: OutgoingMail = session.execute(sa.select(OutgoingMail)).scalar_one()
        return row


def laid_out() -> list[str]:
    return [path.read_text() for path in mail_files(get_settings().data_dir)]


def let_pass(time: timedelta) -> None:
    """What was due later is due now."""
    with transaction() as session:
        row = session.execute(sa.select(OutgoingMail)).scalar_one()
        row.due_at = row.due_at and row.due_at - time
        row.claimed_until = row.claimed_until and row.claimed_until - time


@pytest.fixture
def unreachable(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """The mail server is away until the returned function is called."""
    monkeypatch.setenv("ADVISORY_SMTP_URL", "smtp://ann:secret-word@127.0.0.1:1")
    get_settings.cache_clear()

    def return_() -> None:
        monkeypatch.delenv("ADVISORY_SMTP_URL")
        get_settings.cache_clear()

    return return_
