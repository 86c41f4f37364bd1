"""Where backups are kept: a folder, or a bucket of an S3-compatible store.

The key and the secret of a bucket are in its URL, or in the settings BACKUP_KEY and BACKUP_SECRET.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit, urlunsplit

from ..base.errors import ServiceError
from ..base.scratch import scratch_folder
from ..base.settings import PREFIX, Settings
from .backup_keep import NAME

SUFFIX = ".backup"
# A backup is sent and fetched in parts, and each request has this time.
TIMEOUT = timedelta(minutes=2)
PART = 8 << 20  # bytes


class BackupStoreUnavailable(ServiceError):
    """The folder or the bucket cannot be used; the message has the reason, without secrets."""


class BackupStore(Protocol):
    """Backups by name. A backup is there as a whole or not at all."""

    def where(self, name: str = "") -> str:
        """How people find the store, or a backup in it; without secrets."""

    def names(self) -> list[str]:
        """The names of the backups that were named by their time, oldest first."""

    def new(self, name: str) -> AbstractContextManager[Path]:
        """A path for a new backup, which is in the store once the block ends without an error."""

    def file(self, name: str) -> AbstractContextManager[Path]:
        """A backup as a local file, as long as the block runs."""

    def delete(self, name: str) -> None:
        """Delete a backup."""


class FolderStore:
    """Backups in a folder, which must exist. A path of it must be written atomically."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.absolute()
        if not self._folder.is_dir():
            raise BackupStoreUnavailable(f"There is no folder {self._folder}.")

    def where(self, name: str = "") -> str:
        """The path."""
        return str(self._folder / name)

    def names(self) -> list[str]:
        """The names of the backups."""
        with self._errors("be listed"):
            return sorted(path.name for path in self._folder.iterdir() if NAME.fullmatch(path.name))

    @contextmanager
    def new(self, name: str) -> Iterator[Path]:
        """The path in the folder."""
        yield self._folder / name

    @contextmanager
    def file(self, name: str) -> Iterator[Path]:
        """The file itself."""
        yield self._folder / name

    def delete(self, name: str) -> None:
        """Delete a file."""
        with self._errors("be deleted"):
            (self._folder / name).unlink(missing_ok=True)

    @contextmanager
    def _errors(self, what: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise BackupStoreUnavailable(f"Backups in {self._folder} cannot {what}: {error.strerror}.") from error


class BucketStore:
    """Backups in a bucket, or in a folder of it. An upload that was interrupted leaves no object."""

    def __init__(self, url: str) -> None:
        # Only here, because commands without a bucket do not need it.
        from ..records.pictures import s3_client

        self._client = s3_client
        self._bucket, self._folder = s3_client.bucket_of(url), urlsplit(url).path.strip("/")
        self._store = s3_client.connect(url, TIMEOUT)

    def where(self, name: str = "") -> str:
        """The address without the key."""
        return "s3://" + "/".join(part for part in (self._bucket, self._folder, name) if part)

    def names(self) -> list[str]:
        """The names of the backups."""
        with self._errors("be listed"):
            return sorted(file["path"] for page in self._store.list() for file in page if NAME.fullmatch(file["path"]))

    @contextmanager
    def new(self, name: str) -> Iterator[Path]:
        """A path in a scratch folder, from which the backup is uploaded at the end."""
        if name in self.names():
            raise BackupStoreUnavailable(f"{self.where(name)} exists already.")
        with scratch_folder("backup") as scratch:
            file = scratch / name
            yield file
            with self._errors("be written"):
                self._store.put(name, file, chunk_size=PART, max_concurrency=2)

    @contextmanager
    def file(self, name: str) -> Iterator[Path]:
        """A copy in a scratch folder."""
        with scratch_folder("backup") as scratch:
            file = scratch / name
            with self._errors("be read", name):
                size = self._store.head(name)["size"]
                with file.open("xb") as copy:
                    for start in range(0, size, PART):
                        copy.write(self._store.get_range(name, start=start, end=min(start + PART, size)))
            yield file

    def delete(self, name: str) -> None:
        """Delete an object."""
        with self._errors("be deleted"):
            self._store.delete(name)

    @contextmanager
    def _errors(self, what: str, name: str = "") -> Iterator[None]:
        from obstore.exceptions import BaseError

        try:
            yield
        except (BaseError, OSError) as error:
            if name and isinstance(error, FileNotFoundError) and not self._client.is_bucket_lost(error):
                raise BackupStoreUnavailable(f"There is no backup {self.where(name)}.") from None
            if isinstance(error, OSError) and error.errno:  # of the scratch folder
                why = f"{tempfile.gettempdir()}: {error.strerror}"
                raise BackupStoreUnavailable(f"Backups in {self.where()} cannot {what}: {why}.") from None
            # Without `from error`, whose text has the key.
            _, why = self._client.explain(error, self._bucket)
            raise BackupStoreUnavailable(f"Backups in {self.where()} cannot {what}: {why}.") from None


def open_store(destination: str) -> BackupStore:
    """The store in a folder, or at the URL of a bucket."""
    return BucketStore(_url(destination)) if "://" in destination else FolderStore(Path(destination))


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
        return BucketStore(parts.geturl()), ""
    return BucketStore(urlunsplit((parts.scheme, parts.netloc, folder, parts.query, ""))), last
