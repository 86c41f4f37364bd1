"""Where backups are kept: a folder, or a bucket of an S3-compatible store.

The key and the secret of a bucket are in its URL, or in the settings BACKUP_KEY and BACKUP_SECRET.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from ..base.errors import ServiceError
from ..base.object_store import Bucket, Folder, StoreFailed, bucket_of
from ..base.scratch import scratch_folder
from ..base.settings import PREFIX, Settings
from .backup_keep import NAME

SUFFIX = ".backup"
# A backup is sent and fetched in parts, and each request has this time.
TIMEOUT = timedelta(minutes=2)


class BackupStoreUnavailable(ServiceError):
    """The folder or the bucket cannot be used; the message has the reason, without secrets."""


class BackupStore:
    """Backups by name, in a folder, which must exist, or a bucket. A backup is there as a whole or not at all."""

    def __init__(self, place: Path | str) -> None:
        if isinstance(place, Path):
            self._objects: Folder | Bucket = Folder(place.absolute())
            self._address = str(place.absolute())
            if not place.is_dir():
                raise BackupStoreUnavailable(f"There is no folder {self._address}.")
        else:
            self._objects = Bucket(place, TIMEOUT)
            self._address = f"s3://{bucket_of(place)}/{urlsplit(place).path.strip('/')}".rstrip("/")

    def where(self, name: str = "") -> str:
        """How people find the store, or a backup in it; without secrets."""
        return f"{self._address.rstrip('/')}/{name}" if name else self._address

    def names(self) -> list[str]:
        """The names of the backups that were named by their time, oldest first."""
        with self._errors():
            return sorted(filter(NAME.fullmatch, self._objects.names()))

    @contextmanager
    def new(self, name: str) -> Iterator[Path]:
        """A path for a new backup, which is in the store once the block ends without an error.

        That in a folder is its place at once, and must be written atomically.
        """
        if isinstance(self._objects, Folder):
            yield Path(self.where(name))
            return
        if name in self.names():
            raise BackupStoreUnavailable(f"{self.where(name)} exists already.")
        with scratch_folder("backup") as scratch:
            yield scratch / name
            with self._errors():
                self._objects.put(name, scratch / name)

    @contextmanager
    def file(self, name: str) -> Iterator[Path]:
        """A backup as a local file, as long as the block runs."""
        if isinstance(self._objects, Folder):
            yield Path(self.where(name))
            return
        with scratch_folder("backup") as scratch:
            with self._errors():
                if not self._objects.download(name, scratch / name):
                    raise BackupStoreUnavailable(f"There is no backup {self.where(name)}.")
            yield scratch / name

    def delete(self, name: str) -> None:
        """Delete a backup."""
        with self._errors():
            self._objects.delete(name)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except StoreFailed as error:
            raise BackupStoreUnavailable(f"Backups in {self.where()} cannot be {error.done}: {error.why}.") from error


def open_store(destination: str) -> BackupStore:
    """The store in a folder, or at the URL of a bucket."""
    return BackupStore(_url(destination) if "://" in destination else Path(destination))


def _url(destination: str) -> str:
    """The URL of a bucket with its key, which may be in the environment; raises `WrongSetting`."""
    given = {name: os.environ.get(name, "") for name in (f"{PREFIX}BACKUP_KEY", f"{PREFIX}BACKUP_SECRET")}
    return Settings.from_environment(given | {f"{PREFIX}BACKUP_TO": destination}).backup_to


def newest(store: BackupStore) -> str:
    """The name of the newest backup in a store."""
    names = store.names()
    if not names:
        raise BackupStoreUnavailable(f"There is no backup in {store.where()}.")
    return names[-1]


@contextmanager
def fetch_backup(source: str) -> Iterator[Path]:
    """A backup as a local file: a file or the URL of one, or the newest one of a folder or a bucket."""
    store, name = _split(source)
    if store is None:
        yield Path(source)
        return
    with store.file(name or newest(store)) as file:
        yield file


def _split(source: str) -> tuple[BackupStore | None, str]:
    """The store and the name of a backup; no name if the source is a store, and no store if it is a file."""
    if "://" not in source:
        return (open_store(source), "") if Path(source).is_dir() else (None, source)
    parts = urlsplit(_url(source))
    folder, _, last = parts.path.rpartition("/")
    if not last.endswith(SUFFIX):
        return BackupStore(parts.geturl()), ""
    return BackupStore(urlunsplit((parts.scheme, parts.netloc, folder, parts.query, ""))), last
