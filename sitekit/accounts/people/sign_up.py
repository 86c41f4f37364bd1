"""Sign-up, and confirmation of the email address.

Anyone can type any address into the form. So the password typed with it cannot sign in until the address is confirmed
by the mailed link and that password (docs/decisions/confirmation.md). Like those of sign_in.py, the functions open
their own transactions and run in a worker.
"""

from datetime import datetime, timedelta

import sqlalchemy as sa
import sqlalchemy.exc
from sqlmodel import Session, col

from ...base import messages
from ...base.db.database import delete_some, now, read_session, transaction
from ...base.errors import InvalidInput
from ...base.mail import outbox
from ...base.observability.audit_log import AuditEvent
from ...base.permissions import Role
from ...base.settings import get_settings
from ...records import activity
from .. import mails, throttling
from ..account_errors import InvalidToken, database_errors_as_unavailable
from ..email import email_links
from ..form_data import EmailData, SignUpData, check_may_sign_up
from ..models import Credential, LinkPurpose, Profile, SignUp, UserRole, is_active
from ..password.passwords import check_new_password, hash_password, is_password
from ..password.recovery import open_account
from ..sessions import sessions

KEPT = timedelta(days=30)


def sign_up(data: SignUpData, address: str) -> None:
    """Store a sign-up, and mail the address a link that confirms it.

    A new address gets a profile with the role employee. The owner of an existing account gets another mail; the
    result is the same. Raises `InvalidInput`, `WeakPassword`, `Forbidden`, `TooManyAttempts` or `Unavailable`.
    """
    check_may_sign_up(data.email)
    # Checking a password is slow, so an attempt with a refused one counts too.
    throttling.count((throttling.SIGN_UP_TRY_BY_ADDRESS, address))
    check_new_password(data.password, data.personal)
    throttling.count((throttling.MAIL_BY_ACCOUNT, data.email), (throttling.SIGN_UP_BY_ADDRESS, address))
    password_hash = hash_password(data.password, get_settings().bcrypt_cost)
    try:
        _store(data, password_hash)
    except sqlalchemy.exc.IntegrityError:
        # Of several concurrent sign-ups one has created the profile; the others find it now.
        _store(data, password_hash)


def _store(data: SignUpData, password_hash: str) -> None:
    with database_errors_as_unavailable(), transaction() as session:
        user_id = session.execute(sa.select(col(Profile.id)).where(col(Profile.email) == data.email)).scalar()
        if user_id is None:
            user_id = _new_profile(session, data, password_hash)
        # Lock the link first, as in `confirm_email`: another order could deadlock.
        _mail(session, user_id, data.email)
        session.merge(
            SignUp(
                user_id=user_id,
                first_name=data.first_name,
                last_name=data.last_name,
                password_hash=password_hash,
                created_at=now(),
            )
        )


def _new_profile(session: Session, data: SignUpData, password_hash: str) -> int:
    profile = Profile(email=data.email, first_name=data.first_name, last_name=data.last_name)
    session.add(profile)
    session.flush()
    assert profile.id is not None
    session.add(UserRole(user_id=profile.id, role=Role.EMPLOYEE))
    if not get_settings().confirms_email:
        session.add(Credential(user_id=profile.id, password_hash=password_hash))
    session.flush()
    activity.log(session, AuditEvent.ACCOUNT_CREATED, Role.EMPLOYEE, name=data.email)
    return profile.id


def _mail(session: Session, user_id: int, email: str) -> None:
    credential = session.get(Credential, user_id)
    if session.get_one(Profile, user_id).deactivated_at:
        return
    if credential and credential.email_confirmed_at:
        outbox.enqueue(session, mails.ALREADY_KNOWN(email))
    else:
        outbox.enqueue(
            session, mails.VERIFICATION(email, token=email_links.issue(session, user_id, LinkPurpose.VERIFY))
        )


def send_verification_again(data: EmailData, address: str) -> None:
    """Mail the last confirmation of an address again; the reply is the same if there was none."""
    throttling.count((throttling.MAIL_BY_ACCOUNT, data.email), (throttling.MAIL_BY_ADDRESS, address))
    with database_errors_as_unavailable(), transaction() as session:
        user_id = session.execute(
            sa.select(col(SignUp.user_id))
            .join(Profile, col(Profile.id) == col(SignUp.user_id))
            .where(col(Profile.email) == data.email, is_active())
        ).scalar()
        if user_id is not None:
            _mail(session, user_id, data.email)
            activity.log(session, AuditEvent.CONFIRMATION_REQUESTED, name=data.email)


def email_to_confirm(token: object) -> str:
    """The address that a link can confirm; changes nothing. Raises `InvalidToken` or `Unavailable`."""
    with database_errors_as_unavailable(), read_session() as session:
        return session.get_one(Profile, email_links.find(session, token, LinkPurpose.VERIFY)[0]).email


def confirm_email(token: object, password: str, address: str) -> int:
    """Confirm an account by the mailed link and the password of its sign-up; returns the user's id.

    The link is used up only on success. Raises `InvalidToken`, `InvalidInput` (field `password`), `TooManyAttempts` or
    `Unavailable`.
    """
    counted = throttling.count((throttling.LINK_BY_ADDRESS, address))
    with database_errors_as_unavailable(), read_session() as session:
        waiting = session.get(SignUp, email_links.find(session, token, LinkPurpose.VERIFY)[0])
    if waiting is None:
        raise InvalidToken(messages.LINK_INVALID)
    if not is_password(password, waiting.password_hash):
        raise InvalidInput(messages.SIGN_UP_PASSWORD_WRONG, {"password": messages.SIGN_UP_PASSWORD_WRONG})
    with database_errors_as_unavailable(), transaction() as session:
        # A later sign-up invalidates the link, so this is the password that belongs to it.
        user_id, _ = email_links.use(session, token, LinkPurpose.VERIFY)
        credential = session.get(Credential, user_id)
        if credential and credential.password_hash != waiting.password_hash:
            sessions.end_all(session, user_id, by=user_id)
        open_account(session, user_id, waiting.password_hash)
        profile = session.get_one(Profile, user_id)
        profile.first_name, profile.last_name = waiting.first_name, waiting.last_name
        session.execute(sa.delete(SignUp).where(col(SignUp.user_id) == user_id))
        activity.log(session, AuditEvent.ADDRESS_CONFIRMED, by=user_id)
    throttling.refund(counted)
    return user_id


def delete_expired(session: Session, at: datetime, most: int) -> int:
    """Delete at most `most` expired sign-ups with their unconfirmed accounts; returns how many."""
    columns, profiles = SignUp.metadata.tables["sign_ups"].c, Profile.metadata.tables["profiles"].c
    opened = sa.select(col(Credential.user_id))
    expired = sa.select(columns.user_id).where(columns.created_at < at - KEPT, columns.user_id.not_in(opened))
    # Who was deactivated before confirming must not be able to sign up anew.
    never_opened = sa.and_(is_active(), profiles.id.in_(expired))
    deleted = delete_some(session, profiles.id, never_opened, most)
    return deleted + delete_some(session, columns.user_id, columns.created_at < at - KEPT, most - deleted)
