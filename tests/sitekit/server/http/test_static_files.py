"""Files of the build: under every encoding, with a tag, and never those that are only the build's own."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from sitekit.server.http.responses import respond
from sitekit.server.http.static_files import BuiltFiles


@pytest.fixture
def anyio_backend() -> str:
    """What the server runs on."""
    return "asyncio"


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """The folder of a build with one script, one font and one page."""
    (tmp_path / "assets").mkdir()
    for name, text in (("app.js", "run()"), ("app.js.br", "short"), ("app.js.gz", "shorter")):
        (tmp_path / "assets" / name).write_text(text)
    (tmp_path / "face.woff2").write_bytes(b"curves")
    (tmp_path / "notes.odd").write_text("?")
    (tmp_path / "index.html").write_text("<p>")
    return tmp_path


@pytest.fixture
async def reader(build: Path, anyio_backend: str) -> AsyncIterator[httpx.AsyncClient]:
    """Somebody who asks for files without a browser."""
    files = BuiltFiles(build)

    async def site(scope: Scope, receive: Receive, send: Send) -> None:
        document = files.get(scope["path"])
        assert document
        await respond(document, Request(scope))(scope, receive, send)

    async with httpx.AsyncClient(transport=httpx.ASGITransport(site), base_url="http://site") as reader:
        yield reader


@pytest.mark.anyio
async def test_a_file_is_sent_in_the_smallest_accepted_encoding(reader: httpx.AsyncClient) -> None:
    for asked, given, body in (("gzip, br", "br", b"short"), ("gzip", "gzip", b"shorter"), ("zstd", None, b"run()")):
        async with reader.stream("GET", "/assets/app.js", headers={"accept-encoding": asked}) as answer:
            assert answer.headers.get("content-encoding") == given
            assert b"".join([part async for part in answer.aiter_raw()]) == body
            assert answer.headers["vary"] == "accept-encoding"
            assert answer.headers["content-type"] == "text/javascript; charset=utf-8"


@pytest.mark.anyio
async def test_an_unchanged_file_is_answered_with_304(reader: httpx.AsyncClient) -> None:
    first = await reader.get("/face.woff2")
    assert (first.content, first.headers["content-type"]) == (b"curves", "font/woff2")
    again = await reader.get("/face.woff2", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_pages_and_compressed_copies_are_not_served_as_files(build: Path) -> None:
    files = BuiltFiles(build)
    assert "/assets/app.js" in files
    for path in ("/assets/app.js.br", "/index.html", "/assets", "/../secret"):
        assert path not in files
        assert files.get(path) is None


def test_unknown_file_types_are_left_to_the_next_handler(build: Path) -> None:
    files = BuiltFiles(build)
    assert "/notes.odd" in files
    assert files.get("/notes.odd") is None


def test_scripts_of_earlier_builds_are_still_served(build: Path, tmp_path: Path) -> None:
    former = tmp_path / "former"
    former.mkdir()
    for name in ("app.js", "old.js", "old.js.gz", "index.html"):
        (former / name).write_text("former")
    files = BuiltFiles(build, former)

    def served(name: str) -> bytes | None:
        document = files.get(f"/assets/{name}")
        return document.bodies[""] if document else None

    assert (served("app.js"), served("old.js")) == (b"run()", b"former")
    assert served("index.html") is None
    old = files.get("/assets/old.js")
    assert old is not None and old.bodies["gzip"] == b"former"
