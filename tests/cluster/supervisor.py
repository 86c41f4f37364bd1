"""Stands in for `systemctl` with one unit: starts the site, and starts it again whenever it ends.

The environment names what it runs (COMMAND, in JSON) and where it keeps its state (STATE).
"""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

STATE = Path(os.environ["STATE"])
STOP_TIMEOUT = 30


def supervise() -> None:
    """Run the command again and again, until SIGTERM, which is passed on."""
    is_stopped = False

    def stop(_signal: int, _frame: object) -> None:
        nonlocal is_stopped
        is_stopped = True
        child.terminate()

    signal.signal(signal.SIGTERM, stop)
    ends = 0
    while not is_stopped:
        (STATE / "ends").write_text(str(ends))
        child = subprocess.Popen(json.loads(os.environ["COMMAND"]), cwd=os.environ["NORTHSTRAIT_HOME"])
        child.wait()
        ends += 1


def start() -> None:
    (STATE / "ends").write_text("0")
    with (STATE / "log").open("ab") as log:
        started = subprocess.Popen(
            [sys.executable, __file__, "supervise"], stdout=log, stderr=log, stdin=subprocess.DEVNULL, process_group=0
        )
    (STATE / "pid").write_text(str(started.pid))


def stop() -> None:
    """Ask it to stop and wait, as systemd does."""
    pid = int((STATE / "pid").read_text()) if (STATE / "pid").exists() else 0
    if not pid or not _is_there(pid):
        return
    process = os.pidfd_open(pid)
    os.kill(pid, signal.SIGTERM)
    if not select.select([process], [], [], STOP_TIMEOUT)[0]:
        sys.exit(f"not stopped within {STOP_TIMEOUT} s")


def _is_there(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


if __name__ == "__main__":
    verb = sys.argv[1]
    if verb in ("stop", "restart"):
        stop()
    if verb in ("start", "restart"):
        start()
    if verb == "show":
        print((STATE / "ends").read_text())
    if verb == "supervise":
        supervise()
