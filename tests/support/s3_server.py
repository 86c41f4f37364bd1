"""A real S3-compatible server for tests: OpenStack Swift with its S3 API, on loopback."""

import itertools
import subprocess
import sys
import tempfile
import urllib.request
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import obstore
from obstore.store import S3Store

# As in tests/support/swift.py. The secret has signs that a URL must escape.
KEY, SECRET = "tests:site", "a/secret+of=tests"
ROOT = Path(__file__).parents[2]


class S3Server:
    """A server that keeps buckets in memory."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="advisory-s3-")
        self._numbers = itertools.count(1)
        log = Path(self._folder.name, "log")
        with log.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-W", "ignore", "-m", "tests.support.swift", self._folder.name],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert self._process.stdout is not None
        port = self._process.stdout.readline().strip()
        if not port:
            raise RuntimeError(f"Swift did not start:\n{log.read_text()[-3000:]}")
        self.endpoint = f"http://127.0.0.1:{port}"

    def url(self, bucket: str, folder: str = "", *, key: str = KEY, secret: str = SECRET) -> str:
        """The URL of a bucket or a folder in it, as the setting takes it."""
        return f"s3://{quote(key, safe='')}:{quote(secret, safe='')}@{bucket}{folder}?endpoint={self.endpoint}"

    def bucket(self) -> str:
        """The name of a new bucket."""
        name = f"bucket-{next(self._numbers)}"
        self._send("PUT", name)
        return name

    def remove_bucket(self, name: str) -> None:
        """Remove an empty bucket."""
        self._send("DELETE", name)

    def objects(self, bucket: str) -> S3Store:
        """The objects of a bucket, to look at without the site's code."""
        return S3Store(
            bucket,
            endpoint=self.endpoint,
            access_key_id=KEY,
            secret_access_key=SECRET,
            client_options={"allow_http": True},
        )

    def _send(self, method: str, bucket: str) -> None:
        signed = obstore.sign(self.objects(bucket), "PUT" if method == "PUT" else "DELETE", "", timedelta(minutes=1))
        with urllib.request.urlopen(urllib.request.Request(signed, method=method), timeout=30):
            pass

    def stop(self) -> None:
        """Stop the server, with all that it keeps."""
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()
