"""Commands that a signal ends amid their work: they read a pipe, into which nobody writes."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from tests.conftest import ROOT
from tests.support.waiting import wait_for


def interrupt(number: int, pipe: Path, folder: Path, *arguments: str, **more: str) -> int:
    """Run a command on a data folder, and send it a signal once it reads the pipe; its exit status."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ADVISORY_")}
    environ |= {"ADVISORY_DATA_DIR": str(folder), **more}
    os.mkfifo(pipe)
    with subprocess.Popen([sys.executable, "-m", "advisory_site", *arguments], cwd=ROOT, env=environ) as process:
        writer = wait_for(lambda: _opened(pipe), f"{arguments[0]} reads {pipe}", 60)
        process.send_signal(number)
        os.close(writer)
        pipe.unlink()
        return process.wait(60)


def _opened(pipe: Path) -> int:
    """A descriptor of the pipe, or 0 while nobody reads it."""
    with suppress(OSError):
        return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    return 0
