"""Measures loading and searching the back-office lists, on SQLite and, if installed, on PostgreSQL.

`.venv/bin/python -m bench.admin` fills a database with 10,000 users, 5,000 companies, 2,000 advisors, 100,000 lines
of activity and 10,000 enquiries with 20 entries each, and sends each event through the real event processor, guard
included. It takes about three minutes.
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

from advisory_site.advisors.models import Advisor
from advisory_site.companies.models import Company
from advisory_site.enquiries.audit_events import EnquiryAuditEvent
from advisory_site.enquiries.models import Enquiry, EnquiryEntry, EnquiryState
from sitekit.accounts.models import Profile, UserRole
from sitekit.base import settings
from sitekit.base.db import database
from sitekit.base.db.database import now
from sitekit.base.db.migrations import migrate
from sitekit.base.observability.audit_log import AnyAuditEvent, AuditEvent
from sitekit.base.permissions import Role
from sitekit.records.activity import Activity
from sitekit.ui.feedback import NoticeState
from tests.support.event_client import EventClient
from tests.support.postgresql import FAST, PostgreSQL, binaries
from tests.support.staff import sign_in

USERS, COMPANIES, ADVISORS, ACTS = 10_000, 5_000, 2_000, 100_000
ENQUIRIES, ENTRIES = 10_000, 20
TIMES = 60
FIRST_ROWS_MS, SEARCH_MS, ACTIVITY_MS, FIND_MS, ENQUIRY_MS = 150, 100, 80, 60, 60
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
    acts: list[tuple[AnyAuditEvent, str]] = [*[(AuditEvent.SAVED, "companies")] * 5, *[(AuditEvent.SIGNED_IN, "")] * 3]
    acts += [(AuditEvent.SIGN_IN_FAILED, ""), (EnquiryAuditEvent.ENQUIRY_HANDLED, "enquiries")]
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
    dialects = {"SQLite": _on_sqlite} | ({"PostgreSQL": _on_postgresql} if binaries() else {})
    for dialect, place in dialects.items():
        with place():
            report(dialect)


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


def report(dialect: str) -> None:
    """Print one line per event."""
    from advisory_site.advisory_site import app
    from advisory_site.dashboard.tabs import TABS

    tab = EventClient(app)
    sign_in(tab, Role.ADMIN)
    middle, late = measure(tab, NoticeState.show, "/admin", level="none", text="")
    times = f"median {middle:.1f} ms, p95 {late:.1f} ms"
    print(f"{dialect:11} an event that does nothing: {times} (the machine's own noise)")
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
            print(f"{dialect:11} {one.name:10} {what:15} {times}  {verdict}")
    report_finder(dialect, tab)
    report_enquiries(dialect, tab)
    report_activity(dialect, tab)


def report_finder(dialect: str, tab: EventClient) -> None:
    """Print one line per text that is searched for everywhere."""
    from sitekit.admin.finder.state import FinderState

    for text in ("", "k", "kelp", "kelp tide 00010", "zzzz"):
        middle, late = measure(tab, FinderState.find, "/admin", number=1, text=text, opened=["companies.1"])
        verdict = "ok" if late <= FIND_MS else "missed"
        times = f"median {middle:6.1f} ms   p95 {late:6.1f} ms   aim {FIND_MS} ms"
        print(f"{dialect:11} finder     {text:15} {times}  {verdict}")


def fill_enquiries() -> None:
    """Two years of enquiries, in all states, with what was done with each."""
    states = tuple(EnquiryState)
    rows, entries = [], []
    for n in range(1, ENQUIRIES + 1):
        at = now() - timedelta(minutes=100 * (ENQUIRIES - n))
        names = {"first_name": WORDS[n % 10], "last_name": f"Tan {n}", "email": f"person{n % 4_000}@kelp.example"}
        values = {"submission_id": str(n), "message": f"{name_of(n)} asks. " * 40, "state": states[n % 5], **names}
        rows.append(values | {"id": n, "created_at": at, "due_at": at, "owner_id": n % 30 + 1, "stage": "pmf"})
        entries += [
            {"enquiry_id": n, "category": "note", "by": n % 30 + 1, "by_name": "Tan", "at": at, "text": "A note. " * 40}
            for _ in range(ENTRIES)
        ]
    with database.transaction() as session:
        session.execute(sa.insert(Enquiry), rows)
        session.execute(sa.insert(EnquiryEntry), entries)
        session.execute(sa.text("ANALYZE"))


def report_enquiries(dialect: str, tab: EventClient) -> None:
    """Print one line per view of the list, and one for the page of an enquiry."""
    from advisory_site.enquiries.desk import state as desk_state
    from advisory_site.enquiries.desk.list_page import EnquiryInboxState

    fill_enquiries()
    wishes = {"first rows": "", "search": "search=kelp", "open": "filter=open", "mine": "filter=mine"}
    views = [(EnquiryInboxState.load, what, f"/admin/enquiries?{query}") for what, query in wishes.items()]
    for load, what, path in [*views, (desk_state.EnquiryDeskState.open, "page", "/admin/enquiries/5000")]:
        middle, late = measure(tab, load, path)
        verdict = "ok" if late <= ENQUIRY_MS else "missed"
        times = f"median {middle:6.1f} ms   p95 {late:6.1f} ms   aim {ENQUIRY_MS} ms"
        print(f"{dialect:11} enquiries  {what:15} {times}  {verdict}")


def report_activity(dialect: str, tab: EventClient) -> None:
    """Print one line per view of the activity and role."""
    from sitekit.admin.activity.page import ActivityState

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
            print(f"{dialect:11} activity, {role:9} {what:15} {times}  {verdict}")
        middle, late = measure(tab, ActivityState.load_choices, "/admin/activity")
        print(f"{dialect:11} activity, {role:9} {'names':15} median {middle:6.1f} ms   p95 {late:6.1f} ms")


if __name__ == "__main__":
    on_each_database(report)
