"""Connections to PostgreSQL: a pool that waits for its connections, and how many the server opens."""

import re
import time

import sqlalchemy as sa
from sqlalchemy.util.queue import Empty
from sqlmodel import Session

# libpq gives no SQLSTATE for a refused connection.
_NO_MORE = re.compile("too many (clients|connections)|connection slots|no more connections")
_LIMIT = sa.text("""
    SELECT least(nullif(rolconnlimit, -1), nullif(datconnlimit, -1), current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0))
    FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()
""")
PATIENCE = 0.5  # seconds between two attempts to open one more connection


class PatientPool(sa.QueuePool):
    """A pool that waits for a connection to come back if the server opens no more, as it does at its own limit."""

    _refused_at = -PATIENCE

    def connect(self) -> sa.PoolProxiedConnection:
        """A connection; waits for up to `timeout` seconds."""
        end = time.monotonic() + self._timeout
        while True:
            try:
                return super().connect()
            except Exception as error:
                if not _NO_MORE.search(str(error)) or time.monotonic() > end:
                    raise
                self._refused_at = time.monotonic()

    def _do_get(self) -> sa.pool.ConnectionPoolEntry:
        if time.monotonic() < self._refused_at + PATIENCE:
            try:
                return self._pool.get(True, PATIENCE)
            except Empty:
                pass
        return super()._do_get()

    def _do_return_conn(self, record: sa.pool.ConnectionPoolEntry) -> None:
        if record.dbapi_connection is None:
            # Kept, it would be taken before those that are connected.
            self._dec_overflow()
        else:
            super()._do_return_conn(record)


def connection_limit(session: Session) -> int | None:
    """How many connections the server opens for the role and the database; None for SQLite."""
    if session.get_bind().dialect.name != "postgresql":
        return None
    limit: int = session.execute(_LIMIT).scalar_one()
    return limit
