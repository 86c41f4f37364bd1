"""Numbers about this process in the text format of Prometheus, for whoever knows the token."""

import hmac
import os
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from ..core.settings import get_settings
from ..core.threads import POOLS
from ..http.server_status import ServerStatus

# Upper bounds of the histogram buckets, in seconds.
BUCKETS = (0.005, 0.025, 0.1, 0.5, 2.5)
_MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Counter:
    """How often something happened, by one label."""

    def __init__(self, name: str, label: str, meaning: str) -> None:
        self.name, self.label, self.meaning = name, label, meaning
        self._counts: defaultdict[str, int] = defaultdict(int)

    def add(self, value: str) -> None:
        """It happened once more."""
        self._counts[value] += 1

    def lines(self) -> Iterator[str]:
        """This number as Prometheus reads it."""
        yield from _head(self.name, "counter", self.meaning)
        for value, count in sorted(self._counts.items()):
            yield f'{self.name}{{{self.label}="{value}"}} {count}'


class Histogram:
    """How long something took, in buckets."""

    def __init__(self, name: str, meaning: str) -> None:
        self.name, self.meaning = name, meaning
        self._buckets = [0] * (len(BUCKETS) + 1)
        self._sum = 0.0

    def add(self, seconds: float) -> None:
        """It took this long."""
        self._buckets[bisect_left(BUCKETS, seconds)] += 1
        self._sum += seconds

    def lines(self) -> Iterator[str]:
        """This distribution as Prometheus reads it."""
        yield from _head(self.name, "histogram", self.meaning)
        total = 0
        for end, count in zip((*map(str, BUCKETS), "+Inf"), self._buckets, strict=True):
            total += count
            yield f'{self.name}_bucket{{le="{end}"}} {total}'
        yield f"{self.name}_sum {self._sum:.6f}"
        yield f"{self.name}_count {total}"


def gauge(name: str, meaning: str, value: float) -> Iterator[str]:
    """A present value as Prometheus reads it."""
    yield from _head(name, "gauge", meaning)
    yield f"{name} {value}"


def _head(name: str, kind: str, meaning: str) -> Iterator[str]:
    yield f"# HELP {name} {meaning}"
    yield f"# TYPE {name} {kind}"


requests = Counter("advisory_requests_total", "status", "HTTP requests answered, by class of status.")
request_seconds = Histogram("advisory_request_seconds", "Time to answer an HTTP request.")
events = Counter("advisory_events_total", "outcome", "Events of visitors' tabs, by outcome.")
event_seconds = Histogram("advisory_event_seconds", "Time to work on an event.")
degraded_pages = Counter(
    "advisory_degraded_pages_total", "answer", "Pages answered as they were last drawn, or without being rendered."
)
sockets_refused = Counter("advisory_sockets_refused_total", "reason", "Connections of tabs that were not let in.")
STARTED_AT = time.time()


def memory() -> int:
    """The bytes of memory this process holds; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


class Metrics:
    """The endpoint. Each of `present` gives further lines, such as the sockets that are open now."""

    def __init__(self, *present: Callable[[], Iterator[str]]) -> None:
        self._present = present

    async def __call__(self, request: Request) -> Response:
        """The numbers, for those who send the token; without a token in the settings there is no such address."""
        token = get_settings().metrics_token
        if not token:
            return PlainTextResponse("Not found\n", 404)
        sent = request.headers.get("authorization", "")
        if not hmac.compare_digest(sent.encode("latin-1"), f"Bearer {token}".encode()):
            return PlainTextResponse("Not allowed\n", 401, {"www-authenticate": "Bearer"})
        return PlainTextResponse("\n".join(self._lines()) + "\n", 200, {"cache-control": "no-store"}, _MEDIA_TYPE)

    def _lines(self) -> Iterator[str]:
        for number in (requests, request_seconds, events, event_seconds, degraded_pages, sockets_refused):
            yield from number.lines()
        yield from gauge("advisory_memory_bytes", "Memory this process holds.", memory())
        yield from gauge("advisory_started_seconds", "When this process started, in seconds since 1970.", STARTED_AT)
        yield from _pools()
        for lines in self._present:
            yield from lines()


def _pools() -> Iterator[str]:
    """What waits for threads, by the kind of work, and what was refused because it would have come too late."""
    yield from _head("advisory_calls_waiting", "gauge", "Calls that wait for a thread now, by pool.")
    yield from (f'advisory_calls_waiting{{pool="{pool.name}"}} {pool.waiting}' for pool in POOLS)
    yield from _head("advisory_calls_refused_total", "counter", "Calls that would have come too late, by pool.")
    yield from (f'advisory_calls_refused_total{{pool="{pool.name}"}} {pool.refused}' for pool in POOLS)


def server_gauges(status: ServerStatus, states: int) -> Iterator[str]:
    """What the server is doing now; `states` are those of visitors in this process's memory."""
    yield from gauge("advisory_sockets", "Tabs that are connected now.", status.sockets)
    yield from gauge("advisory_tab_states", "Tabs whose state is in memory here.", states)
    yield from gauge("advisory_events_in_flight", "Events worked on now.", len(status.events))
