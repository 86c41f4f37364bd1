"""Records verified backups and rehearsed restores, for the dashboard and the metrics."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlmodel import Field, Session, SQLModel

from .db.database import UtcDateTime, now
from .permissions import Action, Actor, require
from .times import iso_text

# A backup is made every night, within two hours. The alerts have the same limit.
OVERDUE = timedelta(hours=26)


class VerifiedBackup(SQLModel, table=True):
    """A backup that was restored into a scratch database and compared."""

    __tablename__ = "verified_backups"

    id: int | None = Field(default=None, primary_key=True)
    file_name: str
    made_at: datetime = Field(sa_type=UtcDateTime)
    verified_at: datetime = Field(sa_type=UtcDateTime, index=True)
    size: int = Field(sa_type=sa.BigInteger)
    checksum: str


class BackupRehearsal(SQLModel, table=True):
    """An attempt to restore a backup into a scratch database. `problem` says why it failed, or is empty."""

    __tablename__ = "backup_rehearsals"

    id: int | None = Field(default=None, primary_key=True)
    file_name: str
    rehearsed_at: datetime = Field(sa_type=UtcDateTime)
    problem: str


columns = SQLModel.metadata.tables["verified_backups"].c
rehearsals = SQLModel.metadata.tables["backup_rehearsals"].c


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
        """Whether it is older than `OVERDUE`."""
        return is_overdue(self.made_at)


@dataclass(frozen=True)
class LastRehearsal:
    """The last rehearsal and its time, an ISO text in UTC; `problem` says why it failed, or is empty."""

    file_name: str = ""
    at: str = ""
    problem: str = ""


@dataclass(frozen=True)
class BackupTimes:
    """When the newest verified backup was made, when one was last rehearsed well, and whether the last time failed."""

    made_at: datetime | None = None
    rehearsed_at: datetime | None = None
    has_rehearsal_failed: bool = False


def record(session: Session, file_name: str, made_at: datetime, size: int, checksum: str) -> None:
    """Record that a backup was verified now."""
    session.add(
        VerifiedBackup(file_name=file_name, made_at=made_at, verified_at=now(), size=size, checksum=checksum),
    )


def record_rehearsal(session: Session, file_name: str, problem: str) -> None:
    """Record that a backup was restored into a scratch database now, or why not."""
    session.add(BackupRehearsal(file_name=file_name, rehearsed_at=now(), problem=problem))


def is_overdue(made_at: datetime) -> bool:
    """Whether the newest backup, made then, is older than `OVERDUE`."""
    return now() - made_at > OVERDUE


def times(session: Session) -> BackupTimes:
    """The times for the metrics."""
    made_at = session.execute(sa.select(sa.func.max(columns.made_at))).scalar()
    good = sa.select(sa.func.max(rehearsals.rehearsed_at)).where(rehearsals.problem == "")
    last = _last_rehearsal(session)
    return BackupTimes(made_at, session.execute(good).scalar(), last is not None and last.problem != "")


def _last_rehearsal(session: Session) -> BackupRehearsal | None:
    query = sa.select(BackupRehearsal).order_by(rehearsals.rehearsed_at.desc(), rehearsals.id.desc()).limit(1)
    return session.execute(query).scalar_one_or_none()


def last_rehearsal(session: Session, actor: Actor) -> LastRehearsal | None:
    """The last rehearsal; None if there was none."""
    require(actor, Action.VIEW_OPERATIONS)
    row = _last_rehearsal(session)
    return LastRehearsal(row.file_name, iso_text(row.rehearsed_at), row.problem) if row else None


def last_verified(session: Session, actor: Actor) -> LastBackup | None:
    """The verified backup that was made last; None if there is none."""
    require(actor, Action.VIEW_OPERATIONS)
    query = sa.select(VerifiedBackup).order_by(columns.made_at.desc(), columns.id.desc()).limit(1)
    row = session.execute(query).scalar_one_or_none()
    if row is None:
        return None
    return LastBackup(row.file_name, row.made_at, row.verified_at, row.size, age=now() - row.made_at)
