"""When the renderer or an on_load fails: an answer in time for everybody, one line of the log, and it heals."""

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import httpx
import pytest

from advisory_site.companies.public import CompanyListState
from sitekit.server.ssr import page_renderer as page_renderer_module
from sitekit.server.ssr import renderer as renderer_module
from sitekit.server.ssr.public_pages import PublicPages
from sitekit.server.ssr.renderer import Renderer
from tests.conftest import on_sqlite
from tests.support.factories import add_company

pytestmark = [pytest.mark.anyio, on_sqlite]

# Seconds, for what would otherwise never come; how fast it comes is not asked.
AT_ALL = 30


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Minutes of trouble in seconds."""
    monkeypatch.setattr(renderer_module, "FIRST_RESTART_DELAY", 0.01)
    monkeypatch.setattr(renderer_module, "MAX_RESTART_DELAY", 0.05)
    monkeypatch.setattr(page_renderer_module, "ON_LOAD_COOLDOWN", 0.2)


@pytest.fixture(autouse=True)
def complaints(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever happens, the log says each thing once: less than a minute passes in a test."""
    with caplog.at_level(logging.WARNING, "sitekit"):
        yield
    for subject in ("The renderer ended", "Served the prerendered page"):
        assert len([record for record in caplog.records if subject in record.message]) <= 1


def kill(renderer: Renderer) -> None:
    assert renderer.process_id
    os.kill(renderer.process_id, signal.SIGKILL)


async def until_whole(visitor: httpx.AsyncClient, path: str) -> None:
    """Ask until the page is a drawn one again."""
    async with asyncio.timeout(AT_ALL):
        while "<pre>" not in (await visitor.get(path)).text:
            await asyncio.sleep(0.02)


async def test_a_renderer_killed_while_idle_restarts_soon(
    visitor: httpx.AsyncClient, renderer: Renderer, kelp: int
) -> None:
    kill(renderer)
    async with asyncio.timeout(AT_ALL):
        assert (await visitor.get("/companies")).status_code == 200
    await until_whole(visitor, "/companies")


async def test_a_renderer_killed_while_rendering_keeps_nobody_waiting(
    visitor: httpx.AsyncClient,
    renderer: Renderer,
    kelp: int,
    database: ModuleType,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with database.transaction() as session:
        add_company(session, slug="hang")
    crowd = [asyncio.create_task(visitor.get("/companies/hang")) for _ in range(20)]
    while not renderer._waiting:
        await asyncio.sleep(0.01)
    jobs = next(renderer._ids)
    kill(renderer)
    async with asyncio.timeout(AT_ALL):
        answers = await asyncio.gather(*crowd)
    assert next(renderer._ids) == jobs + 2, "the next process was asked once for all, and then no more"
    assert {(answer.status_code, "the plain page" in answer.text) for answer in answers} == {(503, True)}
    assert {int(answer.headers["retry-after"]) > 0 for answer in answers} == {True}
    assert "Served the prerendered page: '/companies/hang'" in caplog.text
    await until_whole(visitor, "/companies/kelp")


async def test_visitors_get_plain_pages_while_the_renderer_bundle_is_missing(
    visitor: httpx.AsyncClient, renderer: Renderer, bundle: Path, kelp: int, caplog: pytest.LogCaptureFixture
) -> None:
    hidden = bundle.rename(bundle.with_suffix(".hidden"))
    kill(renderer)
    renderer._timeout = 600  # nobody shall wait so long
    async with asyncio.timeout(AT_ALL):
        answers = await asyncio.gather(*(visitor.get(path) for path in ("/companies", "/companies/kelp", "/why-us")))
    assert [answer.status_code for answer in answers] == [503, 503, 200]
    assert {"the plain page" in answer.text for answer in answers} == {True}
    async with asyncio.timeout(AT_ALL):
        while "The renderer ended" not in caplog.text:
            await asyncio.sleep(0.02)
    hidden.rename(bundle)
    await until_whole(visitor, "/companies/kelp")


async def test_an_unknown_slug_is_404_without_a_renderer(
    visitor: httpx.AsyncClient, renderer: Renderer, kelp: int
) -> None:
    await renderer.stop()
    answer = await visitor.get("/companies/nope")
    assert answer.status_code == 404
    assert answer.headers["x-robots-tag"] == "noindex"
    assert "the plain page" in answer.text


async def test_plain_pages_are_logged_once_a_minute(
    visitor: httpx.AsyncClient, renderer: Renderer, kelp: int, caplog: pytest.LogCaptureFixture
) -> None:
    await renderer.stop()
    for path in ("/companies", "/companies", "/why-us", "/companies/kelp"):
        await visitor.get(path)
    assert caplog.text.count("Served the prerendered page") == 1


@pytest.mark.parametrize("way", ["asleep", "blocking"])
async def test_a_hanging_on_load_gives_a_plain_page_in_time_and_blocks_no_other(
    visitor: httpx.AsyncClient, public_pages: PublicPages, kelp: int, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    states = public_pages.page_renderer.initial_states
    begun, may_end, ended = threading.Event(), threading.Event(), []

    async def hang(*_: object) -> None:
        begun.set()
        if way == "blocking":
            may_end.wait(AT_ALL)
        while not may_end.is_set():
            await asyncio.sleep(0.01)
        ended.append(way)

    with monkeypatch.context() as patch:
        patch.setattr(CompanyListState, "_read", hang)
        with monkeypatch.context() as short:  # for this page alone
            short.setattr(states, "_timeout", 0.8)
            hanging = asyncio.create_task(visitor.get("/companies"))
            async with asyncio.timeout(AT_ALL):
                while not begun.is_set():
                    await asyncio.sleep(0.01)
        async with asyncio.timeout(AT_ALL):
            assert (await visitor.get("/why-us")).status_code == 200
            assert ((await hanging).status_code, "the plain page" in hanging.result().text) == (503, True)
            assert "Kelp" in (await visitor.get("/companies/kelp")).text
        assert ended == [], "nobody has waited for it"
        may_end.set()
    async with asyncio.timeout(AT_ALL):
        while "Kelp" not in (await visitor.get("/companies")).text:
            await asyncio.sleep(0.05)


async def test_two_hundred_concurrent_requests_render_an_uncached_page_once(
    visitor: httpx.AsyncClient, kelp: int
) -> None:
    async with asyncio.timeout(AT_ALL):
        answers = await asyncio.gather(*(visitor.get("/companies") for _ in range(200)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    assert "<pre>" in answers[0].text
