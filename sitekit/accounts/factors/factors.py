"""Second factors of a person: authenticator apps are added, used and removed here, and factors of any kind listed."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlmodel import Session, col

from ...base import messages
from ...base.db.database import delete_some, now, rows_changed
from ...base.errors import Conflict, NotFound
from ...base.identity import Identity
from ...base.mail import outbox
from ...base.observability.audit_log import AuditEvent
from ...base.permissions import Action, require
from ...base.text import record_id
from ...base.times import iso_text
from ...records import activity
from .. import mails, secrets_at_rest
from ..account_errors import FactorUnreadable, WrongCode
from ..models import AuthFactor, FactorKind, Profile
from ..secrets_at_rest import SecretLost
from ..sessions import sessions
from . import codes, recovery_codes
from . import policy as factor_policy

MOST = 10
SETUP_LIFE = timedelta(days=1)


@dataclass(frozen=True)
class Factor:
    """A factor as pages list it; times are ISO texts in UTC, empty for never. The secret of an app `is_readable`."""

    id: int = 0
    kind: str = ""
    name: str = ""
    added: str = ""
    used: str = ""
    is_readable: bool = True


@dataclass(frozen=True)
class AppSetup:
    """What an authenticator app needs; `address` is the text of the QR code."""

    factor_id: int
    secret: str
    address: str


def list_factors(session: Session, user_id: int) -> list[Factor]:
    """The factors of a user that count, the oldest first."""
    rows = session.execute(
        sa.select(AuthFactor)
        .where(col(AuthFactor.user_id) == user_id, factor_policy.is_confirmed)
        .order_by(col(AuthFactor.id))
    ).scalars()
    return [
        Factor(row.id or 0, row.kind, row.name, iso_text(row.created_at), iso_text(row.last_used_at), _is_readable(row))
        for row in rows
    ]


def has_factor(session: Session, user_id: int) -> bool:
    """Whether a user has a second factor."""
    return bool(session.execute(sa.select(factor_policy.has_factor(user_id))).scalar())


def begin_app(session: Session, identity: Identity, name: str) -> AppSetup:
    """Make the secret of a new app; it counts after `confirm_app`. An earlier unconfirmed one is replaced."""
    require(identity.actor, Action.CHANGE_SIGN_IN)
    user_id = identity.user.id
    session.execute(
        sa.delete(AuthFactor).where(
            col(AuthFactor.user_id) == user_id, col(AuthFactor.kind) == FactorKind.APP, ~factor_policy.is_confirmed
        )
    )
    check_may_add(session, user_id)
    secret = codes.new_secret()
    row = AuthFactor(user_id=user_id, kind=FactorKind.APP, name=name, secret=secrets_at_rest.encrypt(secret))
    session.add(row)
    session.flush()
    assert row.id is not None
    return AppSetup(row.id, secret, codes.setup_address(secret, identity.user.email))


def check_may_add(session: Session, user_id: int) -> None:
    """Raise `Conflict` if a user has the maximum number of factors."""
    if len(list_factors(session, user_id)) >= MOST:
        raise Conflict(messages.FACTORS_TOO_MANY.format(limit=MOST))


def confirm_app(session: Session, identity: Identity, factor_id: int, typed: object) -> tuple[str, ...]:
    """Let a new app count, if the code is right; returns recovery codes if it is the first factor.

    Raises `WrongCode`, `ReauthenticationNeeded`, or `NotFound` if this setup was replaced or confirmed elsewhere.
    """
    require(identity.actor, Action.CHANGE_SIGN_IN)
    row = session.execute(
        sa.select(AuthFactor).where(
            col(AuthFactor.id) == record_id(factor_id),
            col(AuthFactor.user_id) == identity.user.id,
            ~factor_policy.is_confirmed,
        )
    ).scalar()
    if row is None:
        raise NotFound(messages.FACTOR_SETUP_OVER)
    if not _use_step(session, row, codes.read_code(typed)):
        raise WrongCode
    return add_confirmed(session, identity, row)


def add_confirmed(session: Session, identity: Identity, row: AuthFactor) -> tuple[str, ...]:
    """Let a factor count whose use was just proved; returns recovery codes if it is the first.

    The first one ends all other sessions, which began with a password alone.
    """
    user = identity.user
    is_first = not has_factor(session, user.id)
    session.execute(sa.update(AuthFactor).where(col(AuthFactor.id) == row.id).values(confirmed_at=now()))
    sessions.note_reauthentication(session, identity, has_factor=True)
    activity.log(session, AuditEvent.FACTOR_ADDED, row.name, by=user.id)
    outbox.enqueue(session, mails.FACTOR_ADDED(user.email, user.first_name, factor=row.name))
    if not is_first:
        return ()
    sessions.end_all(session, user.id, but=identity.session_id, by=user.id)
    return recovery_codes.replace(session, user.id)


def use_code(session: Session, user_id: int, typed: object) -> bool:
    """Use the present code of one of the user's apps; False if it is wrong or was used before.

    Raises `FactorUnreadable` if no app's secret can be decrypted.
    """
    code = codes.read_code(typed)
    rows = session.execute(
        sa.select(AuthFactor).where(
            col(AuthFactor.user_id) == user_id, col(AuthFactor.kind) == FactorKind.APP, factor_policy.is_confirmed
        )
    ).scalars()
    apps = list(rows)
    readable = [row for row in apps if _is_readable(row)]
    if apps and not readable:
        raise FactorUnreadable
    return any(_use_step(session, row, code) for row in readable)


def _use_step(session: Session, row: AuthFactor, code: str) -> bool:
    """Use a code of an app, unless its time step or a later one was used before."""
    secret = secrets_at_rest.decrypt(row.secret)
    for step in codes.matching_steps(secret, code):
        # A single update, so that of two simultaneous uses only one succeeds.
        used = session.execute(
            sa.update(AuthFactor)
            .where(col(AuthFactor.id) == row.id, col(AuthFactor.last_step) < step)
            .values(last_step=step, last_used_at=now())
        )
        if rows_changed(used):
            if not secrets_at_rest.is_current(row.secret):
                row.secret = secrets_at_rest.encrypt(secret)
            return True
    return False


def rename(session: Session, identity: Identity, factor_id: int, name: str) -> None:
    """Rename one of the user's own factors. Raises `NotFound`."""
    row = _own(session, identity, factor_id)
    row.name = name
    activity.log(session, AuditEvent.FACTOR_RENAMED, name, by=identity.user.id)


