"""Measures memory after visitors have left: `python -m bench.left` opens and closes 600 tabs from one address.

Once with the default limits, which refuse some of them, and once without. Needs a finished build, and takes six
minutes.
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from bench.targets import Target, one_process
from tests.cluster.crowd import memory_of
from tests.support.visitor import Gone, Visitor

ADDRESS = "192.0.2.1"
NAVIGATE = "reflex___state____state.reflex___state____on_load_internal_state.on_load_internal"
# The pages that each tab opens; their records stay in its state.
SEEN = ("/companies", "/team", "/advisors", "/team-profiles")
ARRIVAL_SECONDS = 40.0
LOOKS = (0, 30, 60, 90, 120)
LIMITS: dict[str, dict[str, str]] = {"as they are": {}, "none": {"SOCKETS_PER_ADDRESS": "100000"}}


def main() -> None:
    """Measure, and print."""
    commands = argparse.ArgumentParser(prog="python -m bench.left", description=__doc__)
    commands.add_argument("--tabs", type=int, default=600)
    options = commands.parse_args()
    print("Afterwards: memory above that before, and states held, by seconds since the last tab left.")
    print(f"{'limits':12}{'let in':>8}{'before':>9}{'most':>7}" + "".join(f"{f'{look} s':>12}" for look in LOOKS))
    for name, settings in LIMITS.items():
        with tempfile.TemporaryDirectory() as folder, one_process(Path(folder), 3600, **settings) as target:
            print(f"{name:12}" + asyncio.run(_measure(target, options.tabs)), flush=True)


async def _measure(target: Target, number: int) -> str:
    backend = target.backends[0]
    # Load what is only loaded once before measuring.
    await _visit(Visitor(target.url, "192.0.2.2", path=SEEN[0]))
    before = memory_of(backend)
    started, let_in = time.monotonic(), 0
    for order in range(number):
        await asyncio.sleep(max(0.0, started + order * ARRIVAL_SECONDS / number - time.monotonic()))
        let_in += await _visit(Visitor(target.url, ADDRESS, path=SEEN[0]))
    most = memory_of(backend)
    left, found = time.monotonic(), []
    for look in LOOKS:
        await asyncio.sleep(max(0.0, left + look - time.monotonic()))
        found.append(f"{memory_of(backend) / before - 1:+.0%} ({backend.tab_states})")
    return f"{let_in:>8}{before / 2**20:>6.0f} MB{most / before - 1:>+7.0%}" + "".join(f"{one:>12}" for one in found)


async def _visit(visitor: Visitor) -> bool:
    """Connect, open every list, disconnect; returns whether the visitor was accepted."""
    try:
        await visitor.connect()
        await visitor.until("state.is_hydrated", True)
        for path in SEEN[1:]:
            visitor.vars.pop("state.is_hydrated", None)
            await visitor.send(NAVIGATE, path)
            await visitor.until("state.is_hydrated", True)
    except (Gone, TimeoutError):
        return False
    finally:
        await visitor.close()
    return True


if __name__ == "__main__":
    main()
