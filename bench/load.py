"""How many visitors one process holds: `python -m bench.load --visitors 600 --rate 50 --seconds 60`.

Starts the finished build on a fresh SQLite, lets a crowd of real sockets work, and prints what it met.
"""

import argparse
import asyncio
import tempfile
from collections import Counter
from pathlib import Path

from tests.cluster.conftest import Backend
from tests.cluster.crowd import Measured, crowd, quantile, stored
from tests.postgresql import free_port

# States of visitors who left are forgotten after this many seconds here; in earnest after an hour.
FORGOTTEN_AFTER = 15


def main() -> None:
    """Measure, and print."""
    commands = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    commands.add_argument("--visitors", type=int, default=600)
    commands.add_argument("--rate", type=float, default=50, help="enquiries a second")
    commands.add_argument("--seconds", type=float, default=60)
    asked = commands.parse_args()
    if asked.rate * asked.seconds > 5 * asked.visitors:
        commands.error("nobody may write more than five times an hour: more visitors, or fewer enquiries")
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        here = {"PUBLIC_URL": f"http://127.0.0.1:{port}", "TRUSTED_PROXIES": "1"}
        backend = Backend("one", port, Path(folder), **here)
        backend.env["REFLEX_REDIS_TOKEN_EXPIRATION"] = str(FORGOTTEN_AFTER)
        try:
            backend.start()
            backend.wait()
            asyncio.run(crowd(backend, 10, 5, 4, FORGOTTEN_AFTER + 2))  # what is loaded once is loaded now
            first = stored(Path(folder) / "one" / "advisory.db")
            seen = asyncio.run(crowd(backend, asked.visitors, asked.rate, asked.seconds, FORGOTTEN_AFTER + 10))
            held = stored(Path(folder) / "one" / "advisory.db")
        finally:
            backend.kill()
    report(asked.visitors, seen, held - first)


def report(visitors: int, seen: Measured, held: Counter[str]) -> None:
    """What was measured, in a few lines."""
    once = sum(held.get(message) == 1 for message in seen.thanked)
    print(f"visitors connected      {visitors - seen.refused} of {visitors}")
    print(f"connecting, p50 / p95   {_ms(seen.connects, 0.5)} / {_ms(seen.connects, 0.95)}")
    print(f"an event, p50 / p95     {_ms(seen.events, 0.5)} / {_ms(seen.events, 0.95)}  ({len(seen.events)} events)")
    print(f"an enquiry, p50 / p95   {_ms(seen.enquiries, 0.5)} / {_ms(seen.enquiries, 0.95)}")
    print(f"enquiries thanked for   {len(seen.thanked)}, of them stored exactly once {once}")
    print(f"memory before           {seen.before / 2**20:.0f} MB")
    print(f"memory at most          {seen.most / 2**20:.0f} MB, {_each(seen, visitors)} kB a visitor")
    print(f"memory afterwards       {seen.after / 2**20:.0f} MB ({seen.after / seen.before - 1:+.0%})")


def _ms(values: list[float], share: float) -> str:
    return f"{quantile(values, share) * 1000:.0f} ms"


def _each(seen: Measured, visitors: int) -> int:
    return round((seen.most - seen.before) / 1024 / visitors)


if __name__ == "__main__":
    main()
