"""How many visitors a process holds, what they cost, and what gives way first: `python -m bench.load WHAT`.

`crowd` sends enquiries from many open tabs and counts what was stored; `hold` adds visitors until an event takes too
long, on Reflex's empty app, on one process, and on two behind the proxy; `mixed` is an hour of a firm in a minute.
Each needs a finished build and takes less than five minutes. The visitors are sockets of a process of their own.
"""

import argparse
import asyncio
import signal
import sys
import tempfile
import time
from pathlib import Path

from bench.mixed import mixed
from bench.targets import Place, cluster, empty, one_process
from tests.cluster.crowd import Measured, crowd, memory_of, memory_once_calm, quantile, stored
from tests.support.visitor import Gone, Visitor

LONGEST_MS = 100
CLICK_INTERVAL = 10
STEP_SECONDS = 12


def main() -> None:
    """Measure, and print."""
    commands = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    what = commands.add_subparsers(dest="what", required=True)
    many = what.add_parser("crowd")
    many.add_argument("--visitors", type=int, default=600)
    many.add_argument("--rate", type=float, default=50, help="enquiries a second")
    many.add_argument("--seconds", type=float, default=60)
    hold = what.add_parser("hold")
    hold.add_argument("--visitors", type=int, nargs="+", default=[250, 500, 1000, 1500, 2000, 3000])
    hold.add_argument("--places", nargs="+", choices=list(PLACES), default=list(PLACES))
    hour = what.add_parser("mixed")
    hour.add_argument("--visitors", type=int, default=300)
    hour.add_argument("--seconds", type=float, default=60)
    asked = commands.parse_args()
    # Whoever stops this stops its servers too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    with tempfile.TemporaryDirectory() as folder:
        if asked.what == "crowd":
            if asked.rate * asked.seconds > 5 * asked.visitors:
                commands.error("nobody may write more than five times an hour: more visitors, or fewer enquiries")
            _crowd(Path(folder), asked.visitors, asked.rate, asked.seconds)
        elif asked.what == "hold":
            _hold(Path(folder), asked.places, asked.visitors)
        else:
            with one_process(Path(folder)) as place:
                asyncio.run(mixed(place, asked.visitors, asked.seconds))


PLACES = {"empty": empty, "one": one_process, "two": cluster}


def _hold(folder: Path, names: list[str], steps: list[int]) -> None:
    print(f"{'place':8}{'visitors':>9}{'connect p95':>13}{'event p50':>11}{'p95':>8}{'kB each':>9}  busy, % of a core")
    late: dict[str, dict[int, float]] = {}
    for name in names:
        (folder / name).mkdir()
        with PLACES[name](folder / name) as place:
            late[name] = asyncio.run(_climb(name, place, steps))
    for name in late.keys() - {"empty"}:
        ratios = [
            f"{late[name][step] / of:.1f} at {step}" for step, of in late.get("empty", {}).items() if step in late[name]
        ]
        if ratios:
            print(f"p95 of {name} to that of the empty app: {', '.join(ratios)}")


async def _climb(name: str, place: Place, steps: list[int]) -> dict[int, float]:
    """Add visitors, each of whom clicks every ten seconds, until it takes too long or somebody is lost.

    Returns the milliseconds within which 95 of 100 events were answered, for each number of visitors.
    """
    tabs: list[_Tab] = []
    found: dict[int, float] = {}
    try:
        await _arrive(tabs, place, 5)
        empty_memory = place.memory()
        for step in steps:
            try:
                connects = await _arrive(tabs, place, step)
            except Gone as refused:
                print(f"{name:8}{step:>9}  not let in: {refused}", flush=True)
                break
            for tab in tabs:
                tab.seconds.clear()
            with place.watched() as busy:
                await asyncio.sleep(STEP_SECONDS)
            seconds = [one for tab in tabs for one in tab.seconds]
            lost = sum(tab.visitor.lost_at is not None for tab in tabs)
            each = (place.memory() - empty_memory) / 1024 / len(tabs)
            late = found[step] = quantile(seconds, 0.95) * 1000
            who = ", ".join(f"{program} {share:.0%}" for program, share in busy.items())
            figures = f"{_ms(connects, 0.95):>13}{_ms(seconds, 0.5):>11}{late:>5.0f} ms{each:>9.0f}"
            print(f"{name:8}{len(tabs):>9}{figures}  {who}" + (f"; {lost} lost" if lost else ""), flush=True)
            if late > LONGEST_MS or lost:
                break
    finally:
        await asyncio.gather(*(tab.leave() for tab in tabs))
    return found


