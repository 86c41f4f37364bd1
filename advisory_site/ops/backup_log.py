"""Records verified backups, for the dashboard."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlmodel import Field, Session, SQLModel

from ..core.permissions import Action, Actor, require
from ..db.database import UtcDateTime, now

# A backup is made every night; older than this, two have failed.
OLD = timedelta(hours=48)


class VerifiedBackup(SQLModel, table=True):
    """A backup that was restored into a scratch database and compared."""

    __tablename__ = "verified_backups"

    id: int | None = Field(default=None, primary_key=True)
    file_name: str
    made_at: datetime = Field(sa_type=UtcDateTime)
    verified_at: datetime = Field(sa_type=UtcDateTime, index=True)
    size: int = Field(sa_type=sa.BigInteger)
    checksum: str


columns = SQLModel.metadata.tables["verified_backups"].c


@dataclass(frozen=True)
class LastBackup:
    """The newest verified backup."""

    file_name: str
    made_at: datetime
    verified_at: datetime
    size: int
    age: timedelta

    @property
    def is_old(self) -> bool:
        """Whether it is older than `OLD`."""
        return self.age > OLD


def record(session: Session, file_name: str, made_at: datetime, size: int, checksum: str) -> None:
    """Record that a backup was verified now."""
    session.add(
        VerifiedBackup(file_name=file_name, made_at=made_at, verified_at=now(), size=size, checksum=checksum),
    )


def newest_made_at(session: Session) -> datetime | None:
    """When the newest verified backup was made, for the metrics."""
    made_at: datetime | None = session.execute(sa.select(sa.func.max(columns.made_at))).scalar()
    return made_at


def last_verified(session: Session, actor: Actor) -> LastBackup | None:
    """The verified backup that was made last; None if there is none."""
    require(actor, Action.VIEW_OPERATIONS)
    query = sa.select(VerifiedBackup).order_by(columns.made_at.desc(), columns.id.desc()).limit(1)
    row = session.execute(query).scalar_one_or_none()
    if row is None:
        return None
    return LastBackup(row.file_name, row.made_at, row.verified_at, row.size, age=now() - row.made_at)
