"""What admins see of a person's account and do to it: link, sign-out, deactivation, deletion."""

from dataclasses import dataclass

import sqlalchemy as sa
from sqlmodel import Session, col

from ...base import messages
from ...base.db.database import now, rows_changed, transaction
from ...base.errors import Conflict, NotFound
from ...base.mail import outbox
from ...base.observability.audit_log import AuditEvent
from ...base.permissions import Action, Actor, require
from ...base.times import iso_text
from ...records import activity, preview_links
from ...records.features import close_account
from .. import links, mails, owner_mails, throttling
from ..account_errors import database_errors_as_unavailable
from ..factors.factors import Factor, list_factors
from ..models import (
    Credential,
    Profile,
    SignUp,
    UserRole,
    is_active,
)
from ..password import recovery
from ..sessions import sessions
from ..sessions.sessions import Device
from .service import PROFILES, delete_account, is_not_the_last_admin


@dataclass(frozen=True)
class Person:
    """What admins see of an account; times are ISO texts in UTC. `role` is empty for a user without one."""

    id: int = 0
    name: str = ""
    email: str = ""
    role: str = ""
    since: str = ""
    confirmed: str = ""
    signed_in: str = ""
    deactivated: str = ""
    factors: tuple[Factor, ...] = ()
    devices: tuple[Device, ...] = ()


def get_person(session: Session, actor: Actor, user_id: int) -> Person:
    """One person's account, factors and active sessions. Raises `NotFound`."""
    require(actor, Action.VIEW_ACCOUNTS)
    row = session.execute(
        sa.select(Profile, col(UserRole.role), col(Credential.email_confirmed_at))
        .outerjoin(UserRole, col(UserRole.user_id) == col(Profile.id))
        .outerjoin(Credential, col(Credential.user_id) == col(Profile.id))
        .where(col(Profile.id) == user_id)
    ).one_or_none()
    if row is None:
        raise NotFound(messages.PERSON_MISSING)
    profile, role, confirmed_at = row
    return Person(
        id=user_id,
        name=f"{profile.first_name} {profile.last_name}".strip() or profile.email,
        email=profile.email,
        role=role or "",
        since=iso_text(profile.created_at),
        confirmed=iso_text(confirmed_at),
        signed_in=iso_text(profile.last_signed_in_at),
        deactivated=iso_text(profile.deactivated_at),
        factors=tuple(list_factors(session, user_id)),
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
        recovery.mail_link(session, profile, mails.RECOVERY_BY_ADMIN)
        _note(session, AuditEvent.RESET_SENT, actor, profile)
        return profile.email


def sign_out(session: Session, actor: Actor, user_id: int) -> int:
    """End all sessions of a person; returns how many. Raises `NotFound`."""
    require(actor, Action.MANAGE_ACCOUNTS)
    _profile(session, user_id)
    return sessions.end_all(session, user_id, by=actor.user_id)


def deactivate(session: Session, actor: Actor, user_id: int) -> None:
    """Keep a person out: end their sessions and links, also to previews, and hold back mail that waits for them.

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
    links.revoke(session, user_id)
    session.execute(sa.delete(SignUp).where(col(SignUp.user_id) == user_id))
    outbox.suspend_to(session, profile.email, messages.MAIL_HELD_BACK_ACCOUNT)
    preview_links.revoke_all_of(session, user_id)
    close_account(session, user_id)
    if owner:
        owner.enqueue(session, mails.DEACTIVATED)
    _note(session, AuditEvent.ACCOUNT_DEACTIVATED, actor, profile)


def reactivate(session: Session, actor: Actor, user_id: int) -> None:
    """Let a deactivated person in again, as before. Raises `NotFound` or `Conflict`."""
    require(actor, Action.MANAGE_ACCOUNTS)
    changed = session.execute(
        sa.update(Profile).where(col(Profile.id) == user_id, ~is_active()).values(deactivated_at=None)
    )
    profile = _profile(session, user_id)
    if not rows_changed(changed):
        raise Conflict(messages.NOT_DEACTIVATED)
    owner_mails.enqueue(session, user_id, mails.REACTIVATED)
    _note(session, AuditEvent.ACCOUNT_REACTIVATED, actor, profile)


def delete(session: Session, actor: Actor, user_id: int) -> None:
    """Delete a person's account permanently; see `delete_account`. Raises `Conflict` for one's own account."""
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


def _note(session: Session, audit_event: AuditEvent, actor: Actor, profile: Profile) -> None:
    activity.log(session, audit_event, profile.email, by=actor.user_id, of_table=PROFILES, record_id=profile.id)
