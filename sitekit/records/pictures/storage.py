"""What a store of the files of pictures does, and the one in a local folder; `stores` opens that of the settings.

All functions block, so that callers run them in `threads.MEDIA`. They raise `StoreUnavailable` if the store does not
work, or does not answer within a few seconds, and log why.
"""

import errno
import logging
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Protocol

from ...base.errors import ServiceError
from ...base.observability.log_throttle import ThrottledLog
from ...base.write_whole import COMING, write_whole
from . import texts as texts
from .addresses import FILE_NAME, file_name

log = logging.getLogger(__name__)
log.addHandler(logging.NullHandler())  # commands print the reason, and not the log
_warn = ThrottledLog(log)


class StoreUnavailable(ServiceError):
    """The store does not work or does not answer. `reason` says why, for admins, without secrets."""

    def __init__(self, message: str, done: str, why: str) -> None:
        super().__init__(message)
        self.reason = texts.STORE_REASON.format(done=done, why=why)
        _warn("Store of pictures: %s", self.reason)


class Store(Protocol):
    """Files by name, as `addresses.file_name` makes them. A file is stored whole or not at all."""

    def put(self, name: str, data: bytes) -> None:
        """Store a file; replaces one of the same name."""

    def get(self, name: str) -> bytes | None:
        """The content of a file; None if there is none of this name."""

    def delete(self, names: Iterable[str]) -> None:
        """Delete files; those that are not there are skipped."""

    def delete_old(self, names: Iterable[str], written_before: datetime) -> int:
        """Delete those files that were last written before a time; how many. Others are skipped."""

    def delete_unfinished(self, written_before: datetime) -> int:
        """Delete the files of writes that were interrupted before a time, and return their number."""

    def names(self) -> Iterator[str]:
        """The names of all files, in any order. What else is in the folder or bucket is not listed."""

    def check(self) -> None:
        """Write, read and delete a file."""


class LocalStore:
    """A store in a folder, which is created when the first file is put there; its parent is not."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, name: str, data: bytes) -> None:
        """Store a file, also through a power cut."""
        path = self._folder / checked(name)
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            write_whole(path, [data])
        except OSError as error:
            raise _disk_error(error, texts.WRITTEN) from error

    def get(self, name: str) -> bytes | None:
        """The content of a file."""
        if not FILE_NAME.fullmatch(name):
            return None
        try:
            return (self._folder / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _disk_error(error, texts.READ) from error

    def delete(self, names: Iterable[str]) -> None:
        """Delete files."""
        try:
            for name in names:
                (self._folder / checked(name)).unlink(missing_ok=True)
        except OSError as error:
            raise _disk_error(error, texts.DELETED) from error

    def delete_old(self, names: Iterable[str], written_before: datetime) -> int:
        """Delete those files that were last written before a time."""
        return self._delete_old((self._folder / checked(name) for name in names), written_before)

    def delete_unfinished(self, written_before: datetime) -> int:
        """Delete the files that were never renamed, because the process died."""
        return self._delete_old(self._folder.glob(f"{COMING}*"), written_before)

    def _delete_old(self, paths: Iterable[Path], written_before: datetime) -> int:
        deleted = 0
        try:
            for path in paths:
                with suppress(FileNotFoundError):
                    if path.stat().st_mtime < written_before.timestamp():
                        path.unlink()
                        deleted += 1
        except OSError as error:
            raise _disk_error(error, texts.DELETED) from error
        return deleted

    def names(self) -> Iterator[str]:
        """The names of all files."""
        try:
            names = [path.name for path in self._folder.iterdir()]
        except FileNotFoundError:
            return
        except OSError as error:
            raise _disk_error(error, texts.LISTED) from error
        yield from (name for name in names if FILE_NAME.fullmatch(name))

    def check(self) -> None:
        """Write, read and delete a file. Leaves no folder, because root may run this before the site has one."""
        is_new = not self._folder.exists()
        try:
            try_out(self)
        finally:
            if is_new:
                with suppress(OSError):
                    self._folder.rmdir()


def _disk_error(error: OSError, done: str) -> StoreUnavailable:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreUnavailable(texts.STORE_FULL, done, texts.DISK_FULL)
    return StoreUnavailable(texts.STORE_BROKEN, done, error.strerror or type(error).__name__)


def checked(name: str) -> str:
    """The name itself, if it is one of a picture's file. A path or any other name is a mistake of the caller."""
    if not FILE_NAME.fullmatch(name):
        raise ValueError(f"{name!r} is not the name of a picture's file")
    return name


def try_out(store: Store) -> None:
    """Write, read and delete a file of a new name."""
    name, data = file_name(secrets.token_hex(16), 1, "jpg"), b"test"
    store.put(name, data)
    try:
        if store.get(name) != data:
            raise StoreUnavailable(texts.STORE_BROKEN, texts.READ, texts.READ_AS_ANOTHER)
    except StoreUnavailable:
        with suppress(StoreUnavailable):
            store.delete([name])
        raise
    store.delete([name])
