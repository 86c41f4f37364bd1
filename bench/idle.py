"""Waits until all processes that this program has started are idle, so that they do not disturb a measurement.

For example, a new browser window uses a processor for a second after it has opened.
"""

import os
import time
from pathlib import Path

WINDOW = 0.15
# In seconds of processor time per window, for all processes together.
AT_REST = 0.02
PATIENCE = 15.0
_TICKS = os.sysconf("SC_CLK_TCK")


def wait_until_idle() -> None:
    """Return when this program's descendants have used at most `AT_REST` in a `WINDOW`, or after `PATIENCE`."""
    deadline = time.monotonic() + PATIENCE
    before = _seconds_used()
    while time.monotonic() < deadline:
        time.sleep(WINDOW)
        now = _seconds_used()
        if now - before <= AT_REST:
            return
        before = now
    print(f"(not idle after {PATIENCE:.0f} s)")


def _seconds_used() -> float:
    """The processor time of all running descendants."""
    parents: dict[int, int] = {}
    used: dict[int, float] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, fields = int(entry.parent.name), entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[pid] = int(fields[1])
        used[pid] = (int(fields[11]) + int(fields[12])) / _TICKS
    return sum(seconds for pid, seconds in used.items() if _descends(pid, parents))


def _descends(pid: int, parents: dict[int, int]) -> bool:
    while pid := parents.get(pid, 0):
        if pid == os.getpid():
            return True
    return False
