"""Counts attempts in the database, so that all processes share the count."""

import hashlib
import ipaddress
import math
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlmodel import Field, Session, SQLModel

from .database import UtcDateTime, delete_some, now

KEPT = timedelta(days=1)  # the longest span that any limit counts
LOCKS = 7_241_871  # the first key of the advisory locks: any number, the same in every process
_FOR = re.compile(r"\A(?:.*;)?\s*for\s*=", re.IGNORECASE)


class Attempt(SQLModel, table=True):
    """One counted attempt. The key (a client address, an account) is stored only as a hash."""

    __tablename__ = "attempts"
    __table_args__ = (sa.Index("ix_attempts_bucket_key_at", "bucket", "key", "at"),)

    id: int | None = Field(default=None, primary_key=True)
    bucket: str
    key: str
    at: datetime = Field(sa_type=UtcDateTime, index=True)


# For queries: to a type checker, an attribute of the class has the type of its value.
columns = SQLModel.metadata.tables["attempts"].c


def network_of(address: str) -> str:
    """The network by which a client address is counted: itself for IPv4, its /64 for IPv6; empty for anything else.

    A household with IPv6 has all 2^64 addresses of its network. Proxies write addresses also with a port, in brackets,
    with a zone, or as RFC 7239 has it: `for="[2001:db8::1]:4711"`. All that is no address counts as one client.
    """
    host = _FOR.sub("", address).partition(";")[0].strip(' \t"').removeprefix("[").partition("]")[0]
    for text in (host, host.rpartition(":")[0]):
        with suppress(ValueError):
            parsed = ipaddress.ip_address(text.partition("%")[0])
            mapped = parsed if parsed.version == 4 else parsed.ipv4_mapped
            return str(mapped or ipaddress.IPv6Network((int(parsed), 64), strict=False))
    return ""


def hashed(key: str) -> str:
    """The hash that is stored instead of a key."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def count(session: Session, bucket: str, key: str, within: timedelta) -> int:
    """The number of attempts of this key in the last `within`."""
    query = (
        sa.select(sa.func.count())
        .select_from(Attempt)
        .where(columns.bucket == bucket, columns.key == hashed(key), columns.at > now() - within)
    )
    number: int = session.execute(query).scalar_one()
    return number


def serialize(session: Session, *counted: tuple[str, str]) -> None:
    """Lock these buckets and keys until the transaction ends.

    On PostgreSQL, concurrent attempts would not see each other's rows and would all be allowed. On SQLite writing
    transactions are serialised anyway.
    """
    if session.get_bind().dialect.name == "postgresql":
        # Always in the same order, so that two transactions cannot deadlock.
        for number in sorted({_lock_number(bucket, key) for bucket, key in counted}):
            session.execute(
                sa.text("SELECT pg_advisory_xact_lock(:class, :number)"), {"class": LOCKS, "number": number}
            )


def _lock_number(bucket: str, key: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{bucket}\0{key}".encode("utf-8", "replace")).digest()[:4], signed=True)


def record(session: Session, bucket: str, key: str) -> Attempt:
    """Count one attempt."""
    attempt = Attempt(bucket=bucket, key=hashed(key), at=now())
    session.add(attempt)
    return attempt


def claim(session: Session, bucket: str, key: str, within: timedelta) -> bool:
    """Whether the key was not recorded in the last `within`, at most `KEPT`; then it is now, so one caller is first."""
    serialize(session, (bucket, key))
    if count(session, bucket, key, within):
        return False
    record(session, bucket, key)
    return True


def clear(session: Session, bucket: str, key: str) -> None:
    """Reset the count of a key."""
    session.execute(sa.delete(Attempt).where(columns.bucket == bucket, columns.key == hashed(key)))


def move(session: Session, old: tuple[str, str], new: tuple[str, str]) -> None:
    """Add the count of one bucket and key to another."""
    (bucket, key), (new_bucket, new_key) = old, new
    counted = sa.update(Attempt).where(columns.bucket == bucket, columns.key == hashed(key))
    session.execute(counted.values(bucket=new_bucket, key=hashed(new_key)))


def delete_expired(session: Session, at: datetime, most: int) -> int:
    """Delete at most `most` attempts that no limit counts any more at `at`; returns how many."""
    return delete_some(session, columns.id, columns.at < at - KEPT, most)


def seconds_to_wait(session: Session, bucket: str, key: str, most: int, within: timedelta) -> int:
    """The seconds until this key may try again, if it may try `most` times within `within`; 0 if it may now."""
    query = (
        sa.select(columns.at)
        .where(columns.bucket == bucket, columns.key == hashed(key), columns.at > now() - within)
        .order_by(columns.at.desc())
        .limit(most)
    )
    latest: Sequence[datetime] = session.execute(query).scalars().all()
    if len(latest) < most:
        return 0
    return max(1, math.ceil((latest[-1] + within - now()).total_seconds()))


def in_words(seconds: int) -> str:
    """A wait in words, rounded up: '40 seconds', '5 minutes', '1 hour'."""
    for size, unit in ((1, "second"), (60, "minute"), (3600, "hour")):
        number = math.ceil(seconds / size)
        if unit == "hour" or number < (90 if unit == "minute" else 60):
            break
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"
