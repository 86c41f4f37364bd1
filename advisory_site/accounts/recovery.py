"""Forgotten and changed passwords. Like sign_in.py, these open their own transactions and belong in a worker."""

import sqlalchemy as sa
from sqlmodel import Session

from .. import audit, mail_queue
from ..audit import Act
from ..content import messages
from ..database import now, reading, transaction
from ..errors import InvalidInput
from ..settings import get_settings
from . import attempts, links, mails, sessions
from .errors import reaching
from .models import Credential, MailedLink, Profile
from .passwords import check_new_password, hash_password, is_password
from .rules import EmailDraft, NewPasswordDraft
from .sessions import Identity, IssuedSession


def request_recovery(draft: EmailDraft, address: str) -> None:
    """Mail a link to choose a new password, if there is such an account; the answer is the same when there is none.

    Raises `TooManyAttempts` or `Unavailable`.
    """
    attempts.count((attempts.MAIL_BY_ACCOUNT, draft.email), (attempts.MAIL_BY_ADDRESS, address))
    with reaching(), transaction() as session:
        found = session.execute(
            sa.select(Profile.id, Profile.first_name).where(Profile.email == draft.email)
        ).one_or_none()
        if found:
            token = links.issue(session, found.id, links.RECOVER)
            mail_queue.queue(session, mails.recovery(draft.email, found.first_name, token))


def recover(token: object, draft: NewPasswordDraft, address: str, device: str = "") -> IssuedSession:
    """Set a new password by a mailed link, end every session, and begin the one that is returned.

    Who opened the link reads the mail of that address, so it counts as confirmed. Raises `InvalidToken`,
    `InvalidInput`, `WeakPassword`, `TooManyAttempts` or `Unavailable`; the link is spent by success alone.
    """
    counted = attempts.count((attempts.LINK_BY_ADDRESS, address))
    # The link first: judging and hashing a password take time, which nobody gets without one.
    with reaching(), reading() as session:
        profile = session.get_one(Profile, links.owner(session, token, links.RECOVER))
    check_new_password(draft.password, (profile.first_name, profile.last_name, profile.email))
    new_hash = hash_password(draft.password, get_settings().bcrypt_cost)
    with reaching(), transaction() as session:
        user_id = links.use(session, token, links.RECOVER)
        _set_password(session, user_id, new_hash)
        session.execute(
            sa.update(Credential)
            .where(Credential.user_id == user_id, Credential.email_confirmed_at.is_(None))
            .values(email_confirmed_at=now())
        )
        sessions.end_all(session, user_id)
        issued = sessions.begin(session, user_id, device)
        mail_queue.queue(session, mails.password_changed(profile.email, profile.first_name))
    attempts.take_back(counted, (attempts.SIGN_IN_BY_ACCOUNT, profile.email))
    return issued


def change_password(identity: Identity, current: str, draft: NewPasswordDraft) -> None:
    """Set a new password, for one who knows the old one, and end that person's other sessions.

    Raises `InvalidInput` (field `current_password` when that is wrong), `WeakPassword`, `TooManyAttempts`.
    """
    user = identity.user
    counted = attempts.count((attempts.SIGN_IN_BY_ACCOUNT, user.email))
    with reaching(), reading() as session:
        old_hash = session.get_one(Credential, user.id).password_hash
    if not is_password(current, old_hash):
        wrong = messages.CURRENT_PASSWORD_WRONG
        raise InvalidInput(wrong, {"current_password": wrong})
    attempts.take_back(counted)
    check_new_password(draft.password, (user.first_name, user.last_name, user.email))
    new_hash = hash_password(draft.password, get_settings().bcrypt_cost)
    with reaching(), transaction() as session:
        _set_password(session, user.id, new_hash)
        sessions.end_all(session, user.id, but=identity.session_id)
        mail_queue.queue(session, mails.password_changed(user.email, user.first_name))


def _set_password(session: Session, user_id: int, password_hash: str) -> None:
    session.execute(sa.update(Credential).where(Credential.user_id == user_id).values(password_hash=password_hash))
    email = session.execute(sa.select(Profile.email).where(Profile.id == user_id)).scalar_one()
    audit.note_when_committed(session, Act.PASSWORD_CHANGED, by=email)
    # A recovery link that is still under way would undo what was just decided.
    session.execute(
        sa.delete(MailedLink).where(
            MailedLink.user_id == user_id,
            MailedLink.purpose == links.RECOVER,
            MailedLink.used_at.is_(None),
        )
    )
