"""The mail about an overdue backup: when it is due, to whom it goes, and how often."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import ModuleType

import pytest
import sqlalchemy as sa

from sitekit.accounts.models import Profile
from sitekit.base import backup_log
from sitekit.base.db import rate_limits
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.mail.models import OutgoingMail
from sitekit.base.permissions import Role
from sitekit.base.settings import get_settings
from sitekit.ops.backup_reminder import remind
from tests.support.people import person

pytestmark = pytest.mark.spec("DATA-3")

LONG, SHORT = timedelta(hours=26, minutes=1), timedelta(hours=25, minutes=59)


@pytest.fixture(autouse=True)
def people(database: ModuleType) -> None:
    """Two admins, one who never confirmed the address, one who is deactivated, and an employee."""
    for name in ("ann", "bob"):
        person(f"{name}@northstrait.example", Role.ADMIN)
    person("unsure@northstrait.example", Role.ADMIN, confirmed=False)
    gone = person("gone@northstrait.example", Role.ADMIN)
    person("eve@northstrait.example", Role.EMPLOYEE)
    with transaction() as session:
        session.get_one(Profile, gone).deactivated_at = now()


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Lets time pass."""

    def move(by: timedelta) -> None:
        def then() -> datetime:
            return now() + by

        monkeypatch.setattr(backup_log, "now", then)
        monkeypatch.setattr(rate_limits, "now", then)

    return move


@pytest.fixture
def production(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVISORY_ENV", "production")
    monkeypatch.setenv("ADVISORY_SECRET_KEY", "0123456789abcdefghijklmnopqrstuvwxyz")
    monkeypatch.setenv("ADVISORY_SIGN_UP", "closed")
    get_settings.cache_clear()


def backed_up(age: timedelta) -> None:
    with transaction() as session:
        backup_log.record(session, "file", now() - age, 1, "")


def mailed() -> list[tuple[str, str]]:
    """Recipient and text of each message."""
    with read_session() as session:
        rows = session.execute(sa.select(OutgoingMail).order_by(OutgoingMail.recipient)).scalars()
        return [(row.recipient, row.text) for row in rows]


def test_an_overdue_backup_is_mailed_to_every_reachable_admin() -> None:
    backed_up(SHORT)
    remind()
    assert mailed() == []
    with transaction() as session:
        session.execute(sa.update(backup_log.VerifiedBackup).values(made_at=datetime(2025, 3, 2, 2, 15, tzinfo=UTC)))
    remind()
    assert [to for to, _ in mailed()] == ["ann@northstrait.example", "bob@northstrait.example"]
    assert "The newest verified backup of the site was made at 02:15 UTC on 2 March 2025." in mailed()[0][1]


def test_the_reminder_is_mailed_once_a_day_until_there_is_a_backup(later: Callable[[timedelta], None]) -> None:
    backed_up(LONG)
    for hours, mails in ((0, 2), (1, 2), (23, 2), (25, 4), (26, 4)):
        later(timedelta(hours=hours))
        remind()
        assert len(mailed()) == mails, hours
    with transaction() as session:
        backup_log.record(session, "new", now() + timedelta(hours=49), 1, "")
    later(timedelta(hours=51))
    remind()
    assert len(mailed()) == 4


def test_a_local_site_without_backups_gets_no_reminder(later: Callable[[timedelta], None]) -> None:
    later(timedelta(days=30))
    remind()
    assert mailed() == []


@pytest.mark.usefixtures("production")
def test_a_production_site_without_a_backup_gets_a_reminder_after_a_day(later: Callable[[timedelta], None]) -> None:
    later(SHORT)
    remind()
    assert mailed() == []
    later(LONG)
    remind()
    assert len(mailed()) == 2
    assert "The newest verified backup of the site has yet to be made." in mailed()[0][1]
