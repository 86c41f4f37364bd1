"""Tokens for browsers that have signed in before: failures elsewhere do not lock them out.

Based on OWASP's "device cookies". Failures in a browser with a token are counted per token, all others together per
account. A token does not authenticate a user: it only gives the browser its own rate limit, as low as the
shared one.
"""

from contextlib import suppress

from ..db import rate_limits
from . import tokens
from .errors import InvalidToken

LIFE_DAYS = 180
MOST = 5  # accounts per browser
MAX_LENGTH = 4096


def with_mark(kept: object, email: str) -> str:
    """The text to store in the browser: a new token for this account, and the existing ones of others."""
    others = [token for token in _tokens(kept) if _name_of(token)[0] not in ("", _subject(email))]
    return " ".join([*others[1 - MOST :], tokens.sign_browser(_subject(email), LIFE_DAYS * 86_400)])


def name_for(kept: object, email: str) -> str:
    """The key under which this browser's failures with this account are counted; empty if it is not known."""
    return next((name for subject, name in map(_name_of, _tokens(kept)) if subject == _subject(email)), "")


def _tokens(kept: object) -> list[str]:
    return kept.split()[:MOST] if isinstance(kept, str) and len(kept) <= MAX_LENGTH else []


def _name_of(token: str) -> tuple[str, str]:
    with suppress(InvalidToken):
        return tokens.read_browser(token)
    return "", ""


def _subject(email: str) -> str:
    """A hash of the email address, so that other users of the browser cannot read it."""
    return rate_limits.hashed(email)
