"""Measures CSV: the export of 10,000 companies, and the table of what the import of 2,000 rows would do.

`.venv/bin/python -m bench.csv_files` runs on SQLite and, if installed, on PostgreSQL. It takes about half a minute.
"""

import asyncio
import base64
import csv
import gzip
import io
import os
import statistics
import threading
import time
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from starlette.requests import Request
from starlette.types import Message, Scope

from advisory_site.accounts import one_use_links
from advisory_site.companies.models import Company
from advisory_site.core.permissions import Role
from advisory_site.dashboard.exports import ExportEndpoint
from advisory_site.db import database
from advisory_site.observability.memory import tune_collections
from advisory_site.ui.feedback import NoticeState
from bench.admin import COMPANIES, company_values, on_each_database
from tests.support.event_client import EventClient, Reply
from tests.support.people import person, signed_in
from tests.support.staff import keep, sign_in

EXPORTED, ROWS = 10_000, 2_000
MEGABYTE = 1024 * 1024


class Peak:
    """The largest memory of this process during a block, over that at its beginning, in MB."""

    def __enter__(self) -> "Peak":
        self._idle = self._most = resident()
        self._is_over = threading.Event()
        self._watch = threading.Thread(target=self._look)
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._watch.join()

    def _look(self) -> None:
        while not self._is_over.wait(0.005):
            self._most = max(self._most, resident())

    @property
    def megabytes(self) -> float:
        """By how much it has grown."""
        return (self._most - self._idle) / MEGABYTE


def resident() -> int:
    """The memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def download(endpoint: ExportEndpoint, token: str) -> tuple[float, float, bytes]:
    """Seconds to the first byte, seconds in all, and the first 2 MB of the file."""
    start, first, kept = time.perf_counter(), 0.0, bytearray()
    scope: Scope = {"type": "http", "method": "GET", "path": "/", "query_string": f"token={token}".encode()}
    scope["headers"] = []

    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        nonlocal first
        body = message.get("body", b"")
        if body and not first:
            first = time.perf_counter() - start
        if len(kept) < 2 * MEGABYTE:
            kept.extend(body)

    response = await endpoint(Request(scope))
    await response(scope, receive, send)
    return first, time.perf_counter() - start, bytes(kept)


def measure_export(kind: str) -> None:
    """Print the times and the memory of an export; the first one warms up."""
    endpoint, issued = ExportEndpoint(), signed_in(person("bench@firm.example", Role.ADMIN))
    for name in ("first", "second", "third"):
        token = one_use_links.issue(issued.access_token, {"list": "companies"})
        with Peak() as peak:
            to_first, in_all, _ = asyncio.run(download(endpoint, token))
        times = f"first byte {to_first * 1000:.0f} ms, all {in_all:.1f} s"
        print(f"{kind:11} export, {name}: {times}, {peak.megabytes:+.1f} MB")


def file_of(stored: list[dict[str, Any]]) -> bytes:
    """A file of the stored companies, half of them with another tagline."""
    head = ["Name", "Slug", "Industry", "Description", "Detailed description", "Founded", "Employees", "Location"]
    names = ["name", "slug", "industry", "description", "detailed_description", "founded", "employees", "location"]
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow([*head, "Tagline"])
    table.writerows([*(one[name] for name in names), "New" if n % 2 else ""] for n, one in enumerate(stored))
    return text.getvalue().encode()


async def upload(tab: EventClient, packed: bytes) -> Reply:
    """Send a file as the browser does, which compresses it; the reply to its last piece, which has the table."""
    from advisory_site.backoffice.import_state import PIECE_BYTES
    from advisory_site.companies.admin_import import CompanyImportState as State

    pieces = [packed[start : start + PIECE_BYTES] for start in range(0, len(packed), PIECE_BYTES)]
    reply = await tab._send(State.begin, "/", {}, {"name": "a.csv", "pieces": len(pieces)})
    for number, piece in enumerate(pieces):
        payload = {"number": number, "piece": base64.b64encode(piece).decode()}
        reply = await tab._send(State.add_piece, "/", {}, payload)
    return reply


async def waits(tab: EventClient, until: asyncio.Event) -> list[float]:
    """How long events that do nothing take, one after the other, until something is over."""
    times = []
    while not until.is_set():
        start = time.perf_counter()
        await tab._send(NoticeState.show, "/", {}, {"kind": "none", "text": ""})
        times.append((time.perf_counter() - start) * 1000)
        await asyncio.sleep(0.005)
    return times


async def beside(work: Any, tab: EventClient) -> tuple[float, Any, list[float]]:
    """Do some work, and another tab's events beside it: the seconds, the result, and the other's times in ms."""
    is_over = asyncio.Event()
    others = asyncio.create_task(waits(tab, is_over))
    start = time.perf_counter()
    result = await work
    seconds = time.perf_counter() - start
    is_over.set()
    return seconds, result, await others


def measure_import(kind: str) -> None:
    """Print the time to the table and to the end of the import, and the waits of another tab beside both."""
    from advisory_site.advisory_site import app
    from advisory_site.companies.admin_import import CompanyImportState as State

    mine, other = EventClient(app), EventClient(app)
    sign_in(mine, Role.ADMIN)
    keep(other, "")
    _, _, idle = asyncio.run(beside(asyncio.sleep(2), other))
    tune_collections()  # as the server does
    content = file_of([company_values(n) for n in range(ROWS)])
    seconds, reply, times = asyncio.run(beside(upload(mine, gzip.compress(content)), other))
    counts = reply.var("company_import_state.counts")
    size = f"{counts.all} rows, {len(content) / MEGABYTE:.1f} MB"
    print(f"{kind:11} import: {size}, {counts.changed} changed, {counts.same} same")
    print(f"{kind:11}   table after {seconds:.2f} s; {shown(times, idle)}")
    seconds, reply, times = asyncio.run(beside(mine._send(State.import_records, "/", {}, {}), other))
    print(f"{kind:11}   imported in {seconds:.2f} s; {shown(times, idle)}")


def shown(times: list[float], idle: list[float]) -> str:
    """The longest and the median wait, beside those of an idle process."""
    middle, longest = statistics.median(times), max(times)
    return (
        f"another event: longest {longest:.0f} ms (idle {max(idle):.0f}), median {middle:.1f} ms "
        f"(idle {statistics.median(idle):.1f}, {middle / statistics.median(idle):.1f} times)"
    )


def report(kind: str) -> None:
    """Measure export and import."""
    with database.transaction() as session:
        session.connection().execute(sa.insert(Company), [company_values(n) for n in range(COMPANIES, EXPORTED)])
    measure_export(kind)
    measure_import(kind)


if __name__ == "__main__":
    on_each_database(report)
