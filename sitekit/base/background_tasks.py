"""Runs the work of background tasks, once or at intervals; blocking work beside the event loop."""

import asyncio
import inspect
import logging
import threading
from collections.abc import Callable
from contextlib import suppress

from .threads import BACKGROUND, Pool

FINISH_TIMEOUT = 20


async def in_thread(
    work: Callable[[], object],
    log: logging.Logger,
    failed: str,
    stopping: threading.Event | None = None,
    pool: Pool = BACKGROUND,
) -> None:
    """Run blocking work in a thread. It runs to its end even if the server stops; an exception is logged, not raised.

    `stopping` is set when the server stops; work in several steps checks it, and ends after the current step.
    """
    task = asyncio.create_task(pool.run(work))
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        if stopping:
            stopping.set()
        with suppress(Exception):
            async with asyncio.timeout(FINISH_TIMEOUT):
                await task
        raise
    except Exception:
        log.exception(failed)


async def every(seconds: float, work: Callable[[], object], log: logging.Logger, failed: str) -> None:
    """Run work now and again so many seconds after each end, until cancelled; an exception is logged each time.

    An async function runs in the event loop, blocking work as `in_thread` runs it.
    """
    while True:
        if inspect.iscoroutinefunction(work):
            try:
                await work()
            except Exception:
                log.exception(failed)
        else:
            await in_thread(work, log, failed)
        await asyncio.sleep(seconds)
