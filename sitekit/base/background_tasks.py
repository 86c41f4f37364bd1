"""Runs blocking work for background tasks beside the event loop, once or at intervals."""

import asyncio
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
    """Run blocking work as `in_thread` does, now and again so many seconds after each end, until cancelled."""
    while True:
        await in_thread(work, log, failed)
        await asyncio.sleep(seconds)
