"""Sessions: started at sign-in, checked at every event, refreshed by rotating tokens, ended on the server."""

import json
import logging
import math
import time
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col

from ...base.db.database import delete_some, now, rows_changed, transaction
from ...base.identity import Identity, User
from ...base.observability.audit_log import AuditEvent
from ...base.permissions import Role
from ...base.settings import get_settings
from ...base.text import escape_controls, one_line
from ...base.times import iso_text
from ...records import activity
from .. import tokens
from ..account_errors import InvalidCredentials, InvalidToken, SessionMissing, database_errors_as_unavailable
from ..factors import policy as factor_policy
from ..models import AuthSession, Profile, RefreshToken, UserRole, is_active
from .auth_events import AuthEvent
from .device_names import device_name

logger = logging.getLogger(__name__)

GRACE = timedelta(seconds=10)  # two tabs may refresh with the same token at the same time
MAX_STORED = 8192
# A session ends after this many times `session_days`, even if it is renewed.
LIVES = 3
MOST_OF_ONE_PERSON = 20


@dataclass(frozen=True)
class IssuedSession:
    """The session that the browser stores. The server trusts only its tokens; the user in it is for display."""

    access_token: str
    refresh_token: str
    expires_in: int
    expires_at: int
    token_type: str
    user: dict[str, Any]

    def to_json(self) -> str:
        """The JSON for the browser's local storage."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @property
    def seconds_left(self) -> float:
        """The seconds until the access token expires."""
        return self.expires_at - time.time()


def read_stored(session_text: object) -> IssuedSession:
    """Parse a session that a browser sent; only types are checked. Raises `SessionMissing`."""
    if not isinstance(session_text, str) or not session_text or len(session_text) > MAX_STORED:
        raise SessionMissing
    try:
        fields = json.loads(session_text)
    except (ValueError, RecursionError):
        raise SessionMissing from None
    if not isinstance(fields, dict):
        raise SessionMissing
    access, refresh, expires_at = (fields.get(name) for name in ("access_token", "refresh_token", "expires_at"))
    if not isinstance(access, str) or not isinstance(refresh, str):
        raise SessionMissing
    if isinstance(expires_at, bool) or not isinstance(expires_at, int | float) or not math.isfinite(expires_at):
        expires_at = 0
    return IssuedSession(access, refresh, 0, int(expires_at), "bearer", {})


def begin(
    session: Session,
    user_id: int,
    device: object = "",
    event: AuthEvent = AuthEvent.SIGNED_IN,
    *,
    has_factor: bool = False,
) -> IssuedSession:
    """Begin a session for an authenticated user; if there are too many, the least recently used ones end.

    Without `has_factor` it is valid only while the user has no second factor. Raises `InvalidCredentials` if the
    account is deactivated.
    """
    started_at = now()
    of_user = sa.update(Profile).where(col(Profile.id) == user_id, is_active())
    if not rows_changed(session.execute(of_user.values(last_signed_in_at=started_at))):
        raise InvalidCredentials
    begun = AuthSession(
        id=tokens.random_token(),
        user_id=user_id,
        device=escape_controls(one_line(device), 200),
        refreshed_at=started_at,
        has_factor=has_factor,
        proved_at=started_at,
    )
    session.add(begun)
    session.flush()
    refresh_token = tokens.random_token()
    session.add(RefreshToken(token_hash=tokens.hashed(refresh_token), session_id=begun.id, created_at=started_at))
    session.flush()
    own = sa.select(col(AuthSession.id)).where(col(AuthSession.user_id) == user_id, *_living(started_at))
    by_use = own.order_by(col(AuthSession.refreshed_at).desc(), col(AuthSession.created_at).desc())
    _end(session, col(AuthSession.id).in_(by_use.offset(MOST_OF_ONE_PERSON)))
    activity.log(session, AuditEvent.SIGNED_IN, event.value, by=user_id)
    return _issue(session, begun.id, user_id, refresh_token)


def identify(session: Session, access_token: object) -> Identity:
    """The identity of an access token, with session and role as the database has them now.

    Raises `ExpiredToken` or `InvalidToken`, the latter also for an ended session.
    """
    return identity_of(session, tokens.read(access_token))


def identity_of(session: Session, claims: tokens.Claims) -> Identity:
    """The identity that genuine claims name, as the database has it now; raises `InvalidToken` if its session ended."""
    has_factor = factor_policy.has_factor(col(AuthSession.user_id))
    row = session.execute(
        sa.select(
            col(Profile.email),
            col(Profile.first_name),
            col(Profile.last_name),
            col(Profile.factor_asked_at),
            col(UserRole.role),
            has_factor.label("has_factor"),
            factor_policy.has_password(col(AuthSession.user_id)).label("has_password"),
            factor_policy.has_passkey(col(AuthSession.user_id)).label("has_passkey"),
            col(AuthSession.proved_at),
        )
        .select_from(AuthSession)
        .join(Profile, col(Profile.id) == col(AuthSession.user_id))
        .join(UserRole, col(UserRole.user_id) == col(AuthSession.user_id))
        .where(
            col(AuthSession.id) == claims.session_id,
            col(AuthSession.user_id) == claims.user_id,
            col(AuthSession.ended_at).is_(None),
            # A sign-in by password alone may have been under way while the first factor was added.
            sa.or_(col(AuthSession.has_factor), ~has_factor),
            is_active(),
        )
    ).one_or_none()
    if row is None:
        raise InvalidToken
    user = User(claims.user_id, row.email, row.first_name, row.last_name, Role(row.role))
    due = factor_policy.due_at(user.role, row.factor_asked_at, has_factor=row.has_factor)
    return Identity(user, claims.session_id, row.proved_at, due, row.has_password, row.has_passkey)


def note_reauthentication(session: Session, identity: Identity, *, has_factor: bool = False) -> None:
    """Note that a session's person has just proved who they are; `has_factor`: with a second factor."""
    session.execute(
        sa.update(AuthSession)
        .where(col(AuthSession.id) == identity.session_id)
        .values({"proved_at": now()} | ({"has_factor": True} if has_factor else {}))
    )


