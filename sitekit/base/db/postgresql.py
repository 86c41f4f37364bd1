"""Connections to PostgreSQL: the options of a URL together with our own, and a pool that waits for its connections."""

import os
import re
import time
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.util.queue import Empty
from sqlmodel import Session

from ..urls import NOT_ESCAPED, has_right_port

# libpq gives no SQLSTATE for a refused connection.
_NO_MORE = re.compile("too many (clients|connections)|connection slots|no more connections")
_LIMIT = sa.text("""
    SELECT least(nullif(rolconnlimit, -1), nullif(datconnlimit, -1), current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0))
    FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()
""")
PATIENCE = 0.5  # seconds between two attempts to open one more connection


def fault_of(url: str) -> str:
    """What is wrong with a URL, in words without its password; empty if nothing is."""
    import psycopg  # a site with SQLite never loads it

    if not has_right_port(url):
        return "an address with a wrong port"
    if url.count("@") > 1 or re.search("password=.*@", url):
        return NOT_ESCAPED
    known = {option.keyword.decode() for option in psycopg.pq.Conninfo.get_defaults()}
    address = sa.make_url(url)
    if unknown := sorted({*address.query} - known):
        # The end of a password that is an option may look like one.
        names = "an option" if "password=" in url else " and ".join(f"'{name}'" for name in unknown)
        return f"an address with {names} behind the ?, which PostgreSQL's clients do not know"
    try:
        address.get_dialect()().create_connect_args(address)
    except sa.exc.ArgumentError:
        return "an address with a wrong host or port behind the ?"
    return ""


def connect_args(url: str, limits: Mapping[str, Any]) -> dict[str, Any]:
    """These limits as arguments for the driver, with what a URL or the environment says; none for SQLite."""
    address = sa.make_url(url)
    if address.get_backend_name() != "postgresql":
        return {}
    args = {name: value for name, value in limits.items() if name not in address.query}
    own = address.query.get("options") or os.environ.get("PGOPTIONS", "")
    # The last one counts, and the site relies on how texts and times are written.
    return {**args, "options": f"{limits['options']} {own} -c datestyle=ISO", "client_encoding": "utf8"}


class OtherEncoding(sa.exc.OperationalError):
    """The database cannot store every text."""

    def __init__(self, encoding: str) -> None:
        super().__init__(None, None, ValueError(encoding))


def refuse_other_encoding(connection: sa.Connection) -> None:
    """Raise `OtherEncoding` unless the database can store every text."""
    if connection.dialect.name == "postgresql":
        encoding: str = connection.execute(sa.text("SHOW server_encoding")).scalar_one()
        if encoding != "UTF8":
            raise OtherEncoding(encoding)


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