class _Tab:
    """A visitor who clicks every ten seconds, and how long each click took."""

    def __init__(self, visitor: Visitor, place: Place) -> None:
        self.visitor, self.place = visitor, place
        self.seconds: list[float] = []

    async def arrive(self) -> float:
        """Connect, and get the page's state; returns how long it took."""
        started = time.perf_counter()
        await self.visitor.connect(30)
        await self._click()
        self._clicking = asyncio.create_task(self._go_on())
        return time.perf_counter() - started

    async def _click(self) -> None:
        self.visitor.vars.pop(self.place.var, None)
        await self.visitor.send(self.place.event, self.place.path)
        await self.visitor.until(self.place.var, seconds=30)

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(CLICK_INTERVAL)
            started = time.perf_counter()
            try:
                await self._click()
            except (Gone, TimeoutError):
                self.visitor.lost_at = self.visitor.lost_at or time.monotonic()
                return
            self.seconds.append(time.perf_counter() - started)

    async def leave(self) -> None:
        """Close the tab."""
        self._clicking.cancel()
        await self.visitor.close()


async def _arrive(tabs: list[_Tab], place: Place, number: int) -> list[float]:
    """Let visitors come, ten at a time, until there are so many; returns how long each took to get in."""
    took: list[float] = []
    while len(tabs) < number:
        ten = [_Tab(Visitor(place.url, place.address()), place) for _ in range(min(10, number - len(tabs)))]
        took += await asyncio.gather(*(tab.arrive() for tab in ten))
        tabs += ten
    return took


def _ms(values: list[float], share: float) -> str:
    return f"{quantile(values, share) * 1000:.0f} ms"


def _crowd(folder: Path, visitors: int, rate: float, seconds: float) -> None:
    with one_process(folder, FORGOTTEN_AFTER) as place:
        backend, seen = place.backends[0], Measured()
        cold = memory_of(backend)
        asyncio.run(crowd(backend, Measured(), 5, 5, 2))  # what is loaded once is loaded now
        before = memory_of(backend)
        first = stored(place.database)
        with place.watched() as busy:
            asyncio.run(crowd(backend, seen, visitors, rate, seconds))
        # Their states are kept for a while, and looked for at intervals.
        after = asyncio.run(memory_once_calm(backend, before, patience=130))
        held = stored(place.database) - first
    once = sum(held.get(message) == 1 for message in seen.thanked)
    print(f"visitors connected      {visitors - seen.refused} of {visitors}")
    print(f"connecting, p50 / p95   {_ms(seen.connects, 0.5)} / {_ms(seen.connects, 0.95)}")
    print(f"an event, p50 / p95     {_ms(seen.events, 0.5)} / {_ms(seen.events, 0.95)}  ({len(seen.events)} events)")
    print(f"an enquiry, p50 / p95   {_ms(seen.enquiries, 0.5)} / {_ms(seen.enquiries, 0.95)}")
    print(f"enquiries thanked for   {len(seen.thanked)} of {int(rate * seconds)}, of them stored exactly once {once}")
    print(f"busy, of a core         {', '.join(f'{name} {share:.0%}' for name, share in busy.items())}")
    print(f"memory                  cold {_mb(cold)}, before {_mb(before)}, at most {_mb(seen.most)}")
    print(f"memory afterwards       {_mb(after)} ({after / before - 1:+.0%})")


# States of visitors who left are forgotten after this many seconds in a crowd; in earnest after an hour.
FORGOTTEN_AFTER = 15


def _mb(size: int) -> str:
    return f"{size / 2**20:.0f} MB"


if __name__ == "__main__":
    main()
