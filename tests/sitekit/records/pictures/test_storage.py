"""The store of pictures: the same in a folder and in a bucket, and what it says when it does not work."""

import errno
import logging
import os
import socket
import stat
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from datetime import timedelta
from email.message import Message
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from sitekit.base import settings
from sitekit.base.observability.log_throttle import ThrottledLog
from sitekit.records.pictures import storage
from sitekit.records.pictures import texts as texts
from sitekit.records.pictures.addresses import FORMATS, MEDIA_TYPES, file_name
from sitekit.records.pictures.storage import Store, StoreUnavailable
from tests.conftest import ROOT, use
from tests.support.each import check_each
from tests.support.ports import free_port
from tests.support.s3_server import KEY as KEY_ID
from tests.support.s3_server import SECRET, S3Server

pytestmark = pytest.mark.spec("IMG-5")

KEY = "0123456789abcdef" * 2
NAME, OTHER = file_name(KEY, 960, "jpg"), file_name(KEY, 320, "avif")
OPERATIONS: dict[str, Callable[[Store], object]] = {
    "put": lambda store: store.put(NAME, b"picture"),
    "get": lambda store: store.get(NAME),
    "delete": lambda store: store.delete([NAME]),
    "names": lambda store: list(store.names()),
    "check": lambda store: store.check(),
}
each_operation = pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS.keys())


