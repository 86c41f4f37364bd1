"""How old the newest backup is that was proven to restore, and from when on that is too old."""

from datetime import UTC, datetime, timedelta
from types import ModuleType

import pytest

from sitekit.base import backup_log
from sitekit.base.db.database import read_session, transaction
from sitekit.base.errors import Forbidden
from sitekit.base.permissions import Actor, Role

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ADMIN = Actor(1, Role.ADMIN)


@pytest.fixture(autouse=True)
def clock(database: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is nine o'clock."""
    monkeypatch.setattr(backup_log, "now", lambda: NOW)


def last(*ages: timedelta) -> backup_log.LastBackup | None:
    with transaction() as session:
        for age in ages:
            backup_log.record(session, f"made {age} ago", NOW - age, 1, "")
    with read_session() as session:
        return backup_log.last_verified(session, ADMIN)


def test_no_verified_backup_is_found_if_there_is_none() -> None:
    assert last() is None


def test_the_age_of_a_backup_counts_from_its_creation() -> None:
    found = last(timedelta(days=9), timedelta(hours=30), timedelta(days=3))
    assert found is not None
    assert (found.age, found.verified_at) == (timedelta(hours=30), NOW)


@pytest.mark.parametrize(("age", "is_old"), [(timedelta(hours=26), False), (timedelta(hours=26, seconds=1), True)])
def test_a_backup_counts_as_old_after_26_hours(age: timedelta, is_old: bool) -> None:
    found = last(age)
    assert found is not None
    assert found.is_old is is_old


@pytest.mark.parametrize("role", [Role.MANAGER, Role.EMPLOYEE])
def test_only_admins_can_read_the_backup_log(role: Role) -> None:
    with read_session() as session, pytest.raises(Forbidden):
        backup_log.last_verified(session, Actor(1, role))
    with read_session() as session, pytest.raises(Forbidden):
        backup_log.last_rehearsal(session, Actor(1, role))


def test_metrics_show_the_last_good_rehearsal_and_later_failures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert backup_log.BackupTimes() == times()
    last(timedelta(hours=30))
    assert times() == backup_log.BackupTimes(NOW - timedelta(hours=30))
    rehearse("")
    assert times() == backup_log.BackupTimes(NOW - timedelta(hours=30), NOW)
    monkeypatch.setattr(backup_log, "now", lambda: NOW + timedelta(days=31))
    rehearse("There is no backup in /backups.")
    assert times() == backup_log.BackupTimes(NOW - timedelta(hours=30), NOW, has_rehearsal_failed=True)


def times() -> backup_log.BackupTimes:
    with read_session() as session:
        return backup_log.times(session)


def rehearse(problem: str) -> None:
    with transaction() as session:
        backup_log.record_rehearsal(session, "file", problem)
