"""What the metrics say about mail, read from the database: the numbers that alerts look at."""

import asyncio
from datetime import timedelta
from types import ModuleType

import sqlalchemy as sa

from sitekit.base.db.database import now, transaction
from sitekit.base.mail.models import OutgoingMail
from sitekit.base.mail.outbox import enqueue
from sitekit.base.mail.transport import Message
from sitekit.ops.status_metrics import StatusMetrics


def gauges() -> dict[str, float]:
    """The values after a reading."""
    metrics = StatusMetrics("build")

    async def read() -> None:
        before = metrics._status
        watching = asyncio.create_task(metrics.watch())
        async with asyncio.timeout(30):
            while metrics._status is before:
                await asyncio.sleep(0.01)
        watching.cancel()

    asyncio.run(read())
    return {metric.name: metric.samples[0].value for metric in metrics.gauges()}


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
