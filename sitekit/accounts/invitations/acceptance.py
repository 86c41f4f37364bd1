"""Accepting an invitation: the invited person opens an account.

Like those of sign_in.py, the functions open their own transactions and run in a worker.
"""

from dataclasses import dataclass

import sqlalchemy as sa
import sqlalchemy.exc
from sqlmodel import Session, col

from ...base import messages
from ...base.db.database import now, read_session, rows_changed, transaction
from ...base.observability.audit_log import AuditEvent
from ...base.settings import get_settings
from ...records import activity
from .. import links, throttling
from ..account_errors import InvalidToken, database_errors_as_unavailable
from ..factors import passkeys
from ..factors.passkeys import FirstPasskey, Options
from ..form_data import AcceptanceData, NamesData
from ..models import AuthFactor, Invitation, Profile, RecoveryCode, SignUp, UserRole, is_active
from ..password.passwords import check_new_password, hash_password
from ..password.recovery import open_account
from ..people import service
from ..sessions import sessions
from ..sessions.device_names import device_name
from ..sessions.sessions import IssuedSession
from .invitations import account_of, columns, is_open, log, may_give


@dataclass(frozen=True)
class Invited:
    """The address of an invitation, and the names that were typed with it."""

    email: str = ""
    first_name: str = ""
    last_name: str = ""


@dataclass(frozen=True)
class Accepted:
    """The first session of the invited person, and the recovery codes that come with a passkey."""

    issued: IssuedSession
    codes: tuple[str, ...]


def find_invited(token: object) -> Invited:
    """Whom the link invites; changes nothing. Raises `InvalidToken` or `Unavailable`."""
    with database_errors_as_unavailable(), read_session() as session:
        invitation = _usable(session, token)
        return Invited(invitation.email, invitation.first_name, invitation.last_name)


def open_link(token: object) -> str:
    """The address of the invitation that a link belongs to; changes nothing. Raises `InvalidToken` or `Unavailable`."""
    return find_invited(token).email


def accept(token: object, data: AcceptanceData, address: str, device: str = "") -> IssuedSession:
    """Open the account of an invited person with a password, and return a new session for them.

    The address counts as confirmed, because the link was mailed to it. The link is used up only on success. Raises
    `InvalidToken`, `InvalidInput`, `WeakPassword`, `TooManyAttempts` or `Unavailable`.
    """
    counted = throttling.count((throttling.LINK_BY_ADDRESS, address))
    # Check the link first: checking and hashing a password are slow, so they need a valid link.
    email = open_link(token)
    check_new_password(data.password, (data.first_name, data.last_name, email))
    password_hash = hash_password(data.password, get_settings().bcrypt_cost)
    accepted = _accept(token, data, device, password_hash=password_hash)
    throttling.refund(counted, (throttling.SIGN_IN_BY_ACCOUNT, email))
    return accepted.issued


def begin_passkey(token: object, data: NamesData, address: str, binding: str) -> Options:
    """The options for creating the passkey of an invited person; changes nothing.

    Raises `InvalidToken`, `PasskeyRefused`, `TooManyAttempts` or `Unavailable`.
    """
    return passkeys.begin_first(open_link(token), f"{data.first_name} {data.last_name}", address, binding)


def accept_by_passkey(
    token: object, data: NamesData, text: object, address: str, binding: str, device: str = ""
) -> Accepted:
    """Open the account of an invited person with a passkey that verified them, and without a password.

    Raises `InvalidToken`, `PasskeyRefused`, `TooManyAttempts` or `Unavailable`.
    """
    counted = throttling.count((throttling.LINK_BY_ADDRESS, address))
    email = open_link(token)
    accepted = _accept(token, data, device, passkey=passkeys.check_first(text, binding))
    throttling.refund(counted, (throttling.SIGN_IN_BY_ACCOUNT, email))
    return accepted


def _accept(
    token: object, data: NamesData, device: str, *, password_hash: str = "", passkey: FirstPasskey | None = None
) -> Accepted:
    try:
        return _accept_once(token, data, device, password_hash, passkey)
    except sqlalchemy.exc.IntegrityError:
        # Another request has signed up with the address, or confirmed it, at the same time.
        return _accept_once(token, data, device, password_hash, passkey)


def _accept_once(
    token: object, data: NamesData, device: str, password_hash: str, passkey: FirstPasskey | None
) -> Accepted:
    with database_errors_as_unavailable(), transaction() as session:
        invitation = _usable(session, token, locks=True)
        # A single update, so that of two simultaneous requests only one succeeds.
        used = sa.update(Invitation).where(columns.token_hash == invitation.token_hash, is_open)
        used = used.execution_options(synchronize_session=False)
        if not rows_changed(session.execute(used.values(accepted_at=now()))):
            raise InvalidToken(messages.INVITATION_INVALID)
        user_id = _open_profile(session, invitation, data)
        open_account(session, user_id, password_hash)
        session.execute(sa.delete(SignUp).where(col(SignUp.user_id) == user_id))
        log(session, AuditEvent.INVITATION_ACCEPTED, invitation, by=user_id)
        issued = sessions.begin(session, user_id, device, has_factor=passkey is not None)
        if passkey is None:
            return Accepted(issued, ())
        identity = sessions.identify(session, issued.access_token)
        return Accepted(issued, passkeys.add_first(session, identity, passkey, device_name(device)))


def _open_profile(session: Session, invitation: Invitation, data: NamesData) -> int:
    """The id of the invited person's profile: a new one, or that of an unconfirmed sign-up."""
    email, role = invitation.email, invitation.role
    profile = session.execute(sa.select(Profile).where(col(Profile.email) == email)).scalar()
    if profile is None:
        profile = Profile(email=email, first_name=data.first_name, last_name=data.last_name)
        session.add(profile)
        session.flush()
        assert profile.id is not None
        session.add(UserRole(user_id=profile.id, role=role))
        session.flush()
        subject = f"{email}, {role}"
        activity.log(
            session, AuditEvent.ACCOUNT_CREATED, subject, by=profile.id, of_table=service.PROFILES, record_id=profile.id
        )
        return profile.id
    user_id: int = profile.id
    # The links first, as in `confirm_email`: another order could deadlock.
    links.revoke(session, user_id)
    sessions.end_all(session, user_id, by=user_id)
    session.execute(sa.delete(AuthFactor).where(col(AuthFactor.user_id) == user_id))
    session.execute(sa.delete(RecoveryCode).where(col(RecoveryCode.user_id) == user_id))
    profile.first_name, profile.last_name = data.first_name, data.last_name
    if session.get_one(UserRole, user_id).role != role:
        service.set_role(session, user_id, role, by=invitation.invited_by)
    return user_id


def _usable(session: Session, token: object, *, locks: bool = False) -> Invitation:
    """The invitation of a link that can be accepted now; else raises `InvalidToken`.

    With `locks` the sender cannot be given another role or deactivated before the transaction ends.
    """
    query = (
        sa.select(Invitation, col(UserRole.role))
        .join(UserRole, col(UserRole.user_id) == columns.invited_by)
        .join(Profile, col(Profile.id) == columns.invited_by)
        .where(columns.token_hash == links.digest_of(token), is_open, columns.expires_at > now(), is_active())
    )
    query = query.with_for_update(read=True, of=(UserRole, Profile)) if locks else query
    row = session.execute(query).one_or_none()
    if row is None or not may_give(row.role, row.Invitation.role):
        raise InvalidToken(messages.INVITATION_INVALID)
    invitation: Invitation = row.Invitation
    if account_of(session, invitation.email):
        raise InvalidToken(messages.INVITATION_INVALID)
    return invitation
