"""What the checks find, as the metrics, the operator and the reminder are told."""

from datetime import UTC, datetime, timedelta
from types import ModuleType

import pytest
import sqlalchemy as sa

from sitekit.base import backup_log
from sitekit.base.db.database import now, transaction
from sitekit.base.mail.models import OutgoingMail
from sitekit.base.mail.outbox import enqueue
from sitekit.base.mail.transport import Message
from sitekit.base.observability.checks import BACKUPS, CHECKS, Severity
from sitekit.base.observability.health import Readiness
from sitekit.base.server_status import ServerStatus
from tests.support.asgi_client import ask_endpoint


def gauges() -> dict[str, float]:
    """The values after all checks were asked."""
    readiness = Readiness(ServerStatus(), renderer_runs=lambda: True)
    assert ask_endpoint(readiness).status == 200
    return {metric.name: metric.samples[0].value for metric in readiness.gauges()}


def test_mail_that_keeps_failing_is_overdue(database: ModuleType) -> None:
    """Each failed try sets the time of the next one, so that is never long ago."""
    with transaction() as session:
        for waits in (timedelta(minutes=20), timedelta(minutes=1)):
            enqueue(session, Message("ann@example.com", f"{waits}", "Text"))
            session.flush()
            newest = sa.update(OutgoingMail).where(sa.column("attempts") == 0)
            values = {"created_at": now() - waits, "due_at": now() + timedelta(hours=1), "attempts": 4}
            session.execute(newest.values(values))
    found = gauges()
    assert found["advisory_mail_waiting"] == 2
    assert 20 * 60 <= found["advisory_mail_overdue_seconds"] < 30 * 60


def test_nothing_is_overdue_without_mail(database: ModuleType) -> None:
    found = gauges()
    assert (found["advisory_mail_waiting"], found["advisory_mail_overdue_seconds"]) == (0, 0)


@pytest.mark.spec("DATA-3")
def test_an_old_backup_is_reported_with_its_time(database: ModuleType) -> None:
    assert BACKUPS.ask().word == "none"
    made_at = datetime(2025, 3, 2, 2, 15, tzinfo=UTC)
    with transaction() as session:
        backup_log.record(session, "file", made_at, 1, "")
        backup_log.record_rehearsal(session, "file", "wrong checksum")
    finding = BACKUPS.ask()
    assert (finding.word, finding.severity) == ("overdue", Severity.WRONG)
    assert finding.sentence == "none was verified since 2025-03-02 02:15 UTC."
    found = gauges()
    assert found["advisory_backup_made_seconds"] == made_at.timestamp()
    assert (found["advisory_backup_rehearsed_seconds"], found["advisory_backup_rehearsal_failed"]) == (0, 1)
    with transaction() as session:
        backup_log.record(session, "newer", now() - timedelta(hours=25), 1, "")
    assert BACKUPS.ask().word == "ok"


def test_each_value_of_a_finding_has_a_gauge(database: ModuleType) -> None:
    for check in CHECKS:
        assert set(check.ask().values) == set(check.gauges), check.part
