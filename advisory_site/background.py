"""Work beside the event loop, for the tasks that live as long as the server does."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

SECONDS_TO_FINISH = 20


async def in_thread(work: Callable[[], object], log: logging.Logger, failed: str) -> None:
    """Do work in a thread. It is finished even when the server stops, and its failure is logged and stops nothing."""
    task = asyncio.create_task(asyncio.to_thread(work))
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        with suppress(Exception):
            await asyncio.wait_for(task, SECONDS_TO_FINISH)
        raise
    except Exception:
        log.exception(failed)
