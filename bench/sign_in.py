"""Measures how sign-ins delay other visitors' events, and the cost of the session look-up of staff events.

`.venv/bin/python -m bench.sign_in` needs a finished build. It starts its own server and takes about a minute.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import sqlalchemy as sa

from sitekit.accounts.models import AuthSession, Credential, Profile, UserRole
from sitekit.accounts.password.passwords import hash_password
from sitekit.accounts.sessions import sessions
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.db.migrations import migrate
from sitekit.base.settings import get_settings
from tests.e2e.conftest import ADMIN_EMAIL, serving
from tests.support.raw_socket import ROOT_STATE, Socket

SIGN_INS_A_SECOND = 20
SECONDS = 6
ROUNDS = 3
SESSIONS = 100_000
LOOK_UPS = 3_000
SIGN_IN = f"{ROOT_STATE}.sitekit___accounts___sessions___auth_state____auth_page_state.sign_in"


def p95(times: list[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(times, n=20)[-1]


def round_trips(url: str, seconds: float) -> list[float]:
    """The durations of another visitor's events in milliseconds, ten per second."""
    visitor = Socket(url)
    visitor.settle()
    times, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        start = time.perf_counter()
        visitor.settle()
        times.append((time.perf_counter() - start) * 1000)
        time.sleep(0.1)
    visitor.close()
    return times


def attempt_sign_ins(url: str) -> None:
    """Make the load, in a separate process: attempts of different visitors with wrong passwords."""
    visitors = [Socket(url) for _ in range(SIGN_INS_A_SECOND * 2)]
    print("ready", flush=True)
    start = time.monotonic()
    for number in range(SIGN_INS_A_SECOND * (SECONDS + 2)):
        form = {"email": f"{number}.{ADMIN_EMAIL}", "password": "not the password"}
        visitors[number % len(visitors)].say(SIGN_IN, form_data=form)
        time.sleep(max(0.0, start + (number + 1) / SIGN_INS_A_SECOND - time.monotonic()))


def wait_for_the_queue(url: str) -> None:
    """Wait until the queued sign-ins of the last round are done, by one more attempt."""
    visitor = Socket(url)
    visitor.say(SIGN_IN, form_data={"email": ADMIN_EMAIL, "password": "not the password"})
    visitor.settle(60)
    visitor.close()


def measure_sign_ins(folder: Path) -> None:
    """Measure round trips without and with load, and their ratio."""
    with serving(folder / "data", BCRYPT_COST="12", SOCKETS_PER_ADDRESS="500") as site:
        idle, loaded = [], []
        # Alternate, so that other work of the machine affects both alike.
        for _ in range(ROUNDS):
            idle += round_trips(site.url, SECONDS)
            command = [sys.executable, "-m", "bench.sign_in", site.url]
            load = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert load.stdout and load.stdout.readline()
            loaded += round_trips(site.url, SECONDS)
            load.terminate()
            load.wait()
            wait_for_the_queue(site.url)
    print(f"another visitor's event, idle:   p50 {statistics.median(idle):6.1f} ms   p95 {p95(idle):6.1f} ms")
    print(
        f"the same, {SIGN_INS_A_SECOND} sign-ins a second: p50 {statistics.median(loaded):6.1f} ms   "
        f"p95 {p95(loaded):6.1f} ms"
    )
    print(f"ratio of the p95s: {p95(loaded) / p95(idle):.2f} (aim: at most 3)")


def measure_look_up(folder: Path) -> None:
    """Measure the guard's look-up among many sessions."""
    os.environ["ADVISORY_DATA_DIR"] = str(folder / "many")
    get_settings.cache_clear()
    migrate()
    people = SESSIONS // 20
    hashed = hash_password("nobody signs in with this", 4)
    with transaction() as session:
        numbers = range(1, people + 1)
        session.execute(sa.insert(Profile), [{"id": n, "email": f"{n}@northstrait.example"} for n in numbers])
        session.execute(sa.insert(UserRole), [{"user_id": n, "role": "employee"} for n in numbers])
        session.execute(sa.insert(Credential), [{"user_id": n, "password_hash": hashed} for n in numbers])
        rows = [
            {"id": f"session-{n}", "user_id": n % people + 1, "device": "", "refreshed_at": now()}
            for n in range(SESSIONS)
        ]
        session.execute(sa.insert(AuthSession), rows)
    with transaction() as session:
        tokens = [sessions.begin(session, number * 7 % people + 1).access_token for number in range(200)]
    times = []
    for number in range(LOOK_UPS):
        start = time.perf_counter()
        with read_session() as session:
            sessions.identify(session, tokens[number % len(tokens)])
        times.append((time.perf_counter() - start) * 1000)
    print(
        f"look-up among {SESSIONS:,} sessions:  p50 {statistics.median(times):6.2f} ms   "
        f"p95 {p95(times):6.2f} ms (aim: under 2)"
    )


def main() -> None:
    """Measure; with an address as argument, make the load."""
    if len(sys.argv) > 1:
        attempt_sign_ins(sys.argv[1])
        return
    with tempfile.TemporaryDirectory() as folder:
        measure_look_up(Path(folder))
        os.environ.pop("ADVISORY_DATA_DIR")
        measure_sign_ins(Path(folder))


if __name__ == "__main__":
    main()
