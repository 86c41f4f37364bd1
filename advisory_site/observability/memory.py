"""Returns memory to the system when visitors have left.

Python and the C library keep what is freed, scattered, for the next crowd: docs/decisions/memory-goes-back.md.
"""

import asyncio
import ctypes
import gc
from collections.abc import Callable

from ..core.threads import BACKGROUND

# At two looks in a row, because the websocket's own timers hold on to a closed tab for as long as one takes.
CHECK_INTERVAL = 25.0
# Fewer are not worth a look: a visitor's memory is about a quarter of a megabyte.
FEWEST = 20
# When Python looks for garbage by itself. Its own 700, 10, 10 are for programs that hold little: what an event needs
# for a moment counts as old so soon that all that 1,500 visitors hold is looked through every few seconds.
THRESHOLDS = (20_000, 10, 50)

_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)


async def trim_memory_task(held: Callable[[], int]) -> None:
    """Tidy up whenever half of those who were held in memory have gone, until cancelled.

    `held` says how many there are. Tidying stops everybody for as long as it takes to look through what the rest
    holds, 0.3 seconds for 500, so it waits until the crowd is over.
    """
    # What was loaded at the start stays for good: no later search for garbage has to look through it.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    most, was_idle = 0, False
    while True:
        await asyncio.sleep(CHECK_INTERVAL)
        present = held()
        most = max(most, present)
        is_calm = most >= FEWEST and present <= most / 2
        if is_calm and was_idle:
            await trim()
            most, is_calm = held(), False
        was_idle = is_calm


async def trim() -> None:
    """Find what only refers to itself, and hand free pages back."""
    gc.collect()
    if _trim:
        await BACKGROUND.run(_trim, 0)
