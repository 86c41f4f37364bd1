"""Mail that is not lost: stored with what it is about, sent by a background task until it is through or given up."""

import asyncio
import functools
import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import make_msgid
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Field, Session, SQLModel

from ..content import messages
from ..content.firm import FIRM
from ..core.background_tasks import in_thread
from ..core.errors import NotFound
from ..core.permissions import Action, Actor, require
from ..core.text import one_line
from ..db.database import (
    AUTOINCREMENT_IDS,
    UtcDateTime,
    created_at_field,
    delete_some,
    now,
    read_session,
    rows_changed,
    transaction,
)
from . import transport

# After a failure the next try waits this long; after the last one the message is given up, two days on.
RETRY_DELAYS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 240, 720, 1440))
# Longer than any sending takes: a message whose process died in the middle of it is tried again after this.
LEASE = timedelta(minutes=5)
SENT_KEPT, FAILED_KEPT = timedelta(days=30), timedelta(days=90)
POLL = 5.0

log = logging.getLogger(__name__)


class OutgoingMail(SQLModel, table=True):
    """One message on its way. `due_at` is empty when nothing more will happen by itself."""

    __tablename__ = "outgoing_mail"
    __table_args__ = (AUTOINCREMENT_IDS,)

    id: int | None = Field(default=None, primary_key=True)
    # The same for every try, so that a mail program shows a message that came twice once.
    message_id: str = Field(unique=True)
    recipient: str
    subject: str
    # Emptied when the message has gone: a link that signs somebody in does not stay in the database.
    text: str
    html: str = ""
    reply_to: str = ""
    created_at: datetime = created_at_field()
    due_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    claimed_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    attempts: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    sent_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    given_up_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    # Why the last try failed, in plain words; what a server said is in the log.
    last_error: str = ""


columns = SQLModel.metadata.tables["outgoing_mail"].c


@dataclass(frozen=True)
class FailedMessage:
    """A message that could not be sent, as admins see it; its words stay on the server."""

    id: int
    recipient: str
    subject: str
    given_up_at: datetime
    why: str


@dataclass(frozen=True)
class QueueStatus:
    """How the queue stands: messages on their way, since when the oldest is due, and those given up."""

    waiting: int
    oldest_due_at: datetime | None
    given_up: int


@dataclass(frozen=True)
class _Claimed:
    id: int
    attempts: int
    message: transport.Message


def enqueue(session: Session, message: transport.Message) -> None:
    """Store a message in the caller's transaction: it goes out when that is committed, and only then."""
    session.add(
        OutgoingMail(
            message_id=make_msgid(domain=FIRM.domain),
            recipient=message.to,
            subject=one_line(message.subject)[: transport.MAX_SUBJECT],
            text=message.text,
            html=message.html,
            reply_to=message.reply_to,
            due_at=now(),
        )
    )
    event.listen(session, "after_commit", lambda _session: _notify(), once=True)


def deliver_due(stopping: threading.Event | None = None) -> int:
    """Try every message that is due, one after the other, until told to stop; returns how many were sent."""
    sent = 0
    while not (stopping and stopping.is_set()) and (claimed := _claim_next()) is not None:
        sent += _deliver(claimed)
    return sent


def _is_due(at: datetime) -> sa.ColumnElement[bool]:
    return sa.and_(columns.due_at <= at, sa.or_(columns.claimed_until.is_(None), columns.claimed_until < at))


def _claim_next() -> _Claimed | None:
    """Take one due message, so that no other process takes it before the lease ends."""
    at = now()
    query = sa.select(columns.id).where(_is_due(at)).order_by(columns.due_at, columns.id).limit(20)
    with read_session() as session:
        due = list(session.execute(query).scalars())
    for number in due:
        with transaction() as session:
            # The condition is asked again while the row is locked: of two processes, one changes it.
            take = sa.update(OutgoingMail).where(columns.id == number, _is_due(at))
            taken = session.execute(take.values(claimed_until=at + LEASE, attempts=columns.attempts + 1))
            if not rows_changed(taken):
                continue
            row = session.execute(sa.select(OutgoingMail).where(columns.id == number)).scalar_one()
            message = transport.Message(row.recipient, row.subject, row.text, row.html, row.reply_to, row.message_id)
            return _Claimed(number, row.attempts, message)
    return None


