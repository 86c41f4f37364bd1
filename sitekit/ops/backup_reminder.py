"""Mails the admins when no backup has been verified for longer than a night."""

import logging
from datetime import datetime, timedelta
from functools import partial

import sqlalchemy as sa
from sqlmodel import col

from ..accounts import mails, owner_mails
from ..accounts.models import Profile
from ..accounts.people import service as accounts
from ..base import backup_log
from ..base.background_tasks import every
from ..base.db import rate_limits
from ..base.db.database import read_session, transaction
from ..base.observability.checks import BACKUPS, NONE, OVERDUE
from ..base.settings import get_settings

CHECK_INTERVAL = 3600.0
REMINDED = ("backup overdue", "")  # a bucket and a key of `rate_limits`
ONCE_WITHIN = timedelta(days=1)

log = logging.getLogger(__name__)


async def backup_reminder() -> None:
    """Run `remind` when the server starts, and then every hour. Safe to run in several processes."""
    await every(CHECK_INTERVAL, remind, log, "Whether a backup is overdue could not be looked up, retrying in an hour.")


def remind() -> int:
    """Mail all admins if the backup is overdue and they were not told within a day; returns how many were."""
    if not _is_overdue():
        return 0
    with transaction() as session:
        if not rate_limits.claim(session, *REMINDED, ONCE_WITHIN):
            return 0
        made_at = backup_log.times(session).made_at
        message = partial(mails.backup_overdue, made_at=made_at)
        admins = accounts.active_admins(session)
        for user_id in admins:
            owner_mails.enqueue(session, user_id, message)
    log.warning("The backup is overdue; the newest verified one was made at %s.", made_at or "no time")
    return len(admins)


def _is_overdue() -> bool:
    """Whether the newest backup is too old. Without any, only a site in production that is older than that is late."""
    found = BACKUPS.ask().word
    if found != NONE or not get_settings().is_production:
        return found == OVERDUE
    with read_session() as session:
        since: datetime | None = session.execute(sa.select(sa.func.min(col(Profile.created_at)))).scalar()
    return since is not None and backup_log.is_overdue(since)
