"""A process whose event loop has stopped ends itself; one that is only busy goes on."""

import subprocess
import sys

from tests.conftest import ROOT

PROGRAM = """
import asyncio, time
from sitekit.base.observability import event_loop

event_loop.HANG_TIMEOUT = float({limit})

async def be_stuck():
    watch = asyncio.create_task(event_loop.watch_event_loop())
    await asyncio.sleep(0)
    time.sleep({seconds})
    watch.cancel()

asyncio.run(be_stuck())
print("went on")
"""


def run(limit: float, seconds: float) -> subprocess.CompletedProcess[str]:
    code = PROGRAM.format(limit=limit, seconds=seconds)
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)


def test_a_hanging_event_loop_ends_the_process_with_a_traceback() -> None:
    done = run(limit=0.2, seconds=50)
    assert done.returncode == 1
    assert "be_stuck" in done.stderr
    assert "went on" not in done.stdout


def test_a_busy_event_loop_is_not_ended() -> None:
    done = run(limit=30, seconds=0.1)
    assert (done.returncode, done.stdout, done.stderr) == (0, "went on\n", "")
