"""Measures what a page costs the site, Varnish and nginx: `python -m bench.shared_cache`.

Rates and processor time per request of one page, with 32 connections; then how many of 10,000 readers reach the site.
Needs a finished build ('make build'), and Debian's nginx, varnish and wrk. Compare only numbers of the same run.
"""

import os
import re
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.idle import wait_until_idle
from bench.servers import files_for, free_port, get, running, site, static_files
from tests.support.fetch import fetch
from tests.support.readers import readers, statuses
from tests.support.varnish import Varnish

APP = "advisory_site.advisory_site:app"
PAGE = "/companies"
ROUNDS, SECONDS = 3, 5
READERS = 10_000
TOKENS = {"METRICS_TOKEN": "a-token-for-the-metrics"}


@dataclass(frozen=True)
class Cost:
    """Requests per second, and microseconds of processor time of a server per request."""

    rate: float
    microseconds: float


def measure(url: str, pid: int, headers: Mapping[str, str]) -> Cost:
    """Load one address for a few seconds."""
    wait_until_idle()
    named = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
    before = processor_seconds(pid)
    command = ["wrk", "-t1", "-c32", f"-d{SECONDS}s", *named, url]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    used = processor_seconds(pid) - before
    rate, number = re.search(r"Requests/sec:\s+([\d.]+)", output), re.search(r"(\d+) requests in", output)
    assert rate and number and "Non-2xx" not in output, output
    return Cost(float(rate[1]), used / int(number[1]) * 1e6)


def processor_seconds(pid: int) -> float:
    """The processor time that a process and its descendants have used."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        number = int(stat.parent.name)
        parents[number], ticks[number] = int(fields[1]), int(fields[11]) + int(fields[12])
    family = {pid}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(ticks.get(member, 0) for member in family) / os.sysconf("SC_CLK_TCK")


def rates(targets: Mapping[str, tuple[str, int, Mapping[str, str]]]) -> dict[str, Cost]:
    """The median costs of each target, measured by turns."""
    found: dict[str, list[Cost]] = {name: [] for name in targets}
    for _ in range(ROUNDS):
        for name, target in targets.items():
            found[name].append(measure(*target))
    return {
        name: Cost(statistics.median(cost.rate for cost in costs), statistics.median(c.microseconds for c in costs))
        for name, costs in found.items()
    }


@contextmanager
def varnish(folder: Path, site_port: int) -> Iterator[tuple[int, int]]:
    """Run Varnish in front of the site; yields its port and process id."""
    cache = Varnish(folder, site_port, "")
    with running(cache.command, cache.port) as pid:
        yield cache.port, pid


def requests_of(port: int) -> float:
    """How many requests the site has answered."""
    text = fetch(f"http://127.0.0.1:{port}/metrics", authorization=f"Bearer {TOKENS['METRICS_TOKEN']}").text
    return sum(float(count) for count in re.findall(r"^advisory_requests_total\{.*\} ([\d.]+)$", text, re.M))


def main() -> None:
    """Measure, and print."""
    with tempfile.TemporaryDirectory() as temporary, ExitStack() as servers:
        folder = Path(temporary)
        folder.chmod(0o755)  # nginx's worker runs as another user
        port, plain, files_port = free_port(), free_port(), free_port()
        pid = servers.enter_context(site(folder / "site", APP, port, port, SHARED_CACHE="on", **TOKENS))
        servers.enter_context(site(folder / "plain", APP, plain, plain))
        files = files_for(folder, port, [PAGE])
        nginx = servers.enter_context(static_files(files, files_port))
        cache, cache_pid = servers.enter_context(varnish(folder, port))
        time.sleep(1)  # pages are compressed again after the first request
        for name, at in (("with", port), ("without", plain)):
            print(f"{PAGE} {name} a shared cache: {len(get(at, PAGE, 'br')):,} bytes with brotli")
        br = {"Accept-Encoding": "br"}
        etag = fetch(f"http://127.0.0.1:{port}{PAGE}").headers["etag"]
        found = rates(
            {
                "nginx, a file of the same bytes": (f"http://127.0.0.1:{files_port}{PAGE}.bin", nginx, {}),
                "Varnish, kept": (f"http://127.0.0.1:{cache}{PAGE}", cache_pid, br),
                "Varnish, kept, 304": (f"http://127.0.0.1:{cache}{PAGE}", cache_pid, br | {"If-None-Match": etag}),
                "the site": (f"http://127.0.0.1:{port}{PAGE}", pid, br),
                "the site, 304": (f"http://127.0.0.1:{port}{PAGE}", pid, br | {"If-None-Match": etag}),
                "the site through Varnish, a chosen theme": (
                    f"http://127.0.0.1:{cache}{PAGE}",
                    pid,
                    br | {"Cookie": "theme=dark"},
                ),
            }
        )
        first = next(iter(found.values()))
        print(f"{'':42}{'per second':>12}{'of nginx':>10}{'processor':>12}")
        for name, cost in found.items():
            print(f"{name:42}{cost.rate:>12,.0f}{cost.rate / first.rate:>10.2f}{cost.microseconds:>9.0f} µs")
        before, started = requests_of(port), time.perf_counter()
        answers = statuses(f"http://127.0.0.1:{cache}", readers(READERS))
        seconds = time.perf_counter() - started
        reached = requests_of(port) - before
        print(
            f"{answers.total():,} readers in {seconds:.1f} s, statuses {dict(answers)}: {reached:.0f} reached the site"
        )


if __name__ == "__main__":
    main()
