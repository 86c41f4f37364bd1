"""The processes of a site: frozen all together, or its renderers by their ids."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.e2e.conftest import Site


def renderers(site: Site) -> list[int]:
    """The process ids of the Node processes that this site has started."""
    found = subprocess.run(["ps", "-wweo", "pid,pgid,args"], capture_output=True, text=True, check=True).stdout
    group = os.getpgid(site.process.pid)
    lines = (line.split(None, 2) for line in found.splitlines()[1:])
    return [int(pid) for pid, pgid, args in lines if int(pgid) == group and "renderer.mjs" in args]


@contextmanager
def frozen(site: Site) -> Iterator[None]:
    """The server takes everything and answers nothing."""
    os.killpg(site.process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.killpg(site.process.pid, signal.SIGCONT)
