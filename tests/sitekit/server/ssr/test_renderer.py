"""The renderer: answers, or says at once that it cannot, and comes back by itself."""

import asyncio
import json
import logging
import os
import signal
from pathlib import Path

import pytest

from sitekit.server.ssr import renderer as module
from sitekit.server.ssr.renderer import Renderer, RendererAway

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_RESTART_DELAY", 0.01)
    monkeypatch.setattr(module, "MAX_RESTART_DELAY", 0.05)
    monkeypatch.setattr(module, "STUCK_TIMEOUT", 1.0)


async def until_it_renders(renderer: Renderer) -> str:
    """The HTML, once the renderer is there again."""
    async with asyncio.timeout(30):
        while True:
            try:
                return (await renderer.render("/", {})).html
            except RendererAway:
                await asyncio.sleep(0.02)


async def test_a_page_is_rendered_from_its_vars(renderer: Renderer) -> None:
    rendered = await renderer.render("/a", {"state": {"name": "Kelp & Co"}})
    assert rendered.status == 200
    assert '"name":"Kelp & Co"' in rendered.html


@pytest.mark.spec("COPY-14")
async def test_changed_texts_are_sent_when_they_change(renderer: Renderer) -> None:
    async def is_sent(texts: dict[str, str]) -> bool:
        sent = json.dumps(texts, separators=(",", ":")) in (await renderer.render("/a", {}, texts)).html
        assert '"texts":' not in (await renderer.render("/a", {}, dict(texts))).html
        return sent

    assert await is_sent({"We do": "We did"})
    assert await is_sent({"We do": "We will do", "__proto__": "a key like others"})
    assert renderer.process_id
    os.kill(renderer.process_id, signal.SIGKILL)
    assert await is_sent({"We do": "We will do", "__proto__": "a key like others"})
    assert await is_sent({})


async def test_a_page_is_compressed_for_every_browser(renderer: Renderer) -> None:
    assert await renderer.compress("text") == {"br": b"br", "zstd": b"zstd", "gzip": b"gz"}


async def test_concurrent_requests_each_get_their_own_page(renderer: Renderer) -> None:
    pages = await asyncio.gather(*(renderer.render(f"/{number}", {}) for number in range(50)))
    assert [f'"path":"/{number}"' in page.html for number, page in enumerate(pages)] == [True] * 50


async def test_an_error_of_react_is_reported(renderer: Renderer) -> None:
    with pytest.raises(RendererAway, match="it did not work"):
        await renderer.render("/fail", {})


async def test_a_render_killed_midway_is_repeated_by_the_next_process(renderer: Renderer) -> None:
    assert renderer.process_id
    os.kill(renderer.process_id, signal.SIGSTOP)
    waiting = asyncio.create_task(renderer.render("/a", {}))
    while not renderer._waiting:
        await asyncio.sleep(0)
    os.kill(renderer.process_id, signal.SIGKILL)
    assert (await asyncio.wait_for(waiting, 30)).status == 200


async def test_requests_during_a_restart_wait_for_the_new_process(bundle: Path, renderer: Renderer) -> None:
    assert renderer.process_id
    os.kill(renderer.process_id, signal.SIGKILL)
    while renderer.process_id:
        await asyncio.sleep(0)
    assert (await renderer.render("/a", {})).status == 200


async def test_a_process_that_exits_is_restarted(renderer: Renderer) -> None:
    with pytest.raises(RendererAway):
        await renderer.render("/die", {})
    assert await until_it_renders(renderer)


async def test_a_page_that_takes_too_long_is_aborted_and_the_process_replaced(renderer: Renderer) -> None:
    before = renderer.process_id
    assert before
    renderer._timeout = 0.5
    with pytest.raises(RendererAway, match="longer than"):
        await renderer.render("/hang", {})
    os.kill(before, 0)  # it lives: whoever asked has not waited for the process to be replaced
    assert await until_it_renders(renderer)
    assert renderer.process_id != before


async def test_a_missing_bundle_is_logged_once_and_used_when_it_is_back(
    bundle: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "START_TIMEOUT", 0.5)
    hidden = bundle.rename(bundle.with_suffix(".hidden"))
    renderer = Renderer(bundle, timeout=600)  # nobody shall wait so long
    with caplog.at_level(logging.WARNING):
        await renderer.start()
        async with asyncio.timeout(30):
            with pytest.raises(RendererAway):
                await renderer.render("/", {})
            while "The renderer ended" not in caplog.text:
                await asyncio.sleep(0.02)
        hidden.rename(bundle)
        assert await until_it_renders(renderer)
    await renderer.stop()
    assert len([record for record in caplog.records if "renderer" in record.message]) == 1


async def test_no_process_is_left_running(bundle: Path) -> None:
    renderer = Renderer(bundle, timeout=0.5)
    await renderer.start()
    process = renderer.process_id
    assert process
    await renderer.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