def read_again(session: Session, identity: Identity) -> Identity:
    """An identity as the database has it now; raises `InvalidToken` if its session has ended."""
    return identity_of(session, tokens.Claims(identity.user.id, identity.session_id, 0))


def refresh(refresh_token: object) -> IssuedSession:
    """Exchange a refresh token for a new session; every token is valid once.

    A used token that is sent again within `GRACE` gets the same successor. Reuse after that means that it was stolen,
    and ends the whole session. Raises `InvalidToken`, or `Unavailable`, which is retryable.
    """
    if not isinstance(refresh_token, str) or not refresh_token or len(refresh_token) > tokens.MAX_LENGTH:
        raise InvalidToken
    # A separate transaction: the session must end although this function raises.
    with database_errors_as_unavailable(), transaction() as session:
        issued = _rotate(session, refresh_token)
    if issued is None:
        raise InvalidToken
    return issued


def holder(session: Session, refresh_token: object) -> int:
    """The user id of a refresh token, which stays valid. Raises `InvalidToken` if it is no longer valid."""
    at = now()
    user_id = session.execute(
        sa.select(col(AuthSession.user_id))
        .join(RefreshToken, col(RefreshToken.session_id) == col(AuthSession.id))
        .join(Profile, col(Profile.id) == col(AuthSession.user_id))
        .where(
            is_active(),
            col(RefreshToken.token_hash) == tokens.hashed(str(refresh_token)),
            sa.or_(col(RefreshToken.spent_at).is_(None), col(RefreshToken.spent_at) >= at - GRACE),
            col(RefreshToken.created_at) >= at - _life(),
            *_living(at),
        )
    ).scalar()
    if user_id is None:
        raise InvalidToken
    return int(user_id)


def _rotate(session: Session, token: str) -> IssuedSession | None:
    at = now()
    key = tokens.hashed(token)
    seed = tokens.random_token()
    # Update first: of two concurrent requests, only one finds the token unused.
    spent = session.execute(
        sa.update(RefreshToken)
        .where(col(RefreshToken.token_hash) == key, col(RefreshToken.spent_at).is_(None))
        .values(spent_at=at, seed=seed)
    )
    row = session.get(RefreshToken, key)
    family = _family(session, row.session_id) if row else None
    if row is None or family is None or family.ended_at is not None:
        return None
    if row.created_at < at - _life() or family.created_at < at - LIVES * _life():
        family.ended_at = at
        return None
    following = tokens.successor(token, row.seed)
    if rows_changed(spent):
        session.add(RefreshToken(token_hash=tokens.hashed(following), session_id=family.id, created_at=at))
    elif row.spent_at is None or row.spent_at < at - GRACE:
        family.ended_at = at
        logger.warning("A used refresh token of user %s was sent again, so its session was ended.", family.user_id)
        email = session.execute(sa.select(col(Profile.email)).where(col(Profile.id) == family.user_id)).scalar_one()
        activity.log(session, AuditEvent.SESSION_REVOKED, email)
        return None
    family.refreshed_at = at
    return _issue(session, family.id, family.user_id, following)


