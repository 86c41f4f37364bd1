"""Metrics of this process for Prometheus, protected by a token."""

import hmac
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from ..event_outcome import Outcome
from ..server_status import ServerStatus
from ..settings import get_settings
from ..site import get_site
from ..threads import POOLS

# Upper bounds of the histogram buckets, in seconds.
BUCKETS = (0.005, 0.025, 0.1, 0.5, 2.5, 5.0, 10.0)
LOOP_BUCKETS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
# The label of what has none of its own, so that visitors cannot add series.
OTHER = "other"
_MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"

# Begins the name of every metric.
NAMESPACE = get_site().short_name

disable_created_metrics()  # type: ignore[no-untyped-call]
REGISTRY = CollectorRegistry()
requests = Counter(
    f"{NAMESPACE}_requests_total",
    "HTTP requests answered, by class of status, route and method.",
    ["status", "route", "method"],
    registry=REGISTRY,
)
request_seconds = Histogram(
    f"{NAMESPACE}_request_seconds",
    "Time to answer an HTTP request.",
    ["route", "method"],
    buckets=BUCKETS,
    registry=REGISTRY,
)
events = Counter(f"{NAMESPACE}_events_total", "Events handled, by outcome.", ["outcome"], registry=REGISTRY)
event_seconds = Histogram(f"{NAMESPACE}_event_seconds", "Time to handle an event.", buckets=BUCKETS, registry=REGISTRY)
loop_delay_seconds = Histogram(
    f"{NAMESPACE}_loop_delay_seconds",
    "How much later than due the event loop ran a timer.",
    buckets=LOOP_BUCKETS,
    registry=REGISTRY,
)
degraded_pages = Counter(
    f"{NAMESPACE}_degraded_pages_total",
    "Pages served from an older version, or prerendered.",
    ["answer"],
    registry=REGISTRY,
)
sockets_refused = Counter(
    f"{NAMESPACE}_sockets_refused_total",
    "WebSocket connections that were refused.",
    ["reason"],
    registry=REGISTRY,
)
sockets_ended = Counter(
    f"{NAMESPACE}_sockets_ended_total", "WebSocket connections that were ended.", ["reason"], registry=REGISTRY
)
page_cache = Counter(
    f"{NAMESPACE}_page_cache_total",
    "Public pages that were in the cache, or not.",
    ["result"],
    registry=REGISTRY,
)
cache_purges = Counter(
    f"{NAMESPACE}_cache_purges_total",
    "Requests to a shared cache to remove the pages, by result.",
    ["result"],
    registry=REGISTRY,
)
renderer_restarts = Counter(
    f"{NAMESPACE}_renderer_restarts_total",
    "Ends of the process that renders pages; it is restarted.",
    registry=REGISTRY,
)
acts = Counter(
    f"{NAMESPACE}_acts_total", "Actions in the audit log, such as sign_in_failed.", ["act"], registry=REGISTRY
)
# 0 from the start, so that the first failure is an increase.
for _value in ("2xx", "3xx", "4xx", "5xx"):
    requests.labels(_value, OTHER, "GET")
request_seconds.labels(OTHER, "GET")
for _counter, _values in (
    (events, tuple(Outcome)),
    (degraded_pages, ("stale", "fallback")),
    (page_cache, ("hit", "miss")),
    (cache_purges, ("done", "failed")),
):
    for _value in _values:
        _counter.labels(_value)
ProcessCollector(registry=REGISTRY)
GCCollector(registry=REGISTRY)
STARTED_AT = time.time()


def gauge(name: str, meaning: str, value: float) -> Metric:
    """A gauge with one value; its name begins with that of the site."""
    return GaugeMetricFamily(f"{NAMESPACE}_{name}", meaning, value)


def memory() -> int:
    """The resident memory of this process in bytes; 0 if the system does not report it."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def group_memory() -> tuple[int, int]:
    """The memory in bytes of this process's control group, which is that of its service, and its limit.

    The renderer belongs to the group. 0 for a number that the system does not report, and without a limit.
    """
    try:
        group = Path("/proc/self/cgroup").read_text(encoding="ascii").rpartition("::")[2].strip()
        folder = Path("/sys/fs/cgroup") / group.lstrip("/")
        statistics = dict(line.split() for line in (folder / "memory.stat").read_text(encoding="ascii").splitlines())
        limit = (folder / "memory.max").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return 0, 0
    return int(statistics.get("anon", 0)), int(limit) if limit.isdecimal() else 0


class Metrics:
    """The endpoint. Each of `gauges` yields further metrics, such as the number of open sockets."""

    def __init__(self, *gauges: Callable[[], Iterator[Metric]]) -> None:
        self._gauges = gauges
        self._registry = CollectorRegistry()
        self._registry.register(self)

    async def __call__(self, request: Request) -> Response:
        """The metrics, if the request has the token; 404 if no token is set."""
        token = get_settings().metrics_token
        if not token:
            return PlainTextResponse("Not found\n", 404)
        sent = request.headers.get("authorization", "")
        if not hmac.compare_digest(sent.encode("latin-1"), f"Bearer {token}".encode()):
            return PlainTextResponse("Not allowed\n", 401, {"www-authenticate": "Bearer"})
        return Response(generate_latest(self._registry), 200, {"cache-control": "no-store"}, _MEDIA_TYPE)

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics, for the library's registry."""
        yield from REGISTRY.collect()
        yield gauge("memory_bytes", "Memory this process holds.", memory())
        used, limit = group_memory()
        yield gauge("service_memory_bytes", "Memory of the service with its renderer, without caches.", used)
        yield gauge("service_memory_limit_bytes", "What the service may use; 0 without a limit.", limit)
        yield gauge("started_seconds", "When this process started, in seconds since 1970.", STARTED_AT)
        yield from _pools()
        for gauges in self._gauges:
            yield from gauges()


def _pools() -> Iterator[Metric]:
    """The use and the queue of each thread pool, and how many calls it has refused because the queue was too long."""
    threads = GaugeMetricFamily(f"{NAMESPACE}_threads", "Threads that a pool may have.", labels=["pool"])
    busy = GaugeMetricFamily(f"{NAMESPACE}_threads_busy", "Threads that run a call now, by pool.", labels=["pool"])
    waiting = GaugeMetricFamily(
        f"{NAMESPACE}_calls_waiting", "Calls that wait for a thread now, by pool.", labels=["pool"]
    )
    refused = CounterMetricFamily(
        f"{NAMESPACE}_calls_refused_total", "Calls that would have come too late, by pool.", labels=["pool"]
    )
    for pool in POOLS:
        threads.add_metric([pool.name], pool.threads)
        busy.add_metric([pool.name], pool.busy)
        waiting.add_metric([pool.name], pool.waiting)
        refused.add_metric([pool.name], pool.refused)
    yield from (threads, busy, waiting, refused)


def server_gauges(status: ServerStatus, states: int) -> Iterator[Metric]:
    """The gauges of the server status; `states` is the number of tab states in memory."""
    yield gauge("sockets", "Tabs that are connected now.", status.sockets)
    yield gauge("tab_states", "Tabs whose state is in memory here.", states)
    yield gauge("events_in_flight", "Events worked on now.", len(status.events))
