"""Links to download or upload a file: signed, for one person and session, used once, valid for a minute.

The browser makes such a request itself, without the session, which only events carry.
"""

from collections.abc import Mapping
from datetime import timedelta

from sqlmodel import Session

from ..db import rate_limits
from . import tokens
from .errors import InvalidToken
from .sessions import Identity, identity_of

LIFE = timedelta(minutes=1)
_BUCKET = "one-use link"


def issue(access_token: object, subject: Mapping[str, str]) -> str:
    """The secret of a new link for the holder of an access token. Raises `InvalidToken`."""
    return tokens.sign_one_use(tokens.read(access_token), subject, int(LIFE.total_seconds()))


def use(session: Session, token: object) -> tuple[Identity, dict[str, str]]:
    """Use a link; returns its user, as the database has them now, and its subject.

    Raises `InvalidToken` if the link is used, expired or forged, if its session has ended, or its user must
    set up a second factor first.
    """
    claims, name, subject = tokens.read_one_use(token)
    rate_limits.serialize(session, (_BUCKET, name))
    # The token expires long before the record of its use is deleted (`rate_limits.KEPT`).
    if rate_limits.count(session, _BUCKET, name, rate_limits.KEPT):
        raise InvalidToken
    rate_limits.record(session, _BUCKET, name)
    identity = identity_of(session, claims)
    if identity.must_add_factor:
        raise InvalidToken
    return identity, subject
