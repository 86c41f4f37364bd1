"""The store of the files of pictures, in a folder or a bucket.

All functions block, so that callers run them in `threads.MEDIA`. They raise `StoreUnavailable` if the store does not
work, or does not answer within a few seconds, and log why.
"""

import logging
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from ...base.errors import ServiceError
from ...base.object_store import Bucket, Folder, StoreFailed, StoreTrouble, bucket_of, try_out
from ...base.observability.checks import AWAY, Check, Finding, Severity
from ...base.observability.log_throttle import ThrottledLog
from ...base.settings import get_settings
from ...base.threads import MEDIA
from . import texts as texts
from .addresses import FILE_NAME, MEDIA_TYPES, file_name

log = logging.getLogger(__name__)
log.addHandler(logging.NullHandler())  # commands print the reason, and not the log
_warn = ThrottledLog(log)
TIMEOUT = timedelta(seconds=5)
_MESSAGES = {
    StoreTrouble.AWAY: texts.STORE_AWAY,
    StoreTrouble.BROKEN: texts.STORE_BROKEN,
    StoreTrouble.FULL: texts.STORE_FULL,
}


class StoreUnavailable(ServiceError):
    """The store does not work or does not answer. `reason` says why, for admins, without secrets."""

    def __init__(self, message: str, done: str, why: str) -> None:
        super().__init__(message)
        self.reason = texts.STORE_REASON.format(done=done, why=why)
        _warn("Store of pictures: %s", self.reason)


class Store:
    """Files by name, as `addresses.file_name` makes them, in a folder or at a URL as in `Settings.media_url`."""

    def __init__(self, place: Path | str) -> None:
        self._files = Folder(place) if isinstance(place, Path) else Bucket(place, TIMEOUT)

    def put(self, name: str, data: bytes) -> None:
        """Store a file, whole or not at all; replaces one of the same name."""
        with _errors():
            self._files.put(_checked(name), data, MEDIA_TYPES[name.rpartition(".")[2]])

    def get(self, name: str) -> bytes | None:
        """The content of a file; None if there is none of this name."""
        with _errors():
            return self._files.get(name) if FILE_NAME.fullmatch(name) else None

    def delete(self, names: Iterable[str]) -> None:
        """Delete files; those that are not there are skipped."""
        with _errors():
            for name in names:
                self._files.delete(_checked(name))

    def delete_old(self, names: Iterable[str], written_before: datetime) -> int:
        """Delete those files that were last written before a time; how many. Others are skipped."""
        with _errors():
            return sum(self._files.delete(_checked(name), written_before) for name in names)

    def delete_unfinished(self, written_before: datetime) -> int:
        """Delete the files of writes that were interrupted before a time, and return their number."""
        with _errors():
            return self._files.delete_unfinished(written_before) if isinstance(self._files, Folder) else 0

    def names(self) -> Iterator[str]:
        """The names of all files, in any order. What else is in the folder or bucket is not listed."""
        with _errors():
            yield from filter(FILE_NAME.fullmatch, self._files.names())

    def check(self) -> None:
        """Write, read and delete a file of a new name."""
        with _errors():
            try_out(self._files, file_name(secrets.token_hex(16), 1, "jpg"))


def _checked(name: str) -> str:
    """The name itself, if it is one of a picture's file. A path or any other name is a mistake of the caller."""
    if not FILE_NAME.fullmatch(name):
        raise ValueError(f"{name!r} is not the name of a picture's file")
    return name


@contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except StoreFailed as error:
        raise StoreUnavailable(_MESSAGES[error.trouble], error.done, error.why) from error


def store() -> Store:
    """The store of the settings."""
    settings = get_settings()
    return open_store(settings.media_url, settings.media_dir)


@cache
def open_store(url: str, folder: Path) -> Store:
    """The store at a URL as in `Settings.media_url`; without one, that in the folder."""
    return Store(url or folder)


def _ask() -> Finding:
    settings = get_settings()
    url = settings.media_url
    where = f"the bucket {bucket_of(url)}{urlsplit(url).path}" if url else settings.media_dir
    try:
        store().check()
    except StoreUnavailable as error:
        return Finding(AWAY, Severity.WRONG, f"{where}: {error.reason}.", detail=error.reason)
    return Finding(sentence=f"{where}: a test file was written, read and deleted.")


PICTURES = Check("pictures", _ask, MEDIA)
