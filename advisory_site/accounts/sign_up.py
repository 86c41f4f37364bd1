"""Signing up, and proving that the e-mail address is one's own.

Like sign_in.py, these open their own transactions and belong in a worker.
"""

import sqlalchemy as sa
import sqlalchemy.exc

from .. import audit, mail_queue
from ..audit import Act
from ..database import now, transaction
from ..permissions import Role
from ..settings import get_settings
from . import attempts, links, mails
from .errors import reaching
from .models import Credential, Profile, UserRole
from .passwords import check_new_password, hash_password
from .rules import EmailDraft, SignUpDraft, check_may_sign_up


def sign_up(draft: SignUpDraft, address: str) -> None:
    """Make an account with the role employee, and mail its owner a link that confirms the address.

    A known address gets a mail that says so; whoever signed up cannot tell the difference. Raises `InvalidInput`,
    `WeakPassword`, `Forbidden`, `TooManyAttempts` or `Unavailable`.
    """
    check_may_sign_up(draft.email)
    # Judging a password takes time, so a refused one counts too.
    attempts.count((attempts.SIGN_UP_TRY_BY_ADDRESS, address))
    check_new_password(draft.password, draft.personal)
    attempts.count((attempts.MAIL_BY_ACCOUNT, draft.email), (attempts.SIGN_UP_BY_ADDRESS, address))
    password_hash = hash_password(draft.password, get_settings().bcrypt_cost)
    if not _create(draft, password_hash):
        with reaching(), transaction() as session:
            mail_queue.queue(session, mails.already_known(draft.email))


def _create(draft: SignUpDraft, password_hash: str) -> bool:
    """The new account with its mail; False when the address has an account already: the database itself decides."""
    try:
        with reaching(), transaction() as session:
            profile = Profile(email=draft.email, first_name=draft.first_name, last_name=draft.last_name)
            session.add(profile)
            session.flush()
            assert profile.id is not None
            session.add(UserRole(user_id=profile.id, role=Role.EMPLOYEE))
            session.add(Credential(user_id=profile.id, password_hash=password_hash))
            session.flush()
            token = links.issue(session, profile.id, links.VERIFY)
            mail_queue.queue(session, mails.verification(draft.email, draft.first_name, token))
            audit.note_when_committed(session, Act.ACCOUNT_CREATED, Role.EMPLOYEE, by=draft.email)
    except sqlalchemy.exc.IntegrityError:
        return False
    return True


def send_verification_again(draft: EmailDraft, address: str) -> None:
    """Mail a new link, if there is an account that needs one; the answer is the same when there is none."""
    attempts.count((attempts.MAIL_BY_ACCOUNT, draft.email), (attempts.MAIL_BY_ADDRESS, address))
    with reaching(), transaction() as session:
        found = session.execute(
            sa.select(Profile.id, Profile.first_name)
            .join(Credential, Credential.user_id == Profile.id)
            .where(Profile.email == draft.email, Credential.email_confirmed_at.is_(None))
        ).one_or_none()
        if found:
            token = links.issue(session, found.id, links.VERIFY)
            mail_queue.queue(session, mails.verification(draft.email, found.first_name, token))


def confirm_email(token: object, address: str) -> int:
    """Confirm the address that a link was mailed to; returns whose it is. Raises `InvalidToken`, `TooManyAttempts`."""
    counted = attempts.count((attempts.LINK_BY_ADDRESS, address))
    with reaching(), transaction() as session:
        user_id = links.use(session, token, links.VERIFY)
        session.execute(
            sa.update(Credential)
            .where(Credential.user_id == user_id, Credential.email_confirmed_at.is_(None))
            .values(email_confirmed_at=now())
        )
    attempts.take_back(counted)
    return user_id
