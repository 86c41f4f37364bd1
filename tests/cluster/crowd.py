"""A crowd at one process: many tabs open at once, each doing a little, and a stream of enquiries."""

import asyncio
import contextlib
import itertools
import os
import sqlite3
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.cluster.conftest import Backend
from tests.cluster.traffic import SEND, page
from tests.support.visitor import Gone, Visitor

LOAD = SEND.replace(".send", ".load")
_numbers, _messages = itertools.count(), itertools.count()
PATIENCE = 60  # seconds for an answer: on a busy machine all come, but late
CLICK_INTERVAL = 10  # seconds between two clicks of a reader


@dataclass
class Measured:
    """What a crowd met: seconds of each event, enquiries thanked for, and the process's most memory in bytes."""

    events: list[float] = field(default_factory=list)
    connects: list[float] = field(default_factory=list)
    enquiries: list[float] = field(default_factory=list)
    thanked: list[str] = field(default_factory=list)
    refused: int = 0  # tabs that did not get in, or were lost
    unanswered: int = 0  # enquiries nobody was thanked for
    most: int = 0


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


async def crowd(
    backend: Backend, seen: Measured, visitors: int, rate: float, seconds: float, unanswered: int | None = None
) -> None:
    """Connect so many, send so many enquiries a second for so long, and leave.

    With a limit of unanswered enquiries, no faster than they are answered.
    """
    tabs = [Visitor(backend.url, _address(next(_numbers))) for _ in range(visitors)]
    for start in range(0, visitors, 25):
        await asyncio.gather(*(_arrive(tab, seen) for tab in tabs[start : start + 25]))
    ended = asyncio.Event()
    first_clicks = (CLICK_INTERVAL * number / visitors for number in range(visitors))
    working = [
        asyncio.create_task(_work(tab, seen, ended, first)) for tab, first in zip(tabs, first_clicks, strict=True)
    ]
    await _enquiries(tabs, seen, rate, seconds, unanswered)
    seen.most = max(seen.most, memory_of(backend))
    ended.set()
    await asyncio.gather(*working)
    await asyncio.gather(*(tab.close() for tab in tabs))


async def memory_once_calm(backend: Backend, aim: float, patience: float = 80) -> int:
    """The memory when it is down to the aim, or at the end of patience. Meanwhile a proxy asks whether all is well."""
    deadline = time.monotonic() + patience
    while (memory := memory_of(backend)) > aim and time.monotonic() < deadline:
        await page(f"{backend.url}/healthz")
        await asyncio.sleep(0.5)
    return memory


async def _arrive(tab: Visitor, seen: Measured) -> None:
    started = time.perf_counter()
    try:
        await tab.connect(PATIENCE)
        seen.connects.append(time.perf_counter() - started)
    except Gone:
        seen.refused += 1


async def _work(tab: Visitor, seen: Measured, ended: asyncio.Event, pause: float) -> None:
    """A click after a pause, and then another every few seconds."""
    while not await _ends(ended, pause):
        try:
            tab.vars.pop("contact_state.submission_id", None)
            started = time.perf_counter()
            await tab.send(LOAD, "/contact")
            await tab.until("contact_state.submission_id", seconds=PATIENCE)
            seen.events.append(time.perf_counter() - started)
        except (Gone, TimeoutError):
            seen.refused += 1
            return
        pause = CLICK_INTERVAL


async def _ends(ended: asyncio.Event, seconds: float) -> bool:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(ended.wait(), seconds)
    return ended.is_set()


async def _enquiries(tabs: list[Visitor], seen: Measured, rate: float, seconds: float, unanswered: int | None) -> None:
    """From tab after tab, each of which waits for its thanks before it writes again."""
    turns = [asyncio.Lock() for _ in tabs]
    room = asyncio.Semaphore(unanswered or int(rate * seconds))

    async def one(number: int) -> None:
        tab, turn, message = tabs[number % len(tabs)], turns[number % len(tabs)], f"Crowd {next(_messages)}"
        filled = {"firstName": "Ann", "lastName": "Lim", "email": "ann@example.com", "message": message}
        async with turn:
            started = time.perf_counter()
            try:
                async with asyncio.timeout(PATIENCE):
                    while not await _is_thanked(tab, filled | {"submission": message}):
                        await asyncio.sleep(1)
            except (Gone, TimeoutError):
                seen.unanswered += 1
                return
            finally:
                room.release()
            seen.enquiries.append(time.perf_counter() - started)
            seen.thanked.append(message)

    async with asyncio.TaskGroup() as group:
        begin = time.monotonic()
        for number in range(int(rate * seconds)):
            await room.acquire()
            group.create_task(one(number))
            await asyncio.sleep(max(0, begin + (number + 1) / rate - time.monotonic()))


async def _is_thanked(tab: Visitor, form: dict[str, str]) -> bool:
    """Send a form once. If not, it was asked to try again, as happens when a disk stands still for five seconds."""
    for name in ("is_busy", "times_sent"):
        tab.vars.pop(f"contact_state.{name}", None)
    await tab.send(SEND, "/contact", form_data=form)
    await tab.until("contact_state.is_busy", False, seconds=PATIENCE)
    return "contact_state.times_sent" in tab.vars


def stored(database: Path) -> Counter[str]:
    """How often each enquiry is in a SQLite database."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return Counter(message for (message,) in connection.execute("SELECT message FROM enquiries"))
