"""Metrics that are read from the database once a minute: the mail queue, the backups and the schema."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from sqlalchemy.exc import SQLAlchemyError

from ..base import backup_log
from ..base.db.database import now, read_session
from ..base.db.migrations import revision_of
from ..base.mail import outbox
from ..base.observability.metrics import NAMESPACE, gauge
from ..base.site import get_site
from ..base.threads import HEALTH

READ_INTERVAL = 60.0  # seconds


@dataclass(frozen=True)
class _Status:
    mail: outbox.QueueStatus
    backups: backup_log.BackupTimes
    revision: str


class StatusMetrics:
    """The numbers of the last reading; while the database is down they stay as they were."""

    def __init__(self, build: str) -> None:
        self._build = build
        self._status = _Status(outbox.QueueStatus(0, None, 0), backup_log.BackupTimes(), "")

    async def watch(self) -> None:
        """Read every `READ_INTERVAL` until cancelled."""
        while True:
            with suppress(SQLAlchemyError):  # `Readiness` logs and counts an outage
                self._status = await HEALTH.run(_read)
            await asyncio.sleep(READ_INTERVAL)

    def gauges(self) -> Iterator[Metric]:
        """Yield the metrics."""
        mail, backups = self._status.mail, self._status.backups
        overdue = (now() - mail.waiting_since).total_seconds() if mail.waiting_since else 0.0
        yield gauge("mail_waiting", "Messages that are to be sent.", mail.waiting)
        yield gauge("mail_failed", "Messages that could not be sent, and wait for an admin.", mail.given_up)
        yield gauge("mail_overdue_seconds", "How long the oldest of them has waited.", max(0.0, overdue))
        yield gauge(
            "backup_made_seconds",
            "When the newest verified backup was made, in seconds since 1970; 0 without one.",
            _seconds(backups.made_at),
        )
        yield gauge(
            "backup_rehearsed_seconds",
            "When a restore was last rehearsed without a problem, in seconds since 1970; 0 if never.",
            _seconds(backups.rehearsed_at),
        )
        yield gauge(
            "backup_rehearsal_failed",
            "1 if the last rehearsal of a restore failed.",
            float(backups.has_rehearsal_failed),
        )
        info = GaugeMetricFamily(
            f"{NAMESPACE}_build_info", "1; what runs here, in labels.", labels=["version", "build", "schema"]
        )
        info.add_metric([get_site().version, self._build, self._status.revision], 1)
        yield info


def _read() -> _Status:
    with read_session() as session:
        return _Status(outbox.queue_status(session), backup_log.times(session), revision_of(session.connection()))


def _seconds(at: datetime | None) -> float:
    return at.timestamp() if at else 0.0
