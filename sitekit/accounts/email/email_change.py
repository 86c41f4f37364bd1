"""Changing one's own email address: proved by a link to the new address, announced at the old one.

The functions open their own transactions. They do not reveal whether another address has an account: only the
mail to that address says so.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial

import sqlalchemy as sa
import sqlalchemy.exc
from sqlmodel import Session, col

from ...base import messages
from ...base.db.database import delete_some, now, read_session, rows_changed, transaction
from ...base.errors import InvalidInput
from ...base.identity import Identity
from ...base.mail import outbox
from ...base.observability.audit_log import AuditEvent
from ...records import activity
from .. import mails, owner_mails, throttling, tokens
from ..account_errors import InvalidToken, database_errors_as_unavailable
from ..drafts import EmailDraft
from ..factors import passkeys
from ..factors import policy as factor_policy
from ..models import Credential, EmailChange, EmailLink, Profile, SignUp, is_active
from ..sessions import reauthentication, sessions
from . import email_links


def request(identity: Identity, current: str, draft: EmailDraft) -> None:
    """Mail a link to the new address, and tell the old one; nothing changes yet.

    Raises `InvalidInput` (field `current_password` if that is wrong), `ReauthenticationNeeded` from a user without a
    password, `InvalidToken`, `TooManyAttempts` or `Unavailable`.
    """
    user = identity.user
    reauthentication.check_owner(identity, current)
    if draft.email == user.email:
        raise InvalidInput(messages.EMAIL_SAME, {"email": messages.EMAIL_SAME})
    throttling.count((throttling.EMAIL_CHANGE_BY_ACCOUNT, str(user.id)))
    with database_errors_as_unavailable(), transaction() as db:
        # Two requests at once wait for each other; and the session may have ended while the password was hashed.
        db.get(Profile, user.id, with_for_update=True)
        sessions.read_again(db, identity)
        token = _store(db, user.id, draft.email)
        is_taken = sa.select(sa.exists().where(col(Profile.email) == draft.email))
        taken = db.execute(is_taken).scalar()
        outbox.enqueue(db, mails.EMAIL_TAKEN(draft.email) if taken else mails.EMAIL_CHANGE(draft.email, token=token))
        owner_mails.enqueue(db, user.id, partial(mails.EMAIL_CHANGE_REQUESTED, new_email=draft.email))
        activity.log(db, AuditEvent.EMAIL_CHANGE_REQUESTED, draft.email, by=user.id)


def _store(db: Session, user_id: int, email: str) -> str:
    """Store the address that a user wants, in place of an earlier one; returns the secret of its link."""
    token = tokens.random_token()
    change = EmailChange(
        user_id=user_id,
        new_email=email,
        token_hash=tokens.hashed(token),
        expires_at=now() + email_links.life_of(email_links.CHANGE),
    )
    db.merge(change)
    return token


@dataclass(frozen=True)
class Wanted:
    """The address that a link makes the account's, and whether its password confirms that, or a passkey."""

    email: str
    has_password: bool


def look(token: object) -> Wanted:
    """What a link would change; changes nothing. Raises `InvalidToken` or `Unavailable`."""
    with database_errors_as_unavailable(), read_session() as db:
        change = _find(db, token)
        has_password = db.execute(sa.select(factor_policy.has_password(change.user_id))).scalar()
        return Wanted(change.new_email, bool(has_password))


def confirm(token: object, password: str, address: str) -> int:
    """Give an account its new address by the mailed link and the account's password; returns the user's id.

    Without the password, a mistyped address would give the account to a stranger. Links that were mailed to the old
    address stop working. Raises `InvalidToken`, also if the address already has an account, `InvalidInput` (field
    `password`), `TooManyAttempts` or `Unavailable`.
    """
    counted = throttling.count((throttling.LINK_BY_ADDRESS, address))
    with database_errors_as_unavailable(), read_session() as db:
        user_id = _find(db, token).user_id
    reauthentication.check_password(user_id, password, field="password")
    with _unused_address(), database_errors_as_unavailable(), transaction() as db:
        _confirm(db, token)
    throttling.refund(counted)
    return user_id


def confirm_by_passkey(token: object, text: object, tab: str, address: str) -> int:
    """As `confirm`, by a passkey of the account; `text` is the response to `passkeys.begin_sign_in`.

    Raises `PasskeyRefused` where `confirm` raises `InvalidInput`.
    """
    counted = throttling.count((throttling.LINK_BY_ADDRESS, address))
    with database_errors_as_unavailable(), read_session() as db:
        profile = db.get_one(Profile, _find(db, token).user_id)
        user_id, email = profile.id or 0, profile.email
    with _unused_address(), passkeys.checked_owner(user_id, email, text, tab) as db:
        _confirm(db, token)
    throttling.refund(counted)
    return user_id


@contextmanager
def _unused_address() -> Iterator[None]:
    """Refuse a link whose address has another account in the meantime."""
    try:
        yield
    except sqlalchemy.exc.IntegrityError:
        raise InvalidToken(messages.LINK_INVALID) from None


def _confirm(db: Session, token: object) -> None:
    change = _find(db, token)
    # Locked before the delete, as in `people.deactivate`: another order could deadlock.
    profile = db.get(Profile, change.user_id, with_for_update=True, populate_existing=True)
    used = sa.delete(EmailChange).where(col(EmailChange.token_hash) == change.token_hash)
    # Of two clicks only one deletes the row.
    if profile is None or profile.deactivated_at or not rows_changed(db.execute(used)):
        raise InvalidToken(messages.LINK_INVALID)
    owner, old, new = owner_mails.owner_of(db, change.user_id), profile.email, change.new_email
    profile.email = new
    db.get_one(Credential, change.user_id).email_confirmed_at = now()
    for table in (EmailLink, SignUp):
        db.execute(sa.delete(table).where(table.metadata.tables[str(table.__tablename__)].c.user_id == profile.id))
    throttling.move(db, old, new)
    if owner:
        owner.enqueue(db, partial(mails.EMAIL_CHANGED, new_email=new))
    activity.log(db, AuditEvent.EMAIL_CHANGED, f"{old} is now {new}", by=profile.id)


def _find(db: Session, token: object) -> EmailChange:
    query = (
        sa.select(EmailChange)
        .join(Profile, col(Profile.id) == col(EmailChange.user_id))
        .where(
            col(EmailChange.token_hash) == email_links.key_of(token), col(EmailChange.expires_at) > now(), is_active()
        )
    )
    change: EmailChange | None = db.execute(query).scalar_one_or_none()
    if change is None:
        raise InvalidToken(messages.LINK_INVALID)
    return change


def waiting_address(db: Session, user_id: int) -> str:
    """The address whose link a user has not confirmed yet; empty if there is none."""
    address = sa.select(col(EmailChange.new_email)).where(
        col(EmailChange.user_id) == user_id, col(EmailChange.expires_at) > now()
    )
    return db.execute(address).scalar() or ""


def delete_expired(db: Session, at: datetime, most: int) -> int:
    """Delete at most `most` changes whose link has expired at `at`; returns how many."""
    columns = EmailChange.metadata.tables["email_changes"].c
    return delete_some(db, columns.user_id, columns.expires_at <= at, most)
