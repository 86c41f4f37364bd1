"""Returns memory to the system when visitors have left.

Python and the C library keep freed memory for later use: docs/decisions/memory-goes-back.md.
"""

import asyncio
import ctypes
import gc
from collections.abc import Callable

from ..threads import BACKGROUND

# In seconds; two idle checks in a row are needed, because timers of the WebSocket keep a closed tab for up to one.
CHECK_INTERVAL = 25.0
# Visitors; each takes about 0.25 MB, so fewer are not worth a collection.
FEWEST = 20
# For gc.set_threshold. With Python's default of 700, 10, 10, short-lived objects of events reach the oldest generation
# so soon that all objects of 1,500 visitors are scanned every few seconds.
THRESHOLDS = (20_000, 10, 50)

_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)


def tune_collections() -> None:
    """Collect less often, and exclude objects that exist at the start from later collections."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)


async def trim_memory_task(count: Callable[[], int]) -> None:
    """Run `trim` when half of the visitors in memory have left, until cancelled.

    `count` returns their number. The collection blocks the process while it scans the objects of the remaining
    visitors, 0.3 seconds for 500, so it only runs after most have left.
    """
    tune_collections()
    most, was_idle = 0, False
    while True:
        await asyncio.sleep(CHECK_INTERVAL)
        present = count()
        most = max(most, present)
        is_idle = most >= FEWEST and present <= most / 2
        if is_idle and was_idle:
            await trim()
            most, is_idle = count(), False
        was_idle = is_idle


async def trim() -> None:
    """Collect garbage, and return free pages to the system."""
    gc.collect()
    if _trim:
        await BACKGROUND.run(_trim, 0)
