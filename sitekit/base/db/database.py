"""Engine, sessions, SQLite pragmas, column types, and `transaction()`, which alone commits."""

import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache
from itertools import chain
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlmodel import Field, Session, SQLModel, create_engine, select

from ..settings import get_settings
from ..site import get_site
from ..threads import IN_CALLERS_THREAD
from . import folding
from .postgresql import PatientPool, connect_args
from .sqlite_file import FileGuard, existing_file, sqlite_path

# One naming rule for constraints, so that migrations can name what they drop.
SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

# Table argument for records that links, forms and tokens name by id: without it SQLite reuses the id of a deleted
# last row, and a form opened before would edit another record.
AUTOINCREMENT_IDS = {"sqlite_autoincrement": True}

# Serialises this process's writers on SQLite. Reentrant: a nested transaction works while the outer one is still idle.
_writing = threading.RLock()
_making_engine = threading.Lock()

# The session of `rolled_back`, for all reads of its context.
_rolled_back: ContextVar[Session | None] = ContextVar("rolled_back", default=None)

START_LOCK = 7_241_870  # any number other than MIGRATION_LOCK in alembic/env.py, the same in every process

TRUNCATE_TRIES, TRUNCATE_TRY_MS = 10, 100

# Bound every wait: to connect, for a statement, for a lock. Drop dead connections, and end transactions that a stuck
# process leaves open, because they would block the others.
POSTGRESQL_LIMITS = {
    "connect_timeout": 3,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "application_name": get_site().package,
    "options": "-c statement_timeout=10s -c lock_timeout=5s -c idle_in_transaction_session_timeout=60s -c timezone=UTC",
}
# Errors of a connection that answers and cannot be used, while a new one perhaps can: it has stayed read-only as the
# server was, or has an old search path or role. All connections are opened anew then.
_UNUSABLE = ("25006", "3F000", "42501", "42883", "42P01", "57P0", "SQLITE_READONLY")


class UtcDateTime(sa.types.TypeDecorator[datetime]):
    """A time in UTC: aware datetimes in and out, on databases with and without time zones."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class LenientJson(sa.types.TypeDecorator[Any]):
    """JSON in a text column. Plain text stored by an older version is read as a string."""

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
    """The current time, aware and in UTC."""
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


def engine() -> sa.Engine:
    """The engine of this process. Workers are forked, and a connection must never cross a fork."""
    with _making_engine:  # threads that ask first at once would each get one, with connections that no other uses
        return engine_of(get_settings().database_url, os.getpid())


@cache
def engine_of(url: str, pid: int) -> sa.Engine:
    """The cached engine of a database URL in a process."""
    if (path := sqlite_path(url)) is not None:
        # Only migrations create the file: a new empty database in place of a missing one would look like a new site.
        made = create_engine(existing_file(url))
        FileGuard(path).watch(made)
        event.listen(made, "connect", _set_pragmas)
        event.listen(made, "begin", _begin)
    else:
        # pool_pre_ping replaces a dead connection before it is used. Event handlers run one at a time and need few
        # connections; the others are for threads: passwords, mail, backups, and three exports at once.
        most = get_settings().database_connections
        kept_open = min(most, 5)
        made = create_engine(
            url,
            connect_args=connect_args(url, POSTGRESQL_LIMITS),
            poolclass=PatientPool,
            pool_pre_ping=True,
            pool_recycle=600,
            pool_size=kept_open,
            max_overflow=most - kept_open,
            pool_timeout=5,
        )
    event.listen(made, "handle_error", _drop_unusable)
    return made


def _drop_unusable(context: sa.ExceptionContext) -> None:
    cause = context.original_exception
    code = getattr(cause, "sqlstate", None) or getattr(cause, "sqlite_errorname", None) or ""
    if code.startswith(_UNUSABLE):
        context.is_disconnect = True


def connections() -> tuple[int, int]:
    """How many connections are in use in this process, and how many may be."""
    pool = engine().pool
    if not isinstance(pool, sa.QueuePool):
        return 0, 0
    return pool.checkedout(), pool.size() + pool._max_overflow


def _set_pragmas(connection: Any, _record: Any) -> None:
    folding.register(connection)
    # Python's sqlite3 begins no transaction for reads and savepoints, so `_begin` does it.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={get_settings().lock_timeout_ms}")
    cursor.execute("PRAGMA foreign_keys=ON")
    # A commit survives a power cut; costs half a millisecond per commit.
    cursor.execute("PRAGMA synchronous=FULL")
    # Overwrite deleted data, so that the secret of a sent link does not remain in the file.
    cursor.execute("PRAGMA secure_delete=ON")
    cursor.close()


def _begin(connection: sa.Connection) -> None:
    """Begin a transaction; a writer takes SQLite's write lock before it reads, so that what it read cannot change."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def read_session() -> Iterator[Session]:
    """A database session that only reads."""
    if (shared := _rolled_back.get()) is not None:
        yield shared
        return
    with Session(engine(), expire_on_commit=False) as session:
        yield session


