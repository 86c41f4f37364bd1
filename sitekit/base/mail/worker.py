"""Claims due messages of the outbox and sends them, with retries until each is delivered or has failed."""

import asyncio
import functools
import logging
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from ..background_tasks import in_thread
from ..db.database import now, read_session, rows_changed, transaction
from ..text import one_line
from ..threads import MAIL
from . import transport
from .models import OutgoingMail, columns
from .outbox import outcome_listeners, wakers

# The wait after each failed try, 41 hours in total; after one more try the message has failed.
RETRY_DELAYS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 240, 720, 1440))
# Longer than sending takes: if the process dies while sending, the message is tried again after this time.
LEASE = timedelta(minutes=5)
POLL = 5.0
# In seconds. Who has just caused a message waits for an answer, and sending in other threads would delay that.
HEAD_START = 0.2

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Claimed:
    id: int
    attempts: int
    message: transport.Message


def deliver_due(stopping: threading.Event | None = None, *, only_new: bool = False) -> int:
    """Send all due messages, one at a time, until `stopping` is set; returns how many were sent.

    `only_new`: those that were not tried yet, the newest first.
    """
    sent = 0
    while not (stopping and stopping.is_set()) and (claimed := _claim_next(only_new)) is not None:
        sent += _deliver(claimed)
    return sent


def _is_due(at: datetime) -> sa.ColumnElement[bool]:
    return sa.and_(columns.due_at <= at, sa.or_(columns.claimed_until.is_(None), columns.claimed_until < at))


def _claim_next(only_new: bool = False) -> _Claimed | None:
    """Claim one due message for `LEASE`; no other thread or process takes it meanwhile."""
    at = now()
    newest_first = (columns.due_at.desc(), columns.id.desc())
    query = sa.select(columns.id).where(_is_due(at), *([columns.attempts == 0] if only_new else [])).limit(1)
    query = query.order_by(*(newest_first if only_new else (columns.due_at, columns.id)))
    with read_session() as session:
        if session.execute(query).first() is None:
            return None
    with transaction() as session:
        # One statement, so that of several lanes each takes another message, and none waits for a lock in vain.
        take = sa.update(OutgoingMail).where(columns.id == query.with_for_update(skip_locked=True).scalar_subquery())
        taken = take.values(claimed_until=at + LEASE, attempts=columns.attempts + 1).returning(OutgoingMail)
        row = session.execute(taken).scalar_one_or_none()
        return _Claimed(row.id, row.attempts, _message(row)) if row else None


def _message(row: OutgoingMail) -> transport.Message:
    return transport.Message(
        row.recipient,
        row.subject,
        row.text,
        row.html,
        row.reply_to,
        row.message_id,
        row.thread_id,
        row.is_automatic,
    )


def _deliver(claimed: _Claimed) -> bool:
    try:
        transport.send(claimed.message)
    except transport.MailError as error:
        cause = one_line(f"{error.reason} ({type(error.__cause__).__name__}: {error})")[:300]
        is_last = error.is_final or claimed.attempts > len(RETRY_DELAYS)
        log.error("Mail %d could not be sent: %s%s", claimed.id, cause, ", giving up" if is_last else "")
        _record_outcome(
            claimed,
            _failed(error.reason) if is_last else _retry_later(error.reason, RETRY_DELAYS[claimed.attempts - 1]),
            # A message that was suspended meanwhile is not retried.
            columns.due_at.is_not(None),
        )
        return False
    outcome = {"sent_at": now(), "due_at": None, "given_up_at": None, "last_error": "", "text": "", "html": ""}
    _record_outcome(claimed, outcome)
    return True


def _failed(why: str) -> dict[str, Any]:
    return {"given_up_at": now(), "due_at": None, "last_error": why}


def _retry_later(why: str, wait: timedelta) -> dict[str, Any]:
    return {"due_at": now() + wait, "last_error": why}


def _record_outcome(claimed: _Claimed, outcome: dict[str, Any], *which: sa.ColumnElement[bool]) -> None:
    """Store the result of a try; retried, so that a short outage of the database does not cause a second mail."""
    for pause in (1, 5, 15, 30, None):
        try:
            with transaction() as session:
                change = sa.update(OutgoingMail).where(columns.id == claimed.id, *which)
                changed = session.execute(change.values(claimed_until=None, **outcome))
                # Not after a failed try that is followed by another one.
                if rows_changed(changed) and outcome["due_at"] is None:
                    for note in outcome_listeners:
                        note(session, claimed.message.message_id, outcome["last_error"])
            return
        except SQLAlchemyError:
            if pause is None:
                raise
            time.sleep(pause)


async def outbox_worker() -> None:
    """Send due messages until cancelled, several at once; those that are being sent are finished first.

    One of the lanes takes only messages that were not tried yet, the newest first, so that a link that
    a person waits for is neither behind a batch nor behind messages for which the server is slow.
    """
    stopping = threading.Event()
    async with asyncio.TaskGroup() as lanes:
        for number in range(MAIL.threads):
            lanes.create_task(_lane(stopping, only_new=number == 0))


async def _lane(stopping: threading.Event, *, only_new: bool) -> None:
    """Send one message after the other until cancelled."""
    loop, woken = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(woken.set)

    wakers.add(wake)
    try:
        while True:
            woken.clear()
            work = functools.partial(deliver_due, stopping, only_new=only_new)
            await in_thread(work, log, "The mail queue could not be processed, retrying soon.", stopping, MAIL)
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL):
                    await woken.wait()
                    await asyncio.sleep(HEAD_START)
    finally:
        wakers.discard(wake)
