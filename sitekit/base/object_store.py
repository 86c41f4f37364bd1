"""Objects by name, in a folder or in a bucket of an S3-compatible store: the same calls, and one error.

All calls block. obstore, which is imported for buckets alone, has its own threads, which do not survive a fork: a
process that has used a bucket must not fork workers.
"""

import errno
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

from .write_whole import COMING, write_whole

if TYPE_CHECKING:
    from obstore.store import S3Credential

PART = 8 << 20  # bytes; of files that are sent and fetched in parts, each with a request of its own
# The response of the store in the text of an error. The rest of the text has the key, so it is not shown or logged.
_STATUS = re.compile(r"status code: (\d{3})")
_CODE = re.compile(r"<Code>(\w+)</Code>")


class StoreTrouble(Enum):
    """What an error means for those who use the store."""

    AWAY = "a retry may succeed"
    BROKEN = "an admin has to repair it"
    FULL = "an admin has to make space"


class StoreFailed(Exception):
    """A store does not work or does not answer: what cannot be `done`, and `why`, for admins; without secrets."""

    def __init__(self, done: str, why: str, trouble: StoreTrouble = StoreTrouble.BROKEN) -> None:
        super().__init__(f"An object cannot be {done}: {why}")
        self.done, self.why, self.trouble = done, why, trouble


