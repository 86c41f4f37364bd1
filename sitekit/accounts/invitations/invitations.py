"""Invitations by email: sent, sent again, revoked and listed. acceptance.py accepts them.

An invitation is valid only as long as its sender may give its role (docs/decisions/invitations.md).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, ClassVar

import sqlalchemy as sa
import sqlalchemy.exc
from pydantic import BeforeValidator
from sqlmodel import Session, SQLModel, col

from ...base import messages
from ...base.db import rate_limits
from ...base.db.database import delete_some, now
from ...base.errors import Conflict, Forbidden, NotFound, TooManyAttempts
from ...base.mail import outbox
from ...base.observability.audit_log import AuditEvent
from ...base.permissions import Action, Actor, Role, is_within, may, require
from ...base.settings import get_settings
from ...base.text import clean_text, one_line
from ...base.times import iso_text
from ...records import activity
from ...records.form_fields import FormData, checked, reader
from ...records.listing import ListOptions, ListPage, ListQuery, paginate
from .. import mails, throttling, tokens
from ..email import email_links
from ..models import Credential, Invitation, Profile, UserRole, is_active
from .address_list import InvitedAddress, read_addresses

KEPT = timedelta(days=30)
MOST_AT_ONCE = 50
MAX_TEXT = 20_000
TABLE = "invitations"

# For queries: to a type checker, an attribute of the class has the type of its value.
columns = SQLModel.metadata.tables[TABLE].c
is_open = sa.and_(columns.accepted_at.is_(None), columns.revoked_at.is_(None))
_ended_at = sa.func.coalesce(columns.accepted_at, columns.revoked_at, columns.expires_at)


class Result(StrEnum):
    """What became of one address."""

    INVITED = "invited"
    INVITED_AGAIN = "invited again"
    HAS_ACCOUNT = "has an account"
    REFUSED = "refused"


class Status(StrEnum):
    """The status of an invitation; only an `OPEN` one can be accepted."""

    OPEN = "open"
    EXPIRED = "expired"
    HAS_ACCOUNT = "has an account"
    SENDER_GONE = "sender gone"
    ACCEPTED = "accepted"
    REVOKED = "revoked"


@dataclass(frozen=True)
class InvitationOutcome:
    """What became of one entry of the list, and why if it was refused."""

    entry: InvitedAddress
    result: Result
    reason: str = ""


@dataclass(frozen=True)
class InvitationRow:
    """An invitation as admins see it; times are ISO texts in UTC. `is_open`: it is not accepted or revoked."""

    id: int = 0
    email: str = ""
    name: str = ""
    role: str = ""
    status: str = ""
    is_open: bool = False
    by_name: str = ""
    sent: str = ""
    expires: str = ""


class InvitationData(FormData):
    """The form that invites people: the addresses as typed, and one role for all."""

    required: ClassVar[tuple[str, ...]] = ("addresses", "role")

    addresses: Annotated[
        str,
        reader(clean_text, MAX_TEXT),
        checked(
            lambda text: len(read_addresses(text)) <= MOST_AT_ONCE, messages.INVITE_TOO_MANY.format(most=MOST_AT_ONCE)
        ),
    ] = ""
    role: Annotated[
        str, BeforeValidator(one_line), checked(lambda role: role in tuple(Role), messages.ROLE_UNKNOWN)
    ] = ""

    @classmethod
    def _check_values(cls, values: Mapping[str, Any]) -> dict[str, str]:
        sentences = super()._check_values(values)
        if "addresses" in values and "addresses" not in sentences and not read_addresses(values["addresses"]):
            sentences["addresses"] = messages.FIELD_REQUIRED
        return sentences


def invite(session: Session, actor: Actor, data: InvitationData) -> list[InvitationOutcome]:
    """Invite every address of a list that can be invited; one with an open invitation gets a new link and role.

    Raises `Forbidden`, or `TooManyAttempts` if the actor has sent too many; nothing is sent then.
    """
    role = Role(data.role)
    _check_role(actor, role)
    entries = read_addresses(data.addresses)
    emails = [entry.email for entry in entries if entry.email]
    _lock(session, actor, emails)
    _check_sender_limit(session, actor, len(emails))
    return [_invite(session, actor, entry, role) for entry in entries]


def _invite(session: Session, actor: Actor, entry: InvitedAddress, role: Role) -> InvitationOutcome:
    email = entry.email
    if not email:
        return InvitationOutcome(entry, Result.REFUSED, messages.EMAIL_INVALID)
    if wait := _wait_for(session, email):
        return InvitationOutcome(
            entry, Result.REFUSED, messages.INVITED_TOO_OFTEN.format(wait=rate_limits.in_words(wait))
        )
    invitation = session.execute(
        sa.select(Invitation).where(columns.email == email, is_open).with_for_update()
    ).scalar()
    if invitation and not is_within(Role(invitation.role), actor.role):
        return InvitationOutcome(entry, Result.REFUSED, messages.INVITED_WIDER)
    _count(session, actor, email)
    if profile := account_of(session, email):
        outbox.enqueue(session, mails.INVITED_ALREADY(email, profile.first_name))
        return InvitationOutcome(entry, Result.HAS_ACCOUNT)
    names = entry.names.model_dump()
    if invitation:
        invitation.role = role
        if entry.names.first_name:
            invitation.sqlmodel_update(names)
        _send(session, actor, invitation, AuditEvent.INVITED_AGAIN)
        return InvitationOutcome(entry, Result.INVITED_AGAIN)
    sent_at = now()
    _send(
        session,
        actor,
        Invitation(email=email, role=role, token_hash="", sent_at=sent_at, expires_at=sent_at, **names),
        AuditEvent.INVITED,
    )
    return InvitationOutcome(entry, Result.INVITED)


def _send(session: Session, actor: Actor, invitation: Invitation, audit_event: AuditEvent) -> None:
    """Give an invitation a new link, on the word of the actor, and mail it; the earlier link becomes invalid."""
    token = tokens.random_token()
    invitation.token_hash = tokens.hashed(token)
    invitation.invited_by = actor.user_id
    invitation.sent_at = now()
    invitation.expires_at = invitation.sent_at + email_links.INVITATION_LIFE
    session.add(invitation)
    session.flush()
    sender = session.execute(sa.select(activity.own_name_of(actor.user_id))).scalar_one()
    message = mails.invitation(invitation.email, sender, invitation.role, token, invitation.first_name)
    outbox.enqueue(session, message)
    log(session, audit_event, invitation, by=actor.user_id)


def send_again(session: Session, actor: Actor, invitation_id: int) -> str:
    """Mail an open or expired invitation again with a new link, now in the actor's name; returns the address.

    Raises `Forbidden`, `NotFound`, `Conflict` if the address already has an account, or `TooManyAttempts`.
    """
    require(actor, Action.INVITE_USERS)
    email = session.execute(sa.select(columns.email).where(columns.id == invitation_id)).scalar() or ""
    # The address before the row, as in `invite`: another order could deadlock.
    _lock(session, actor, [email])
    invitation = _open_one(session, actor, invitation_id)
    if account_of(session, email):
        raise Conflict(messages.INVITED_HAS_ACCOUNT.format(email=email))
    _check_sender_limit(session, actor, 1)
    if wait := _wait_for(session, email):
        raise TooManyAttempts(messages.INVITED_TOO_OFTEN.format(wait=rate_limits.in_words(wait)), wait)
    _count(session, actor, email)
    _send(session, actor, invitation, AuditEvent.INVITED_AGAIN)
    return email


def revoke(session: Session, actor: Actor, invitation_id: int) -> None:
    """End an open invitation: its link does not work any more. Raises `Forbidden` or `NotFound`."""
    invitation = _open_one(session, actor, invitation_id)
    invitation.revoked_at = now()
    log(session, AuditEvent.INVITATION_REVOKED, invitation, by=actor.user_id)


def _open_one(session: Session, actor: Actor, invitation_id: int) -> Invitation:
    """The open invitation with this id, locked, if the actor may give its role."""
    require(actor, Action.INVITE_USERS)
    query = sa.select(Invitation).where(columns.id == invitation_id, is_open).with_for_update()
    invitation: Invitation | None = session.execute(query).scalar()
    if invitation is None:
        raise NotFound(messages.INVITATION_NOT_OPEN)
    _check_role(actor, Role(invitation.role))
    return invitation


def _check_role(actor: Actor | None, role: Role) -> None:
    require(actor, Action.INVITE_USERS)
    assert actor is not None
    if not is_within(role, actor.role):
        raise Forbidden(messages.INVITE_ROLE_TOO_WIDE)


def _lock(session: Session, actor: Actor, emails: Sequence[str]) -> None:
    """Serialise invitations of one sender and of one address, so that all of them are counted."""
    by_email = ((throttling.INVITATION_BY_EMAIL.bucket, email) for email in emails)
    rate_limits.serialize(session, (throttling.INVITATION_BY_SENDER.bucket, str(actor.user_id)), *by_email)


def _check_sender_limit(session: Session, actor: Actor, count: int) -> None:
    limit = throttling.INVITATION_BY_SENDER
    most = limit.most - count + 1
    wait = rate_limits.seconds_to_wait(session, limit.bucket, str(actor.user_id), most, limit.within)
    if wait:
        raise TooManyAttempts(messages.INVITED_TOO_MANY.format(wait=rate_limits.in_words(wait)), wait)


def _wait_for(session: Session, email: str) -> int:
    limit = throttling.INVITATION_BY_EMAIL
    return rate_limits.seconds_to_wait(session, limit.bucket, email, limit.most, limit.within)


def _count(session: Session, actor: Actor, email: str) -> None:
    rate_limits.record(session, throttling.INVITATION_BY_SENDER.bucket, str(actor.user_id))
    rate_limits.record(session, throttling.INVITATION_BY_EMAIL.bucket, email)


def account_of(session: Session, email: str) -> Profile | None:
    """The profile of an address that can sign in; a sign-up that was never confirmed does not count."""
    return session.execute(
        sa.select(Profile).join(Credential).where(col(Profile.email) == email, _can_sign_in())
    ).scalar()


def _can_sign_in() -> sa.ColumnElement[bool]:
    is_confirmed = col(Credential.email_confirmed_at).is_not(None)
    return is_confirmed if get_settings().confirms_email else col(Credential.user_id).is_not(None)


def log(session: Session, audit_event: AuditEvent, invitation: Invitation, by: int) -> None:
    """Log what was done to an invitation."""
    subject = f"{invitation.email}, {invitation.role}"
    activity.log(session, audit_event, subject, by=by, of_table=TABLE, record_id=invitation.id)


_sender_role = (
    sa.select(col(UserRole.role))
    .join(Profile, col(Profile.id) == col(UserRole.user_id))
    .where(col(UserRole.user_id) == columns.invited_by, is_active())
    .scalar_subquery()
)
_OPTIONS = ListOptions(
    searched=(columns.email, columns.first_name, columns.last_name),
    sorts={"email": columns.email, "role": columns.role, "sent": columns.sent_at, "expires": columns.expires_at},
    default=(columns.sent_at.desc(),),
    id=columns.id,
)
ENDED = "ended"


def list_invitations(session: Session, actor: Actor, query: ListQuery) -> ListPage[InvitationRow]:
    """One page of the invitations that are not accepted or revoked; with the filter `ENDED`, of those that are."""
    require(actor, Action.VIEW_ACCOUNTS)
    has_account = sa.exists(
        sa.select(col(Profile.id)).join(Credential).where(col(Profile.email) == columns.email, _can_sign_in())
    )
    statement = sa.select(
        *columns,
        activity.name_of(columns.invited_by).label("by_name"),
        _sender_role.label("sender_role"),
        has_account.label("has_account"),
    ).where(~is_open if query.filter == ENDED else is_open)
    rows, total, page, pages = paginate(session, statement, query, _OPTIONS)
    return ListPage(tuple(map(_row, rows)), total, page, pages, query.size)


def _row(row: Any) -> InvitationRow:
    is_open, times = not (row.accepted_at or row.revoked_at), (iso_text(row.sent_at), iso_text(row.expires_at))
    name = f"{row.first_name} {row.last_name}".strip()
    return InvitationRow(row.id, row.email, name, row.role, _status(row), is_open, row.by_name, *times)


def _status(row: Any) -> Status:
    if row.accepted_at:
        return Status.ACCEPTED
    if row.revoked_at:
        return Status.REVOKED
    if row.has_account:
        return Status.HAS_ACCOUNT
    if row.expires_at <= now():
        return Status.EXPIRED
    return Status.OPEN if may_give(row.sender_role, row.role) else Status.SENDER_GONE


def may_give(sender_role: str | None, role: str) -> bool:
    """Whether a sender who has this role now, if any, may give that role."""
    if sender_role is None:
        return False
    return may(Actor(0, Role(sender_role)), Action.INVITE_USERS) and is_within(Role(role), Role(sender_role))


def expire_all(connection: sa.Connection) -> None:
    """Let every open invitation expire, as after a restore: it may have been accepted or revoked since the backup."""
    expired_at = now()
    connection.execute(
        sa.update(Invitation).where(is_open, columns.expires_at > expired_at).values(expires_at=expired_at)
    )


def delete_expired(session: Session, at: datetime, most: int) -> int:
    """Delete at most `most` invitations that were accepted, revoked or expired long before `at`."""
    return delete_some(session, columns.id, _ended_at < at - KEPT, most)
