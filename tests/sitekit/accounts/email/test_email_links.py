"""Mailed links in the database: what no longer serves does not stay."""

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from sqlmodel import col

from sitekit.accounts.email import email_links
from sitekit.accounts.models import EmailLink
from sitekit.base.db.database import read_session, transaction
from tests.support.people import person

pytestmark = pytest.mark.usefixtures("database")
AT = datetime(2026, 3, 2, tzinfo=UTC)


@pytest.mark.spec("AUTH-7")
def test_expired_links_are_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    user_id = person()
    made = {
        email_links.RECOVER: AT - email_links.RECOVERY_LIFE,
        email_links.VERIFY: AT - timedelta(hours=23, minutes=59),
    }
    for purpose, moment in made.items():
        monkeypatch.setattr(email_links, "now", lambda moment=moment: moment)
        with transaction() as session:
            email_links.issue(session, user_id, purpose)
    with transaction() as session:
        assert email_links.delete_expired(session, AT, 10) == 1
    with read_session() as session:
        assert list(session.execute(sa.select(col(EmailLink.purpose))).scalars()) == [email_links.VERIFY]
