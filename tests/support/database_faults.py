"""Real faults of a SQLite database, as context managers."""

import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from sitekit.base.db import database
from sitekit.base.db.diagnosis import ROOM
from sitekit.base.settings import get_settings
from tests.conftest import use

Fault = Callable[[Path, pytest.MonkeyPatch], AbstractContextManager[None]]


def _file(folder: Path) -> Path:
    return folder / "advisory.db"


@contextmanager
def locked(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another process locks the whole database, also for readers; with a shorter timeout than a real site."""
    database.engine().dispose()
    patch.setenv("ADVISORY_LOCK_TIMEOUT_MS", "50")
    get_settings.cache_clear()
    holder = sqlite3.connect(_file(folder), isolation_level=None)
    holder.execute("PRAGMA locking_mode=EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        holder.execute("ROLLBACK")
        holder.close()
        database.engine().dispose()
        patch.delenv("ADVISORY_LOCK_TIMEOUT_MS")
        get_settings.cache_clear()


@contextmanager
def missing(folder: Path, _patch: pytest.MonkeyPatch) -> Iterator[None]:
    """The file is missing."""
    database.engine().dispose()
    for path in folder.glob("advisory.db*"):
        path.unlink()
    yield


@contextmanager
def no_file(folder: Path, _patch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder in place of the file, which cannot be opened."""
    database.engine().dispose()
    for path in folder.glob("advisory.db*"):
        path.unlink()
    _file(folder).mkdir()
    yield


@contextmanager
def read_only(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[None]:
    """The database is read-only."""
    database.engine().dispose()
    use(patch, folder, DATABASE_URL=f"sqlite:///file:{_file(folder)}?mode=ro&uri=true")
    try:
        yield
    finally:
        database.engine().dispose()
        use(patch, folder)


@contextmanager
def full(_folder: Path, _patch: pytest.MonkeyPatch, size: int = 0) -> Iterator[None]:
    """No file can grow beyond this size, like on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def full_but_for_a_row(folder: Path, patch: pytest.MonkeyPatch) -> AbstractContextManager[None]:
    """A full disk whose files have room for a small change, as SQLite's log has."""
    return full(folder, patch, ROOM // 2)


UNREADABLE = (locked, missing, no_file)
UNWRITABLE = (*UNREADABLE, read_only, full)