def remove(session: Session, identity: Identity, factor_id: int) -> None:
    """Remove one of the user's own factors; with the last one the recovery codes go.

    Raises `NotFound`, `ReauthenticationNeeded`, or `Conflict` for the last one of a person who must have a factor, and
    for the last passkey of a person without a password, who could not sign in any more.
    """
    require(identity.actor, Action.CHANGE_SIGN_IN)
    user = identity.user
    # Two removals at once would each see the other factor.
    session.execute(sa.select(col(Profile.id)).where(col(Profile.id) == user.id).with_for_update())
    row = _own(session, identity, factor_id)
    others = [factor for factor in list_factors(session, user.id) if factor.id != row.id]
    if not others and factor_policy.is_required(user.role):
        raise Conflict(messages.FACTOR_REQUIRED)
    if not (identity.has_password or any(factor.kind == FactorKind.PASSKEY for factor in others)):
        raise Conflict(messages.PASSKEY_LAST)
    session.delete(row)
    session.flush()
    if not others:
        recovery_codes.delete(session, user.id)
    activity.log(session, AuditEvent.FACTOR_REMOVED, row.name, by=user.id)
    outbox.enqueue(session, mails.FACTOR_REMOVED(user.email, user.first_name, factor=row.name))


def _own(session: Session, identity: Identity, factor_id: int) -> AuthFactor:
    """One of the user's own factors. Raises `NotFound`."""
    row: AuthFactor | None = session.execute(
        sa.select(AuthFactor).where(
            col(AuthFactor.id) == record_id(factor_id),
            col(AuthFactor.user_id) == identity.user.id,
            factor_policy.is_confirmed,
        )
    ).scalar()
    if row is None:
        raise NotFound(messages.FACTOR_MISSING)
    return row


def make_recovery_codes(session: Session, identity: Identity) -> tuple[str, ...]:
    """New recovery codes in place of the user's earlier ones.

    Raises `ReauthenticationNeeded`, or `Conflict` without a factor.
    """
    require(identity.actor, Action.CHANGE_SIGN_IN)
    user = identity.user
    if not has_factor(session, user.id):
        raise Conflict(messages.FACTOR_MISSING)
    made = recovery_codes.replace(session, user.id)
    activity.log(session, AuditEvent.RECOVERY_CODES_MADE, by=user.id)
    outbox.enqueue(session, mails.RECOVERY_CODES_MADE(user.email, user.first_name))
    return made


def reset(session: Session, user_id: int) -> int:
    """Remove all factors and recovery codes of a person and end their sessions, for the command line."""
    profile = session.get_one(Profile, user_id)
    removed = rows_changed(session.execute(sa.delete(AuthFactor).where(col(AuthFactor.user_id) == user_id)))
    recovery_codes.delete(session, user_id)
    sessions.end_all(session, user_id)
    activity.log(session, AuditEvent.FACTORS_RESET, profile.email)
    outbox.enqueue(session, mails.FACTORS_RESET(profile.email, profile.first_name))
    return removed


def delete_expired(session: Session, at: datetime, most: int) -> int:
    """Delete at most `most` factors whose setup was not finished within a day; returns how many."""
    columns = AuthFactor.metadata.tables["auth_factors"].c
    is_over = sa.and_(columns.confirmed_at.is_(None), columns.created_at < at - SETUP_LIFE)
    return delete_some(session, columns.id, is_over, most)


def count_by_key(session: Session) -> tuple[int, int]:
    """For the command `check`: apps whose secret no key decrypts, and those that need a former key."""
    secrets = session.execute(sa.select(col(AuthFactor.secret)).where(col(AuthFactor.kind) == FactorKind.APP)).scalars()
    others = [secret for secret in secrets if not secrets_at_rest.is_current(secret)]
    lost = sum(not _can_decrypt(secret) for secret in others)
    return lost, len(others) - lost


def _is_readable(row: AuthFactor) -> bool:
    return row.kind != FactorKind.APP or _can_decrypt(row.secret)


def _can_decrypt(secret: str) -> bool:
    try:
        secrets_at_rest.decrypt(secret)
    except SecretLost:
        return False
    return True