@pytest.fixture(autouse=True)
def unthrottled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test sees its first line of the log."""
    monkeypatch.setattr(storage, "_warn", ThrottledLog(storage.log))


@pytest.fixture
def store(media_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """The store of the settings, of each kind, with nothing in it."""
    (tmp_path / "data").mkdir()
    use(monkeypatch, tmp_path / "data", MEDIA_URL=media_url)
    yield storage.store()
    settings.get_settings.cache_clear()


def refused(store: Store, operation: Callable[[Store], object]) -> StoreUnavailable:
    with pytest.raises(StoreUnavailable) as caught:
        operation(store)
    return caught.value


def test_stored_files_are_read_back(store: Store) -> None:
    data = os.urandom(300_000)
    store.put(NAME, data)
    store.put(OTHER, b"")
    assert store.get(NAME) == data
    assert store.get(OTHER) == b""
    assert store.get(file_name(KEY, 480, "webp")) is None


def test_a_file_of_the_same_name_is_replaced(store: Store) -> None:
    store.put(NAME, b"old")
    store.put(NAME, b"new")
    assert store.get(NAME) == b"new"
    assert list(store.names()) == [NAME]


def test_files_are_deleted_and_missing_ones_skipped(store: Store) -> None:
    store.put(NAME, b"one")
    store.put(OTHER, b"two")
    store.delete([file_name(KEY, 480, "webp"), NAME])
    assert list(store.names()) == [OTHER]
    assert store.get(NAME) is None


def test_an_empty_store_has_no_names(store: Store) -> None:
    assert list(store.names()) == []


def test_only_file_names_of_pictures_are_accepted(store: Store) -> None:
    def check(name: str) -> None:
        with pytest.raises(ValueError, match="not the name of a picture"):
            store.put(name, b"x")
        with pytest.raises(ValueError, match="not the name of a picture"):
            store.delete([name])
        assert store.get(name) is None

    cases = ["", "..", f"../{NAME}", f"/{NAME}", f"x/{NAME}", f"{NAME}\n", f"{NAME}\0", "logo.jpg", f"{KEY}-960.svg"]
    check_each(cases, check)


def test_another_store_object_sees_the_same_files(store: Store, media_url: str, tmp_path: Path) -> None:
    store.put(NAME, b"picture")
    second = Store(media_url or tmp_path / "data" / "media")
    assert second.get(NAME) == b"picture"
    second.delete([NAME])
    assert store.get(NAME) is None


def test_a_store_check_leaves_no_files(store: Store, tmp_path: Path) -> None:
    store.check()
    assert list(store.names()) == []
    assert list((tmp_path / "data").iterdir()) == []


def test_a_store_check_notices_a_file_that_is_not_what_was_written(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(store._files), "get", lambda *_: b"other")
    error = refused(store, OPERATIONS["check"])
    assert error.message == texts.STORE_BROKEN
    assert error.reason == "a picture cannot be read: it is not what was written"
    assert list(store.names()) == []


def test_a_store_in_a_folder_needs_no_library_for_buckets() -> None:
    loaded = (
        "import sys, pathlib; from sitekit.ops import backup, check; from sitekit.records.pictures import storage;"
        f"storage.open_store('', pathlib.Path('none')).get({NAME!r}); sys.exit('obstore' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", loaded], cwd=ROOT).returncode == 0


# The folder


def test_files_in_the_folder_are_private_to_their_owner(tmp_path: Path) -> None:
    Store(tmp_path / "media").put(NAME, b"picture")
    assert stat.S_IMODE((tmp_path / "media").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "media" / NAME).stat().st_mode) == 0o600


def test_other_files_in_the_folder_are_not_listed(tmp_path: Path) -> None:
    for name in (NAME, "notes.txt", ".coming-1"):
        (tmp_path / name).write_bytes(b"x")
    assert list(Store(tmp_path).names()) == [NAME]


@pytest.mark.parametrize(
    ("code", "message", "reason"),
    [
        (errno.ENOSPC, texts.STORE_FULL, "a picture cannot be written: the disk is full"),
        (errno.EDQUOT, texts.STORE_FULL, "a picture cannot be written: the disk is full"),
        (errno.EIO, texts.STORE_BROKEN, "a picture cannot be written: Input/output error"),
    ],
)
def test_a_full_or_broken_disk_leaves_no_partial_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, message: str, reason: str
) -> None:
    store = Store(tmp_path)
    store.put(OTHER, b"before")

    def fail(_descriptor: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fail)
    for name in (NAME, OTHER):
        error = refused(store, lambda store, name=name: store.put(name, b"picture"))  # type: ignore[misc]
        assert (error.message, error.reason) == (message, reason)
    assert [path.name for path in tmp_path.iterdir()] == [OTHER]
    assert store.get(OTHER) == b"before"


@each_operation
def test_a_file_in_place_of_the_folder_is_reported(tmp_path: Path, operation: Callable[[Store], object]) -> None:
    (tmp_path / "media").write_text("")
    error = refused(Store(tmp_path / "media"), operation)
    assert error.message == texts.STORE_BROKEN
    assert error.reason.endswith(("Not a directory", "File exists"))


def test_a_missing_data_folder_is_not_recreated(tmp_path: Path) -> None:
    refused(Store(tmp_path / "lost" / "media"), OPERATIONS["put"])
    assert list(tmp_path.iterdir()) == []


# The bucket


@pytest.mark.parametrize("form", FORMATS)
def test_files_in_a_bucket_have_a_content_type(s3_server: S3Server, form: str) -> None:
    bucket, name = s3_server.bucket(), file_name(KEY, 320, form)
    Store(s3_server.url(bucket)).put(name, b"picture")
    assert s3_server.objects(bucket).get(name).attributes["Content-Type"] == MEDIA_TYPES[form]


def test_several_sites_can_share_a_bucket_in_folders(s3_server: S3Server) -> None:
    bucket = s3_server.bucket()
    first, second = (Store(s3_server.url(bucket, folder)) for folder in ("/first", "/second/"))
    whole = Store(s3_server.url(bucket))
    first.put(NAME, b"picture")
    s3_server.objects(bucket).put("first/notes.txt", b"x")
    assert list(first.names()) == [NAME]
    assert list(second.names()) == list(whole.names()) == []
    assert second.get(NAME) is whole.get(NAME) is None


def test_aws_environment_variables_are_ignored(
    s3_server: S3Server, failing: "_FailingServer", monkeypatch: pytest.MonkeyPatch
) -> None:
    url = s3_server.url(s3_server.bucket())
    for name in ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for name in ("AWS_SKIP_SIGNATURE", "AWS_VIRTUAL_HOSTED_STYLE_REQUEST"):
        monkeypatch.setenv(name, "true")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION"):
        monkeypatch.setenv(name, "other")
    Store(url).check()
    refused(store_at(failing.server_port), OPERATIONS["get"])
    assert "Credential=key/" in failing.headers["Authorization"]
    assert "X-Amz-Security-Token" not in failing.headers


@each_operation
def test_a_missing_bucket_is_reported_by_name(s3_server: S3Server, operation: Callable[[Store], object]) -> None:
    bucket = s3_server.bucket()
    store = Store(s3_server.url(bucket))
    s3_server.remove_bucket(bucket)
    error = refused(store, operation)
    assert error.message == texts.STORE_BROKEN
    assert error.reason.endswith(f": there is no bucket '{bucket}'")


@each_operation
def test_a_wrong_secret_is_reported_once_without_logging_it(
    s3_server: S3Server, operation: Callable[[Store], object], caplog: pytest.LogCaptureFixture
) -> None:
    store = Store(s3_server.url(s3_server.bucket(), secret="wrong-" + SECRET))
    error = refused(store, operation)
    refused(store, operation)
    assert error.message == texts.STORE_BROKEN
    assert error.reason.endswith(": the store refuses the key or its secret (403 SignatureDoesNotMatch)")
    (entry,) = (entry for entry in caplog.records if entry.name == storage.log.name)
    assert entry.levelno == logging.WARNING
    assert entry.getMessage() == f"Store of pictures: {error.reason}"
    assert KEY_ID not in "".join(traceback.format_exception(error)), "a log of it would have the key"


class _Fails(BaseHTTPRequestHandler):
    """Answers every request with an error."""

    server: "_FailingServer"

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked += 1
        self.server.headers = self.headers
        self.send_response(self.server.status)
        body = b"<Error><Code>SlowDown</Code></Error>"
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_PUT(self) -> None:
        self.do_GET()

    def do_DELETE(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


class _FailingServer(HTTPServer):
    status = 500
    asked = 0
    headers: Message


@pytest.fixture
def failing() -> Iterator[_FailingServer]:
    """A server that answers every request with its `status`."""
    server = _FailingServer(("127.0.0.1", 0), _Fails)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def store_at(port: int) -> Store:
    return Store(f"s3://key:secret@bucket?endpoint=http://127.0.0.1:{port}")


@each_operation
def test_a_store_that_answers_500_is_retried_once(
    failing: _FailingServer, operation: Callable[[Store], object]
) -> None:
    error = refused(store_at(failing.server_port), operation)
    assert error.message == texts.STORE_AWAY
    assert error.reason.endswith(": the store answers 500 SlowDown")
    assert failing.asked == 2


@pytest.mark.parametrize(
    ("status", "message", "why"),
    [
        (503, texts.STORE_AWAY, "the store answers 503 SlowDown"),
        (429, texts.STORE_AWAY, "the store answers 429 SlowDown"),
        (507, texts.STORE_FULL, "the store answers 507 SlowDown"),
        (400, texts.STORE_BROKEN, "the store answers 400 SlowDown"),
        (401, texts.STORE_BROKEN, "the store refuses the key or its secret (401 SlowDown)"),
        (301, texts.STORE_BROKEN, "the bucket is in another region"),
    ],
)
def test_other_store_errors_have_their_own_messages(
    failing: _FailingServer, status: int, message: str, why: str
) -> None:
    failing.status = status
    error = refused(store_at(failing.server_port), OPERATIONS["put"])
    assert (error.message, error.reason) == (message, f"a picture cannot be written: {why}")


@each_operation
def test_a_store_that_hangs_times_out(operation: Callable[[Store], object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "TIMEOUT", timedelta(milliseconds=100))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        error = refused(store_at(silent.getsockname()[1]), operation)
    assert error.message == texts.STORE_AWAY
    assert error.reason.endswith(": the store does not answer in time")


@each_operation
def test_an_unreachable_store_is_reported(operation: Callable[[Store], object]) -> None:
    error = refused(store_at(free_port()), operation)
    assert error.message == texts.STORE_AWAY
    assert error.reason.endswith(": the store cannot be reached")
