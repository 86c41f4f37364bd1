"""The secrets of links that are mailed and of sign-ins that wait: one purpose each, stored as hashes, used once.

An invitation and a link to a preview are records of their own, which are listed for weeks; they only take their secrets
from here, or their digests.
"""

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlmodel import Session, col

from ..base.db.database import delete_some, now, rows_changed
from . import tokens
from .models import EmailChange, LinkPurpose, Profile, SecretLink, SignInChallenge, is_active

MAX_LENGTH = 100


def digest_of(secret: object) -> str:
    """The digest by which a secret is found; for what cannot be a secret, one that is never stored."""
    return tokens.hashed(secret) if isinstance(secret, str) and 0 < len(secret) <= MAX_LENGTH else ""


def issue(
    session: Session,
    purpose: LinkPurpose,
    life: timedelta,
    user_id: int | None = None,
    *,
    subject: str = "",
    binding: str = "",
) -> str:
    """The secret of a new link; it can be used only with the same `binding`, which the browser keeps."""
    secret = tokens.random_token()
    link = SecretLink(
        token_hash=tokens.hashed(secret),
        purpose=purpose,
        user_id=user_id,
        subject=subject,
        browser=tokens.hashed(binding) if binding else "",
        expires_at=now() + life,
    )
    session.add(link)
    session.flush()
    return secret


def is_open(purpose: LinkPurpose, secret: object, binding: str = "") -> sa.ColumnElement[bool]:
    """The condition that a link is the one of this secret, and can be used: by nobody who is deactivated."""
    active = sa.select(col(Profile.id)).where(is_active())
    return sa.and_(
        col(SecretLink.token_hash) == digest_of(secret),
        col(SecretLink.browser) == (tokens.hashed(binding) if binding else ""),
        col(SecretLink.purpose) == purpose,
        col(SecretLink.used_at).is_(None),
        col(SecretLink.expires_at) > now(),
        sa.or_(col(SecretLink.user_id).is_(None), col(SecretLink.user_id).in_(active)),
    )


def find(session: Session, purpose: LinkPurpose, secret: object, binding: str = "") -> SecretLink | None:
    """The link of a secret, if it can be used; changes nothing."""
    link: SecretLink | None = session.execute(
        sa.select(SecretLink).where(is_open(purpose, secret, binding))
    ).scalar_one_or_none()
    return link


def use(session: Session, purpose: LinkPurpose, secret: object, binding: str = "") -> SecretLink | None:
    """Use a link up and return it; None if it cannot be used."""
    # A single update, so that of two simultaneous uses only one succeeds.
    used = sa.update(SecretLink).where(is_open(purpose, secret, binding)).values(used_at=now())
    if not rows_changed(session.execute(used.execution_options(synchronize_session=False))):
        return None
    return session.get_one(SecretLink, digest_of(secret), populate_existing=True)


def revoke(session: Session, user_id: int, *purposes: LinkPurpose) -> None:
    """Delete a user's links for these purposes; without any, for all."""
    of_purposes = col(SecretLink.purpose).in_(purposes or tuple(LinkPurpose))
    session.execute(sa.delete(SecretLink).where(col(SecretLink.user_id) == user_id, of_purposes))


def move_former(session: Session, at: datetime, most: int) -> int:
    """Take over the links that the release before 1.1 stored beside this one; to be removed with its tables."""
    # The statement that deletes them says what they were: the other release may be storing one now.
    changes = session.execute(sa.delete(EmailChange).returning(EmailChange)).scalars().all()
    for change in changes:
        subject = {"subject": change.new_email, "purpose": LinkPurpose.CHANGE_EMAIL}
        session.merge(
            SecretLink(token_hash=change.token_hash, user_id=change.user_id, expires_at=change.expires_at, **subject)
        )
    # A challenge waits for minutes, and in a tab of the process that made it.
    challenges = SignInChallenge.metadata.tables["sign_in_challenges"].c
    return len(changes) + delete_some(session, challenges.token_hash, challenges.expires_at <= at, most)


def delete_expired(session: Session, at: datetime, most: int) -> int:
    """Delete at most `most` links that are used or expired at `at`; returns how many."""
    columns = SecretLink.metadata.tables["mailed_links"].c
    return delete_some(session, columns.token_hash, columns.expires_at <= at, most)
