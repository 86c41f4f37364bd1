"""Whether this process is alive, and whether it is ready: cheap questions without secrets, for machines on call."""

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from reflex.utils.prerequisites import get_redis_status

from .. import mail_queue
from ..database import engine, now, reading
from ..migrations import head, revision_of
from ..settings import get_settings
from .documents import send_plain

SECONDS_TO_ANSWER = 1.5
# A crowd that asks shares an answer this old.
SECONDS_KEPT = 1.0
# Mail that is due for longer says that something is the matter with the mail server.
MAIL_IS_LATE_AFTER = timedelta(minutes=15)
OK, AWAY, OLD, LATE, STOPPING = "ok", "away", "not migrated", "late", "stopping"
_KEPT = [(b"cache-control", b"no-store")]


async def alive(scope: Any, receive: Any, send: Any) -> None:
    """Whether this process answers at all; a supervisor starts it anew when it does not."""
    await send_plain(send, scope, "ok\n", headers=_KEPT)


class Readiness:
    """The endpoint that says what is ready, part by part.

    The renderer and the mail are told, but decide nothing: without the one visitors get plainer pages, without the
    other their messages wait.
    """

    DECIDING = ("server", "database", "redis")

    def __init__(self, *, is_stopping: Callable[[], bool], renderer_runs: Callable[[], bool]) -> None:
        self._is_stopping = is_stopping
        self._renderer_runs = renderer_runs
        self._asking: asyncio.Task[dict[str, str]] | None = None
        self._asked_at = 0.0
        self._head = head()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """200 when visitors can be sent here, else 503; the body names every part."""
        parts = await self._parts()
        is_ready = all(parts[name] in (OK, "not used") for name in self.DECIDING)
        body = json.dumps({"ready": is_ready, **parts}) + "\n"
        await send_plain(
            send, scope, body, status=200 if is_ready else 503, headers=_KEPT, media=b"application/json; charset=utf-8"
        )

    async def _parts(self) -> Mapping[str, str]:
        if self._asking is None or time.monotonic() - self._asked_at > SECONDS_KEPT:
            self._asking, self._asked_at = asyncio.create_task(self._ask()), time.monotonic()
        stored = await asyncio.shield(self._asking)
        return {
            "server": STOPPING if self._is_stopping() else OK,
            **stored,
            "renderer": OK if self._renderer_runs() else AWAY,
        }

    async def _ask(self) -> dict[str, str]:
        redis, stored = await asyncio.gather(_redis(), _in_time(asyncio.to_thread(self._database)))
        return {**(stored or {"database": AWAY, "mail": AWAY}), "redis": redis}

    def _database(self) -> dict[str, str]:
        with engine().connect() as connection:
            is_migrated = revision_of(connection) == self._head
        with reading() as session:
            oldest = mail_queue.standing(session).oldest_due_at if is_migrated else None
        is_late = oldest is not None and now() - oldest > MAIL_IS_LATE_AFTER
        return {"database": OK if is_migrated else OLD, "mail": LATE if is_late else OK}


async def _redis() -> str:
    if not get_settings().redis_url:
        return "not used"
    status = await _in_time(get_redis_status())
    return OK if status and status["redis"] else AWAY


async def _in_time(question: Any) -> Any:
    """The answer, or None when there is none soon."""
    try:
        async with asyncio.timeout(SECONDS_TO_ANSWER):
            return await question
    except Exception:
        return None
