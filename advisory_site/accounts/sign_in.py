"""Signing in with e-mail and password.

These functions open their own transactions: the count of a failure has to outlive the failure, and no lock is held
while a password is hashed. They take part of a second, so callers run them in a worker.
"""

import logging

import sqlalchemy as sa

from .. import audit
from ..audit import Act
from ..database import reading, transaction
from ..settings import get_settings
from . import attempts, sessions
from .errors import EmailNotConfirmed, InvalidCredentials, reaching
from .models import Credential, Profile
from .passwords import dummy_hash, hash_password, is_password, needs_rehash
from .rules import SignInDraft
from .sessions import IssuedSession

logger = logging.getLogger(__name__)


def sign_in(draft: SignInDraft, address: str, device: str = "") -> IssuedSession:
    """Begin a session.

    Raises `InvalidCredentials`, `EmailNotConfirmed`, `TooManyAttempts`, or `Unavailable`.
    """
    counted = attempts.count((attempts.SIGN_IN_BY_ACCOUNT, draft.email), (attempts.SIGN_IN_BY_ADDRESS, address))
    user_id = check_password(draft.email, draft.password)
    if user_id is None:
        audit.note(Act.SIGN_IN_FAILED, by=audit.as_typed(draft.email))
        raise InvalidCredentials(counted.pause)
    attempts.take_back(counted, (attempts.SIGN_IN_BY_ACCOUNT, draft.email))
    with reaching(), transaction() as session:
        credential = session.get_one(Credential, user_id)
        if get_settings().smtp_url and credential.email_confirmed_at is None:
            raise EmailNotConfirmed
        return sessions.begin(session, user_id, device)


def check_password(email: str, password: str) -> int | None:
    """Whose e-mail and password these are; None when nobody's, after just as long."""
    cost = get_settings().bcrypt_cost
    # Made on every path, so that the very first attempt takes no longer for an unknown address.
    stand_in = dummy_hash(cost)
    with reaching(), reading() as session:
        found = session.execute(
            sa.select(Credential.user_id, Credential.password_hash)
            .join(Profile, Profile.id == Credential.user_id)
            .where(Profile.email == email)
        ).one_or_none()
    if not is_password(password, found.password_hash if found else stand_in) or found is None:
        return None
    if needs_rehash(found.password_hash, cost):
        _rehash(found.user_id, found.password_hash, hash_password(password, cost))
    return int(found.user_id)


def _rehash(user_id: int, old: str, new: str) -> None:
    """Replace a hash by a costlier one of the same password, unless the password has changed meanwhile."""
    with reaching(), transaction() as session:
        session.execute(
            sa.update(Credential)
            .where(Credential.user_id == user_id, Credential.password_hash == old)
            .values(password_hash=new)
        )