def _family(session: Session, session_id: str) -> AuthSession | None:
    of_user = sa.select(AuthSession).join(Profile, col(Profile.id) == col(AuthSession.user_id))
    return session.execute(of_user.where(col(AuthSession.id) == session_id, is_active())).scalar_one_or_none()


def _issue(session: Session, session_id: str, user_id: int, refresh_token: str) -> IssuedSession:
    profile = session.get_one(Profile, user_id)
    factor_policy.begin_grace(session, profile)
    access_token, expires_at = tokens.sign(user_id, session_id)
    user = {
        "id": user_id,
        "email": profile.email,
        "first_name": profile.first_name,
        "last_name": profile.last_name,
    }
    life = get_settings().access_token_seconds
    return IssuedSession(access_token, refresh_token, life, expires_at, "bearer", user)


def end(session: Session, access_token: object) -> int | None:
    """End the session of an access token, expired or not; returns the user's id, or None."""
    try:
        claims = tokens.read(access_token, even_expired=True)
    except InvalidToken:
        return None
    if _end(session, col(AuthSession.id) == claims.session_id, col(AuthSession.user_id) == claims.user_id):
        activity.log(session, AuditEvent.SIGNED_OUT, by=claims.user_id)
    return claims.user_id


def end_one(session: Session, user_id: int, session_id: str) -> int:
    """End one of a user's own sessions; returns how many ended."""
    return _end_some(session, user_id, col(AuthSession.id) == session_id, user_id)


def end_all(session: Session, user_id: int, *, but: str = "", by: int | None = None) -> int:
    """End all sessions of a user, except one if given; returns how many ended. Without `by` a command does it."""
    return _end_some(session, user_id, col(AuthSession.id) != but, by)


def _end_some(session: Session, user_id: int, which: sa.ColumnElement[bool], by: int | None) -> int:
    ended = _end(session, col(AuthSession.user_id) == user_id, which)
    if ended:
        email = session.execute(sa.select(col(Profile.email)).where(col(Profile.id) == user_id)).scalar_one()
        subject = f"{email}, {ended} {'device' if ended == 1 else 'devices'}"
        activity.log(session, AuditEvent.DEVICES_SIGNED_OUT, subject, by=by)
    return ended


def _end(session: Session, *conditions: Any) -> int:
    ended = session.execute(
        sa.update(AuthSession).where(*conditions, col(AuthSession.ended_at).is_(None)).values(ended_at=now())
    )
    return rows_changed(ended)


@dataclass(frozen=True)
class Device:
    """An active session as pages list it; times are ISO texts in UTC."""

    session_id: str = ""
    name: str = ""
    begun: str = ""
    used: str = ""
    is_this: bool = False


def list_devices(session: Session, user_id: int, current: str = "") -> list[Device]:
    """The active sessions of a user, the most recently used first; `current` is the reader's own."""
    rows = session.execute(
        sa.select(AuthSession)
        .where(col(AuthSession.user_id) == user_id, *_living(now()))
        .order_by(col(AuthSession.refreshed_at).desc())
        .limit(50)
    ).scalars()
    return [
        Device(row.id, device_name(row.device), iso_text(row.created_at), iso_text(row.refreshed_at), row.id == current)
        for row in rows
    ]


def delete_expired(session: Session, at: datetime, most: int) -> int:
    """Delete at most `most` sessions that ended, or can no longer be refreshed, long before `at`."""
    columns = AuthSession.metadata.tables["auth_sessions"].c
    return delete_some(session, columns.id, columns.refreshed_at < at - _life(), most)


def delete_expired_tokens(session: Session, at: datetime, most: int) -> int:
    """Delete at most `most` used tokens of sessions that may last for months; returns how many."""
    columns = RefreshToken.metadata.tables["refresh_tokens"].c
    return delete_some(session, columns.token_hash, columns.spent_at < at - _life(), most)


def _living(at: datetime) -> tuple[Any, ...]:
    """The conditions under which a session can still be renewed."""
    return (
        col(AuthSession.ended_at).is_(None),
        col(AuthSession.refreshed_at) >= at - _life(),
        col(AuthSession.created_at) >= at - LIVES * _life(),
    )


def _life() -> timedelta:
    return timedelta(days=get_settings().session_days)
