"""The theme in a cookie: the page comes in it, is kept in it, and follows every change like the page for everybody."""

import asyncio
from collections.abc import Mapping
from types import ModuleType

import httpx
import pytest
from starlette.datastructures import Headers

from sitekit.server.ssr import theme_variants
from sitekit.server.ssr.public_pages import PublicPages
from sitekit.server.ssr.theme_variants import chosen_theme
from tests.conftest import on_sqlite
from tests.sitekit.server.ssr.drawings import drawing, rename

pytestmark = [pytest.mark.anyio, on_sqlite, pytest.mark.usefixtures("database")]

DARK = {"cookie": "other=1; theme=dark"}
ROOT = '<html class="dark" lang="en">'


@pytest.mark.parametrize(
    ("cookie", "theme"),
    [
        (b"theme=dark", "dark"),
        (b"a=b; theme=light; c=d", "light"),
        (b"a=b;theme=dark", "dark"),
        (b"theme=system", ""),
        (b'theme=dark" onload="x', ""),
        (b"theme=darker", ""),
        (b"my-theme=dark", ""),
        (b"", ""),
        (b"\xff\x00;theme=\xff", ""),
    ],
)
async def test_only_known_themes_are_read_from_the_cookie(cookie: bytes, theme: str) -> None:
    assert chosen_theme(Headers(raw=[(b"accept", b"theme=dark"), (b"cookie", cookie)])) == theme


async def test_a_page_has_the_chosen_theme(visitor: httpx.AsyncClient, kelp: int) -> None:
    plain, dark = await visitor.get("/companies"), await visitor.get("/companies", headers=DARK)
    expected = plain.text.replace('<html lang="en">', ROOT)
    for theme, media in (("light", "not all"), ("dark", "all")):
        expected = expected.replace(f"(prefers-color-scheme: {theme})", media)
    assert dark.text == expected
    assert drawing(dark)["drawn"] == drawing(plain)["drawn"]
    for name in ("content-security-policy", "cache-control"):
        assert dark.headers[name] == plain.headers[name]


async def test_the_theme_script_is_inert(visitor: httpx.AsyncClient) -> None:
    assert '<script type="text/plain">localStorage' in (await visitor.get("/")).text


async def test_responses_vary_by_theme(visitor: httpx.AsyncClient) -> None:
    plain, dark = await visitor.get("/"), await visitor.get("/", headers=DARK)
    assert plain.headers["vary"] == dark.headers["vary"] == "accept-encoding, cookie"
    known = {"if-none-match": plain.headers["etag"]}
    assert (await visitor.get("/", headers=known)).status_code == 304
    assert (await visitor.get("/", headers=known | DARK)).status_code == 200
    assert (await visitor.get("/", headers=DARK | {"if-none-match": dark.headers["etag"]})).status_code == 304


async def test_each_theme_variant_is_made_once(
    visitor: httpx.AsyncClient, public_pages: PublicPages, kelp: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compressed: list[str] = []
    compress = public_pages.pages.theme_variants._compress

    async def count(html: str) -> Mapping[str, bytes]:
        compressed.append(html)
        return await compress(html)

    monkeypatch.setattr(public_pages.pages.theme_variants, "_compress", count)
    for path in ("/companies", "/companies", "/companies/nope", "/companies/neither"):
        assert ROOT in (await visitor.get(path, headers=DARK)).text
    assert len(compressed) == 2


async def test_a_change_appears_in_the_next_themed_page(
    visitor: httpx.AsyncClient, kelp: int, database: ModuleType
) -> None:
    await visitor.get("/companies", headers=DARK)
    rename(database, "kelp", "Sea Grass")
    assert "Sea Grass" in (await visitor.get("/companies", headers=DARK)).text


@pytest.mark.spec("CO-3")
async def test_a_missing_page_keeps_its_status_and_theme(visitor: httpx.AsyncClient, kelp: int) -> None:
    answer = await visitor.get("/companies/nope", headers=DARK)
    assert (answer.status_code, answer.headers["x-robots-tag"]) == (404, "noindex")
    assert ROOT in answer.text


async def test_the_answer_to_a_form_has_the_theme(visitor: httpx.AsyncClient) -> None:
    answer = await visitor.post("/contact", headers=DARK, data={"email": "ann at kelp"})
    assert answer.status_code == 422
    assert ROOT in answer.text
    assert answer.headers["cache-control"] == "no-store"


async def test_a_cached_page_has_the_theme_without_a_renderer(
    visitor: httpx.AsyncClient, public_pages: PublicPages
) -> None:
    await visitor.get("/why-us")
    await public_pages.page_renderer.renderer.stop()
    answer = await visitor.get("/why-us", headers=DARK | {"accept-encoding": "gzip"})
    assert "content-encoding" not in answer.headers
    assert ROOT in answer.text


async def test_a_page_not_compressed_in_time_still_has_its_theme(
    visitor: httpx.AsyncClient, public_pages: PublicPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    await visitor.get("/why-us")

    async def hang(_html: str) -> dict[str, bytes]:
        await asyncio.sleep(60)
        return {}

    monkeypatch.setattr(theme_variants, "COMPRESS_TIMEOUT", 0.1)
    monkeypatch.setattr(public_pages.pages.theme_variants, "_compress", hang)
    answer = await visitor.get("/why-us", headers={"cookie": "theme=dark"})
    assert '<html class="dark"' in answer.text
