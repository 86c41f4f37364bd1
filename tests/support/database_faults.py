"""Real faults of a SQLite database, each as long as a block lasts."""

import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from advisory_site.core.settings import get_settings
from advisory_site.db import database
from tests.conftest import use

Fault = Callable[[Path, pytest.MonkeyPatch], AbstractContextManager[None]]


def _file(folder: Path) -> Path:
    return folder / "advisory.db"


@contextmanager
def locked(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another program holds the whole database, readers included; nobody waits for it as long as on a real site."""
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
    """The file is gone."""
    database.engine().dispose()
    for path in folder.glob("advisory.db*"):
        path.unlink()
    yield


@contextmanager
def no_file(folder: Path, _patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Where the file should be there is a folder, which cannot be opened."""
    database.engine().dispose()
    for path in folder.glob("advisory.db*"):
        path.unlink()
    _file(folder).mkdir()
    yield


@contextmanager
def read_only(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[None]:
    """The database can be read, and nothing can be written."""
    database.engine().dispose()
    use(patch, folder, DATABASE_URL=f"sqlite:///file:{_file(folder)}?mode=ro&uri=true")
    try:
        yield
    finally:
        database.engine().dispose()
        use(patch, folder)


@contextmanager
def full(_folder: Path, _patch: pytest.MonkeyPatch) -> Iterator[None]:
    """No file can grow, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


UNREADABLE = (locked, missing, no_file)
UNWRITABLE = (*UNREADABLE, read_only, full)
