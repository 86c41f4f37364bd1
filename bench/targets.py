"""The targets of `bench.load`: an empty Reflex app, one process of the site, two processes behind the proxy."""

import itertools
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.cluster.conftest import (
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
    METRICS_TOKEN,
    Backend,
    Cluster,
    Program,
    answers,
)
from tests.cluster.crowd import LOAD, memory_of
from tests.support.ports import free_port
from tests.support.waiting import wait_for

_numbers = itertools.count(1)


@dataclass
class Target:
    """A running server: its address, an event, the var that the event changes, and its processes."""

    url: str
    event: str
    var: str
    path: str
    backends: list[Backend]
    programs: Mapping[str, Program]
    database: Path = Path()

    def address(self) -> str:
        """A client address for a new visitor."""
        number = next(_numbers)
        return f"100.{64 + number // 65536 % 64}.{number // 256 % 256}.{number % 256}"

    def memory(self) -> int:
        """The memory of all backends in bytes."""
        return sum(memory_of(backend) for backend in self.backends)

    @contextmanager
    def watched(self) -> Iterator[dict[str, float]]:
        """The share of a core that each program, including this one, used during the block."""
        shares: dict[str, float] = {}
        used, own, started = self._used(), time.process_time(), time.monotonic()
        yield shares
        seconds = time.monotonic() - started
        shares |= {name: (now - used[name]) / seconds for name, now in self._used().items()}
        shares["the visitors' own process"] = (time.process_time() - own) / seconds

    def _used(self) -> dict[str, float]:
        return {name: _seconds_of(program) for name, program in self.programs.items()}


def _seconds_of(program: Program) -> float:
    """The processor seconds of a program and its children."""
    assert program.process is not None
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == program.process.pid:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def one_process(folder: Path, forgotten_after: int = 3600, **settings: str) -> Iterator[Target]:
    """The site with its defaults: one process on SQLite."""
    with _alone(folder, forgotten_after, None, None, None, **settings) as backend:
        programs = {"the site": backend}
        database = folder / "one" / "advisory.db"
        yield Target(backend.url, LOAD, "contact_state.submission_id", "/contact", [backend], programs, database)


@contextmanager
def empty(folder: Path) -> Iterator[Target]:
    """The minimal Reflex app under the same server, also with states in memory."""
    port = free_port()
    granian = [str(Path(sys.executable).with_name("granian")), "--interface", "asgi", "--factory", "--workers", "1"]
    environ = {"REFLEX_ENV_MODE": "prod", "__REFLEX_SKIP_COMPILE": "true"}
    with _alone(folder, 3600, port, [*granian, "--port", str(port), "bench.empty:stock"], environ) as backend:
        event = "reflex___state____state.bench___empty____empty_state.click"
        yield Target(backend.url, event, "empty_state.number", "/", [backend], {"the app": backend})


@contextmanager
def _alone(
    folder: Path,
    forgotten_after: int,
    port: int | None = None,
    command: list[str] | None = None,
    environ: Mapping[str, str] | None = None,
    **more: str,
) -> Iterator[Backend]:
    port = port or free_port()
    settings = {"PUBLIC_URL": f"http://127.0.0.1:{port}", "TRUSTED_PROXIES": "1", "SOCKETS": "100000"}
    settings |= {"ADMIN_EMAIL": ADMIN_EMAIL, "ADMIN_PASSWORD": ADMIN_PASSWORD}
    settings |= {"METRICS_TOKEN": METRICS_TOKEN, **more}
    backend = Backend("one", port, folder, **settings)
    backend.command = command or backend.command
    backend.env |= {"REFLEX_REDIS_TOKEN_EXPIRATION": str(forgotten_after), **(environ or {})}
    try:
        backend.start()
        wait_for(lambda: answers(f"{backend.url}/ping"), f"the server answers: {folder}", 60)
        yield backend
    finally:
        backend.kill()


@contextmanager
def cluster(folder: Path) -> Iterator[Target]:
    """Two processes with PostgreSQL and Redis behind the proxy, as in deploy/, all on this machine."""
    whole = Cluster(folder)
    try:
        whole.start()
        first, second = whole.backends
        programs = {"first": first, "second": second, "redis": whole.redis, "proxy": whole.proxy}
        yield Target(whole.url, LOAD, "contact_state.submission_id", "/contact", whole.backends, programs)
    finally:
        whole.stop()
