"""Deletes expired rows hourly, as the privacy policy promises, and files that no row refers to."""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime

from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from ..accounts import challenges, email_change, email_links, factors, invitations, sessions, sign_up
from ..core.background_tasks import in_thread
from ..db import rate_limits
from ..db.database import now, transaction, truncate_wal
from ..enquiries import submission as enquiries
from ..mail import outbox
from ..media.storage import StoreUnavailable
from ..records import activity, revisions, trash
from .orphaned_files import delete_orphans

# Deletes expired rows: (session, time, limit) -> number of deleted rows.
DeleteExpired = Callable[[Session, datetime, int], int]

RULES: dict[str, DeleteExpired] = {
    "enquiries": enquiries.delete_expired,
    "spent tokens": sessions.delete_expired_tokens,
    "sessions": sessions.delete_expired,
    "sign-ups": sign_up.delete_expired,
    "mailed links": email_links.delete_expired,
    "sign-in challenges": challenges.delete_expired,
    "unfinished second factors": factors.delete_expired,
    "invitations": invitations.delete_expired,
    "email changes": email_change.delete_expired,
    "counted attempts": rate_limits.delete_expired,
    "messages": outbox.delete_expired,
    "versions": revisions.delete_expired,
    "the trash": trash.delete_expired,
    "activity": activity.delete_expired,
}
# Rows per transaction; small, so that other writers do not wait for long.
BATCH = 500
SWEEP_INTERVAL = 3600.0

log = logging.getLogger(__name__)


async def retention_worker() -> None:
    """Run `sweep` when the server starts, and then every hour. Safe to run in several processes."""
    while True:
        await in_thread(sweep, log, "Expired rows could not be deleted, retrying at the next sweep.")
        await asyncio.sleep(SWEEP_INTERVAL)


def sweep() -> dict[str, int]:
    """Delete all that is expired; returns how many of each kind. If one rule fails, the others still run."""
    at = now()
    deleted = {name: _all(name, delete_expired, at) for name, delete_expired in RULES.items()}
    deleted["files without a picture"] = _orphans(at)
    if any(deleted.values()):
        counts = ", ".join(f"{name} {count}" for name, count in deleted.items() if count)
        log.info("Deleted expired rows: %s.", counts)
    truncate_wal()
    return deleted


def _all(name: str, delete_expired: DeleteExpired, at: datetime) -> int:
    total = 0
    try:
        while True:
            with transaction() as session:
                count = delete_expired(session, at, BATCH)
            total += count
            if count < BATCH:
                return total
    except SQLAlchemyError:
        log.exception("Expired rows could not be deleted, retrying at the next sweep: %s.", name)
        return total


def _orphans(at: datetime) -> int:
    try:
        return delete_orphans(at)
    except SQLAlchemyError:
        log.exception("Files without a picture could not be looked for, retrying at the next sweep.")
    except StoreUnavailable as error:
        log.error("Files without a picture could not be deleted, retrying at the next sweep: %s.", error.reason)
    return 0
