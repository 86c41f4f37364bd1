"""Limits of sign-in attempts and mails, counted per account and per client network."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import sqlalchemy as sa
from sqlmodel import Session, col

from ..base import messages
from ..base.db import rate_limits
from ..base.db.database import transaction
from ..base.db.rate_limits import Attempt
from ..base.errors import TooManyAttempts
from ..base.observability import audit_log
from ..base.observability.audit_log import AuditEvent
from ..records import activity
from .account_errors import database_errors_as_unavailable

MAX_PAUSE = 4.0


@dataclass(frozen=True)
class Limit:
    """At most `most` attempts `within` a time, per account or, if `per_network`, per client network."""

    bucket: str
    most: int
    within: timedelta
    per_network: bool = False

    @property
    def name(self) -> str:
        """The bucket without the hash of an account."""
        return self.bucket.rpartition(" browser ")[0] or self.bucket

    def key(self, account_or_address: str) -> str:
        """The key to count by: the account, or the network of the client address."""
        return rate_limits.network_of(account_or_address) if self.per_network else account_or_address


SIGN_IN_BY_ACCOUNT = Limit("sign-in account", 10, timedelta(minutes=15))
SIGN_IN_BY_ADDRESS = Limit("sign-in address", 50, timedelta(minutes=15), per_network=True)
# Counts successful attempts too: each costs a hash and may begin a session.
SIGN_IN_TRY_BY_ADDRESS = Limit("sign-in try address", 100, timedelta(minutes=15), per_network=True)
SIGN_IN_TRY_BY_BROWSER = Limit("sign-in try browser", 50, timedelta(minutes=15))
# One for each opened sign-in page, and another one every few minutes while it stays open.
PASSKEY_CHALLENGE_BY_ADDRESS = Limit("passkey challenge address", 300, timedelta(minutes=15), per_network=True)
MAIL_BY_ACCOUNT = Limit("mail account", 4, timedelta(hours=1))
MAIL_BY_ADDRESS = Limit("mail address", 20, timedelta(hours=1), per_network=True)
SIGN_UP_TRY_BY_ADDRESS = Limit("sign-up try address", 60, timedelta(minutes=15), per_network=True)
SIGN_UP_BY_ADDRESS = Limit("sign-up address", 20, timedelta(hours=1), per_network=True)
EMAIL_CHANGE_BY_ACCOUNT = Limit("email change", 5, timedelta(hours=1))
RESET_BY_ADMIN = Limit("reset by admin", 10, timedelta(hours=1))
LOCK_MAIL_BY_ACCOUNT = Limit("lock mail", 1, timedelta(days=1))
# Wrong codes after a right password. The limit per day holds over all challenges.
FACTOR_BY_ACCOUNT = Limit("factor account", 10, timedelta(minutes=15))
FACTOR_A_DAY_BY_ACCOUNT = Limit("factor day account", 30, timedelta(days=1))
# In all browsers that the account is known in, so that others cannot lock its owner out there.
FACTOR_A_DAY_IN_KNOWN_BROWSERS = Limit("factor day known browsers", 60, timedelta(days=1))
FACTOR_MAIL_BY_ACCOUNT = Limit("factor mail", 1, timedelta(days=1))
REAUTHENTICATION_BY_ACCOUNT = Limit("proof account", 10, timedelta(minutes=15))
REAUTHENTICATION_A_DAY_BY_ACCOUNT = Limit("proof day account", 40, timedelta(days=1))
INVITATION_BY_SENDER = Limit("invitation sender", 200, timedelta(days=1))
INVITATION_BY_EMAIL = Limit("invitation email", 5, timedelta(days=1))
LINK_BY_ADDRESS = Limit("link address", 30, timedelta(minutes=15), per_network=True)


def sign_in_by_browser(email: str) -> Limit:
    """The limit per known browser of an account (`known_browsers`)."""
    return Limit(f"sign-in browser {rate_limits.hashed(email)}", 10, timedelta(minutes=15))


def mail_by_browser(email: str) -> Limit:
    """The limit of mails per known browser of an account."""
    return Limit(f"mail browser {rate_limits.hashed(email)}", 4, timedelta(hours=1))


def factor_by_browser(email: str) -> Limit:
    """The limit of codes per known browser of an account."""
    return Limit(f"factor browser {rate_limits.hashed(email)}", 10, timedelta(minutes=15))


@dataclass(frozen=True)
class CountedAttempt:
    """An attempt that was allowed; `earlier` is the number of attempts before it."""

    ids: tuple[int, ...]
    earlier: int

    @property
    def pause(self) -> float:
        """The delay of a failure's response in seconds: 0.5 from the fourth on, doubling up to `MAX_PAUSE`."""
        return 0.0 if self.earlier < 3 else min(MAX_PAUSE, 0.5 * 2 ** (self.earlier - 3))


