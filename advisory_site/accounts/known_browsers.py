"""Marks browsers that have signed in before: failures elsewhere do not lock them out.

After "device cookies" of the OWASP Foundation. Failures in a browser with a mark are counted by that mark, all others
together by the account. A mark is no proof of a person: it gives a bucket of its own to guess from, as small as the
others', and nothing else.
"""

from contextlib import suppress

from ..db import rate_limits
from . import tokens
from .errors import InvalidToken

LIFE_DAYS = 180
MOST = 5  # people who share a browser
MAX_LENGTH = 4096


def with_mark(kept: object, email: str) -> str:
    """What the browser keeps from now on: a new mark of this account, and those it has of others."""
    others = [token for token in _tokens(kept) if _name_of(token)[0] not in ("", _subject(email))]
    return " ".join([*others[1 - MOST :], tokens.sign_browser(_subject(email), LIFE_DAYS * 86_400)])


def name_for(kept: object, email: str) -> str:
    """By what the failures of this browser with this account are counted; empty for one that is not known."""
    return next((name for subject, name in map(_name_of, _tokens(kept)) if subject == _subject(email)), "")


def _tokens(kept: object) -> list[str]:
    return kept.split()[:MOST] if isinstance(kept, str) and len(kept) <= MAX_LENGTH else []


def _name_of(token: str) -> tuple[str, str]:
    with suppress(InvalidToken):
        return tokens.read_browser(token)
    return "", ""


def _subject(email: str) -> str:
    """The account without its address, which the next person at this browser need not read."""
    return rate_limits.hashed(email)
