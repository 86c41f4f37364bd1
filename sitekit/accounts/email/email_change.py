"""Changing one's own email address: proved by a link to the new address, announced at the old one.

The functions open their own transactions. They do not reveal whether another address has an account: only the
mail to that address says so.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import sqlalchemy as sa
import sqlalchemy.exc
from sqlmodel import Session, col

from ...base import messages
from ...base.db.database import now, read_session, transaction
from ...base.errors import InvalidInput
from ...base.identity import Identity
from ...base.mail import outbox
from ...base.observability.audit_log import AuditEvent
from ...records import activity
from .. import links, mails, owner_mails, throttling
from ..account_errors import InvalidToken, database_errors_as_unavailable
from ..factors import passkeys
from ..factors import policy as factor_policy
from ..form_data import EmailData
from ..models import Credential, LinkPurpose, Profile, SecretLink, SignUp
from ..sessions import reauthentication, sessions
from . import email_links


def request(identity: Identity, current: str, data: EmailData) -> None:
    """Mail a link to the new address, and tell the old one; nothing changes yet.

    Raises `InvalidInput` (field `current_password` if that is wrong), `ReauthenticationNeeded` from a user without a
    password, `InvalidToken`, `TooManyAttempts` or `Unavailable`.
    """
    user = identity.user
    reauthentication.check_owner(identity, current)
    if data.email == user.email:
        raise InvalidInput(messages.EMAIL_SAME, {"email": messages.EMAIL_SAME})
    throttling.count((throttling.EMAIL_CHANGE_BY_ACCOUNT, str(user.id)))
    with database_errors_as_unavailable(), transaction() as session:
        # Two requests at once wait for each other; and the session may have ended while the password was hashed.
        session.get(Profile, user.id, with_for_update=True)
        sessions.read_again(session, identity)
        token = email_links.issue(session, user.id, LinkPurpose.CHANGE_EMAIL, data.email)
        is_taken = sa.select(sa.exists().where(col(Profile.email) == data.email))
        taken = session.execute(is_taken).scalar()
        outbox.enqueue(session, mails.EMAIL_TAKEN(data.email) if taken else mails.EMAIL_CHANGE(data.email, token=token))
        owner_mails.enqueue(session, user.id, partial(mails.EMAIL_CHANGE_REQUESTED, new_email=data.email))
        activity.log(session, AuditEvent.EMAIL_CHANGE_REQUESTED, data.email, by=user.id)


@dataclass(frozen=True)
class Wanted:
    """The address that a link makes the account's, and whether its password confirms that, or a passkey."""

    email: str
    has_password: bool


def find_wanted(token: object) -> Wanted:
    """What a link would change; changes nothing. Raises `InvalidToken` or `Unavailable`."""
    with database_errors_as_unavailable(), read_session() as session:
        user_id, email = email_links.find(session, token, LinkPurpose.CHANGE_EMAIL)
        has_password = session.execute(sa.select(factor_policy.has_password(user_id))).scalar()
        return Wanted(email, bool(has_password))


def confirm(token: object, password: str, address: str) -> int:
    """Give an account its new address by the mailed link and the account's password; returns the user's id.

    Without the password, a mistyped address would give the account to a stranger. Links that were mailed to the old
    address stop working. Raises `InvalidToken`, also if the address already has an account, `InvalidInput` (field
    `password`), `TooManyAttempts` or `Unavailable`.
    """
    counted = throttling.count((throttling.LINK_BY_ADDRESS, address))
    with database_errors_as_unavailable(), read_session() as session:
        user_id, _email = email_links.find(session, token, LinkPurpose.CHANGE_EMAIL)
    reauthentication.check_password(user_id, password, field="password")
    with _unused_address(), database_errors_as_unavailable(), transaction() as session:
        _confirm(session, token)
    throttling.refund(counted)
    return user_id


def confirm_by_passkey(token: object, text: object, binding: str, address: str) -> int:
    """As `confirm`, by a passkey of the account; `text` is the response to `passkeys.begin_sign_in`.

    Raises `PasskeyRefused` where `confirm` raises `InvalidInput`.
    """
    counted = throttling.count((throttling.LINK_BY_ADDRESS, address))
    with database_errors_as_unavailable(), read_session() as session:
        user_id, _email = email_links.find(session, token, LinkPurpose.CHANGE_EMAIL)
        email = session.get_one(Profile, user_id).email
    with _unused_address(), passkeys.checked_owner(user_id, email, text, binding) as session:
        _confirm(session, token)
    throttling.refund(counted)
    return user_id


@contextmanager
def _unused_address() -> Iterator[None]:
    """Refuse a link whose address has another account in the meantime."""
    try:
        yield
    except sqlalchemy.exc.IntegrityError:
        raise InvalidToken(messages.LINK_INVALID) from None


def _confirm(session: Session, token: object) -> None:
    user_id, new = email_links.find(session, token, LinkPurpose.CHANGE_EMAIL)
    # Locked before the link is used, as in `people.deactivate`: another order could deadlock.
    session.get(Profile, user_id, with_for_update=True, populate_existing=True)
    email_links.use(session, token, LinkPurpose.CHANGE_EMAIL)
    profile = session.get_one(Profile, user_id)
    owner, old = owner_mails.owner_of(session, user_id), profile.email
    profile.email = new
    session.get_one(Credential, user_id).email_confirmed_at = now()
    links.revoke(session, user_id, LinkPurpose.VERIFY, LinkPurpose.RECOVER)
    session.execute(sa.delete(SignUp).where(col(SignUp.user_id) == user_id))
    throttling.move(session, old, new)
    if owner:
        owner.enqueue(session, partial(mails.EMAIL_CHANGED, new_email=new))
    activity.log(session, AuditEvent.EMAIL_CHANGED, f"{old} is now {new}", by=user_id)


def waiting_address(session: Session, user_id: int) -> str:
    """The address whose link a user has not confirmed yet; empty if there is none."""
    is_wanted = col(SecretLink.user_id) == user_id, col(SecretLink.purpose) == LinkPurpose.CHANGE_EMAIL
    is_waiting = col(SecretLink.used_at).is_(None), col(SecretLink.expires_at) > now()
    return session.execute(sa.select(col(SecretLink.subject)).where(*is_wanted, *is_waiting)).scalar() or ""
