"""Accounts are tested with cheap hashes, open sign-up, and mail that can be read."""

import email
import email.policy
import re
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from sitekit.accounts.sessions import auth_state
from sitekit.base import settings
from sitekit.base.mail import worker
from tests.support.outbox import mail_files
from tests.support.people import COST


@pytest.fixture(autouse=True)
def quick_accounts(database_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fresh database, the cheapest hashes, and no wait that is only for outsiders to see."""
    monkeypatch.setattr(auth_state, "MIN_RESPONSE_TIME", 0.0)
    monkeypatch.setenv("ADVISORY_BCRYPT_COST", str(COST))
    settings.get_settings.cache_clear()


@pytest.fixture
def mails(database_dir: Path) -> Callable[[], list[EmailMessage]]:
    """Delivers what is queued, and reads all mails in the outbox, oldest first."""

    def read() -> list[EmailMessage]:
        worker.deliver_due()
        mails = [file.read_bytes() for file in mail_files(database_dir)]
        return [email.message_from_bytes(mail, policy=email.policy.default) for mail in mails]

    return read


def token_in(message: EmailMessage) -> str:
    """The secret of the link in a mail."""
    part = message.get_body(("plain",))
    assert part is not None
    found = re.search(r"\?token=([\w-]+)", part.get_content())
    assert found, "the mail holds no link"
    return found[1]
