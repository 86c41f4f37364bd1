"""Measures how many visitors a process can serve, and at what cost: `python -m bench.load WHAT`.

`crowd` sends enquiries from many open tabs and counts the stored ones; `hold` adds visitors until an event takes too
long, for an empty Reflex app, for one process, and for two behind the proxy; `mixed` is an hour's work of a firm in a
minute. Each needs a finished build and takes less than five minutes. The visitors are sockets of this process.
"""

import argparse
import asyncio
import signal
import sys
import tempfile
import time
from pathlib import Path

from bench.mixed import mixed
from bench.targets import Target, cluster, empty, one_process
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
    hold.add_argument("--targets", nargs="+", choices=list(TARGETS), default=list(TARGETS))
    hour = what.add_parser("mixed")
    hour.add_argument("--visitors", type=int, default=300)
    hour.add_argument("--seconds", type=float, default=60)
    options = commands.parse_args()
    # Stop the servers too when this program is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    with tempfile.TemporaryDirectory() as folder:
        if options.what == "crowd":
            if options.rate * options.seconds > 5 * options.visitors:
                commands.error("nobody may write more than five times an hour: more visitors, or fewer enquiries")
            _crowd(Path(folder), options.visitors, options.rate, options.seconds)
        elif options.what == "hold":
            _hold(Path(folder), options.targets, options.visitors)
        else:
            with one_process(Path(folder)) as target:
                asyncio.run(mixed(target, options.visitors, options.seconds))


TARGETS = {"empty": empty, "one": one_process, "two": cluster}


def _hold(folder: Path, names: list[str], steps: list[int]) -> None:
    print(f"{'target':8}{'visitors':>9}{'connect p95':>13}{'event p50':>11}{'p95':>8}{'kB each':>9}  busy, % of a core")
    late: dict[str, dict[int, float]] = {}
    for name in names:
        (folder / name).mkdir()
        with TARGETS[name](folder / name) as target:
            late[name] = asyncio.run(_climb(name, target, steps))
    for name in late.keys() - {"empty"}:
        ratios = [
            f"{late[name][step] / of:.1f} at {step}" for step, of in late.get("empty", {}).items() if step in late[name]
        ]
        if ratios:
            print(f"p95 of {name} to that of the empty app: {', '.join(ratios)}")


async def _climb(name: str, target: Target, steps: list[int]) -> dict[int, float]:
    """Add visitors, each of whom clicks every ten seconds, until a click takes too long or a connection is lost.

    Returns the 95th percentile of the events in milliseconds, for each number of visitors.
    """
    tabs: list[_Tab] = []
    found: dict[int, float] = {}
    try:
        await _arrive(tabs, target, 5)
        empty_memory = target.memory()
        for step in steps:
            try:
                connects = await _arrive(tabs, target, step)
            except Gone as refused:
                print(f"{name:8}{step:>9}  refused: {refused}", flush=True)
                break
            for tab in tabs:
                tab.seconds.clear()
            with target.watched() as busy:
                await asyncio.sleep(STEP_SECONDS)
            seconds = [one for tab in tabs for one in tab.seconds]
            lost = sum(tab.visitor.lost_at is not None for tab in tabs)
            each = (target.memory() - empty_memory) / 1024 / len(tabs)
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
    """A visitor who clicks every ten seconds, and the duration of each click."""

    def __init__(self, visitor: Visitor, target: Target) -> None:
        self.visitor, self.target = visitor, target
        self.seconds: list[float] = []

    async def arrive(self) -> float:
        """Connect and get the page's state; returns the seconds it took."""
        started = time.perf_counter()
        await self.visitor.connect(30)
        await self._click()
        self._clicking = asyncio.create_task(self._click_repeatedly())
        return time.perf_counter() - started

    async def _click(self) -> None:
        self.visitor.vars.pop(self.target.var, None)
        await self.visitor.send(self.target.event, self.target.path)
        await self.visitor.until(self.target.var, seconds=30)

    async def _click_repeatedly(self) -> None:
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


async def _arrive(tabs: list[_Tab], target: Target, number: int) -> list[float]:
    """Connect visitors, ten at a time, up to `number`; returns the seconds that each connection took."""
    took: list[float] = []
    while len(tabs) < number:
        ten = [_Tab(Visitor(target.url, target.address()), target) for _ in range(min(10, number - len(tabs)))]
        took += await asyncio.gather(*(tab.arrive() for tab in ten))
        tabs += ten
    return took


def _ms(values: list[float], share: float) -> str:
    return f"{quantile(values, share) * 1000:.0f} ms"


def _crowd(folder: Path, visitors: int, rate: float, seconds: float) -> None:
    with one_process(folder, FORGOTTEN_AFTER) as target:
        backend, seen = target.backends[0], Measured()
        cold = memory_of(backend)
        asyncio.run(crowd(backend, Measured(), 5, 5, 2))  # load what is only loaded once
        before = memory_of(backend)
        first = stored(target.database)
        with target.watched() as busy:
            asyncio.run(crowd(backend, seen, visitors, rate, seconds))
        # Their states are kept for a while, and expired ones are looked for at intervals.
        after = asyncio.run(memory_once_calm(backend, before, patience=130))
        held = stored(target.database) - first
    once = sum(held.get(message) == 1 for message in seen.thanked)
    print(f"visitors connected      {visitors - seen.refused} of {visitors}")
    print(f"connecting, p50 / p95   {_ms(seen.connects, 0.5)} / {_ms(seen.connects, 0.95)}")
    print(f"an event, p50 / p95     {_ms(seen.events, 0.5)} / {_ms(seen.events, 0.95)}  ({len(seen.events)} events)")
    print(f"an enquiry, p50 / p95   {_ms(seen.enquiries, 0.5)} / {_ms(seen.enquiries, 0.95)}")
    print(f"enquiries thanked for   {len(seen.thanked)} of {int(rate * seconds)}, of them stored exactly once {once}")
    print(f"busy, of a core         {', '.join(f'{name} {share:.0%}' for name, share in busy.items())}")
    print(f"memory                  cold {_mb(cold)}, before {_mb(before)}, at most {_mb(seen.most)}")
    print(f"memory afterwards       {_mb(after)} ({after / before - 1:+.0%})")


# The lifetime of states in seconds for `crowd`; the default is an hour.
FORGOTTEN_AFTER = 15


def _mb(size: int) -> str:
    return f"{size / 2**20:.0f} MB"


if __name__ == "__main__":
    main()
