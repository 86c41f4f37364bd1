"""The store of pictures in a bucket of an S3-compatible store.

obstore has its own threads, which do not survive a fork: a process that has used a store must not fork workers.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

from obstore import store as obstore
from obstore.exceptions import BaseError

from ..content import media_texts as texts
from ..core.pictures import FILE_NAME, MEDIA_TYPES
from .storage import StoreUnavailable, checked, try_out

if TYPE_CHECKING:
    from obstore.store import S3Credential

CONNECT_TIMEOUT = timedelta(seconds=2)
TIMEOUT = timedelta(seconds=5)
DEFAULT_REGION = "us-east-1"
# The response of the store in the text of an error. The rest of the text has the key, so it is not shown or logged.
_STATUS = re.compile(r"status code: (\d{3})")
_CODE = re.compile(r"<Code>(\w+)</Code>")


class S3Store:
    """A store in a bucket, or in a folder of it; the URL is that of `Settings.media_url`."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        options = parse_qs(parts.query)
        self._bucket = parts.netloc.rpartition("@")[2]
        region = options.get("region", [DEFAULT_REGION])[0]
        endpoint = options.get("endpoint", [f"https://s3.{region}.amazonaws.com"])[0]
        credentials: S3Credential = {
            "access_key_id": unquote(parts.username or ""),
            "secret_access_key": unquote(parts.password or ""),
            "expires_at": None,
        }
        self._store = obstore.S3Store(
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
                "connect_timeout": CONNECT_TIMEOUT,
                "timeout": TIMEOUT,
            },
            # One more try, but not after a timeout.
            retry_config={"max_retries": 1, "retry_timeout": TIMEOUT / 2},
        )

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
                if _is_bucket_lost(error):
                    raise
                return None

    def delete(self, names: Iterable[str]) -> None:
        """Delete files."""
        with self._errors(texts.DELETED):
            for name in names:
                try:
                    self._store.delete(checked(name))
                except FileNotFoundError as error:
                    if _is_bucket_lost(error):
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
                    if _is_bucket_lost(error):
                        raise
        return deleted

    def delete_unfinished(self, written_before: datetime) -> int:
        """Nothing: a store has a file as a whole or not at all."""
        return 0

    def names(self) -> Iterator[str]:
        """The names of all files."""
        with self._errors(texts.LISTED):
            for found in self._store.list():
                yield from (file["path"] for file in found if FILE_NAME.fullmatch(file["path"]))

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
            raise self._explained(str(error), done) from None

    def _explained(self, text: str, done: str) -> StoreUnavailable:
        status, name = (found[1] if (found := pattern.search(text)) else "" for pattern in (_STATUS, _CODE))
        code = f"{status} {name}".strip()
        if name == "NoSuchBucket" or (status == "404" and not name):
            return StoreUnavailable(texts.STORE_BROKEN, done, texts.NO_BUCKET.format(bucket=self._bucket))
        if status in ("401", "403"):
            return StoreUnavailable(texts.STORE_BROKEN, done, texts.KEY_REFUSED.format(code=code))
        if status:
            is_wrong = status.startswith("4") and status not in ("408", "429")
            message = texts.STORE_FULL if status == "507" else texts.STORE_BROKEN if is_wrong else texts.STORE_AWAY
            return StoreUnavailable(message, done, texts.ANSWERS.format(code=code))
        if "redirect" in text:
            return StoreUnavailable(texts.STORE_BROKEN, done, texts.OTHER_REGION)
        is_timeout = "TimedOut" in text
        return StoreUnavailable(texts.STORE_AWAY, done, texts.NO_ANSWER if is_timeout else texts.NOT_REACHED)


def _is_bucket_lost(error: FileNotFoundError) -> bool:
    """Whether the bucket is missing; otherwise only the file is."""
    found = _CODE.search(str(error))
    return found is not None and found[1] == "NoSuchBucket"
