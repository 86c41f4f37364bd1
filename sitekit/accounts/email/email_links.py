"""Links that are mailed to the owner of an account; each is valid once, for a limited time."""

from datetime import timedelta

from sqlmodel import Session

from ...base import messages
from ...base.settings import get_settings
from .. import links
from ..account_errors import InvalidToken
from ..models import LinkPurpose, SecretLink

RECOVERY_LIFE = timedelta(hours=1)
INVITATION_LIFE = timedelta(days=7)


def life_of(purpose: LinkPurpose) -> timedelta:
    """How long a link is valid; shortest for links that open an account."""
    return RECOVERY_LIFE if purpose is LinkPurpose.RECOVER else timedelta(hours=get_settings().link_hours)


def issue(session: Session, user_id: int, purpose: LinkPurpose, subject: str = "") -> str:
    """Create the secret of a new link; earlier ones for the same purpose become invalid."""
    links.revoke(session, user_id, purpose)
    return links.issue(session, purpose, life_of(purpose), user_id, subject=subject)


def find(session: Session, secret: object, purpose: LinkPurpose) -> tuple[int, str]:
    """A link's user and subject; it stays valid. Raises `InvalidToken` if it is used, expired or unknown."""
    return _found(links.find(session, purpose, secret))


def use(session: Session, secret: object, purpose: LinkPurpose) -> tuple[int, str]:
    """Use a link up; returns its user and subject. Raises `InvalidToken` if it is used, expired or unknown."""
    return _found(links.use(session, purpose, secret))


def _found(link: SecretLink | None) -> tuple[int, str]:
    if link is None or link.user_id is None:
        raise InvalidToken(messages.LINK_INVALID)
    return link.user_id, link.subject
