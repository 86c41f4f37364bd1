"""Measures loading and searching the back-office lists, on SQLite and, if installed, on PostgreSQL.

`.venv/bin/python -m bench.admin` fills a database with 10,000 users, 5,000 companies, 2,000 advisors and 100,000 lines
of activity, and sends each event through the real event processor, guard included. It takes about two minutes.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
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
from advisory_site.db.database import now
from advisory_site.db.migrations import migrate
from advisory_site.observability.audit_log import Act
from advisory_site.records.activity import Activity
from advisory_site.ui.feedback import NoticeState
from tests.support.event_client import EventClient
from tests.support.postgresql import FAST, PostgreSQL, binaries
from tests.support.staff import sign_in

USERS, COMPANIES, ADVISORS, ACTS = 10_000, 5_000, 2_000, 100_000
TIMES = 60
FIRST_ROWS_MS, SEARCH_MS, ACTIVITY_MS = 150, 100, 80
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
        session.connection().execute(sa.insert(Company), [company_values(n) for n in range(COMPANIES)])
        session.connection().execute(sa.insert(Advisor), [_advisor(n) for n in range(ADVISORS)])


def fill_activity() -> None:
    """Two years of changes and sign-ins by three hundred users, a tenth of them failed."""
    acts = [*[(Act.SAVED, "companies")] * 5, *[(Act.SIGNED_IN, "")] * 3]
    acts += [(Act.SIGN_IN_FAILED, ""), (Act.ENQUIRY_HANDLED, "enquiries")]
    rows = []
    for n in range(ACTS):
        act, table = acts[n % 10]
        by, name, subject = n % 300 + 1, f"{WORDS[n % 300 % 10]} Tan {n % 300}", name_of(n % COMPANIES)
        values = {"at": now() - timedelta(minutes=10 * (ACTS - n)), "act": act.name.lower(), "of_table": table}
        values |= {"by": by, "by_name": name, "subject": subject, "network": "203.0.113.0/24"}
        searched = f"{name} {act} {subject} 203.0.113.0/24".lower()
        rows.append(values | {"record_id": n % COMPANIES + 1, "searched": searched})
    with database.transaction() as session:
        session.execute(sa.insert(Activity), rows)
        session.execute(sa.text("ANALYZE"))  # as the database does by itself some time after such a change


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


def on_each_database(report: Callable[[str], None]) -> None:
    """Call `report` with the name of each kind of database while a filled one is configured."""
    kinds = {"SQLite": _on_sqlite} | ({"PostgreSQL": _on_postgresql} if binaries() else {})
    for kind, place in kinds.items():
        with place():
            report(kind)


@contextmanager
def _on_sqlite() -> Iterator[None]:
    """A SQLite file in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder, _settings(folder):
        yield


@contextmanager
def _on_postgresql() -> Iterator[None]:
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
    report_activity(kind, tab)


def report_activity(kind: str, tab: EventClient) -> None:
    """Print one line per view of the activity and role."""
    from advisory_site.dashboard.activity_page import ActivityState

    fill_activity()
    wishes = {
        "first rows": "",
        "search": "search=kelp",
        "two words": "search=kelp+saved",
        "rare words": "search=kelp+tide+00010",
        "search, no hit": "search=zzzz",
        "last page": "page=9999",
        "oldest first": "sort=when",
        "kind": "filter=sign-ins",
        "kind, search": "filter=sign-ins&search=kelp",
        "person": "who=Kelp+Tan+0",
        "last week": "since=week",
    }
    for role in Role:
        sign_in(tab, role)
        for what, query in wishes.items():
            middle, late = measure(tab, ActivityState.load, f"/admin/activity?{query}")
            verdict = "ok" if late <= ACTIVITY_MS else "missed"
            times = f"median {middle:6.1f} ms   p95 {late:6.1f} ms   aim {ACTIVITY_MS} ms"
            print(f"{kind:11} activity, {role:9} {what:15} {times}  {verdict}")
        middle, late = measure(tab, ActivityState.load_choices, "/admin/activity")
        print(f"{kind:11} activity, {role:9} {'names':15} median {middle:6.1f} ms   p95 {late:6.1f} ms")


if __name__ == "__main__":
    on_each_database(report)
