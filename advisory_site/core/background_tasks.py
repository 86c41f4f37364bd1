"""Runs blocking work for background tasks beside the event loop."""

import asyncio
import logging
import threading
from collections.abc import Callable
from contextlib import suppress

from .threads import BACKGROUND

FINISH_TIMEOUT = 20


async def in_thread(
    work: Callable[[], object], log: logging.Logger, failed: str, stopping: threading.Event | None = None
) -> None:
    """Do work in a thread. It is finished even when the server stops, and its failure is logged and stops nothing.

    Work that may take longer than a server is given to stop looks at `stopping`, and finishes what it has in hand.
    """
    task = asyncio.create_task(BACKGROUND.run(work))
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        if stopping:
            stopping.set()
        with suppress(Exception):
            await asyncio.wait_for(task, FINISH_TIMEOUT)
        raise
    except Exception:
        log.exception(failed)
