"""A crowd at one process: many tabs open at once, each doing a little, and a stream of enquiries."""

import asyncio
import itertools
import os
import sqlite3
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.cluster.conftest import Backend
from tests.cluster.traffic import SEND
from tests.visitor import Gone, Visitor

LOAD = SEND.replace(".send", ".load")
_numbers = itertools.count()


@dataclass
class Measured:
    """What a crowd met: seconds of each event, enquiries thanked for, and the process's memory in bytes."""

    events: list[float] = field(default_factory=list)
    connects: list[float] = field(default_factory=list)
    enquiries: list[float] = field(default_factory=list)
    thanked: list[str] = field(default_factory=list)
    refused: int = 0
    before: int = 0
    most: int = 0
    after: int = 0


def quantile(values: list[float], share: float) -> float:
    """The value below which this share lies; 0 of nothing."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def memory_of(backend: Backend) -> int:
    """The resident bytes of the process that serves, without its renderer."""
    assert backend.process is not None
    main = backend.process.pid
    worker = Path(f"/proc/{main}/task/{main}/children").read_text(encoding="ascii").split()[0]
    return int(Path(f"/proc/{worker}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _address(number: int) -> str:
    """An address of its own for each visitor."""
    return f"100.{64 + number // 65536 % 64}.{number // 256 % 256}.{number % 256}"


async def crowd(backend: Backend, visitors: int, rate: float, seconds: float, calm: float) -> Measured:
    """Connect so many, send so many enquiries a second for so long, leave, and look at the memory when it is calm."""
    seen = Measured(before=memory_of(backend))
    tabs = [Visitor(backend.url, _address(next(_numbers))) for _ in range(visitors)]
    for start in range(0, visitors, 25):
        await asyncio.gather(*(_arrive(tab, seen) for tab in tabs[start : start + 25]))
    ended = asyncio.Event()
    working = [asyncio.create_task(_work(tab, seen, ended)) for tab in tabs]
    await _enquiries(tabs, seen, rate, seconds)
    seen.most = memory_of(backend)
    ended.set()
    await asyncio.gather(*working)
    await asyncio.gather(*(tab.close() for tab in tabs))
    await asyncio.sleep(calm)
    seen.after = memory_of(backend)
    return seen


async def _arrive(tab: Visitor, seen: Measured) -> None:
    started = time.perf_counter()
    try:
        await tab.connect(20)
        seen.connects.append(time.perf_counter() - started)
    except Gone:
        seen.refused += 1


async def _work(tab: Visitor, seen: Measured, ended: asyncio.Event) -> None:
    """An event every ten seconds, as a reader who clicks."""
    while not ended.is_set():
        try:
            tab.vars.pop("contact_state.submission_id", None)
            started = time.perf_counter()
            await tab.send(LOAD, "/contact")
            await tab.until("contact_state.submission_id", seconds=20)
            seen.events.append(time.perf_counter() - started)
        except (Gone, TimeoutError):
            seen.refused += 1
            return
        try:
            await asyncio.wait_for(ended.wait(), 10)
        except TimeoutError:
            continue


async def _enquiries(tabs: list[Visitor], seen: Measured, rate: float, seconds: float) -> None:
    """From tab after tab, each of which waits for its thanks before it writes again."""
    turns = [asyncio.Lock() for _ in tabs]

    async def one(number: int) -> None:
        tab, turn, message = tabs[number % len(tabs)], turns[number % len(tabs)], f"Crowd {len(tabs)}-{number}"
        filled = {"firstName": "Ann", "lastName": "Lim", "email": "ann@example.com", "message": message}
        async with turn:
            started = time.perf_counter()
            tab.vars.pop("contact_state.times_sent", None)
            await tab.send(SEND, "/contact", form_data=filled | {"submission": message})
            # A state that was forgotten meanwhile counts from one again.
            await tab.until("contact_state.times_sent", *range(1, 10), seconds=60)
            seen.enquiries.append(time.perf_counter() - started)
            seen.thanked.append(message)

    async with asyncio.TaskGroup() as group:
        begin = time.monotonic()
        for number in range(int(rate * seconds)):
            group.create_task(one(number))
            await asyncio.sleep(max(0, begin + (number + 1) / rate - time.monotonic()))


def stored(database: Path) -> Counter[str]:
    """How often each enquiry is in a SQLite database."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return Counter(message for (message,) in connection.execute("SELECT message FROM enquiries"))
