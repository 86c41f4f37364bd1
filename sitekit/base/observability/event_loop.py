"""Measures the delay of the event loop, and ends the process if the loop has stopped."""

import asyncio
import faulthandler
import os
import signal
import threading
import time

from . import metrics

# In seconds. The longest work in the loop, a collection of garbage, takes less than one.
CHECK_INTERVAL = 1.0
HANG_TIMEOUT = 60.0
PARTS = 20  # of the timeout, which are counted
ERROR_OUTPUT = 2  # its descriptor


async def watch_event_loop() -> None:
    """Measure the delay every `CHECK_INTERVAL` until cancelled; end a process whose loop hangs for `HANG_TIMEOUT`.

    A process that hangs answers no request, and no supervisor restarts it: systemd and Docker wait until it exits. It
    writes where each thread stands to the error output, without values.

    A thread counts the time, because it is paused with the process. While a laptop sleeps, a virtual machine is
    suspended or the process is stopped, clocks go on or not, depending on the system. A loop that keeps other threads
    from running uses processor time, and a timer of that ends the process.
    """
    ran, stopped = threading.Event(), threading.Event()
    threading.Thread(target=_end_when_hanging, args=(ran, stopped), name="event loop watch", daemon=True).start()
    faulthandler.register(signal.SIGPROF, ERROR_OUTPUT, chain=True)
    # During a short delay of the loop, other threads may use all processors.
    processor_seconds = HANG_TIMEOUT * (os.cpu_count() or 1)
    try:
        while True:
            ran.set()
            signal.setitimer(signal.ITIMER_PROF, processor_seconds)
            due = time.monotonic() + CHECK_INTERVAL
            await asyncio.sleep(CHECK_INTERVAL)
            metrics.loop_delay_seconds.observe(max(0.0, time.monotonic() - due))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        stopped.set()


def _end_when_hanging(ran: threading.Event, stopped: threading.Event) -> None:
    """End the process if the loop did not run while this thread has waited for all parts of the timeout."""
    missed = 0
    while missed < PARTS:
        if stopped.wait(HANG_TIMEOUT / PARTS):
            return
        missed = 0 if ran.is_set() else missed + 1
        ran.clear()
    os.write(ERROR_OUTPUT, f"The event loop has not run for {HANG_TIMEOUT:g} s.\n".encode())
    faulthandler.dump_traceback(ERROR_OUTPUT)
    os._exit(1)
