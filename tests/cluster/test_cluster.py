"""What the cluster promises while parts of it break: nothing acknowledged is lost, and nobody stares at an error.

What keeps each promise, and was taken out once to see the test fail:

- a backend killed or restarted: `lb_try_duration`, and one of `fail_duration` and `health_uri`, in deploy/Caddyfile;
- Redis away: `on_unhandled_exception` in sitekit/ui/feedback.py says so; a Redis that is silent times out
  (`with_timeouts` in sitekit/server/framework/token_manager.py);
- PostgreSQL away: an enquiry is thanked for only when it is committed (enquiries/contact_state.py).

What becomes of tabs is in test_tabs.py, what becomes of events when a process is asked to stop in test_one_process.py.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest

from tests.cluster.conftest import Backend, Cluster, answers
from tests.cluster.traffic import PAGES, READERS, SEND, Seen, page, stored, traffic
from tests.support.fetch import fetch
from tests.support.visitor import Visitor
from tests.support.waiting import wait_for

LOAD = SEND.replace(".send", ".load")

Fault = Callable[[Cluster, Seen], Awaitable[None]]


async def meet(seen: Seen, seconds: float) -> None:
    """Let a fault last so long, and until each visitor has got every page: none of them waits for its end."""
    await asyncio.sleep(seconds)
    before = seen.pages
    async with asyncio.timeout(60):
        while seen.pages < before + READERS * len(PAGES):
            await asyncio.sleep(0.05)


async def a_killed_backend(cluster: Cluster, seen: Seen) -> None:
    cluster.backends[0].kill()
    await meet(seen, 3)
    cluster.backends[0].start()
    await asyncio.to_thread(cluster.backends[0].wait)


async def a_redis_that_restarts(cluster: Cluster, seen: Seen) -> None:
    await asyncio.to_thread(cluster.redis.stop)
    await meet(seen, 1)
    cluster.redis.start()


async def a_redis_that_is_killed(cluster: Cluster, seen: Seen) -> None:
    cluster.redis.kill()
    await meet(seen, 1)
    cluster.redis.start()


async def a_postgresql_that_restarts(cluster: Cluster, _: Seen) -> None:
    await asyncio.to_thread(cluster.postgresql.stop)
    cluster.postgresql.launch()
    await asyncio.to_thread(cluster.postgresql.wait)


async def a_postgresql_that_is_killed(cluster: Cluster, _: Seen) -> None:
    await asyncio.to_thread(cluster.postgresql.kill)
    cluster.postgresql.launch()
    await asyncio.to_thread(cluster.postgresql.wait)


async def a_postgresql_that_is_away(cluster: Cluster, seen: Seen) -> None:
    """`python -m bench.outage` is the same for longer, with every page."""
    await asyncio.to_thread(cluster.postgresql.stop)
    await meet(seen, 4)
    cluster.postgresql.launch()
    await asyncio.to_thread(cluster.postgresql.wait)


async def a_rolling_restart(cluster: Cluster, _: Seen) -> None:
    for backend in cluster.backends:
        await asyncio.to_thread(backend.stop)
        backend.start()
        await asyncio.to_thread(backend.wait)


FAULTS: tuple[Fault, ...] = (
    a_killed_backend,
    a_redis_that_restarts,
    a_redis_that_is_killed,
    a_postgresql_that_restarts,
    a_postgresql_that_is_killed,
    a_postgresql_that_is_away,
    a_rolling_restart,
)


@pytest.mark.spec("CON-4", "DATA-3")
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_acknowledged_writes_survive_failures_and_errors_are_temporary(cluster: Cluster, fault: Fault) -> None:
    async def run() -> Seen:
        async with traffic(cluster.url) as seen:
            seen.broken_at = time.monotonic()
            await fault(cluster, seen)
            before = len(seen.thanked)
            async with asyncio.timeout(60):
                while len(seen.thanked) < before + 3:
                    await asyncio.sleep(0.05)
        return seen

    seen = asyncio.run(run())
    held = stored(cluster.database_url)
    print(f"{fault.__name__}: {seen.pages} pages, {len(seen.thanked)} thanked")
    assert {message: held.get(message, 0) for message in seen.thanked} == dict.fromkeys(seen.thanked, 1)
    assert seen.pages > 20
    # What was under way at the very moment may be cut off; no page that was asked for afterwards fails.
    assert [trouble for trouble in seen.troubles if trouble[0] > seen.broken_at] == []


def test_requests_to_a_dead_backend_are_answered_by_the_other(cluster: Cluster) -> None:
    cluster.backends[0].kill()
    assert [fetch(cluster.url).status for _ in cluster.backends] == [200, 200]


def test_only_sockets_are_bound_to_a_backend(cluster: Cluster) -> None:
    """A CDN keeps nothing that sets a cookie."""
    assert "backend=" in fetch(f"{cluster.url}/_event/").headers["set-cookie"]
    for path in ("/", "/companies", "/nothing-here", "/auth", "/site.css"):
        assert "set-cookie" not in fetch(cluster.url + path).headers


@pytest.mark.spec("DATA-4")
@pytest.mark.parametrize("how", ["killed", "silent"])
def test_pages_are_served_without_redis_and_clients_are_informed(cluster: Cluster, how: str) -> None:
    async def run() -> None:
        visitor = Visitor(cluster.url, "192.0.2.2")
        await visitor.connect()
        await visitor.send(LOAD, "/contact")
        await visitor.until("contact_state.submission_id")
        await asyncio.to_thread(
            wait_for, lambda: all(backend.is_calm for backend in cluster.backends), "nothing is under way"
        )
        cluster.redis.kill() if how == "killed" else cluster.redis.pause()
        try:
            assert [await page(cluster.url + path) for path in ("/", "/companies", "/contact")] == [200] * 3
            await visitor.send(LOAD, "/contact")
            (notice,) = await visitor.until("notice_state.notices")
            assert notice["text"].startswith("We cannot reach part of our system at the moment.")
            for backend in cluster.backends:
                await asyncio.to_thread(_is_alive_but_not_ready, backend)
        finally:
            cluster.redis.start() if how == "killed" else cluster.redis.resume()
        for backend in cluster.backends:
            await asyncio.to_thread(backend.wait)
        # What the notice asked for: try again.
        visitor.vars.clear()
        await visitor.send(LOAD, "/contact")
        await visitor.until("contact_state.submission_id")
        await visitor.close()

    asyncio.run(run())


def _is_alive_but_not_ready(backend: Backend) -> None:
    """An answer a second old may still have said that it is ready."""
    wait_for(lambda: fetch(f"{backend.url}/readyz").status == 503, "it is not ready")
    assert answers(f"{backend.url}/healthz")


@pytest.mark.spec("CO-1", "CO-2", "TM-1", "AD-1")
@pytest.mark.parametrize("how", ["stopped", "silent"])
def test_pages_read_before_are_served_without_postgresql(cluster: Cluster, how: str) -> None:
    url = cluster.backends[0].url
    paths = ("/companies", "/companies/treacle-tech", "/team", "/advisors", "/contact", "/sitemap.xml")
    before = {path: fetch(url + path) for path in paths}
    assert {answer.status for answer in before.values()} == {200}
    cluster.postgresql.stop() if how == "stopped" else cluster.postgresql.pause()
    try:
        for path in paths:
            answer = fetch(url + path)
            assert (answer.status, answer.text) == (200, before[path].text)
            assert answer.headers["cache-control"] == "no-store"
            assert "stale" in answer.headers["cache-status"]
        for path in ("/companies/toko-tally", "/companies/unknown"):  # never read
            answer = fetch(url + path)
            assert answer.status == 503
            assert int(answer.headers["retry-after"]) > 0
    finally:
        if how == "stopped":
            cluster.postgresql.start()
        else:
            cluster.postgresql.resume()
    cluster.backends[0].wait()
    wait_for(lambda: "cache-status" not in fetch(url + "/companies").headers, "pages are current again")


def test_internal_endpoints_are_not_reachable_from_outside(cluster: Cluster) -> None:
    asyncio.run(_nothing_inside(cluster.url))
    assert not {"server", "via"} & fetch(cluster.url + "/").headers.keys()


async def _nothing_inside(url: str) -> None:
    assert [await page(url + path) for path in ("/readyz", "/metrics", "/ping", "/_health")] == [404] * 4
