"""Tokens for browsers that have signed in before: failures elsewhere do not lock them out.

Based on OWASP's "device cookies". Failures in a browser with a token are counted per token, all others together per
account. A token does not authenticate a user: it only gives the browser its own rate limit, as low as the
shared one. A new password ends the tokens of an account, so that computers given away are not known for half a year.
"""

import hashlib
import hmac
from contextlib import suppress
from dataclasses import dataclass

import sqlalchemy as sa
from sqlmodel import col

from ...base.db import rate_limits
from ...base.db.database import read_session
from ...base.secret_keys import signing_keys
from .. import tokens
from ..account_errors import InvalidToken, database_errors_as_unavailable
from ..models import Credential, Profile

LIFE_DAYS = 180
MOST = 5  # accounts per browser
MAX_LENGTH = 4096


@dataclass(frozen=True)
class _Mark:
    """What a token says: its account and password, both as digests, and its random name."""

    account: str
    password: str
    name: str


def with_mark(browser_tokens: object, email: str) -> str:
    """The text to store in the browser: a new token for this account, and the existing ones of others.

    Raises `Unavailable`.
    """
    others = [token for token in _tokens(browser_tokens) if _read(token).account not in ("", _account(email))]
    subject = f"{_account(email)}.{_passwords(email)[0]}"
    return " ".join([*others[1 - MOST :], tokens.sign_browser(subject, LIFE_DAYS * 86_400)])


def name_for(browser_tokens: object, email: str) -> str:
    """The key under which this browser's failures with this account are counted; empty if it is not known.

    Raises `Unavailable`.
    """
    marks = [mark for mark in map(_read, _tokens(browser_tokens)) if mark.account == _account(email)]
    # The database is asked only for a genuine token of the account.
    return next((mark.name for mark in marks if mark.password in _passwords(email)), "")


def _tokens(browser_tokens: object) -> list[str]:
    return (
        browser_tokens.split()[:MOST] if isinstance(browser_tokens, str) and len(browser_tokens) <= MAX_LENGTH else []
    )


def _read(token: str) -> _Mark:
    with suppress(InvalidToken):
        subject, name = tokens.read_browser(token)
        account, _, password = subject.partition(".")
        return _Mark(account, password, name)
    return _Mark("", "", "")


def _account(email: str) -> str:
    """A hash of the email address, so that other users of the browser cannot read it."""
    return rate_limits.hashed(email)


def _passwords(email: str) -> list[str]:
    """Digests of the account's password hash, one per signing key; the first is for new tokens.

    With a key, so that they do not tell which accounts have no password.
    """
    query = sa.select(col(Credential.password_hash)).join(Profile, col(Profile.id) == col(Credential.user_id))
    with database_errors_as_unavailable(), read_session() as session:
        password_hash = session.execute(query.where(col(Profile.email) == email)).scalar() or ""
    text = f"{email} {password_hash}".encode()
    return [hmac.new(key.encode(), text, hashlib.sha256).hexdigest() for key in signing_keys()]
