"""A process whose event loop has stopped ends itself; one that is only busy, or was paused, goes on."""

import signal
import subprocess
import sys

import pytest

from tests.conftest import ROOT

PROGRAM = """
import asyncio, re, sys, time
from sitekit.base.observability import event_loop

event_loop.HANG_TIMEOUT, event_loop.CHECK_INTERVAL = float({limit}), 0.1

async def be_stuck():
    watch = asyncio.create_task(event_loop.watch_event_loop())
    await asyncio.sleep(0)
    print("began", flush=True)
    {work}
    watch.cancel()

asyncio.run(be_stuck())
print("went on")
"""
WAITING, COMPUTING = "time.sleep(50)", "re.fullmatch('(a|a)*b', 'a' * 60)"


def run(limit: float, work: str) -> subprocess.CompletedProcess[str]:
    code = PROGRAM.format(limit=limit, work=work)
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(("work", "status"), [(WAITING, 1), (COMPUTING, -signal.SIGPROF)])
def test_a_hanging_event_loop_ends_the_process_with_a_traceback(work: str, status: int) -> None:
    """Also while no other thread gets the interpreter, as during the matching of an expression."""
    done = run(limit=0.2, work=work)
    assert done.returncode == status
    assert "be_stuck" in done.stderr
    assert "went on" not in done.stdout


def test_a_busy_event_loop_is_not_ended() -> None:
    done = run(limit=30, work="time.sleep(0.1)")
    assert (done.returncode, done.stdout, done.stderr) == (0, "began\nwent on\n", "")


def test_a_process_that_was_paused_goes_on() -> None:
    """As a laptop that sleeps, or a virtual machine that is suspended: neither the loop nor its watch runs."""
    code = PROGRAM.format(limit=2, work="await asyncio.to_thread(sys.stdin.read)")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, text=True, **pipes) as process:  # type: ignore[call-overload]
        assert process.stdout.readline() == "began\n"
        process.send_signal(signal.SIGSTOP)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(4)
        process.send_signal(signal.SIGCONT)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1)
        assert process.communicate() == ("went on\n", "")
