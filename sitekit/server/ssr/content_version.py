"""Reads the content version at every request, so that a change by any process is seen immediately."""

import asyncio
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from ...base.db.database import ContentVersion, content_version
from ...base.db.sqlite_file import FileGuard, sqlite_path
from ...base.threads import FRESHNESS

# In seconds. A query takes a millisecond; after this time the database counts as down.
VERSION_TIMEOUT = 1.5


class DatabaseAway(Exception):
    """The content version cannot be read."""


class VersionSource(Protocol):
    """Reads the current content version."""

    async def version(self) -> int:
        """The content version, read after the request has arrived; raises `DatabaseAway`."""
        ...


def version_source(database_url: str) -> VersionSource:
    """The cheapest exact source for this kind of database."""
    if path := sqlite_path(database_url):
        return SqliteVersionSource(path)
    return CoalescedQuery(content_version)


class SqliteVersionSource:
    """Checks for commits since the last call (microseconds), and reads the version only if there were any."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._guard = FileGuard(file)
        self._connection: sqlite3.Connection | None = None
        self._seen: int | None = None
        self._version = 0
        self._is_fresh = False

    async def version(self) -> int:
        """The content version."""
        if self._is_fresh:
            return self._version
        # Valid until the event loop's next iteration: requests handled before that arrived before the check.
        asyncio.get_running_loop().call_soon(self._expire)
        try:
            seen = self._data_version()
            if seen != self._seen:
                self._version = self._read()
                self._seen = seen  # from before reading the version: the next call notices a commit in between
        except Exception as error:
            self._close()
            raise DatabaseAway(str(error)) from error
        self._is_fresh = True
        return self._version

    def _expire(self) -> None:
        self._is_fresh = False

    def _data_version(self) -> int:
        """SQLite's `data_version`, which changes with every commit of any process."""
        self._guard.check()
        if self._connection is None:
            self._connection = sqlite3.connect(f"file:{quote(str(self._file))}?mode=rw", uri=True, timeout=0.2)
        return self._one("PRAGMA data_version")

    def _read(self) -> int:
        return self._one(f"SELECT number FROM {ContentVersion.__tablename__}")  # noqa: S608  a constant

    def _one(self, query: str) -> int:
        assert self._connection is not None
        number: int = self._connection.execute(query).fetchone()[0]
        return number

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = self._seen = None


class CoalescedQuery:
    """Queries the database in a thread; requests that arrive during a query share the next one.

    They do not share the running one, because it may have read the version before they arrived.
    """

    def __init__(self, read: Callable[[], int]) -> None:
        self._read = read
        self._next: asyncio.Task[int] | None = None
        self._present: asyncio.Task[int] | None = None
        self._asked_at = 0.0

    async def version(self) -> int:
        """The content version."""
        if self._is_silent():
            raise DatabaseAway("the database has not answered the last query")
        if self._next is None:
            self._next = asyncio.create_task(self._ask_after(self._present))
            self._next.add_done_callback(_retrieve)
        try:
            async with asyncio.timeout(VERSION_TIMEOUT):
                return await asyncio.shield(self._next)
        except Exception as error:
            raise DatabaseAway(str(error)) from error

    def _is_silent(self) -> bool:
        """Whether the running query has taken longer than `VERSION_TIMEOUT`."""
        if self._present is None or self._present.done():
            return False
        return time.monotonic() - self._asked_at > VERSION_TIMEOUT

    async def _ask_after(self, earlier: asyncio.Task[int] | None) -> int:
        if earlier is not None and not earlier.done():
            await asyncio.wait([earlier])
        self._present, self._next = self._next, None
        self._asked_at = time.monotonic()
        return await FRESHNESS.run(self._read)


def _retrieve(task: asyncio.Task[int]) -> None:
    """Retrieve an exception that is not awaited, so that asyncio does not log it."""
    if not task.cancelled():
        task.exception()
