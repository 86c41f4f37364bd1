"""Changing one's own email address: proved by a link to the new address, announced at the old one.

The functions open their own transactions. They do not reveal whether another address has an account: only the
mail to that address says so.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
import sqlalchemy.exc
from sqlmodel import Session, col

from ..content import messages
from ..core.errors import InvalidInput
from ..db.database import delete_some, now, read_session, rows_changed, transaction
from ..mail import outbox
from ..observability.audit_log import Act
from ..records import activity
from . import email_links, factor_policy, mails, owner_mails, passkeys, proof, sessions, throttling, tokens
from .drafts import EmailDraft
from .errors import InvalidToken, database_errors_as_unavailable
from .models import Credential, EmailChange, EmailLink, Profile, SignUp, is_active
from .sessions import Identity


def request(identity: Identity, current: str, draft: EmailDraft) -> None:
    """Mail a link to the new address, and tell the old one; nothing changes yet.

    Raises `InvalidInput` (field `current_password` if that is wrong), `ProofNeeded` from a user without a password,
    `InvalidToken`, `TooManyAttempts` or `Unavailable`.
    """
    user = identity.user
    proof.check_owner(identity, current)
    if draft.email == user.email:
        raise InvalidInput(messages.EMAIL_SAME, {"email": messages.EMAIL_SAME})
    throttling.count((throttling.EMAIL_CHANGE_BY_ACCOUNT, str(user.id)))
    with database_errors_as_unavailable(), transaction() as session:
        # Two requests at once wait for each other; and the session may have ended while the password was hashed.
        session.get(Profile, user.id, with_for_update=True)
        sessions.read_again(session, identity)
        token = _store(session, user.id, draft.email)
        is_taken = sa.select(sa.exists().where(col(Profile.email) == draft.email))
        taken = session.execute(is_taken).scalar()
        outbox.enqueue(session, mails.email_taken(draft.email) if taken else mails.email_change(draft.email, token))
        owner_mails.enqueue(
            session, user.id, lambda email, first_name: mails.email_change_requested(email, first_name, draft.email)
        )
        activity.note(session, Act.EMAIL_CHANGE_REQUESTED, draft.email, by=user.id)


def _store(session: Session, user_id: int, email: str) -> str:
    """Store the address that a user wants, in place of an earlier one; returns the secret of its link."""
    token = tokens.random_token()
    wanted = EmailChange(
        user_id=user_id,
        new_email=email,
        token_hash=tokens.hashed(token),
        expires_at=now() + email_links.life_of(email_links.CHANGE),
    )
    session.merge(wanted)
    return token


@dataclass(frozen=True)
class Wanted:
    """The address that a link makes the account's, and whether its password confirms that, or a passkey."""

    email: str
    has_password: bool


def look(token: object) -> Wanted:
    """What a link would change; changes nothing. Raises `InvalidToken` or `Unavailable`."""
    with database_errors_as_unavailable(), read_session() as session:
        found = _find(session, token)
        has_password = session.execute(sa.select(factor_policy.has_password(found.user_id))).scalar()
        return Wanted(found.new_email, bool(has_password))


def confirm(token: object, password: str, address: str) -> int:
    """Give an account its new address by the mailed link and the account's password; returns the user's id.

    Without the password, a mistyped address would give the account to a stranger. Links that were mailed to the old
    address stop working. Raises `InvalidToken`, also if the address already has an account, `InvalidInput` (field
    `password`), `TooManyAttempts` or `Unavailable`.
    """
    counted = throttling.count((throttling.LINK_BY_ADDRESS, address))
    with database_errors_as_unavailable(), read_session() as session:
        user_id = _find(session, token).user_id
    proof.check_password(user_id, password, field="password")
    with _unused_address(), database_errors_as_unavailable(), transaction() as session:
        _confirm(session, token)
    throttling.refund(counted)
    return user_id


def confirm_by_passkey(token: object, text: object, tab: str, address: str) -> int:
    """As `confirm`, by a passkey of the account; `text` is the response to `passkeys.begin_sign_in`.

    Raises `PasskeyRefused` where `confirm` raises `InvalidInput`.
    """
    counted = throttling.count((throttling.LINK_BY_ADDRESS, address))
    with database_errors_as_unavailable(), read_session() as session:
        profile = session.get_one(Profile, _find(session, token).user_id)
        user_id, email = profile.id or 0, profile.email
    with _unused_address(), passkeys.checked_owner(user_id, email, text, tab) as session:
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
    wanted = _find(session, token)
    # Locked before the delete, as in `people.deactivate`: another order could deadlock.
    profile = session.get(Profile, wanted.user_id, with_for_update=True, populate_existing=True)
    used = sa.delete(EmailChange).where(col(EmailChange.token_hash) == wanted.token_hash)
    # Of two clicks only one deletes the row.
    if profile is None or profile.deactivated_at or not rows_changed(session.execute(used)):
        raise InvalidToken(messages.LINK_INVALID)
    owner, old, new = owner_mails.owner_of(session, wanted.user_id), profile.email, wanted.new_email
    profile.email = new
    session.get_one(Credential, wanted.user_id).email_confirmed_at = now()
    for table in (EmailLink, SignUp):
        session.execute(sa.delete(table).where(table.metadata.tables[str(table.__tablename__)].c.user_id == profile.id))
    throttling.follow(session, old, new)
    if owner:
        owner.enqueue(session, lambda email, first_name: mails.email_changed(email, first_name, new))
    activity.note(session, Act.EMAIL_CHANGED, f"{old} is now {new}", by=profile.id)


def _find(session: Session, token: object) -> EmailChange:
    query = (
        sa.select(EmailChange)
        .join(Profile, col(Profile.id) == col(EmailChange.user_id))
        .where(
            col(EmailChange.token_hash) == email_links.key_of(token), col(EmailChange.expires_at) > now(), is_active()
        )
    )
    found: EmailChange | None = session.execute(query).scalar_one_or_none()
    if found is None:
        raise InvalidToken(messages.LINK_INVALID)
    return found


def waiting_address(session: Session, user_id: int) -> str:
    """The address whose link a user has not confirmed yet; empty if there is none."""
    wanted = sa.select(col(EmailChange.new_email)).where(
        col(EmailChange.user_id) == user_id, col(EmailChange.expires_at) > now()
    )
    return session.execute(wanted).scalar() or ""


def delete_expired(session: Session, at: datetime, most: int) -> int:
    """Delete at most `most` changes whose link has expired at `at`; returns how many."""
    columns = EmailChange.metadata.tables["email_changes"].c
    return delete_some(session, columns.user_id, columns.expires_at <= at, most)
