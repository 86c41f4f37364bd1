"""Sign-in with email and password.

These functions open their own transactions: a failed attempt stays counted, and no lock is held while a password is
hashed. They take part of a second, so callers run them in a worker.
"""

import sqlalchemy as sa
from sqlmodel import col

from ...base.db import rate_limits
from ...base.db.database import read_session, transaction
from ...base.observability import audit_log
from ...base.observability.audit_log import AuditEvent
from ...base.settings import get_settings
from ...records import activity
from .. import mails, owner_mails, throttling
from ..account_errors import EmailNotConfirmed, InvalidCredentials, database_errors_as_unavailable
from ..factors.challenges import Challenge, begin_or_challenge
from ..form_data import SignInData
from ..models import Credential, Profile, SignUp, is_active
from ..password.passwords import dummy_hash, hash_password, is_password, needs_rehash
from . import known_browsers
from .sessions import IssuedSession


def sign_in(
    data: SignInData, address: str, device: str = "", browser: str = "", binding: str = ""
) -> IssuedSession | Challenge:
    """Begin a session, or a challenge for a user who has a second factor (`challenges`).

    `browser` holds the browser's tokens (`known_browsers`), `binding` a value that it keeps for this tab. Raises
    `InvalidCredentials`, `EmailNotConfirmed`, `TooManyAttempts`, or `Unavailable`.
    """
    browser_name = known_browsers.name_for(browser, data.email)
    if browser_name:
        throttling.count((throttling.SIGN_IN_TRY_BY_BROWSER, browser_name))
        own = (throttling.sign_in_by_browser(data.email), browser_name)
        counted = throttling.count(own)
    else:
        throttling.count((throttling.SIGN_IN_TRY_BY_ADDRESS, address))
        own = (throttling.SIGN_IN_BY_ACCOUNT, data.email)
        counted = throttling.count(own, (throttling.SIGN_IN_BY_ADDRESS, address))
    try:
        user_id = check_password(data.email, data.password)
    except EmailNotConfirmed:
        # Refund this attempt only, not earlier failures: anyone can sign up with another person's address.
        throttling.refund(counted)
        raise
    if user_id is None:
        activity.log_alone(AuditEvent.SIGN_IN_FAILED, name=audit_log.as_typed(data.email))
        if not browser_name and counted.earlier + 1 >= throttling.SIGN_IN_BY_ACCOUNT.most:
            _notify_owner(data.email)
        raise InvalidCredentials(counted.pause)
    throttling.refund(counted, own)
    with database_errors_as_unavailable(), transaction() as session:
        return begin_or_challenge(session, user_id, device, binding, is_known=bool(browser_name))


def _notify_owner(email: str) -> None:
    """Mail the owner of an account that it is locked for unknown browsers, at most once a day."""
    with database_errors_as_unavailable(), transaction() as session:
        notice = throttling.LOCK_MAIL_BY_ACCOUNT
        if not rate_limits.claim(session, notice.bucket, email, notice.within):
            return
        user_id = session.execute(sa.select(col(Profile.id)).where(col(Profile.email) == email)).scalar()
        if user_id is not None:
            owner_mails.enqueue(session, user_id, mails.LOCKED)


def check_password(email: str, password: str) -> int | None:
    """The user with this email and password; None, after the same time, if there is none or they are deactivated.

    Raises `EmailNotConfirmed` for the password of a sign-up, whether its address has an account or not, so that signing
    up with another person's address does not reveal that they have one.
    """
    cost = get_settings().bcrypt_cost
    # Computed on every path, so that the first attempt takes no longer for an unknown address.
    stand_in = dummy_hash(cost)
    with database_errors_as_unavailable(), read_session() as session:
        row = session.execute(
            sa.select(
                col(Profile.id),
                sa.case((is_active(), col(Credential.password_hash))).label("password_hash"),
                col(Credential.email_confirmed_at),
                col(SignUp.password_hash).label("waiting_hash"),
            )
            .outerjoin(Credential, col(Credential.user_id) == col(Profile.id))
            .outerjoin(SignUp, col(SignUp.user_id) == col(Profile.id))
            .where(col(Profile.email) == email)
        ).one_or_none()
    password_hash, waiting_hash = (row.password_hash, row.waiting_hash) if row else (None, None)
    if is_password(password, password_hash or stand_in) and row and password_hash:
        if get_settings().confirms_email and row.email_confirmed_at is None:
            raise EmailNotConfirmed
        if needs_rehash(password_hash, cost):
            _rehash(row.id, password_hash, hash_password(password, cost))
        return int(row.id)
    # Compare for every address, so that those with a sign-up do not take longer.
    if is_password(password, waiting_hash or stand_in) and waiting_hash:
        raise EmailNotConfirmed
    return None


def _rehash(user_id: int, old: str, new: str) -> None:
    """Replace a hash by one with a higher cost, unless the password has changed in the meantime."""
    with database_errors_as_unavailable(), transaction() as session:
        session.execute(
            sa.update(Credential)
            .where(col(Credential.user_id) == user_id, col(Credential.password_hash) == old)
            .values(password_hash=new)
        )
