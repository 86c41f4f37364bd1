"""Secrets of mailed links: one purpose each, stored as hashes, used once, short-lived."""

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlmodel import Session, col

from ...base import messages
from ...base.db.database import delete_some, now, rows_changed
from ...base.settings import get_settings
from .. import tokens
from ..account_errors import InvalidToken
from ..models import EmailLink, Profile, is_active

VERIFY = "verify"
RECOVER = "recover"
CHANGE = "change"  # of an email address; stored in `email_changes`
RECOVERY_LIFE = timedelta(hours=1)
INVITATION_LIFE = timedelta(days=7)
MAX_LENGTH = 100


def life_of(purpose: str) -> timedelta:
    """How long a link is valid; shortest for links that open an account."""
    return RECOVERY_LIFE if purpose == RECOVER else timedelta(hours=get_settings().link_hours)


def issue(db: Session, user_id: int, purpose: str) -> str:
    """Create the secret of a new link; earlier ones for the same purpose become invalid."""
    issued_at = now()
    db.execute(sa.delete(EmailLink).where(col(EmailLink.user_id) == user_id, col(EmailLink.purpose) == purpose))
    token = tokens.random_token()
    db.add(
        EmailLink(
            token_hash=tokens.hashed(token),
            user_id=user_id,
            purpose=purpose,
            expires_at=issued_at + life_of(purpose),
        )
    )
    return token


def owner(db: Session, token: object, purpose: str) -> int:
    """The id of the link's user; the link stays valid. Raises `InvalidToken` if it is used, expired or unknown."""
    columns = EmailLink.metadata.tables["mailed_links"].c
    user_id = db.execute(
        sa.select(columns.user_id)
        .join(Profile, col(Profile.id) == columns.user_id)
        .where(
            columns.token_hash == key_of(token),
            columns.purpose == purpose,
            columns.used_at.is_(None),
            columns.expires_at > now(),
            is_active(),
        )
    ).scalar()
    if user_id is None:
        raise InvalidToken(messages.LINK_INVALID)
    return int(user_id)


def use(db: Session, token: object, purpose: str) -> int:
    """Mark a link as used and return its user's id. Raises `InvalidToken` if it is used, expired or unknown."""
    used_at = now()
    key = key_of(token)
    # A single update, so that of two simultaneous clicks only one succeeds.
    spent = db.execute(
        sa.update(EmailLink)
        .where(
            col(EmailLink.token_hash) == key,
            col(EmailLink.purpose) == purpose,
            col(EmailLink.used_at).is_(None),
            col(EmailLink.expires_at) > used_at,
            col(EmailLink.user_id).in_(sa.select(col(Profile.id)).where(is_active())),
        )
        .values(used_at=used_at)
    )
    if not rows_changed(spent):
        raise InvalidToken(messages.LINK_INVALID)
    return db.get_one(EmailLink, key).user_id


def key_of(token: object) -> str:
    """The hash by which a link is found. Raises `InvalidToken` for what cannot be a secret."""
    if not isinstance(token, str) or not token or len(token) > MAX_LENGTH:
        raise InvalidToken(messages.LINK_INVALID)
    return tokens.hashed(token)


def delete_expired(db: Session, at: datetime, most: int) -> int:
    """Delete at most `most` links that are used or expired at `at`; returns how many."""
    columns = EmailLink.metadata.tables["mailed_links"].c
    return delete_some(db, columns.token_hash, columns.expires_at <= at, most)
