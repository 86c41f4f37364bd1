"""An outage of PostgreSQL under load: `python -m bench.outage` takes it away for 30 s while people read and write.

Two processes behind the proxy, all on this machine. Every public page must be answered as it was read before, and
every enquiry that was acknowledged must be stored once; otherwise the exit status is 1. Needs a finished build.
"""

import argparse
import asyncio
import contextlib
import itertools
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.cluster.conftest import Cluster
from tests.cluster.crowd import quantile
from tests.cluster.traffic import Reply, Seen, ask, enquire, stored
from tests.support.fetch import fetch
from tests.support.public_pages import PUBLIC

BEFORE, AFTER = 5.0, 5.0  # seconds of load
BETWEEN_PAGES, BETWEEN_FORMS = 0.02, 0.1
FORM = {"firstName": "Ann", "lastName": "Lim", "email": "ann@example.com"}
# In seconds; longer than the site lets anybody wait (`ANSWER_WITHIN` in enquiries/submission.py).
LONGEST_POST = 30.0
_numbers = itertools.count(1)


@dataclass
class Met:
    """What people have met: (phase, kind) -> how often; the seconds of each page; the enquiries acknowledged."""

    phase: str = "before"
    pages: Counter[tuple[str, str]] = field(default_factory=Counter)
    forms: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    page_seconds: dict[str, list[float]] = field(default_factory=dict)
    form_seconds: dict[str, list[float]] = field(default_factory=dict)
    acknowledged: list[str] = field(default_factory=list)
    first_stored_at: float = 0.0


def main() -> None:
    """Measure, and print."""
    commands = argparse.ArgumentParser(prog="python -m bench.outage", description=__doc__)
    commands.add_argument("--seconds", type=float, default=30)
    commands.add_argument("--how", choices=["stopped", "killed", "silent"], default="stopped")
    commands.add_argument("--people", type=int, default=4, help="readers, as many who post forms, and as many in tabs")
    options = commands.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(Path(folder))
        try:
            cluster.start()
            sys.exit(asyncio.run(_measure(cluster, options.how, options.seconds, options.people)))
        finally:
            cluster.stop()


async def _measure(cluster: Cluster, how: str, seconds: float, people: int) -> int:
    # Of each backend, because the contact form has an id.
    pages = {path: {fetch(backend.url + path).text for backend in cluster.backends} for path in PUBLIC}
    met, in_tabs = Met(), Seen()
    async with _load(cluster.url, pages, met, in_tabs, people):
        await asyncio.sleep(BEFORE)
        met.phase, in_tabs_before, gone_at = "during", len(in_tabs.thanked), time.monotonic()
        await _take_away(cluster, how)
        await asyncio.sleep(seconds)
        in_tabs_during = len(in_tabs.thanked) - in_tabs_before
        met.phase, back_at = "after", time.monotonic()
        await _bring_back(cluster, how)
        ready_at = time.monotonic()
        await asyncio.sleep(AFTER)
    thanked = met.acknowledged + in_tabs.thanked
    held = await asyncio.to_thread(stored, cluster.database_url)
    once = sum(held.get(message) == 1 for message in thanked)
    print(f"PostgreSQL {how}, away for {back_at - gone_at:.1f} s; back within {ready_at - back_at:.1f} s")
    for phase in ("before", "during", "after"):
        _print_kinds(f"pages {phase}", phase, met.pages, met.page_seconds)
        _print_kinds(f"forms {phase}", phase, met.forms, met.form_seconds)
    print(f"tabs: {len(in_tabs.thanked)} enquiries thanked for, {in_tabs_during} of them during the outage")
    print(f"first form stored after PostgreSQL was back: {max(0.0, met.first_stored_at - ready_at):.1f} s")
    print(f"acknowledged {len(thanked)}, of them stored exactly once {once}; stored at all {sum(held.values())}")
    for line in met.wrong[:10]:
        print(f"wrong: {line}")
    return int(bool(met.wrong) or once < len(thanked))


def _print_kinds(label: str, phase: str, counted: Counter[tuple[str, str]], seconds: dict[str, list[float]]) -> None:
    took = seconds.get(phase, [])
    kinds = ", ".join(f"{count} {kind}" for (at, kind), count in sorted(counted.items()) if at == phase)
    print(f"{label:14} {kinds or 'none'}; p95 {quantile(took, 0.95) * 1000:.0f} ms, most {max(took, default=0):.1f} s")


async def _take_away(cluster: Cluster, how: str) -> None:
    server = cluster.postgresql
    await asyncio.to_thread({"stopped": server.stop, "killed": server.kill, "silent": server.pause}[how])


async def _bring_back(cluster: Cluster, how: str) -> None:
    if how == "silent":
        cluster.postgresql.resume()
    else:
        cluster.postgresql.launch()  # in the main thread, with which the server ends
    await asyncio.to_thread(cluster.postgresql.wait)


@contextlib.asynccontextmanager
async def _load(url: str, pages: dict[str, set[str]], met: Met, in_tabs: Seen, people: int) -> AsyncIterator[None]:
    """Readers, people who post the form without scripts, and people in tabs, until the block ends."""
    work = [_read(url, pages, met, number) for number in range(people)]
    work += [_post(url, met) for _ in range(people)]
    tasks = [asyncio.create_task(task) for task in [*work, *(enquire(url, in_tabs) for _ in range(people))]]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for error in ended:
        if not isinstance(error, asyncio.CancelledError):
            raise AssertionError("a person stopped") from error


async def _read(url: str, pages: dict[str, set[str]], met: Met, number: int) -> None:
    """Ask for one page after the other, beginning somewhere else than the other readers."""
    for path in itertools.islice(itertools.cycle(pages), number * 3, None):
        phase, started = met.phase, time.monotonic()
        reply = await ask(url + path)
        met.page_seconds.setdefault(phase, []).append(time.monotonic() - started)
        kind = _kind(reply, pages[path])
        met.pages[phase, kind] += 1
        if not kind.startswith("as read"):
            met.wrong.append(f"{phase}: {path} was {kind}")
        await asyncio.sleep(BETWEEN_PAGES)


def _kind(reply: Reply, before: set[str]) -> str:
    if reply.status != 200:
        return str(reply.status) if reply.status else "not answered"
    if reply.text not in before:
        return "another page"
    return "as read before, marked stale" if "stale" in reply.headers.get("cache-status", "") else "as read before"


async def _post(url: str, met: Met) -> None:
    """Send the form without scripts, each time with another message and from another address."""
    while True:
        number = next(_numbers)
        message, address = f"Form {number}", f"100.64.{number // 250}.{number % 250 + 1}"
        phase, started = met.phase, time.monotonic()
        reply = await ask(f"{url}/contact", FORM | {"message": message}, address, LONGEST_POST)
        ended = time.monotonic()
        met.form_seconds.setdefault(phase, []).append(ended - started)
        met.forms[phase, "acknowledged" if reply.status == 200 else f"refused ({reply.status})"] += 1
        if reply.status == 200:
            met.acknowledged.append(message)
            if met.phase == "after":
                met.first_stored_at = met.first_stored_at or ended
        elif reply.status != 503:
            met.wrong.append(f"{phase}: a form was answered with {reply.status}")
        await asyncio.sleep(BETWEEN_FORMS)


if __name__ == "__main__":
    main()
