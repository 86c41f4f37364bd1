"""Engine, sessions, SQLite pragmas, column types, and `transaction()`, which alone commits."""

import json
import os
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlmodel import Field, Session, SQLModel, create_engine, select

from ..core.settings import get_settings
from .sqlite_file import FileGuard, existing_file, sqlite_path

# One naming rule for constraints, so that migrations can name what they drop.
SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

# The last table argument of records that links, forms and tokens name by id: without it SQLite gives the id of
# a deleted last row to the next one, and an old form would edit a stranger.
AUTOINCREMENT_IDS = {"sqlite_autoincrement": True}

# Of a thread, not of a session: a session that has not asked the database for anything yet holds nobody up.
_writing = threading.RLock()

START_LOCK = 7_241_870  # any number but that of the migrations, the same in every process

# Nobody waits long for a database: not to connect, not for a statement, not for another's lock, and a peer that
# fell silent is given up. A transaction left open by a stuck process must not hold up everybody else's.
POSTGRESQL_LIMITS = {
    "connect_timeout": 3,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "application_name": "advisory_site",
    "options": "-c statement_timeout=10s -c lock_timeout=5s -c idle_in_transaction_session_timeout=60s -c timezone=UTC",
}


class UtcDateTime(sa.types.TypeDecorator[datetime]):
    """A moment in UTC: aware datetimes in and out, on databases with and without time zones."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class LenientJson(sa.types.TypeDecorator[Any]):
    """JSON in a text column. What was stored as plain text by an older program reads as that text."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: sa.Dialect) -> str:
        return json.dumps(value, ensure_ascii=False)

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> Any:
        if value is None:
            return None
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value


class ContentVersion(SQLModel, table=True):
    """One row that grows with every change of public content; rendered pages are cached by it."""

    __tablename__ = "content_version"
    __table_args__ = (sa.CheckConstraint("id = 1", name="single_row"),)

    id: int = Field(default=1, primary_key=True)
    number: int = Field(default=0)


def now() -> datetime:
    """The present moment, aware and in UTC."""
    return datetime.now(UTC)


def created_at_field() -> Any:
    """A creation time that the database sets."""
    return Field(default=None, sa_type=UtcDateTime, nullable=False, sa_column_kwargs={"server_default": sa.func.now()})


def updated_at_field() -> Any:
    """A time of the last change, set by the database on insert and by the update itself afterwards."""
    return Field(
        default=None,
        sa_type=UtcDateTime,
        nullable=False,
        sa_column_kwargs={"server_default": sa.func.now(), "onupdate": now},
    )


def version_column() -> sa.Column[int]:
    """A count of a row's changes, for the mapper's `version_id_col`."""
    return sa.Column("version", sa.Integer, nullable=False, server_default="1")


def engine() -> sa.Engine:
    """The engine of this process. Workers are forked, and a connection must never cross a fork."""
    return engine_of(get_settings().database_url, os.getpid())


@cache
def engine_of(url: str, pid: int) -> sa.Engine:
    """The engine for an address in a process, made once."""
    if (path := sqlite_path(url)) is not None:
        # Migrations alone make a database; an empty one in the place of one that is gone would look like a new site.
        made = create_engine(existing_file(url))
        FileGuard(path).watch(made)
        event.listen(made, "connect", _set_pragmas)
        event.listen(made, "begin", _begin)
        return made
    # A connection that died (a restarted server, a firewall's silence) is found before it is used and replaced.
    # Handlers work in turn, so that a process needs few; the rest is for threads: passwords, mail, backups.
    return create_engine(
        url, connect_args=POSTGRESQL_LIMITS, pool_pre_ping=True, pool_size=5, max_overflow=10, pool_timeout=5
    )


def _set_pragmas(connection: Any, _record: Any) -> None:
    # Python's own idea of when a transaction begins leaves out reads and savepoints; `_begin` says it instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={get_settings().lock_timeout_ms}")
    cursor.execute("PRAGMA foreign_keys=ON")
    # What a person was told is stored survives a power cut too; it costs half a millisecond a commit.
    cursor.execute("PRAGMA synchronous=FULL")
    # What is deleted is written over: a mailed link that was sent is in no page of the file any more.
    cursor.execute("PRAGMA secure_delete=ON")
    cursor.close()


def _begin(connection: sa.Connection) -> None:
    """A writer waits its turn before it reads, so that nothing it decides by can change under it."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def read_session() -> Iterator[Session]:
    """A database session that only reads."""
    with Session(engine(), expire_on_commit=False) as session:
        yield session


@contextmanager
def transaction() -> Iterator[Session]:
    """A database session whose work is committed whole at the end, or not at all. Nothing else commits."""
    bound = engine().execution_options(writes=True)
    with _sqlite_write_lock(bound), Session(bound, expire_on_commit=False) as session, session.begin():
        yield session


@contextmanager
def _sqlite_write_lock(bound: sa.Engine) -> Iterator[None]:
    """Serialise this process's writers on SQLite.

    SQLite has whoever waits look again after pauses of up to a tenth of a second. Amid forty enquiries a second some
    writer always came too late, and had to be refused after five seconds: "database is locked".
    """
    if bound.dialect.name != "sqlite":
        yield
        return
    if not _writing.acquire(timeout=get_settings().lock_timeout_ms / 1000):
        raise sa.exc.TimeoutError("Others have been writing for too long.")
    try:
        yield
    finally:
        _writing.release()


def truncate_wal() -> None:
    """Empty SQLite's write-ahead log, which holds what was deleted until it is written over."""
    if engine().dialect.name == "sqlite":
        with closing(engine().raw_connection()) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")


def delete_some(session: Session, key: sa.Column[Any], which: sa.ColumnElement[bool], most: int) -> int:
    """Delete at most so many of the rows that meet a condition, found by their key; returns how many those were."""
    some = sa.select(key).where(which).limit(most)
    return rows_changed(session.execute(sa.delete(key.table).where(key.in_(some))))


def rows_changed(result: sa.Result[Any]) -> int:
    """How many rows an update or a delete has met; `Session.execute` is not typed as what it gives for those."""
    return result.rowcount if isinstance(result, sa.CursorResult) else 0


def advisory_lock(session: Session) -> None:
    """Hold a lock between processes to the end of the transaction; SQLite's writers are serialised anyway."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(sa.text("SELECT pg_advisory_xact_lock(:n)"), {"n": START_LOCK})


@event.listens_for(Session, "before_flush")
def _bump_content_version(session: Session, _context: Any, _instances: Any) -> None:
    """Move the content version in the transaction that changes a table marked as public content.

    Here rather than in each service, so that no present or future service can forget it.
    """
    changed = [*session.new, *session.deleted, *(row for row in session.dirty if session.is_modified(row))]
    if any(getattr(row, "__public_content__", False) for row in changed):
        bump_content_version(session)


def bump_content_version(session: Session) -> None:
    """Make every rendered page stale."""
    session.execute(sa.update(ContentVersion).values(number=ContentVersion.number + 1))


def content_version() -> int:
    """The number that grows with every change of public content."""
    with read_session() as session:
        return session.execute(select(ContentVersion.number)).scalar() or 0
