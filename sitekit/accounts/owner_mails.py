"""Mails to the owner of an account, about what happened to it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import sqlalchemy as sa
from sqlmodel import Session, col

from ..base.db.database import now
from ..base.mail import outbox
from ..base.mail.transport import Message
from ..base.observability import audit_log
from ..records import activity
from . import mails
from .models import Credential, Profile, is_active
from .sessions.device_names import device_name


@dataclass(frozen=True)
class Owner:
    """Where a mail to the owner of an account goes, and how it greets them."""

    email: str
    first_name: str

    def enqueue(self, session: Session, message: Callable[[str, str], Message]) -> None:
        """Store a mail to the owner; `message` takes the address and the first name."""
        outbox.enqueue(session, message(self.email, self.first_name))


def owner_of(session: Session, user_id: int) -> Owner | None:
    """The owner of an account; None if it is deactivated, or its address is not confirmed and may be another's."""
    row = session.execute(
        sa.select(col(Profile.email), col(Profile.first_name))
        .join(Credential, col(Credential.user_id) == col(Profile.id))
        .where(col(Profile.id) == user_id, col(Credential.email_confirmed_at).is_not(None), is_active())
    ).one_or_none()
    return Owner(row.email, row.first_name) if row else None


def first_name_of(session: Session, user_id: int) -> str:
    """The name for a mail; empty before the address is confirmed, because it may have been typed by anyone."""
    owner = owner_of(session, user_id)
    return owner.first_name if owner else ""


def enqueue(session: Session, user_id: int, message: Callable[[str, str], Message]) -> None:
    """Store a mail to the owner of an account, if there is one; `message` takes the address and the first name."""
    if owner := owner_of(session, user_id):
        owner.enqueue(session, message)


def tell_of_draft(session: Session, user_id: int, who: str, name: str, page: str, time: str) -> None:
    """Store the mail that somebody has published the draft of a user, or if there is a time, scheduled it."""
    did, when = ("scheduled", f" It will be published on {time}.") if time else ("published", "")
    enqueue(session, user_id, partial(mails.DRAFT_PUBLISHED, who=who, did=did, name=name, page=page, when=when))


def tell_of_new_device(session: Session, user_id: int, device: str) -> None:
    """Store the mail about a sign-in from a browser that has not signed in before, except for the first sign-in.

    Called before the session begins, which notes the time of the last sign-in.
    """
    if session.get_one(Profile, user_id).last_signed_in_at is None:
        return
    name, network = device_name(device), activity.wider_network(audit_log.network.get())
    enqueue(session, user_id, lambda email, first_name: mails.new_device(email, first_name, name, now(), network))
