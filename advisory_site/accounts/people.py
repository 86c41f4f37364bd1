"""What admins see of a person's account and do to it: link, sign-out, deactivation, deletion."""

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Session, col

from ..content import messages
from ..core.errors import Conflict, NotFound
from ..core.permissions import Action, Actor, require
from ..db.database import now, rows_changed, transaction
from ..mail import outbox
from ..observability.audit_log import Act
from ..records import activity
from . import mails, owner_mails, recovery, sessions, throttling
from .errors import database_errors_as_unavailable
from .models import (
    AuthFactor,
    Credential,
    EmailChange,
    EmailLink,
    Profile,
    SignInChallenge,
    SignUp,
    UserRole,
    is_active,
)
from .service import PROFILES, delete_account, is_not_the_last_admin
from .sessions import Device


@dataclass(frozen=True)
class Factor:
    """A second factor of a person, without its secret."""

    kind: str
    name: str
    created_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True)
class Person:
    """What admins see of an account. `role` is empty for a user without one."""

    id: int
    email: str
    first_name: str
    last_name: str
    role: str
    created_at: datetime
    confirmed_at: datetime | None
    last_signed_in_at: datetime | None
    deactivated_at: datetime | None
    factors: tuple[Factor, ...]
    devices: tuple[Device, ...]


def get_person(session: Session, actor: Actor, user_id: int) -> Person:
    """One person's account, factors and active sessions. Raises `NotFound`."""
    require(actor, Action.VIEW_ACCOUNTS)
    found = session.execute(
        sa.select(Profile, col(UserRole.role), col(Credential.email_confirmed_at))
        .outerjoin(UserRole, col(UserRole.user_id) == col(Profile.id))
        .outerjoin(Credential, col(Credential.user_id) == col(Profile.id))
        .where(col(Profile.id) == user_id)
    ).one_or_none()
    if found is None:
        raise NotFound(messages.PERSON_MISSING)
    profile, role, confirmed_at = found
    factors = session.execute(
        sa.select(AuthFactor)
        .where(col(AuthFactor.user_id) == user_id, col(AuthFactor.confirmed_at).is_not(None))
        .order_by(col(AuthFactor.id))
    ).scalars()
    return Person(
        id=user_id,
        email=profile.email,
        first_name=profile.first_name,
        last_name=profile.last_name,
        role=role or "",
        created_at=profile.created_at,
        confirmed_at=confirmed_at,
        last_signed_in_at=profile.last_signed_in_at,
        deactivated_at=profile.deactivated_at,
        factors=tuple(Factor(one.kind, one.name, one.created_at, one.last_used_at) for one in factors),
        devices=tuple(sessions.list_devices(session, user_id)),
    )


def send_reset_link(actor: Actor, user_id: int) -> str:
    """Mail a person a link to choose a new password; returns their address. Opens its own transactions.

    Raises `NotFound`, `Conflict` for a deactivated account, `TooManyAttempts` or `Unavailable`.
    """
    require(actor, Action.MANAGE_ACCOUNTS)
    throttling.count((throttling.RESET_BY_ADMIN, str(user_id)))
    with database_errors_as_unavailable(), transaction() as session:
        profile = _profile(session, user_id)
        if profile.deactivated_at:
            raise Conflict(messages.NO_LINK_DEACTIVATED)
        recovery.mail_link(session, profile, mails.recovery_by_admin)
        _note(session, Act.RESET_SENT, actor, profile)
        return profile.email


def sign_out(session: Session, actor: Actor, user_id: int) -> int:
    """End all sessions of a person; returns how many. Raises `NotFound`."""
    require(actor, Action.MANAGE_ACCOUNTS)
    _profile(session, user_id)
    return sessions.end_all(session, user_id, by=actor.user_id)


def deactivate(session: Session, actor: Actor, user_id: int) -> None:
    """Keep a person out: end their sessions, invalidate their links, and hold back mail that waits for them.

    Raises `NotFound`, or `Conflict` for the last admin, one's own account, or one that is deactivated already.
    """
    require(actor, Action.MANAGE_ACCOUNTS)
    _refuse_own(actor, user_id)
    owner = owner_mails.owner_of(session, user_id)
    may_go = is_not_the_last_admin(session, user_id)
    changed = session.execute(
        sa.update(Profile).where(col(Profile.id) == user_id, is_active(), may_go).values(deactivated_at=now())
    )
    profile = _profile(session, user_id)
    if not rows_changed(changed):
        raise Conflict(messages.ALREADY_DEACTIVATED if profile.deactivated_at else messages.LAST_ADMIN_DEACTIVATED)
    sessions.end_all(session, user_id, by=actor.user_id)
    for table in (EmailLink, EmailChange, SignUp, SignInChallenge):
        session.execute(sa.delete(table).where(table.metadata.tables[str(table.__tablename__)].c.user_id == user_id))
    outbox.suspend_to(session, profile.email, messages.MAIL_HELD_BACK_ACCOUNT)
    if owner:
        owner.enqueue(session, mails.deactivated)
    _note(session, Act.ACCOUNT_DEACTIVATED, actor, profile)


def reactivate(session: Session, actor: Actor, user_id: int) -> None:
    """Let a deactivated person in again, as before. Raises `NotFound` or `Conflict`."""
    require(actor, Action.MANAGE_ACCOUNTS)
    changed = session.execute(
        sa.update(Profile).where(col(Profile.id) == user_id, ~is_active()).values(deactivated_at=None)
    )
    profile = _profile(session, user_id)
    if not rows_changed(changed):
        raise Conflict(messages.NOT_DEACTIVATED)
    owner_mails.enqueue(session, user_id, mails.reactivated)
    _note(session, Act.ACCOUNT_REACTIVATED, actor, profile)


def delete(session: Session, actor: Actor, user_id: int) -> None:
    """Delete a person's account for good; see `delete_account`. Raises `Conflict` for one's own account."""
    require(actor, Action.MANAGE_ACCOUNTS)
    _refuse_own(actor, user_id)
    delete_account(session, user_id, by=actor.user_id)


def _refuse_own(actor: Actor, user_id: int) -> None:
    if actor.user_id == user_id:
        raise Conflict(messages.OWN_ACCOUNT)


def _profile(session: Session, user_id: int) -> Profile:
    profile = session.get(Profile, user_id, populate_existing=True)
    if profile is None:
        raise NotFound(messages.PERSON_MISSING)
    return profile


def _note(session: Session, act: Act, actor: Actor, profile: Profile) -> None:
    activity.note(session, act, profile.email, by=actor.user_id, of_table=PROFILES, record_id=profile.id)
