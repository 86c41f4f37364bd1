"""A cached page is answered before the layers that it does not need; all tests of this folder ask through them."""

import asyncio

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from sitekit.server.http.security_headers import SecurityHeaders, security_headers
from sitekit.server.ssr.cached_pages import CachedPages
from sitekit.server.ssr.public_pages import PublicPages
from tests.conftest import on_sqlite
from tests.support.asgi_client import asked

pytestmark = [pytest.mark.anyio, on_sqlite]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"accept_encoding": "gzip, br;q=0, zstd"},
        {"if_none_match": "*"},
        {"if_none_match": 'W/"another"', "range": "bytes=0-3", "cookie": "session=1"},
    ],
)
@pytest.mark.parametrize("path", ["/companies", "/companies/kelp", "/terms"])
async def test_a_cached_page_has_the_same_response_as_through_all_layers(
    public_pages: PublicPages, kelp: int, path: str, headers: dict[str, str], method: str
) -> None:
    passed_on: list[str] = []
    layers = SecurityHeaders(public_pages, https_only=True)

    async def note(scope: Scope, receive: Receive, send: Send) -> None:
        passed_on.append(scope["path"])
        await layers(scope, receive, send)

    pages = public_pages.pages
    site = CachedPages(note, table=public_pages.table, pages=pages, headers=security_headers(https_only=True))
    await asked(site, path)
    await asyncio.gather(*pages._recompressions)
    early, late = [await asked(app, path, method, **headers) for app in (site, layers)]
    assert early == late
    assert list(early.headers) == list(late.headers)
    assert passed_on == [path]


async def test_requests_for_uncached_pages_are_passed_on(visitor: httpx.AsyncClient, kelp: int) -> None:
    page = await visitor.get("/companies/kelp")
    assert (await visitor.get("/companies%2Fkelp")).status_code == 404
    assert (await visitor.put("/companies/kelp")).status_code == 405
    dark = await visitor.get("/companies/kelp", headers=[("cookie", "theme=dark"), ("cookie", "session=1")])
    assert dark.text != page.text


async def test_the_content_version_is_read_once_per_request(
    visitor: httpx.AsyncClient, public_pages: PublicPages, kelp: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, reads = public_pages.pages.version_source, 0
    version = source.version

    async def count() -> int:
        nonlocal reads
        reads += 1
        return await version()

    monkeypatch.setattr(source, "version", count)
    for number in (1, 2):
        await visitor.get("/companies")
        assert reads == number
