"""Measures the speed of public pages, stock Reflex and static files: `python -m bench.pages`.

Needs a finished build ('make build'), Chromium, and Debian's nginx and wrk; 'npm ci' in bench/ installs Lighthouse.
Measurements whose programs are missing are skipped with a message. Compare only numbers of the same run.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from bench import lighthouse, page_loads
from bench.idle import wait_until_idle
from bench.servers import NGINX, ROOT, bare_files, files_for, free_port, get, site, static_files
from bench.slow_line import Line, open_line
from tests.support.public_pages import PUBLIC

PARTS = ("visits", "throughput", "rendering", "lighthouse")
CHANGE = """
import advisory_site
from sitekit.ops import tables
from sitekit.base.db.database import bump_content_version, transaction
with transaction() as session:
    bump_content_version(session)
"""


def throughput(ours: int, static: int | None) -> None:
    """Measure requests per second of one cached page, alternating with the same bytes under nginx."""
    if not shutil.which("wrk"):
        print("\nwrk is not installed: no requests a second.")
        return
    rates: dict[str, list[float]] = {"rendered": [], "nginx": []}
    for _ in range(3):
        rates["rendered"].append(_rate(f"http://127.0.0.1:{ours}/companies", "br"))
        if static:
            rates["nginx"].append(_rate(f"http://127.0.0.1:{static}/companies.bin", "identity"))
    found = {name: statistics.median(values) for name, values in rates.items() if values}
    print("\nRequests a second, 32 connections: " + ", ".join(f"{name} {rate:,.0f}" for name, rate in found.items()))
    if static:
        print(f"{found['rendered'] / found['nginx']:.2f} of nginx", flush=True)


def _rate(url: str, encoding: str) -> float:
    command = ["wrk", "-t1", "-c32", "-d5s", "-H", f"Accept-Encoding: {encoding}", url]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r"Requests/sec:\s+([\d.]+)", output)
    assert found
    return float(found[1])


def rendering(folder: Path, port: int, pid: int) -> None:
    """Measure the first page after a change, a cached page, and the memory of both processes."""
    cold, warm = [], []
    for _ in range(10):
        changed = os.environ | {"ADVISORY_DATA_DIR": str(folder)}
        subprocess.run([sys.executable, "-c", CHANGE], cwd=ROOT, env=changed, check=True)
        wait_until_idle()
        cold.append(_timed(lambda: get(port, "/companies")))
        wait_until_idle()  # the page is compressed again after it was sent
        warm.append(_timed(lambda: get(port, "/companies")))
    print(f"\nAfter a change {statistics.median(cold):.0f} ms, cached {statistics.median(warm):.1f} ms (medians of 10)")
    started = time.perf_counter()
    for number in range(1_000):
        try:
            get(port, f"/companies/unknown-{number}")
        except urllib.error.HTTPError as error:
            error.close()
    print(f"1,000 unknown slugs one after the other: {time.perf_counter() - started:.1f} s")
    processes = subprocess.run(["ps", "-eo", "pgid,rss,args"], capture_output=True, text=True).stdout.splitlines()[1:]
    for line in processes:
        group, kilobytes, command = line.split(None, 2)
        if int(group) == pid:
            print(f"{int(kilobytes) / 1000:6.0f} MB  {' '.join(Path(part).name for part in command.split()[:3])}")


def _timed(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return (time.perf_counter() - started) * 1000


def main() -> None:
    """Measure everything, or the parts named on the command line."""
    arguments = argparse.ArgumentParser(prog="python -m bench.pages", description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("parts", nargs="*", metavar="PART", help=f"some of: {', '.join(PARTS)}; all without one")
    arguments.add_argument("--rounds", type=int, default=7, help="cold visits of each kind")
    arguments.add_argument("--pages", nargs="*", default=PUBLIC, help="what Lighthouse examines")
    options = arguments.parse_args()
    parts = options.parts or PARTS
    if unknown := set(parts) - set(PARTS):
        arguments.error(f"no such part: {', '.join(unknown)}")
    with tempfile.TemporaryDirectory() as temporary, ExitStack() as servers:
        folder, line = Path(temporary), Line()
        folder.chmod(0o755)  # nginx's worker runs as another user
        ports = {name: free_port() for name in ("rendered", "stock", "static", "bare")}
        lines = {name: servers.enter_context(open_line(port, line)) for name, port in ports.items()}
        app = "advisory_site.advisory_site:app"
        pid = servers.enter_context(site(folder / "ours", app, ports["rendered"], lines["rendered"]))
        if "visits" in parts:
            servers.enter_context(site(folder / "stock", "bench.stock:stock", ports["stock"], lines["stock"]))
        if NGINX:
            files = files_for(folder, ports["rendered"], list(page_loads.PAGES))
            servers.enter_context(static_files(files, ports["static"]))
            servers.enter_context(static_files(bare_files(folder, files), ports["bare"]))
        else:
            print("nginx is not installed: no static file to compare with.")
            for name in ("static", "bare"):
                del lines[name], ports[name]
        if "visits" in parts:
            page_loads.compare(lines, line, options.rounds)
        if "throughput" in parts:
            throughput(ports["rendered"], ports.get("static"))
        if "rendering" in parts:
            rendering(folder / "ours", ports["rendered"], pid)
        if "lighthouse" in parts:
            lighthouse.examine(ports["rendered"], list(options.pages), ports.get("bare"))


if __name__ == "__main__":
    main()
