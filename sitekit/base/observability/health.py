"""Liveness and readiness of this process, for load balancers and monitors, and the metrics of what was found."""

import asyncio
import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping

from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from ..background_tasks import every
from ..db.database import connections
from ..db.diagnosis import Trouble
from ..server_status import ServerStatus
from ..site import get_site
from . import metrics
from .checks import AWAY, BACKUPS, CHECKS, NOT_USED, OK, SCHEMA, Check, Finding

ANSWER_TIMEOUT = 1.5
# Requests within this time share one result.
CACHE_SECONDS = 1.0
WATCH_INTERVAL = 30.0  # seconds
STOPPING = "stopping"
_HEADERS = {"cache-control": "no-store"}

log = logging.getLogger(__name__)


async def alive(_request: Request) -> Response:
    """Liveness: 200 and the version of the site while this process answers."""
    return PlainTextResponse(f"ok {get_site().version}\n", headers=_HEADERS)


class Readiness:
    """The readiness endpoint; reports each part, and keeps what the checks found for the metrics.

    The database and Redis are ready if they can be written to; reading is not enough. Renderer, mail and disk are only
    reported: without the renderer visitors get prerendered pages, without the mail server mail waits in the outbox, and
    a disk that is nearly full can still be written to. Who asks here need not know of the backups.
    """

    DECIDING = ("server", "database", "redis")
    REPORTED = tuple(dict.fromkeys(check.part for check in CHECKS if check is not BACKUPS))
    # The previous release works on a newer schema, so that backends can be replaced one by one.
    READY = (OK, Trouble.NEWER, NOT_USED)

    def __init__(self, status: ServerStatus, *, renderer_runs: Callable[[], bool], build: str = "") -> None:
        self._status, self._renderer_runs, self._build = status, renderer_runs, build
        self._asking: asyncio.Task[dict[str, str]] | None = None
        self._asked_at = 0.0
        self._running: dict[Check, asyncio.Task[Finding]] = {}
        self._fine_until: dict[Check, float] = {}
        self._words = dict.fromkeys((check.part for check in CHECKS), AWAY)
        # While there is no answer they stay as they were.
        self._values = {name: 0.0 for check in CHECKS for name in check.gauges}
        self._schema = ""
        self._logged: Mapping[str, str] = {"database": OK, "redis": OK}

    async def __call__(self, _request: Request) -> Response:
        """200 if this process can serve requests, else 503; the body has the status of each part."""
        parts = await self._parts()
        is_ready = all(parts[name] in self.READY for name in self.DECIDING)
        body = json.dumps({"ready": is_ready, **parts}) + "\n"
        return PlainTextResponse(body, 200 if is_ready else 503, _HEADERS, "application/json; charset=utf-8")

    async def watch(self) -> None:
        """Check every `WATCH_INTERVAL` until cancelled; log when database writes or Redis fail, or work again."""
        await every(WATCH_INTERVAL, self._log_changes, log, "The checks of the site failed.")

    async def _log_changes(self) -> None:
        parts, last = await self._parts(), self._logged
        if (is_ready := parts["redis"] in self.READY) is not (last["redis"] in self.READY):
            text = "does not answer" if parts["redis"] == AWAY else f"stores nothing: {parts['redis']}"
            level, text = (logging.INFO, "stores again") if is_ready else (logging.ERROR, text)
            log.log(level, "Redis %s.", text)
        if parts["database"] not in self.READY and parts["database"] != last["database"]:
            log.error("The database cannot be written to: %s.", parts["database"])
        elif parts["database"] in self.READY and last["database"] not in self.READY:
            log.info("The database can be written to again.")
        self._logged = parts

    def gauges(self) -> Iterator[Metric]:
        """The gauges of the last checks, for the metrics."""
        for part, meaning in (
            ("database", "1 while the database stores what it is sent."),
            ("redis", "1 while Redis stores what it is sent, or none is used."),
        ):
            yield metrics.gauge(f"{part}_ready", meaning, int(self._words[part] in self.READY))
        in_use, most = connections()
        yield metrics.gauge("database_connections", "Connections to the database in use.", in_use)
        yield metrics.gauge("database_connections_limit", "The most that may be in use.", most)
        for check in CHECKS:
            for name, meaning in check.gauges.items():
                yield metrics.gauge(name, meaning, self._values[name])
        info = GaugeMetricFamily(
            f"{metrics.NAMESPACE}_build_info", "1; what runs here, in labels.", labels=["version", "build", "schema"]
        )
        info.add_metric([get_site().version, self._build, self._schema], 1)
        yield info

    async def _parts(self) -> Mapping[str, str]:
        if self._asking is None or time.monotonic() - self._asked_at > CACHE_SECONDS:
            self._asking, self._asked_at = asyncio.create_task(self._ask()), time.monotonic()
        words = await asyncio.shield(self._asking)
        return {
            "server": STOPPING if self._status.is_stopping else OK,
            **{part: words[part] for part in self.REPORTED},
            "renderer": OK if self._renderer_runs() else AWAY,
        }

    async def _ask(self) -> dict[str, str]:
        findings = await asyncio.gather(*map(self._in_time, CHECKS))
        words: dict[str, list[str]] = {}
        for check, finding in zip(CHECKS, findings, strict=True):
            words.setdefault(check.part, []).append(finding.word)
            self._values |= finding.values
            if check is SCHEMA:
                self._schema = finding.detail or self._schema
        self._words = {part: max(found, key=self._weight) for part, found in words.items()}
        return self._words

    async def _in_time(self, check: Check) -> Finding:
        """What a check finds, or found a moment ago; it runs once at a time, and goes on after `ANSWER_TIMEOUT`."""
        if time.monotonic() < self._fine_until.get(check, 0.0):
            return Finding()
        running = self._running.get(check)
        if running is None or running.done():
            running = self._running[check] = asyncio.create_task(check.pool.run(check.answer))
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT):
                finding = await asyncio.shield(running)
        except Exception:
            return Finding(check.late)
        if finding.word == OK:
            self._fine_until[check] = time.monotonic() + check.holds
        return finding

    def _weight(self, word: str) -> int:
        """What is not ready weighs most, then what is not quite right."""
        return (word not in self.READY) * 2 + (word != OK)
