"""Waits until everything that this program has started is at rest, so that a measurement meets a quiet machine.

A browser's new window, for one, goes on building its own address bar for a second after it has opened, and takes a
processor from the page that is measured.
"""

import os
import time
from pathlib import Path

WINDOW = 0.15
# Of each window, for everything together.
AT_REST = 0.02
PATIENCE = 15.0
_TICKS = os.sysconf("SC_CLK_TCK")


def wait_until_calm() -> None:
    """Return when this program's descendants have used next to no processor time for a moment."""
    deadline = time.monotonic() + PATIENCE
    before = _seconds_used()
    while time.monotonic() < deadline:
        time.sleep(WINDOW)
        now = _seconds_used()
        if now - before <= AT_REST:
            return
        before = now
    print(f"(not calm after {PATIENCE:.0f} s)")


def _seconds_used() -> float:
    """The processor time of all descendants that live now."""
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
