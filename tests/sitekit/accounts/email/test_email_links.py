"""Mailed links in the database: what no longer serves does not stay."""

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from sqlmodel import col

from sitekit.accounts import links
from sitekit.accounts.email import email_links
from sitekit.accounts.models import LinkPurpose, SecretLink
from sitekit.base.db.database import read_session, transaction
from tests.support.people import person

pytestmark = pytest.mark.usefixtures("database")
AT = datetime(2026, 3, 2, tzinfo=UTC)


@pytest.mark.spec("AUTH-7")
def test_expired_links_are_deleted(monkeypatch: pytest.MonkeyPatch, unlogged_changes: list[str]) -> None:
    user_id = person()
    made = {
        LinkPurpose.RECOVER: AT - email_links.RECOVERY_LIFE,
        LinkPurpose.VERIFY: AT - timedelta(hours=23, minutes=59),
    }
    for purpose, moment in made.items():
        monkeypatch.setattr(links, "now", lambda moment=moment: moment)
        with transaction() as session:
            email_links.issue(session, user_id, purpose)
        unlogged_changes.clear()  # what a link is for is logged by its callers
    with transaction() as session:
        assert links.delete_expired(session, AT, 10) == 1
    with read_session() as session:
        assert list(session.execute(sa.select(col(SecretLink.purpose))).scalars()) == [LinkPurpose.VERIFY]
