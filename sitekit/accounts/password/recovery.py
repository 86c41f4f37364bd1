"""Forgotten and changed passwords. Like those of sign_in.py, the functions open transactions and run in a worker."""

import sqlalchemy as sa
from sqlmodel import Session, col

from ...base.db.database import now, read_session, transaction
from ...base.identity import Identity
from ...base.mail import outbox
from ...base.observability.audit_log import AuditEvent
from ...base.settings import get_settings
from ...records import activity
from .. import links, mails, owner_mails, throttling
from ..account_errors import database_errors_as_unavailable
from ..email import email_links
from ..factors.challenges import Challenge, begin_or_challenge
from ..form_data import EmailData, NewPasswordData
from ..mails import StaffMail
from ..models import Credential, LinkPurpose, Profile, is_active
from ..sessions import known_browsers, reauthentication, sessions
from ..sessions.auth_events import AuthEvent
from ..sessions.sessions import IssuedSession
from .passwords import check_new_password, hash_password


def request_recovery(data: EmailData, address: str, browser: str = "") -> None:
    """Mail a link to choose a new password, if the account exists; the reply is the same if not.

    `browser` holds the browser's tokens (`known_browsers`). Raises `TooManyAttempts` or `Unavailable`.
    """
    if browser_name := known_browsers.name_for(browser, data.email):
        throttling.count((throttling.mail_by_browser(data.email), browser_name))
    else:
        throttling.count((throttling.MAIL_BY_ACCOUNT, data.email), (throttling.MAIL_BY_ADDRESS, address))
    with database_errors_as_unavailable(), transaction() as session:
        profile = session.execute(sa.select(Profile).where(col(Profile.email) == data.email, is_active())).scalar()
        if profile:
            mail_link(session, profile, mails.RECOVERY)
            activity.log(session, AuditEvent.RESET_REQUESTED, name=data.email)


def mail_link(session: Session, profile: Profile, mail: StaffMail) -> None:
    """Mail a link to choose a new password; `mail` takes its secret."""
    assert profile.id is not None
    token = email_links.issue(session, profile.id, LinkPurpose.RECOVER)
    outbox.enqueue(session, mail(profile.email, owner_mails.first_name_of(session, profile.id), token=token))


def check_link(token: object) -> None:
    """Whether a link can set a new password; changes nothing. Raises `InvalidToken` or `Unavailable`."""
    with database_errors_as_unavailable(), read_session() as session:
        email_links.find(session, token, LinkPurpose.RECOVER)


def recover(
    token: object, data: NewPasswordData, address: str, device: str = "", binding: str = ""
) -> IssuedSession | Challenge:
    """Set a new password by a mailed link, end every session, and return a new one.

    For a user who has a second factor it is a challenge: access to their mail must not be enough. Either way the
    email address is confirmed, because the link was mailed to it. The link is used up only on success. Raises
    `InvalidToken`, `InvalidInput`, `WeakPassword`, `TooManyAttempts` or `Unavailable`.
    """
    counted = throttling.count((throttling.LINK_BY_ADDRESS, address))
    # Check the link first: checking and hashing a password are slow, so they need a valid link.
    with database_errors_as_unavailable(), read_session() as session:
        profile = session.get_one(Profile, email_links.find(session, token, LinkPurpose.RECOVER)[0])
        first_name = owner_mails.first_name_of(session, profile.id or 0)
    check_new_password(data.password, (profile.first_name, profile.last_name, profile.email))
    new_hash = hash_password(data.password, get_settings().bcrypt_cost)
    with database_errors_as_unavailable(), transaction() as session:
        user_id, _ = email_links.use(session, token, LinkPurpose.RECOVER)
        open_account(session, user_id, new_hash)
        sessions.end_all(session, user_id, by=user_id)
        issued = begin_or_challenge(session, user_id, device, binding, AuthEvent.PASSWORD_RECOVERY)
        outbox.enqueue(session, mails.PASSWORD_CHANGED(profile.email, first_name))
    throttling.refund(counted, (throttling.SIGN_IN_BY_ACCOUNT, profile.email))
    return issued


def change_password(identity: Identity, current: str, data: NewPasswordData) -> None:
    """Set a new password for a user who knows the old one or has none, and end the user's other sessions.

    Raises `InvalidInput` (field `current_password` if that is wrong), `ReauthenticationNeeded` from a user without a
    password, `WeakPassword` or `TooManyAttempts`.
    """
    user = identity.user
    reauthentication.check_owner(identity, current)
    check_new_password(data.password, (user.first_name, user.last_name, user.email))
    new_hash = hash_password(data.password, get_settings().bcrypt_cost)
    with database_errors_as_unavailable(), transaction() as session:
        _set_password(session, user.id, new_hash)
        sessions.end_all(session, user.id, but=identity.session_id, by=user.id)
        owner_mails.enqueue(session, user.id, mails.PASSWORD_CHANGED)


def open_account(session: Session, user_id: int, password_hash: str) -> None:
    """Set an account's password, or none for a person with a passkey, whose hash is empty.

    The caller has checked that the user reads the mail of the account's address.
    """
    credential = session.get(Credential, user_id)
    if credential is None:
        session.add(Credential(user_id=user_id, password_hash=password_hash, email_confirmed_at=now()))
    else:
        credential.email_confirmed_at = credential.email_confirmed_at or now()
    _set_password(session, user_id, password_hash)


def _set_password(session: Session, user_id: int, password_hash: str) -> None:
    session.execute(sa.update(Credential).where(col(Credential.user_id) == user_id).values(password_hash=password_hash))
    if password_hash:
        activity.log(session, AuditEvent.PASSWORD_CHANGED, by=user_id)
    # A stranger may have asked for another address; and a recovery link mailed before could undo this change.
    links.revoke(session, user_id, LinkPurpose.CHANGE_EMAIL, LinkPurpose.RECOVER)
