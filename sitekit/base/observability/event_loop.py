"""Measures the delay of the event loop, and ends the process if the loop has stopped."""

import asyncio
import faulthandler
import time

from . import metrics

# In seconds. The longest work in the loop, a collection of garbage, takes less than one.
CHECK_INTERVAL = 1.0
HANG_TIMEOUT = 60.0
ERROR_OUTPUT = 2  # its descriptor


async def watch_event_loop() -> None:
    """Measure the delay every `CHECK_INTERVAL` until cancelled; end a process whose loop hangs for `HANG_TIMEOUT`.

    A process that hangs answers no request, and no supervisor restarts it: systemd and Docker wait until it exits. The
    timer is a thread in C, so it also ends a process whose threads wait for the interpreter. It writes where each
    thread stands to the error output, without values.
    """
    try:
        while True:
            faulthandler.dump_traceback_later(HANG_TIMEOUT, exit=True, file=ERROR_OUTPUT)
            due = time.monotonic() + CHECK_INTERVAL
            await asyncio.sleep(CHECK_INTERVAL)
            metrics.loop_delay_seconds.observe(max(0.0, time.monotonic() - due))
    finally:
        faulthandler.cancel_dump_traceback_later()
