"""Measures how long a 12-megapixel picture takes to be ready, and what that costs other visitors and in memory.

`.venv/bin/python -m bench.pictures` needs a finished build. It starts its own server and takes about a minute.
"""

import json
import os
import statistics
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from bench.sign_in import p95, round_trips
from sitekit.accounts import one_use_links
from sitekit.admin.pictures.uploads import SUBJECT
from sitekit.base import paths
from tests.e2e.conftest import Site, serving
from tests.support.people import person, signed_in
from tests.support.photographs import encoded, landscape

PICTURES, SECONDS, ROUNDS = 3, 6, 3
AIM_SECONDS, AIM_MS = 4.0, 20.0


def upload(site: Site, data: bytes, token: str) -> float:
    """Upload a picture; the seconds until it is ready in all sizes."""
    headers = {"authorization": f"Bearer {token}", "x-file-name": "bench.jpg"}
    request = urllib.request.Request(site.url + paths.ADMIN_UPLOAD, data, headers, method="POST")
    start = time.perf_counter()
    with urllib.request.urlopen(request, timeout=120) as answer:
        assert json.load(answer)["is_known"] is False
    return time.perf_counter() - start


def resident(site: Site) -> int:
    """The memory of the server and its children in MB."""
    pages = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[2]) == site.process.pid:  # its process group
                pages += int((folder / "statm").read_text().split()[1])
        except OSError:
            continue
    return pages * 4096 // 2**20


def main() -> None:
    """Print all figures beside those of the idle server."""
    photographs = [encoded(landscape(4000, 3000, seed=number)) for number in range(1, PICTURES * ROUNDS + 1)]
    print(f"a picture of 4000 x 3000: {statistics.mean(map(len, photographs)) / 1e6:.1f} MB")
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "data") as site:
        os.environ["ADVISORY_DATA_DIR"] = str(site.data_dir)
        issued = signed_in(person("bench@northstrait.example"))
        idle: list[float] = []
        loaded: list[float] = []
        ready: list[float] = []
        before = resident(site)
        for number in range(ROUNDS):
            idle += round_trips(site.url, SECONDS)
            own = photographs[number * PICTURES : (number + 1) * PICTURES]
            tokens = [one_use_links.issue(issued.access_token, SUBJECT) for _ in own]
            work = threading.Thread(
                target=lambda own=own, tokens=tokens: ready.extend(
                    upload(site, data, token) for data, token in zip(own, tokens, strict=True)
                )
            )
            work.start()
            loaded += round_trips(site.url, SECONDS)
            work.join()
        time.sleep(2)
        after = resident(site)
    print(f"ready after {statistics.median(ready):.1f} s, at most {max(ready):.1f} s (aim {AIM_SECONDS:.0f})")
    print(f"another visitor's event, idle:      p50 {statistics.median(idle):5.1f} ms   p95 {p95(idle):5.1f} ms")
    print(f"the same, while pictures arrive:    p50 {statistics.median(loaded):5.1f} ms   p95 {p95(loaded):5.1f} ms")
    print(f"ratio of the p95s: {p95(loaded) / p95(idle):.2f} (aim: below {AIM_MS:.0f} ms)")
    print(f"memory of the server: {before} MB before, {after} MB after")


if __name__ == "__main__":
    main()
