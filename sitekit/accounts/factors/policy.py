"""Who must have a second factor, and since when: a setting, with days of grace for each person."""

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlmodel import Session, col

from ...base.db.database import now
from ...base.permissions import Actor, Role
from ...base.settings import ADMINS_ONLY, EVERYBODY, get_settings
from ..models import AuthFactor, Credential, FactorKind, Profile, UserRole

# An app counts from its first right code on.
is_confirmed = col(AuthFactor.confirmed_at).is_not(None)


def is_required(role: str) -> bool:
    """Whether the setting requires a factor for this role."""
    asked = get_settings().factor_required
    return asked == EVERYBODY or (asked == ADMINS_ONLY and role == Role.ADMIN)


def due_at(role: str, asked_at: datetime | None, *, has_factor: bool) -> datetime | None:
    """When the days of grace of a person end; None if they have a factor or need none."""
    if has_factor or not is_required(role):
        return None
    return (asked_at or now()) + timedelta(days=get_settings().factor_grace_days)


def due_of(session: Session, actor: Actor) -> datetime | None:
    """When the days of grace of a person end; None if no factor is missing."""
    if not is_required(actor.role):
        return None
    row = session.execute(
        sa.select(col(Profile.factor_asked_at), has_factor(actor.user_id).label("has_factor")).where(
            col(Profile.id) == actor.user_id
        )
    ).one()
    return due_at(actor.role, row.factor_asked_at, has_factor=row.has_factor)


def begin_grace(session: Session, profile: Profile) -> None:
    """Note when a person was first asked for a factor, at a sign-in or a renewal of the session."""
    role = session.execute(sa.select(col(UserRole.role)).where(col(UserRole.user_id) == profile.id)).scalar()
    if not is_required(role or ""):
        profile.factor_asked_at = None
    elif profile.factor_asked_at is None:
        profile.factor_asked_at = now()


def has_factor(user_id: object) -> sa.Exists:
    """The condition that a user, given by id or column, has a factor."""
    return sa.exists().where(col(AuthFactor.user_id) == user_id, is_confirmed)


def has_passkey(user_id: object) -> sa.Exists:
    """The condition that a user, given by id or column, has a passkey."""
    return has_factor(user_id).where(col(AuthFactor.kind) == FactorKind.PASSKEY)


def has_password(user_id: object) -> sa.Exists:
    """The condition that a user, given by id or column, has a password."""
    return sa.exists().where(col(Credential.user_id) == user_id, col(Credential.password_hash) != "")
