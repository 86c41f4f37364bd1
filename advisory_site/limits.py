"""How often something may happen: attempts counted in the database, so that all processes share the count."""

import hashlib
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlmodel import Field, Session, SQLModel

from .database import UtcDateTime, now

KEPT = timedelta(days=1)


class Attempt(SQLModel, table=True):
    """One counted attempt. The key (an address, an account) is stored as a hash only."""

    __tablename__ = "attempts"
    __table_args__ = (sa.Index("ix_attempts_bucket_key_at", "bucket", "key", "at"),)

    id: int | None = Field(default=None, primary_key=True)
    bucket: str
    key: str
    at: datetime = Field(sa_type=UtcDateTime, index=True)


def hashed(key: str) -> str:
    """What is stored instead of a key."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def count(session: Session, bucket: str, key: str, within: timedelta) -> int:
    """How many attempts this key made in the last `within`."""
    query = (
        sa.select(sa.func.count())
        .select_from(Attempt)
        .where(Attempt.bucket == bucket, Attempt.key == hashed(key), Attempt.at > now() - within)
    )
    return session.execute(query).scalar_one()


def record(session: Session, bucket: str, key: str) -> None:
    """Count one attempt, and forget those older than a day."""
    session.execute(sa.delete(Attempt).where(Attempt.at < now() - KEPT))
    session.add(Attempt(bucket=bucket, key=hashed(key), at=now()))


def forget(session: Session, bucket: str, key: str) -> None:
    """Start this key's count anew."""
    session.execute(sa.delete(Attempt).where(Attempt.bucket == bucket, Attempt.key == hashed(key)))
