"""Rendered pages in memory: made once, bounded, never of another version."""

import asyncio

import pytest

from sitekit.server.http.responses import Document, make_document
from sitekit.server.ssr.page_cache import PageCache


def document(size: int = 100) -> Document:
    return make_document("x" * size)


def test_a_page_is_cached_only_for_its_content_version() -> None:
    cache, page = PageCache(10_000), document()
    cache.put("/a", 1, page)
    assert cache.get("/a", 1) is page
    assert cache.get("/a", 2) is None


def test_the_least_recently_used_pages_are_evicted() -> None:
    cache = PageCache(1_000)
    for name in ("/a", "/b", "/c"):
        cache.put(name, 1, document(300))
    assert cache.get("/a", 1)
    cache.put("/d", 1, document(300))
    assert [bool(cache.get(name, 1)) for name in ("/a", "/b", "/c", "/d")] == [True, False, True, True]
    assert cache.size == 900


def test_a_newer_version_replaces_the_older() -> None:
    cache = PageCache(1_000)
    for version in range(50):
        cache.put("/a", version, document(300))
    assert (len(cache), cache.size) == (1, 300)


def test_a_page_larger_than_the_cache_is_not_cached() -> None:
    cache = PageCache(1_000)
    cache.put("/small", 1, document(300))
    cache.put("/large", 1, document(2_000))
    assert (len(cache), cache.size) == (1, 300)


@pytest.mark.anyio
async def test_concurrent_requests_render_a_page_once() -> None:
    cache, made = PageCache(10_000), []

    async def make() -> Document:
        made.append(1)
        await asyncio.sleep(0.01)
        return document()

    pages = await asyncio.gather(*(cache.get_or_make("/a", 1, make) for _ in range(200)))
    assert len(made) == 1
    assert len(set(map(id, pages))) == 1


@pytest.mark.anyio
async def test_a_cancelled_request_does_not_cancel_the_page_for_others() -> None:
    cache, go_on = PageCache(10_000), asyncio.Event()

    async def make() -> Document:
        await go_on.wait()
        return document()

    first = asyncio.create_task(cache.get_or_make("/a", 1, make))
    second = asyncio.create_task(cache.get_or_make("/a", 1, make))
    await asyncio.sleep(0)
    first.cancel()
    go_on.set()
    assert (await second).status == 200


@pytest.mark.anyio
async def test_a_failure_reaches_all_waiting_requests_and_is_not_cached() -> None:
    cache = PageCache(10_000)

    async def fail() -> Document:
        raise ValueError

    async def make() -> Document:
        return document()

    failures = await asyncio.gather(*(cache.get_or_make("/a", 1, fail) for _ in range(3)), return_exceptions=True)
    assert [type(failure) for failure in failures] == [ValueError] * 3
    assert (await cache.get_or_make("/a", 1, make)).status == 200
