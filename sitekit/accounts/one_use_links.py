"""Links to download or upload a file: encrypted, for one person and session, used once, valid for a minute.

The browser makes such a request itself, without the session, which only events carry. Logs of proxies may keep the
address of a link, which may ask for the data of a person: so nothing in it can be read. A pass is a link that may be
used again until it expires: it lets a page of the back office show another page in a frame.
"""

import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta

from sqlmodel import Session

from ..base.db import rate_limits
from ..base.identity import Identity
from ..base.site import get_site
from . import secrets_at_rest, tokens
from .account_errors import InvalidToken
from .secrets_at_rest import SecretLost
from .sessions.sessions import identity_of

LIFE, PASS_LIFE = timedelta(minutes=1), timedelta(minutes=10)
MAX_LENGTH = 8192
PURPOSE = f"{get_site().package} one-use links".encode()
PASS_PURPOSE = f"{get_site().package} passes".encode()
_BUCKET = "one-use link"


@dataclass(frozen=True)
class OneUseLink:
    """What a genuine link says; its random name tells it from all others."""

    user_id: int
    session_id: str
    name: str
    expires_at: int
    subject: dict[str, str]


def issue(access_token: object, subject: Mapping[str, str]) -> str:
    """The secret of a new link for the holder of an access token. Raises `InvalidToken`."""
    return _issue(access_token, subject, LIFE, PURPOSE)


def issue_pass(access_token: object, subject: Mapping[str, str]) -> str:
    """The secret of a new pass for the holder of an access token. Raises `InvalidToken`."""
    return _issue(access_token, subject, PASS_LIFE, PASS_PURPOSE)


def _issue(access_token: object, subject: Mapping[str, str], life: timedelta, purpose: bytes) -> str:
    holder = tokens.read(access_token)
    expires_at = int(time.time() + life.total_seconds())
    link = OneUseLink(holder.user_id, holder.session_id, secrets.token_urlsafe(12), expires_at, dict(subject))
    return secrets_at_rest.encrypt(json.dumps(asdict(link)), purpose)


def read(token: object, purpose: bytes = PURPOSE) -> OneUseLink:
    """What a link says that is not too old; changes nothing, and asks no database. Raises `InvalidToken`."""
    if not isinstance(token, str) or len(token) > MAX_LENGTH:
        raise InvalidToken
    try:
        link = OneUseLink(**json.loads(secrets_at_rest.decrypt(token, purpose)))
    except SecretLost:
        raise InvalidToken from None
    if link.expires_at <= time.time():
        raise InvalidToken
    return link


def use(session: Session, token: object) -> tuple[Identity, dict[str, str]]:
    """Use a link; returns its user, as the database has them now, and its subject.

    Raises `InvalidToken` if the link is used, expired or forged, if its session has ended, or its user must
    set up a second factor first.
    """
    link = read(token)
    # The link expires long before the record of its use is deleted (`rate_limits.KEPT`).
    if not rate_limits.claim(session, _BUCKET, link.name, rate_limits.KEPT):
        raise InvalidToken
    return _holder(session, link), link.subject


def use_pass(session: Session, token: object) -> tuple[Identity, dict[str, str]]:
    """The user of a pass, as the database has them now, and its subject. Raises as `use` does."""
    link = read(token, PASS_PURPOSE)
    return _holder(session, link), link.subject


def _holder(session: Session, link: OneUseLink) -> Identity:
    identity = identity_of(session, tokens.Claims(link.user_id, link.session_id, link.expires_at))
    if identity.must_add_factor:
        raise InvalidToken
    return identity