def count(*keys: tuple[Limit, str]) -> CountedAttempt:
    """Count an attempt under each key, or raise `TooManyAttempts` with the longest wait and count nothing.

    Call it before the work that it limits, so that concurrent attempts are all counted.
    """
    waits: dict[tuple[Limit, str], int] = {}
    try:
        with database_errors_as_unavailable(), transaction() as session:
            return _count(session, keys, waits)
    except TooManyAttempts:
        limit, key = max(waits, key=waits.__getitem__)
        # Stored at most once per period of the limit, so that a flood of attempts does not fill the table.
        name = "" if limit.per_network else audit_log.as_typed(key)
        activity.log_alone(AuditEvent.TOO_MANY_ATTEMPTS, limit.name, name=name, at_most_every=limit.within)
        raise


def _count(session: Session, keys: Sequence[tuple[Limit, str]], waits: dict[tuple[Limit, str], int]) -> CountedAttempt:
    """Count the attempt, or raise; `waits` gets the seconds to wait by each key."""
    rate_limits.serialize(session, *((limit.bucket, limit.key(key)) for limit, key in keys))
    rows = [rate_limits.record(session, limit.bucket, limit.key(key)) for limit, key in keys]
    session.flush()
    for limit, key in keys:
        waits[limit, key] = rate_limits.seconds_to_wait(
            session, limit.bucket, limit.key(key), limit.most + 1, limit.within
        )
    if wait := max(waits.values()):
        raise TooManyAttempts(messages.TOO_MANY_ATTEMPTS.format(wait=rate_limits.in_words(wait)), wait)
    first, key = keys[0]
    earlier = rate_limits.count(session, first.bucket, first.key(key), first.within) - 1
    return CountedAttempt(tuple(row.id for row in rows if row.id is not None), earlier)


def refund(counted: CountedAttempt, *forgiven: tuple[Limit, str]) -> None:
    """Remove a counted attempt that did not fail, and reset these keys."""
    with database_errors_as_unavailable(), transaction() as session:
        session.execute(sa.delete(Attempt).where(col(Attempt.id).in_(counted.ids)))
        for limit, key in forgiven:
            rate_limits.clear(session, limit.bucket, limit.key(key))


BY_EMAIL = (
    SIGN_IN_BY_ACCOUNT,
    MAIL_BY_ACCOUNT,
    LOCK_MAIL_BY_ACCOUNT,
    FACTOR_BY_ACCOUNT,
    FACTOR_A_DAY_BY_ACCOUNT,
    FACTOR_A_DAY_IN_KNOWN_BROWSERS,
    FACTOR_MAIL_BY_ACCOUNT,
)


def reset(session: Session, email: str) -> None:
    """Reset every counter of one account, in all browsers."""
    for limit in BY_EMAIL:
        rate_limits.clear(session, limit.bucket, email)
    buckets = [limit.bucket for limit in (sign_in_by_browser(email), mail_by_browser(email), factor_by_browser(email))]
    session.execute(sa.delete(Attempt).where(rate_limits.columns.bucket.in_(buckets)))


def move(session: Session, old: str, new: str) -> None:
    """Move the counts of an account's old address to its new one."""
    for limit in BY_EMAIL:
        rate_limits.move(session, (limit.bucket, old), (limit.bucket, new))
