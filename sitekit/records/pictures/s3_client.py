"""Clients of buckets in S3-compatible stores, and their errors in plain words.

obstore has its own threads, which do not survive a fork: a process that has used a store must not fork workers.
"""

import re
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

from obstore import store as obstore

from . import texts as texts

if TYPE_CHECKING:
    from obstore.store import S3Credential

CONNECT_TIMEOUT = timedelta(seconds=2)
DEFAULT_REGION = "us-east-1"
# The response of the store in the text of an error. The rest of the text has the key, so it is not shown or logged.
_STATUS = re.compile(r"status code: (\d{3})")
_CODE = re.compile(r"<Code>(\w+)</Code>")


def connect(url: str, timeout: timedelta) -> obstore.S3Store:
    """The objects of a bucket, or of a folder in it. The URL is that of `Settings.media_url`.

    A request ends after `timeout`. One that fails is tried once more, but not after a timeout.
    """
    parts = urlsplit(url)
    options = parse_qs(parts.query)
    region = options.get("region", [DEFAULT_REGION])[0]
    endpoint = options.get("endpoint", [f"https://s3.{region}.amazonaws.com"])[0]
    credentials: S3Credential = {
        "access_key_id": unquote(parts.username or ""),
        "secret_access_key": unquote(parts.password or ""),
        "expires_at": None,
    }
    return obstore.S3Store(
        bucket_of(url),
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
            "timeout": timeout,
        },
        retry_config={"max_retries": 1, "retry_timeout": timeout / 2},
    )


def bucket_of(url: str) -> str:
    """The name of the bucket."""
    return urlsplit(url).netloc.rpartition("@")[2]


def explain(error: Exception, bucket: str) -> tuple[str, str]:
    """What an error means for staff, and why it happened, for admins; without secrets."""
    text = str(error)
    status, name = (match[1] if (match := pattern.search(text)) else "" for pattern in (_STATUS, _CODE))
    code = f"{status} {name}".strip()
    if name == "NoSuchBucket" or (status == "404" and not name):
        return texts.STORE_BROKEN, texts.NO_BUCKET.format(bucket=bucket)
    if status in ("401", "403"):
        return texts.STORE_BROKEN, texts.KEY_REFUSED.format(code=code)
    if status:
        is_wrong = status.startswith("4") and status not in ("408", "429")
        message = texts.STORE_FULL if status == "507" else texts.STORE_BROKEN if is_wrong else texts.STORE_AWAY
        return message, texts.ANSWERS.format(code=code)
    if "redirect" in text:
        return texts.STORE_BROKEN, texts.OTHER_REGION
    return texts.STORE_AWAY, texts.NO_ANSWER if "TimedOut" in text else texts.NOT_REACHED


def is_bucket_lost(error: FileNotFoundError) -> bool:
    """Whether the bucket is missing; otherwise only the file is."""
    match = _CODE.search(str(error))
    return match is not None and match[1] == "NoSuchBucket"
