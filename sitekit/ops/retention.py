"""Deletes expired rows hourly, as the privacy policy promises, and files that no row refers to."""

import logging
from datetime import datetime

from sqlalchemy.exc import SQLAlchemyError

from ..accounts import links
from ..accounts.factors import factors
from ..accounts.invitations import invitations
from ..accounts.people import sign_up
from ..accounts.sessions import sessions
from ..base.background_tasks import every
from ..base.db import rate_limits
from ..base.db.database import now, transaction, truncate_wal
from ..base.mail import outbox
from ..records import activity, drafts, preview_links, revisions, trash
from ..records.features import DeleteExpired, features
from ..records.pictures.storage import StoreUnavailable
from .orphaned_files import delete_orphans

RULES: dict[str, DeleteExpired] = {
    "spent tokens": sessions.delete_expired_tokens,
    "sessions": sessions.delete_expired,
    "sign-ups": sign_up.delete_expired,
    "links": links.delete_expired,
    "links of the former release": links.move_former,
    "unfinished second factors": factors.delete_expired,
    "invitations": invitations.delete_expired,
    "counted attempts": rate_limits.delete_expired,
    "messages": outbox.delete_expired,
    "versions": revisions.delete_expired,
    "discarded drafts": drafts.delete_expired,
    "links to previews": preview_links.delete_expired,
    "the trash": trash.delete_expired,
    "activity": activity.delete_expired,
}
# Rows per transaction; small, so that other writers do not wait for long.
BATCH = 500
SWEEP_INTERVAL = 3600.0

log = logging.getLogger(__name__)


def rules() -> dict[str, DeleteExpired]:
    """What deletes expired rows, by what they are called in the log: the rules of the site, then the kit's."""
    return {**features().retention, **RULES}


async def retention_worker() -> None:
    """Run `sweep` when the server starts, and then every hour. Safe to run in several processes."""
    await every(SWEEP_INTERVAL, sweep, log, "Expired rows could not be deleted, retrying at the next sweep.")


def sweep() -> dict[str, int]:
    """Delete all that is expired; returns how many of each kind. If one rule fails, the others still run."""
    at = now()
    deleted = {name: _all(name, delete_expired, at) for name, delete_expired in rules().items()}
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
