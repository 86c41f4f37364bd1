"""The outbox: stores mail in the transaction it belongs to; admins list failed messages and send them again."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import make_msgid

import sqlalchemy as sa
from sqlalchemy import event
from sqlmodel import Session

from .. import messages
from ..db.database import delete_some, now, rows_changed
from ..errors import NotFound
from ..permissions import Action, Actor, require
from ..site import get_site
from ..text import one_line
from ..times import iso_text
from . import transport
from .models import OutgoingMail, columns

SENT_KEPT, FAILED_KEPT = timedelta(days=30), timedelta(days=90)
# Callbacks that wake the outbox workers of this process.
wakers: set[Callable[[], None]] = set()
# Called in the transaction that notes that a message was sent or has failed, with its Message-ID and why it has failed:
# the message itself is deleted after a while.
outcome_listeners: list[Callable[[Session, str, str], None]] = []


@dataclass(frozen=True)
class FailedMessage:
    """A failed message as admins see it, without its text; the time is an ISO text in UTC."""

    id: int = 0
    recipient: str = ""
    subject: str = ""
    given_up: str = ""
    why: str = ""


@dataclass(frozen=True)
class QueueStatus:
    """How many messages are queued, since when the oldest is, and how many have failed."""

    waiting: int
    waiting_since: datetime | None
    given_up: int


def enqueue(session: Session, message: transport.Message) -> str:
    """Store a message in the caller's transaction; it is sent after the commit. Returns its Message-ID."""
    message_id = make_msgid(domain=get_site().brand.domain)
    session.add(
        OutgoingMail(
            message_id=message_id,
            recipient=message.to,
            subject=one_line(message.subject)[: transport.MAX_SUBJECT],
            text=message.text,
            html=message.html,
            reply_to=message.reply_to,
            thread_id=message.thread_id,
            is_automatic=message.is_automatic,
            due_at=now(),
        )
    )
    event.listen(session, "after_commit", lambda _session: _notify(), once=True)
    return message_id


def queue_status(session: Session) -> QueueStatus:
    """Count queued and failed messages."""
    # Not the oldest `due_at`: each failed try moves that into the future, so it would say that none is late.
    query = sa.select(sa.func.count(), sa.func.min(columns.created_at)).where(columns.due_at.is_not(None))
    waiting, oldest = session.execute(query).one()
    given_up = sa.select(sa.func.count()).where(columns.given_up_at.is_not(None))
    return QueueStatus(waiting, oldest, session.execute(given_up).scalar_one())


def last_problem(session: Session) -> str:
    """Why the newest of the queued messages that were tried was not sent; empty if none was tried."""
    query = sa.select(columns.last_error).where(columns.due_at.is_not(None), columns.last_error != "")
    return session.execute(query.order_by(columns.id.desc()).limit(1)).scalar() or ""


def list_failed(session: Session, actor: Actor) -> list[FailedMessage]:
    """The failed messages, newest first; requires `MANAGE_MAIL`."""
    require(actor, Action.MANAGE_MAIL)
    query = sa.select(OutgoingMail).where(columns.given_up_at.is_not(None)).order_by(columns.given_up_at.desc())
    return [
        FailedMessage(row.id or 0, row.recipient, row.subject, iso_text(row.given_up_at), row.last_error)
        for row in session.execute(query.limit(100)).scalars()
    ]


def send_again(session: Session, actor: Actor, number: int) -> None:
    """Put a failed message back into the queue; raises `NotFound` if there is none with this id."""
    require(actor, Action.MANAGE_MAIL)
    if not _requeue(session, columns.id == number):
        raise NotFound(messages.MAIL_NOT_GIVEN_UP)


def send_all_again(session: Session, actor: Actor) -> int:
    """Put every failed message back into the queue; returns how many."""
    require(actor, Action.MANAGE_MAIL)
    return _requeue(session)


def retry(session: Session, message_id: str) -> bool:
    """Put the failed message with this Message-ID back into the queue; False if there is none."""
    return bool(_requeue(session, columns.message_id == message_id))


def _requeue(session: Session, *which: sa.ColumnElement[bool]) -> int:
    change = sa.update(OutgoingMail).where(columns.given_up_at.is_not(None), *which)
    changed = session.execute(change.values(given_up_at=None, due_at=now(), attempts=0, claimed_until=None))
    event.listen(session, "after_commit", lambda _session: _notify(), once=True)
    return rows_changed(changed)


def suspend_all(connection: sa.Connection) -> None:
    """Mark every queued message as failed; an admin may send it again."""
    _suspend(connection, messages.MAIL_HELD_BACK)


def suspend_to(session: Session, recipient: str, why: str) -> None:
    """Mark the queued messages to an address as failed, and say why; an admin may send them again."""
    _suspend(session.connection(), why, sa.func.lower(columns.recipient) == recipient.lower())


def _suspend(connection: sa.Connection, why: str, *which: sa.ColumnElement[bool]) -> None:
    change = sa.update(OutgoingMail).where(columns.due_at.is_not(None), *which)
    connection.execute(change.values(due_at=None, given_up_at=now(), last_error=why))


def delete_expired(session: Session, at: datetime, most: int) -> int:
    """Delete at most `most` messages that were sent or failed long before `at`; returns how many."""
    is_old = sa.or_(columns.sent_at < at - SENT_KEPT, columns.given_up_at < at - FAILED_KEPT)
    return delete_some(session, columns.id, is_old, most)


def _notify() -> None:
    """Wake this process's `outbox_worker`; those of other processes poll every few seconds."""
    for wake in tuple(wakers):
        wake()
