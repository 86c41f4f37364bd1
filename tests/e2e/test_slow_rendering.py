"""A server whose renderer is held up, as on a loaded machine: a reader gets the records of a page or no 200."""

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path

import pytest

from tests.e2e.conftest import Site, _copy, metrics, serving
from tests.e2e.demo_firm import change, records
from tests.e2e.processes import renderers
from tests.support.fetch import fetch
from tests.support.waiting import wait_for

# Longer than the server waits where it has an older version, and half of what it grants to any rendering.
HELD_UP = 2.0


@contextlib.contextmanager
def paused(site: Site) -> Iterator[Callable[[], None]]:
    """The renderer gets no time from the machine until the block ends, or what it gives is called."""
    held = renderers(site)
    assert held

    def resume() -> None:
        for process in held:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)

    for process in held:
        os.kill(process, signal.SIGSTOP)
    try:
        yield resume
    finally:
        resume()


@pytest.fixture(scope="module")
def own(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site for these tests; each looks at pages of its own that nobody has read."""
    folder = tmp_path_factory.mktemp("slow")
    with serving(_copy(seeded, folder)) as site:
        yield site


@pytest.mark.spec("CO-1", "AD-1")
@pytest.mark.parametrize(("path", "name"), [("/companies", "Toko Tally"), ("/advisors", "Farah Nabila Ismail")])
def test_a_slow_page_not_cached_yet_arrives_late_but_complete(own: Site, path: str, name: str) -> None:
    with paused(own) as resume:
        timer = threading.Timer(HELD_UP, resume)
        timer.start()
        answer = fetch(own.url + path)
        timer.join()
    assert answer.status == 200
    assert name in answer.text


@pytest.mark.spec("CO-1")
def test_a_slow_cached_page_is_served_stale_first_and_soon_current(own: Site) -> None:
    path = "/companies/toko-tally"
    before = fetch(own.url + path)
    with paused(own):
        change(own.data_dir, name="Warung Ledger")
        answer = fetch(own.url + path)
    assert (answer.status, answer.text) == (200, before.text)
    assert answer.headers["cache-control"] == "no-store"
    assert "stale" in answer.headers["cache-status"]
    wait_for(lambda: "Warung Ledger" in fetch(own.url + path).text, "the page is current")
    assert "cache-status" not in fetch(own.url + path).headers
    assert 'advisory_degraded_pages_total{answer="stale"}' in metrics(own)
    change(own.data_dir, name="Toko Tally")


def test_a_page_that_cannot_be_rendered_is_503_with_retry_after(own: Site) -> None:
    with paused(own):
        answer = fetch(own.url + "/team")
    assert answer.status == 503
    assert int(answer.headers["retry-after"]) > 0


@pytest.mark.spec("CO-2")
def test_a_renderer_killed_while_rendering_leaves_no_incomplete_page(own: Site) -> None:
    active = {company["slug"]: company["name"] for company in records("companies") if company["status"] == "Active"}
    del active["toko-tally"]
    with ThreadPoolExecutor(20) as visitors:
        answers = {slug: visitors.submit(fetch, own.url + f"/companies/{slug}") for slug in active}
        for process in renderers(own):
            os.kill(process, signal.SIGKILL)
    seen = {slug: answer.result() for slug, answer in answers.items()}
    assert {answer.status for answer in seen.values()} <= {200, 503}
    for slug, name in active.items():
        assert seen[slug].status == 503 or name in unescape(seen[slug].text)
    page = own.url + "/companies/kelong-systems"
    wait_for(lambda: fetch(page).status == 200, "the page is drawn")
    assert "Kelong Systems" in fetch(page).text
