"""Measures loading and searching the back-office lists, on SQLite and, if installed, on PostgreSQL.

`.venv/bin/python -m bench.admin` fills a database with 10,000 users, 5,000 companies and 2,000 advisors and sends each
event through the real event processor, guard included. It takes about a minute.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlmodel import col

from advisory_site.accounts.models import Profile, UserRole
from advisory_site.advisors.models import Advisor
from advisory_site.companies.models import Company
from advisory_site.core import settings
from advisory_site.core.permissions import Role
from advisory_site.db import database
from advisory_site.db.migrations import migrate
from advisory_site.ui.feedback import NoticeState
from tests.support.event_client import EventClient
from tests.support.postgresql import FAST, PostgreSQL, binaries
from tests.support.staff import sign_in

USERS, COMPANIES, ADVISORS = 10_000, 5_000, 2_000
TIMES = 60
FIRST_ROWS_MS, SEARCH_MS = 150, 100
WORDS = ("Kelp", "Tide", "Reef", "Harbour", "Mangrove", "Lantern", "Orchid", "Monsoon", "Basalt", "Rattan")


def name_of(number: int) -> str:
    """A name of three words; every tenth name begins with the same word."""
    first, second = WORDS[number % 10], WORDS[number // 10 % 10]
    return f"{first} {second} {number:05}"


def fill() -> None:
    """Fill the database with as many records as the largest expected firm has."""
    with database.transaction() as session:
        people = [
            {"email": f"person{n}@firm.example", "first_name": WORDS[n % 10], "last_name": f"Tan {n}"}
            for n in range(USERS)
        ]
        session.execute(sa.insert(Profile), people)
        ids = session.execute(sa.select(col(Profile.id))).scalars()
        session.execute(sa.insert(UserRole), [{"user_id": one, "role": Role.EMPLOYEE} for one in ids])
        session.execute(sa.insert(Company), [company_values(n) for n in range(COMPANIES)])
        session.execute(sa.insert(Advisor), [_advisor(n) for n in range(ADVISORS)])


def company_values(number: int) -> dict[str, Any]:
    """The columns of one company, with long texts."""
    return {
        "name": name_of(number),
        "slug": f"company-{number}",
        "industry": WORDS[number % 7],
        "description": "What it does. " * 20,
        "detailed_description": "How it does it, at length. " * 60,
        "founded": str(1990 + number % 35),
        "employees": "11-50",
        "location": "Singapore",
        "founders": [{"name": f"Founder {number}", "title": "CEO", "bio": "Was there first. " * 20}],
    }


def _advisor(number: int) -> dict[str, Any]:
    return {"name": name_of(number), "slug": f"advisor-{number}", "title": "Chair", "bio": "Chairs. " * 40}


@contextmanager
def on_sqlite() -> Iterator[None]:
    """A SQLite file in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder, _settings(folder):
        yield


@contextmanager
def on_postgresql() -> Iterator[None]:
    """A temporary PostgreSQL server."""
    server = PostgreSQL(port=None, **FAST)
    try:
        server.start()
        server.execute("CREATE DATABASE bench")
        with tempfile.TemporaryDirectory() as folder, _settings(folder, server.url("bench")):
            yield
            database.engine().dispose()
    finally:
        server.remove()


@contextmanager
def _settings(folder: str, url: str = "") -> Iterator[None]:
    os.environ |= {"ADVISORY_DATA_DIR": str(Path(folder)), "ADVISORY_DATABASE_URL": url}
    settings.get_settings.cache_clear()
    migrate()
    fill()
    yield
    settings.get_settings.cache_clear()


def measure(tab: EventClient, handler: Callable[..., Any], path: str, **payload: Any) -> tuple[float, float]:
    """Median and 95th percentile of an event, in milliseconds, from its arrival to the last change it makes."""
    times = []
    for _ in range(TIMES):
        start = time.perf_counter()
        reply = tab.send(handler, path=path, **payload)
        times.append((time.perf_counter() - start) * 1000)
        if reply.errors:
            raise reply.errors[0]
    return statistics.median(times), statistics.quantiles(times, n=20)[-1]


def report(kind: str) -> None:
    """Print one line per event."""
    from advisory_site.advisory_site import app
    from advisory_site.dashboard.tabs import TABS

    tab = EventClient(app)
    sign_in(tab, Role.ADMIN)
    middle, late = measure(tab, NoticeState.show, "/admin", kind="none", text="")
    print(f"{kind:11} an event that does nothing: median {middle:.1f} ms, p95 {late:.1f} ms (the machine's own noise)")
    for one in TABS:
        wishes = {"first rows": ("", FIRST_ROWS_MS)}
        if one.name != "dashboard":
            wishes |= {
                "search": ("&search=kelp", SEARCH_MS),
                "search, no hit": ("&search=zzzz", SEARCH_MS),
                "last page": ("&page=9999", FIRST_ROWS_MS),
                "sorted": ("&sort=name&order=desc", FIRST_ROWS_MS),
            }
        for what, (query, aim) in wishes.items():
            middle, late = measure(tab, one.load, f"/admin?tab={one.name}{query}")
            verdict = "ok" if late <= aim else "missed"
            times = f"median {middle:6.1f} ms   p95 {late:6.1f} ms   aim {aim} ms"
            print(f"{kind:11} {one.name:10} {what:15} {times}  {verdict}")


def main() -> None:
    """Measure both databases, one after the other."""
    kinds = {"SQLite": on_sqlite} | ({"PostgreSQL": on_postgresql} if binaries() else {})
    for kind, place in kinds.items():
        with place():
            report(kind)


if __name__ == "__main__":
    main()