class Folder:
    """Objects in a folder, which is created when the first one is put there; its parent is not."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, name: str, data: bytes, _media_type: str = "") -> None:
        """Store an object; replaces one of the same name."""
        with _disk_errors("written"):
            self.folder.mkdir(mode=0o700, exist_ok=True)
            write_whole(self.folder / name, [data])

    def get(self, name: str) -> bytes | None:
        """The content of an object; None if there is none of this name."""
        with _disk_errors("read"), suppress(FileNotFoundError):
            return (self.folder / name).read_bytes()
        return None

    def delete(self, name: str, written_before: datetime | None = None) -> bool:
        """Delete an object if there is one, last written before a time if one is given; whether it was deleted."""
        path = self.folder / name
        with _disk_errors("deleted"), suppress(FileNotFoundError):
            if written_before is None or path.stat().st_mtime < written_before.timestamp():
                path.unlink()
                return True
        return False

    def delete_unfinished(self, written_before: datetime) -> int:
        """Delete what writes left that were interrupted before a time; how many."""
        with _disk_errors("deleted"):
            return sum(self.delete(path.name, written_before) for path in self.folder.glob(f"{COMING}*"))

    def names(self) -> Iterator[str]:
        """The names of all objects, in any order."""
        with _disk_errors("listed"), suppress(FileNotFoundError):
            yield from (path.name for path in self.folder.iterdir())


class Bucket:
    """Objects in a bucket, or in a folder of it; the URL is that of `Settings.media_url`.

    A request ends after `timeout`. One that fails is tried once more, but not after a timeout.
    """

    def __init__(self, url: str, timeout: timedelta) -> None:
        from obstore.store import S3Store  # only here, because most sites and commands do not need it

        parts = urlsplit(url)
        options = parse_qs(parts.query)
        region = options.get("region", ["us-east-1"])[0]
        endpoint = options.get("endpoint", [f"https://s3.{region}.amazonaws.com"])[0]
        credentials: S3Credential = {
            "access_key_id": unquote(parts.username or ""),
            "secret_access_key": unquote(parts.password or ""),
            "expires_at": None,
        }
        self._bucket = bucket_of(url)
        self._store = S3Store(
            self._bucket,
            prefix=parts.path.strip("/") or None,
            region=region,
            # These four are given so that the AWS_... variables of other programs have no effect.
            credential_provider=lambda: credentials,
            aws_endpoint_url_s3=endpoint.rstrip("/"),
            skip_signature=False,
            virtual_hosted_style_request=False,
            # Not every store can delete several files with one request.
            disable_bulk_delete=True,
            client_options={
                "allow_http": endpoint.startswith("http://"),
                "connect_timeout": timedelta(seconds=2),
                "timeout": timeout,
            },
            retry_config={"max_retries": 1, "retry_timeout": timeout / 2},
        )

    def put(self, name: str, data: bytes | Path, media_type: str = "application/octet-stream") -> None:
        """Store an object, that of a file in parts; replaces one of the same name."""
        options = {"use_multipart": False} if isinstance(data, bytes) else {"chunk_size": PART, "max_concurrency": 2}
        with self._errors("written"):
            self._store.put(name, data, attributes={"Content-Type": media_type}, **options)

    def get(self, name: str) -> bytes | None:
        """The content of an object; None if there is none of this name."""
        with suppress(FileNotFoundError), self._errors("read"):
            return self._store.get(name).bytes().to_bytes()
        return None

    def download(self, name: str, file: Path) -> bool:
        """Copy a large object into a new file, in parts; whether there is one of this name."""
        with suppress(FileNotFoundError), self._errors("read"):
            size = self._store.head(name)["size"]
            with file.open("xb") as copy:
                for start in range(0, size, PART):
                    copy.write(self._store.get_range(name, start=start, end=min(start + PART, size)))
            return True
        return False

    def delete(self, name: str, written_before: datetime | None = None) -> bool:
        """Delete an object if there is one, last written before a time if one is given; whether it was deleted."""
        with suppress(FileNotFoundError), self._errors("deleted"):
            if written_before is None or self._store.head(name)["last_modified"] < written_before:
                self._store.delete(name)
                return True
        return False

    def names(self) -> Iterator[str]:
        """The names of all objects, in any order."""
        with self._errors("listed"):
            for page in self._store.list():
                yield from (file["path"] for file in page)

    @contextmanager
    def _errors(self, done: str) -> Iterator[None]:
        """Errors as `StoreFailed`; but if only the object is missing that was to be read or deleted, as they are."""
        from obstore.exceptions import BaseError

        try:
            yield
        except (BaseError, OSError) as error:
            if isinstance(error, OSError) and error.errno:  # of a file that is sent or fetched, in a scratch folder
                raise StoreFailed(done, f"{tempfile.gettempdir()}: {error.strerror}") from None
            is_missing = isinstance(error, FileNotFoundError) and "<Code>NoSuchBucket<" not in str(error)
            if is_missing and done in ("read", "deleted"):
                raise
            # Without `from error`, whose text has the key and may be logged.
            raise _failure(error, done, self._bucket) from None


def bucket_of(url: str) -> str:
    """The name of the bucket."""
    return urlsplit(url).netloc.rpartition("@")[2]


def try_out(store: Folder | Bucket, name: str) -> None:
    """Write, read and delete an object. Leaves no folder, because root may run this before the site has one."""
    new = store.folder if isinstance(store, Folder) and not store.folder.exists() else None
    try:
        store.put(name, b"test")
        try:
            if store.get(name) != b"test":
                raise StoreFailed("read", "it is not what was written")
        except StoreFailed:
            with suppress(StoreFailed):
                store.delete(name)
            raise
        store.delete(name)
    finally:
        if new:
            with suppress(OSError):
                new.rmdir()


@contextmanager
def _disk_errors(done: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreFailed(done, "the disk is full", StoreTrouble.FULL) from error
        raise StoreFailed(done, error.strerror or type(error).__name__) from error


def _failure(error: Exception, done: str, bucket: str) -> StoreFailed:
    """What the error of a bucket means, without its text."""
    text = str(error)
    status, name = (match[1] if (match := pattern.search(text)) else "" for pattern in (_STATUS, _CODE))
    code = f"{status} {name}".strip()
    if name == "NoSuchBucket" or (status == "404" and not name):
        return StoreFailed(done, f"there is no bucket '{bucket}'")
    if status in ("401", "403"):
        return StoreFailed(done, f"the store refuses the key or its secret ({code})")
    if status:
        is_wrong = status.startswith("4") and status not in ("408", "429")
        trouble = StoreTrouble.FULL if status == "507" else StoreTrouble.BROKEN if is_wrong else StoreTrouble.AWAY
        return StoreFailed(done, f"the store answers {code}", trouble)
    if "redirect" in text:
        return StoreFailed(done, "the bucket is in another region")
    why = "the store does not answer in time" if "TimedOut" in text else "the store cannot be reached"
    return StoreFailed(done, why, StoreTrouble.AWAY)