def _deliver(claimed: _Claimed) -> bool:
    try:
        transport.send(claimed.message)
    except transport.MailError as error:
        said = one_line(f"{error} ({error.__cause__})")[:300]
        is_last = error.is_final or claimed.attempts > len(RETRY_DELAYS)
        log.error("Mail %d could not be sent: %s%s", claimed.id, said, ", given up" if is_last else "")
        _record_outcome(
            claimed.id,
            _failed(error.reason) if is_last else _retry_later(error.reason, RETRY_DELAYS[claimed.attempts - 1]),
        )
        return False
    _record_outcome(claimed.id, {"sent_at": now(), "due_at": None, "last_error": "", "text": "", "html": ""})
    return True


def _failed(why: str) -> dict[str, Any]:
    return {"given_up_at": now(), "due_at": None, "last_error": why}


def _retry_later(why: str, wait: timedelta) -> dict[str, Any]:
    return {"due_at": now() + wait, "last_error": why}


def _record_outcome(number: int, outcome: dict[str, Any]) -> None:
    """Write down what came of a try. A database that is away for a moment must not make a message go out twice."""
    for pause in (1, 5, 15, 30, None):
        try:
            with transaction() as session:
                change = sa.update(OutgoingMail).where(columns.id == number)
                session.execute(change.values(claimed_until=None, **outcome))
            return
        except SQLAlchemyError:
            if pause is None:
                raise
            time.sleep(pause)


def queue_status(session: Session) -> QueueStatus:
    """How the queue stands now."""
    query = sa.select(sa.func.count(), sa.func.min(columns.due_at)).where(columns.due_at.is_not(None))
    waiting, oldest = session.execute(query).one()
    given_up = sa.select(sa.func.count()).where(columns.given_up_at.is_not(None))
    return QueueStatus(waiting, oldest, session.execute(given_up).scalar_one())


def list_failed(session: Session, actor: Actor) -> list[FailedMessage]:
    """What could not be sent, the newest first; for those who may see the mail."""
    require(actor, Action.MANAGE_MAIL)
    query = sa.select(OutgoingMail).where(columns.given_up_at.is_not(None)).order_by(columns.given_up_at.desc())
    return [
        FailedMessage(row.id or 0, row.recipient, row.subject, row.given_up_at or now(), row.last_error)
        for row in session.execute(query.limit(100)).scalars()
    ]


def send_again(session: Session, actor: Actor, number: int) -> None:
    """Put a message that was given up back into the queue; `NotFound` where there is none."""
    require(actor, Action.MANAGE_MAIL)
    if not _requeue(session, columns.id == number):
        raise NotFound(messages.MAIL_NOT_GIVEN_UP)


def send_all_again(session: Session, actor: Actor) -> int:
    """Put every message that was given up back into the queue; returns how many there were."""
    require(actor, Action.MANAGE_MAIL)
    return _requeue(session)


def _requeue(session: Session, *which: sa.ColumnElement[bool]) -> int:
    change = sa.update(OutgoingMail).where(columns.given_up_at.is_not(None), *which)
    changed = session.execute(change.values(given_up_at=None, due_at=now(), attempts=0, claimed_until=None))
    event.listen(session, "after_commit", lambda _session: _notify(), once=True)
    return rows_changed(changed)


def suspend_all(connection: sa.Connection) -> None:
    """Stop everything on its way; an admin may send it again."""
    change = sa.update(OutgoingMail).where(columns.due_at.is_not(None))
    connection.execute(change.values(due_at=None, given_up_at=now(), last_error=messages.MAIL_HELD_BACK))


def delete_expired(session: Session, at: datetime, most: int) -> int:
    """Delete at most so many messages that were sent, or given up, long before a moment; returns how many."""
    is_old = sa.or_(columns.sent_at < at - SENT_KEPT, columns.given_up_at < at - FAILED_KEPT)
    return delete_some(session, columns.id, is_old, most)


_wakers: set[Callable[[], None]] = set()


def _notify() -> None:
    """Wake this process's outbox_worker; those of other processes look every few seconds."""
    for wake in tuple(_wakers):
        wake()


async def outbox_worker() -> None:
    """Send what is due, as long as the server runs; what is being sent when it stops is finished first."""
    loop, woken, stopping = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

    def wake() -> None:
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(woken.set)

    _wakers.add(wake)
    try:
        while True:
            woken.clear()
            work = functools.partial(deliver_due, stopping)
            await in_thread(work, log, "The mail queue could not be worked on; it is tried again.", stopping)
            with suppress(TimeoutError):
                await asyncio.wait_for(woken.wait(), POLL)
    finally:
        _wakers.discard(wake)
