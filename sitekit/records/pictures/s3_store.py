"""The store of pictures in a bucket of an S3-compatible store."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from obstore.exceptions import BaseError

from . import s3_client
from . import texts as texts
from .addresses import FILE_NAME, MEDIA_TYPES
from .storage import StoreUnavailable, checked, try_out

TIMEOUT = timedelta(seconds=5)


class S3Store:
    """A store in a bucket, or in a folder of it; the URL is that of `Settings.media_url`."""

    def __init__(self, url: str) -> None:
        self._bucket = s3_client.bucket_of(url)
        self._store = s3_client.connect(url, TIMEOUT)

    def put(self, name: str, data: bytes) -> None:
        """Store a file."""
        form = checked(name).rpartition(".")[2]
        with self._errors(texts.WRITTEN):
            self._store.put(name, data, attributes={"Content-Type": MEDIA_TYPES[form]}, use_multipart=False)

    def get(self, name: str) -> bytes | None:
        """The content of a file."""
        if not FILE_NAME.fullmatch(name):
            return None
        with self._errors(texts.READ):
            try:
                return self._store.get(name).bytes().to_bytes()
            except FileNotFoundError as error:
                if s3_client.is_bucket_lost(error):
                    raise
                return None

    def delete(self, names: Iterable[str]) -> None:
        """Delete files."""
        with self._errors(texts.DELETED):
            for name in names:
                try:
                    self._store.delete(checked(name))
                except FileNotFoundError as error:
                    if s3_client.is_bucket_lost(error):
                        raise

    def delete_old(self, names: Iterable[str], written_before: datetime) -> int:
        """Delete those files that were last written before a time."""
        deleted = 0
        with self._errors(texts.DELETED):
            for name in names:
                try:
                    if self._store.head(checked(name))["last_modified"] < written_before:
                        self._store.delete(name)
                        deleted += 1
                except FileNotFoundError as error:
                    if s3_client.is_bucket_lost(error):
                        raise
        return deleted

    def delete_unfinished(self, written_before: datetime) -> int:
        """Nothing: a store has a file as a whole or not at all."""
        return 0

    def names(self) -> Iterator[str]:
        """The names of all files."""
        with self._errors(texts.LISTED):
            for files in self._store.list():
                yield from (file["path"] for file in files if FILE_NAME.fullmatch(file["path"]))

    def check(self) -> None:
        """Write, read and delete a file."""
        try_out(self)

    @contextmanager
    def _errors(self, done: str) -> Iterator[None]:
        """Raise errors of the store as `StoreUnavailable`."""
        try:
            yield
        except (BaseError, OSError) as error:
            # Without `from error`, whose text has the key and may be logged.
            message, why = s3_client.explain(error, self._bucket)
            raise StoreUnavailable(message, done, why) from None
