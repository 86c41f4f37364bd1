"""Measures CSV: the export of 10,000 companies, the import of 5,000 rows and its Undo, with enquiries sent beside it.

`.venv/bin/python -m bench.csv_files` runs on SQLite and, if installed, on PostgreSQL. It takes about two minutes.
"""

import asyncio
import base64
import csv
import gzip
import io
import itertools
import os
import statistics
import threading
import time
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from starlette.requests import Request
from starlette.types import Message, Scope

from advisory_site.companies.models import Company
from advisory_site.enquiries.submission import receive
from advisory_site.exports import EXPORTS
from bench.admin import COMPANIES, company_values, on_each_database
from sitekit.accounts import one_use_links
from sitekit.accounts.back_office import connect_accounts
from sitekit.admin.csv.exports import ExportEndpoint
from sitekit.admin.undo_state import UndoState
from sitekit.base.db import database
from sitekit.base.observability.memory import tune_collections
from sitekit.base.permissions import Role
from sitekit.ui.feedback import NoticeState
from tests.support.event_client import EventClient, Reply
from tests.support.people import person, signed_in
from tests.support.staff import batches, keep, sign_in, texts

EXPORTED, ROWS = 10_000, 5_000
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


def measure_export(dialect: str) -> None:
    """Print the times and the memory of an export; the first one warms up."""
    connect_accounts()
    endpoint, issued = ExportEndpoint(EXPORTS), signed_in(person("bench@firm.example", Role.ADMIN))
    for name in ("first", "second", "third"):
        token = one_use_links.issue(issued.access_token, {"list": "companies"})
        with Peak() as peak:
            to_first, in_all, _ = asyncio.run(download(endpoint, token))
        times = f"first byte {to_first * 1000:.0f} ms, all {in_all:.1f} s"
        print(f"{dialect:11} export, {name}: {times}, {peak.megabytes:+.1f} MB")


def file_of(companies: list[dict[str, Any]], tagline: str) -> bytes:
    """A file of companies, all with the same tagline."""
    head = ["Name", "Slug", "Industry", "Description", "Detailed description", "Founded", "Employees", "Location"]
    names = ["name", "slug", "industry", "description", "detailed_description", "founded", "employees", "location"]
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow([*head, "Tagline"])
    table.writerows([*(one[name][:300] for name in names), tagline] for one in companies)
    return text.getvalue().encode()


async def upload(tab: EventClient, packed: bytes) -> Reply:
    """Send a file as the browser does, which compresses it; the reply to its last piece, which has the table."""
    from advisory_site.companies.admin import CompanyImportState as State
    from sitekit.admin.csv.import_state import PIECE_BYTES

    pieces = [packed[start : start + PIECE_BYTES] for start in range(0, len(packed), PIECE_BYTES)]
    reply = await tab._send(State.begin, "/", {}, {"name": "a.csv", "pieces": len(pieces)})
    for number, piece in enumerate(pieces):
        payload = {"number": number, "piece": base64.b64encode(piece).decode()}
        reply = await tab._send(State.add_piece, "/", {}, payload)
    return reply


async def enquiries(until: asyncio.Event) -> tuple[list[float], int]:
    """How long enquiries take, one after the other from other networks, and how many could not be stored."""
    times: list[float] = []
    failed = 0
    for number in itertools.count():
        if until.is_set():
            return times, failed
        form = {"firstName": "Ann", "lastName": "Lim", "email": f"ann{number}@example.com", "message": "Hello."}
        start = time.perf_counter()
        try:
            await receive(form, f"10.{number >> 8 & 255}.{number & 255}.1")
        except (sa.exc.SQLAlchemyError, TimeoutError):
            failed += 1
        times.append((time.perf_counter() - start) * 1000)
        await asyncio.sleep(0.02)
    raise AssertionError


async def waits(tab: EventClient, until: asyncio.Event) -> list[float]:
    """How long events that do nothing take, one after the other, until something is over."""
    times = []
    while not until.is_set():
        start = time.perf_counter()
        await tab._send(NoticeState.show, "/", {}, {"level": "none", "text": ""})
        times.append((time.perf_counter() - start) * 1000)
        await asyncio.sleep(0.005)
    return times


async def beside(work: Any, tab: EventClient) -> tuple[float, Any, list[float], tuple[list[float], int]]:
    """Do some work, and another tab's events and enquiries beside it.

    Returns the seconds, the result, the times of the events in ms, and those of the enquiries with how many failed.
    """
    is_over = asyncio.Event()
    others, posted = asyncio.create_task(waits(tab, is_over)), asyncio.create_task(enquiries(is_over))
    start = time.perf_counter()
    result = await work
    seconds = time.perf_counter() - start
    is_over.set()
    return seconds, result, await others, await posted


def measure_import(dialect: str) -> None:
    """Print the time to the table and to the end of the import, and the waits of another tab beside both."""
    from advisory_site.advisory_site import app
    from advisory_site.companies.admin import CompanyImportState as State

    mine, other = EventClient(app), EventClient(app)
    sign_in(mine, Role.ADMIN)
    keep(other, "")
    _, _, idle, _ = asyncio.run(beside(asyncio.sleep(2), other))
    tune_collections()  # as the server does
    for tagline in ("Before", "After"):  # first all rows are new, then all are changed
        content = file_of([company_values(n) for n in range(EXPORTED, EXPORTED + ROWS)], tagline)
        seconds, reply, times, posted = asyncio.run(beside(upload(mine, gzip.compress(content)), other))
        counts = reply.var("company_import_state.counts")
        print(f"{dialect:11} import: {len(content) / MEGABYTE:.1f} MB, {counts.new} new, {counts.changed} changed")
        print(f"{dialect:11}   table after {seconds:.2f} s; {shown(times, idle)}; {stored(*posted)}")
        seconds, reply, times, posted = asyncio.run(beside(mine._send(State.import_records, "/", {}, {}), other))
        print(f"{dialect:11}   imported in {seconds:.2f} s; {shown(times, idle)}; {stored(*posted)}")
    (*_, batch) = batches(reply)
    undone = mine._send(UndoState.undo, "/admin", {"tab": "companies"}, {"batch": batch})
    seconds, reply, times, posted = asyncio.run(beside(undone, other))
    print(f"{dialect:11} {texts(reply)[-1]} in {seconds:.2f} s; {shown(times, idle)}; {stored(*posted)}")


def stored(times: list[float], failed: int) -> str:
    """How enquiries fared."""
    verdict = "ok" if not failed else "missed"
    return f"{len(times)} enquiries, longest {max(times):.0f} ms, {failed} refused  {verdict}"


def shown(times: list[float], idle: list[float]) -> str:
    """The longest and the median wait, beside those of an idle process."""
    middle, longest = statistics.median(times), max(times)
    return (
        f"another event: longest {longest:.0f} ms (idle {max(idle):.0f}), median {middle:.1f} ms "
        f"(idle {statistics.median(idle):.1f}, {middle / statistics.median(idle):.1f} times)"
    )


def report(dialect: str) -> None:
    """Measure export and import."""
    with database.transaction() as session:
        session.connection().execute(sa.insert(Company), [company_values(n) for n in range(COMPANIES, EXPORTED)])
    measure_export(dialect)
    measure_import(dialect)


if __name__ == "__main__":
    on_each_database(report)
