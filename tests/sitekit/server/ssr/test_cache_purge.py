"""A shared cache is asked once to forget the pages when public content has changed, again if it failed, and no faster
than it allows."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import ModuleType

import pytest

from sitekit.base.observability import metrics
from sitekit.base.settings import get_settings
from sitekit.server.ssr import cache_purge
from sitekit.server.ssr.cache_purge import CachePurge
from sitekit.server.ssr.content_version import DatabaseAway, version_source
from tests.conftest import on_sqlite
from tests.support.factories import add_company
from tests.support.running import running

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("database")]

TOKEN = "a-token-of-a-shared-cache"


@dataclass
class Cache:
    """A purge address: what it was sent, and the statuses of its next answers (200 when there are none)."""

    url: str = ""
    asked: list[tuple[str, dict[str, str], object]] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)

    async def was_asked(self, times: int) -> None:
        """Wait until it was asked so often."""
        async with asyncio.timeout(30):
            while len(self.asked) < times:
                await asyncio.sleep(0.01)


@pytest.fixture
def cache() -> Iterator[Cache]:
    """A shared cache that can be purged."""
    cache = Cache()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            cache.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(cache.statuses.pop(0) if cache.statuses else 200)
            self.send_header("location", f"{cache.url}/elsewhere")
            self.end_headers()

        def log_message(self, format: str, *arguments: object) -> None:
            """Log nothing."""

    with running(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as server:
        cache.url = f"http://127.0.0.1:{server.server_port}"
        yield cache


class Watched:
    """The content version of a process that purges, and how often it was read."""

    def __init__(self) -> None:
        self._source = version_source(get_settings().database_url)
        self.reads = 0
        self.is_away = False

    async def version(self) -> int:
        """The content version."""
        self.reads += 1
        if self.is_away:
            raise DatabaseAway
        return await self._source.version()

    async def settled(self) -> None:
        """Wait until it has been read again after a purge."""
        seen = self.reads
        async with asyncio.timeout(30):
            while self.reads < seen + 3:
                await asyncio.sleep(0.01)


@asynccontextmanager
async def watching(cache: Cache, processes: int = 1) -> AsyncIterator[list[Watched]]:
    """So many processes that purge; each has done so at its start."""
    sources = [Watched() for _ in range(processes)]
    tasks = [asyncio.create_task(CachePurge(f"{cache.url}/purge", TOKEN, source).watch()) for source in sources]
    try:
        await cache.was_asked(processes)
        for source in sources:
            await source.settled()
        cache.asked.clear()
        yield sources
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits that a test can wait for."""
    monkeypatch.setattr(cache_purge, "POLL_INTERVAL", 0.01)
    monkeypatch.setattr(cache_purge, "PURGE_INTERVAL", 0.2)
    monkeypatch.setattr(cache_purge, "RETRY_DELAYS", (0.01, 0.01))


def change(database: ModuleType, name: str = "Kelp") -> None:
    """Change public content."""
    with database.transaction() as session:
        add_company(session, name=name, slug=name.lower())


def counted(result: str) -> float:
    """How many purges had this result."""
    number: float = metrics.cache_purges.labels(result)._value.get()
    return number


async def test_a_change_is_purged_in_one_request_by_any_number_of_processes(cache: Cache, database: ModuleType) -> None:
    async with watching(cache, processes=2) as sources:
        change(database)
        await cache.was_asked(1)
        for source in sources:
            await source.settled()
        [(path, headers, body)] = cache.asked
    assert (path, body) == ("/purge", {"tags": ["pages"]})
    sent = {name: headers[name] for name in ("authorization", "fastly-key", "surrogate-key", "content-type")}
    assert sent == {
        "authorization": f"Bearer {TOKEN}",
        "fastly-key": TOKEN,
        "surrogate-key": "pages",
        "content-type": "application/json",
    }


@on_sqlite
async def test_changes_in_quick_succession_share_a_purge_request(cache: Cache, database: ModuleType) -> None:
    async with watching(cache) as [source]:
        change(database)
        await cache.was_asked(1)
        for name in ("Gull", "Reed", "Tern"):
            change(database, name)
        await cache.was_asked(2)
        await source.settled()
    assert len(cache.asked) == 2


@on_sqlite
async def test_failed_purges_are_retried_and_redirects_are_not_followed(
    cache: Cache, database: ModuleType, caplog: pytest.LogCaptureFixture
) -> None:
    done, failed = counted("done"), counted("failed")
    async with watching(cache) as [source]:
        cache.statuses = [500, 302]
        change(database)
        await cache.was_asked(3)
        await source.settled()
    assert [path for path, _, _ in cache.asked] == ["/purge"] * 3
    assert (counted("done") - done, counted("failed") - failed) == (2, 2)
    assert "HTTPError" in caplog.text and TOKEN not in caplog.text


@on_sqlite
async def test_purging_resumes_after_the_cache_or_the_database_failed(cache: Cache, database: ModuleType) -> None:
    async with watching(cache) as [source]:
        cache.statuses = [500, 500, 500]
        change(database)
        await cache.was_asked(3)
        source.is_away = True
        await source.settled()
        change(database, "Gull")
        source.is_away = False
        await cache.was_asked(4)
    assert not cache.statuses
