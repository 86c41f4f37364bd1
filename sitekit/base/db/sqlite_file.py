"""Opens a SQLite file only where it exists, and stops using it when it is replaced."""

import os
from pathlib import Path
from urllib.parse import quote, unquote

import sqlalchemy as sa
from sqlalchemy import event


class DatabaseFileChanged(sa.exc.OperationalError):
    """The file was removed or replaced; anything written now would be lost at the next start."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(None, None, FileNotFoundError(f"the database file {path} {what}"))


def sqlite_url(path: Path) -> str:
    """The database URL of a file; its name may have any characters."""
    return f"sqlite:///{quote(str(path))}"


def sqlite_path(url: str) -> Path | None:
    """The file of a SQLite URL, plain or with SQLite's own options (`sqlite:///file:/path?mode=ro&uri=true`).

    None for another kind of database.
    """
    address = sa.make_url(url)
    if address.get_backend_name() != "sqlite":
        return None
    name = address.database or ""
    return Path(unquote(name.removeprefix("file:")) if "uri" in address.query else name)


def existing_file(url: str) -> sa.URL:
    """The URL that opens this file and fails if it does not exist, instead of creating an empty one."""
    address = sa.make_url(url)
    if "uri" in address.query:
        return address
    return address.set(database=f"file:{quote(address.database or '')}", query={"mode": "rw", "uri": "true"})


class FileGuard:
    """Refuses to use a database whose file was removed or replaced while it was open.

    Open connections keep writing to the removed file. Reconnecting to the new file would not be safe: the -wal file
    of the old one may still be beside it, and SQLite would merge it into the new one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._text = str(path)
        self._identity: tuple[int, int] | None = None

    def watch(self, engine: sa.Engine) -> None:
        """Check before each connection, at the beginning of each transaction, and before its end."""
        event.listen(engine, "do_connect", self._before_connecting)
        event.listen(engine, "connect", self.check)
        event.listen(engine, "begin", self.check)
        event.listen(engine, "commit", self.check)

    def check(self, *_event: object) -> None:
        """Raise `DatabaseFileChanged` unless the file is still the same one."""
        try:
            status = os.stat(self._text)  # noqa: PTH116  runs in every transaction; a third of the cost of Path.stat
        except OSError:
            raise DatabaseFileChanged(self._path, "no longer exists") from None
        if self._identity is None:
            self._identity = (status.st_dev, status.st_ino)
        elif self._identity != (status.st_dev, status.st_ino):
            raise DatabaseFileChanged(self._path, "was replaced by another one: restart the site")

    def _before_connecting(self, *_event: object) -> None:
        if self._identity is not None:
            self.check()
