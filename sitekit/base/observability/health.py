"""Liveness and readiness of this process, for load balancers and monitors."""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any

from prometheus_client import Metric
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from ..db.database import connections, engine, now, read_session
from ..db.diagnosis import LEAST_FREE, Trouble, disk_bytes, free_bytes, prove_storing, trouble_of
from ..db.migrations import head, is_newer, revision_of
from ..mail import outbox
from ..server_status import ServerStatus
from ..settings import get_settings
from ..site import get_site
from ..threads import HEALTH, WRITE_PROBE
from . import metrics

ANSWER_TIMEOUT = 1.5
# Requests within this time share one result.
CACHE_SECONDS = 1.0
# In seconds: how long a successful test write counts, and the interval of `watch`.
PROOF_HOLDS = 30.0
WATCH_INTERVAL = 30.0
# Mail that waits for longer than this means that the mail server has a problem.
MAIL_IS_LATE_AFTER = timedelta(minutes=15)
OK, AWAY, LATE, LOW, STOPPING = "ok", "away", "late", "low", "stopping"
_HEADERS = {"cache-control": "no-store"}

log = logging.getLogger(__name__)


async def alive(_request: Request) -> Response:
    """Liveness: 200 and the version of the site while this process answers."""
    return PlainTextResponse(f"ok {get_site().version}\n", headers=_HEADERS)


class Readiness:
    """The readiness endpoint; reports each part.

    The database and Redis are ready if they can be written to; reading is not enough. Renderer, mail and disk are only
    reported: without the renderer visitors get prerendered pages, without the mail server mail waits in the outbox, and
    a disk that is nearly full can still be written to.
    """

    DECIDING = ("server", "database", "redis")
    # The previous release works on a newer schema, so that backends can be replaced one by one.
    READY = (OK, Trouble.NEWER, "not used")

    def __init__(
        self,
        status: ServerStatus,
        *,
        renderer_runs: Callable[[], bool],
        probe_redis: Callable[[], Awaitable[str]],
    ) -> None:
        self._status = status
        self._renderer_runs, self._probe_redis = renderer_runs, probe_redis
        self._asking: asyncio.Task[dict[str, str]] | None = None
        self._asked_at = 0.0
        self._head = head()
        self._probe: asyncio.Task[None] | None = None
        self._proved_at = -PROOF_HOLDS
        self._database_is_ready = self._redis_is_ready = False

    async def __call__(self, _request: Request) -> Response:
        """200 if this process can serve requests, else 503; the body has the status of each part."""
        parts = await self._parts()
        is_ready = all(parts[name] in self.READY for name in self.DECIDING)
        body = json.dumps({"ready": is_ready, **parts}) + "\n"
        return PlainTextResponse(body, 200 if is_ready else 503, _HEADERS, "application/json; charset=utf-8")

    async def watch(self) -> None:
        """Check every `WATCH_INTERVAL` until cancelled; log when database writes or Redis fail, or work again."""
        last_status: str = OK
        redis_was_ready = True
        while True:
            parts = await self._parts()
            status, redis_is_ready = parts["database"], parts["redis"] in self.READY
            if redis_is_ready is not redis_was_ready:
                text = "does not answer" if parts["redis"] == AWAY else f"stores nothing: {parts['redis']}"
                level, text = (logging.INFO, "stores again") if redis_is_ready else (logging.ERROR, text)
                log.log(level, "Redis %s.", text)
            redis_was_ready = redis_is_ready
            if status not in self.READY and status != last_status:
                log.error("The database cannot be written to: %s.", status)
            elif status in self.READY and last_status not in self.READY:
                log.info("The database can be written to again.")
            last_status = status
            await asyncio.sleep(WATCH_INTERVAL)

    def gauges(self) -> Iterator[Metric]:
        """The gauges of the last check, for the metrics."""
        yield metrics.gauge(
            "database_ready", "1 while the database stores what it is sent.", int(self._database_is_ready)
        )
        yield metrics.gauge(
            "redis_ready", "1 while Redis stores what it is sent, or none is used.", int(self._redis_is_ready)
        )
        in_use, most = connections()
        yield metrics.gauge("database_connections", "Connections to the database in use.", in_use)
        yield metrics.gauge("database_connections_limit", "The most that may be in use.", most)
        yield metrics.gauge("disk_bytes", "The size of the data folder's file system.", disk_bytes())
        yield metrics.gauge("disk_free_bytes", "What is free in the data folder.", free_bytes())

    async def _parts(self) -> Mapping[str, str]:
        if self._asking is None or time.monotonic() - self._asked_at > CACHE_SECONDS:
            self._asking, self._asked_at = asyncio.create_task(self._ask()), time.monotonic()
        checks = await asyncio.shield(self._asking)
        return {
            "server": STOPPING if self._status.is_stopping else OK,
            **checks,
            "renderer": OK if self._renderer_runs() else AWAY,
        }

    async def _ask(self) -> dict[str, str]:
        redis, checks = await asyncio.gather(self._redis(), self._database())
        self._database_is_ready = checks["database"] in self.READY
        self._redis_is_ready = redis in self.READY
        return {**checks, "redis": redis, "disk": OK if free_bytes() >= LEAST_FREE else LOW}

    async def _redis(self) -> str:
        if not get_settings().redis_url:
            return "not used"
        return await _in_time(self._probe_redis()) or AWAY

    async def _database(self) -> dict[str, str]:
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT):
                schema, is_late = await HEALTH.run(self._read)
        except Exception as error:
            return {"database": AWAY if isinstance(error, TimeoutError) else trouble_of(error), "mail": AWAY}
        if schema != Trouble.NOT_MIGRATED:
            writes = await self._writes()
            schema = schema if writes == OK else writes
        return {"database": schema, "mail": LATE if is_late else OK}

    def _read(self) -> tuple[str, bool]:
        """The state of the schema, and whether mail is overdue."""
        with engine().connect() as connection:
            revision = revision_of(connection)
        if revision != self._head and not is_newer(revision):
            return Trouble.NOT_MIGRATED, False
        with read_session() as session:
            since = outbox.queue_status(session).waiting_since
        is_late = since is not None and now() - since > MAIL_IS_LATE_AFTER
        return OK if revision == self._head else Trouble.NEWER, is_late

    async def _writes(self) -> str:
        """`OK` if a test write succeeds, or did within `PROOF_HOLDS`; else the kind of trouble."""
        if time.monotonic() - self._proved_at < PROOF_HOLDS:
            return OK
        if self._probe is None or self._probe.done():
            self._probe = asyncio.create_task(WRITE_PROBE.run(prove_storing))
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT):
                await asyncio.shield(self._probe)
        except TimeoutError:
            return Trouble.LOCKED
        except Exception as error:
            return trouble_of(error)
        self._proved_at = time.monotonic()
        return OK


async def _in_time(question: Any) -> Any:
    """The result, or None after an error or `ANSWER_TIMEOUT`."""
    try:
        async with asyncio.timeout(ANSWER_TIMEOUT):
            return await question
    except Exception:
        return None