@contextmanager
def transaction() -> Iterator[Session]:
    """A database session whose work is committed whole at the end, or not at all. Nothing else commits."""
    if _rolled_back.get() is not None:
        raise RuntimeError("What is only tried out is never committed.")
    bound = engine().execution_options(writes=True)
    with _sqlite_write_lock(bound), Session(bound, expire_on_commit=False) as session, session.begin():
        yield session


@contextmanager
def rolled_back() -> Iterator[Session]:
    """A database session whose work is never committed; until the end, all reads of its context and thread see it.

    Calls that its context makes in a pool of threads run in its thread. `laid_over` and `copy_table` let it write.
    """
    with Session(engine(), expire_on_commit=False) as session:
        shared, inline = _rolled_back.set(session), IN_CALLERS_THREAD.set(True)
        try:
            yield session
        finally:
            _rolled_back.reset(shared)
            IN_CALLERS_THREAD.reset(inline)
            session.rollback()


@contextmanager
def laid_over(session: Session, table: Any, row: int) -> Iterator[None]:
    """On SQLite, let the block write this row of a table into a copy, so that no other writer waits for the session.

    From then on the session sees the copy in place of the row, until its rollback.
    """
    if session.get_bind().dialect.name != "sqlite":
        yield
        return
    run, name = session.connection().exec_driver_sql, table.name
    # Statements find what is temporary before what is in the file.
    run(f"CREATE TEMP TABLE {name} AS SELECT * FROM main.{name} WHERE id = {row}")  # noqa: S608  names of our own
    yield
    run(f"ALTER TABLE temp.{name} RENAME TO laid_over_{name}")
    rows = f"SELECT * FROM main.{name} WHERE id <> {row} UNION ALL SELECT * FROM temp.laid_over_{name}"  # noqa: S608
    run(f"CREATE TEMP VIEW {name} AS {rows}")


def copy_table(session: Session, table: Any) -> None:
    """The same for all rows of a small table."""
    if session.get_bind().dialect.name == "sqlite":
        copy = f"CREATE TEMP TABLE {table.name} AS SELECT * FROM main.{table.name}"  # noqa: S608
        session.connection().exec_driver_sql(copy)


@contextmanager
def _sqlite_write_lock(bound: sa.Engine) -> Iterator[None]:
    """Serialise this process's writers on SQLite.

    SQLite's own lock is polled at intervals of up to 0.1 s and is not fair: with forty forms per second some
    writers never got it and failed after five seconds with "database is locked".
    """
    if bound.dialect.name != "sqlite":
        yield
        return
    if not _writing.acquire(timeout=get_settings().lock_timeout_ms / 1000):
        raise sa.exc.TimeoutError("Other writers have held the lock for too long.")
    try:
        yield
    finally:
        _writing.release()


def truncate_wal() -> bool:
    """Empty SQLite's write-ahead log, which holds deleted data until it is overwritten. False if it is being read.

    Writers wait as long as one try does, so each is short: a program that copies the log always reads it.
    """
    if engine().dialect.name != "sqlite":
        return True
    with closing(engine().raw_connection()) as connection:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout={TRUNCATE_TRY_MS}")
        try:
            for _ in range(TRUNCATE_TRIES):
                is_busy, _frames, _moved = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if not is_busy:
                    return True
                time.sleep(TRUNCATE_TRY_MS / 1000)
        finally:
            cursor.execute(f"PRAGMA busy_timeout={get_settings().lock_timeout_ms}")
    return False


def delete_some(session: Session, key: sa.Column[Any], which: sa.ColumnElement[bool], most: int) -> int:
    """Delete at most `most` of the rows that meet a condition, found by their key; returns how many."""
    keys = sa.select(key).where(which).limit(most)
    return rows_changed(session.execute(sa.delete(key.table).where(key.in_(keys))))


def rows_changed(result: sa.Result[Any]) -> int:
    """The number of rows that an update or delete matched; `Session.execute` is not typed as a `CursorResult`."""
    return result.rowcount if isinstance(result, sa.CursorResult) else 0


def advisory_lock(session: Session) -> None:
    """Hold a lock between processes until the transaction ends; on SQLite writers are serialised anyway."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(sa.text("SELECT pg_advisory_xact_lock(:n)"), {"n": START_LOCK})


@event.listens_for(Session, "before_flush")
def _bump_content_version(session: Session, _context: Any, _instances: Any) -> None:
    """Increase the content version in the transaction that changes a table marked as public content.

    Done here rather than in each service, so that no service can omit it.
    """
    changed = chain(session.new, session.deleted, filter(session.is_modified, session.dirty))
    if any(getattr(row, "__public_content__", False) for row in changed):
        bump_content_version(session)


def bump_content_version(session: Session) -> None:
    """Make every rendered page stale."""
    session.execute(sa.update(ContentVersion).values(number=ContentVersion.number + 1))


def content_version() -> int:
    """The number that grows with every change of public content."""
    with read_session() as session:
        return session.execute(select(ContentVersion.number)).scalar() or 0
