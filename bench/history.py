"""Measures what the history costs: a save with and without it, the lists beside 200,000 revisions, and its page.

`.venv/bin/python -m bench.history` runs on SQLite and, if installed, on PostgreSQL. It takes about three minutes.
"""

import statistics
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlmodel import Session

from advisory_site.companies.models import Company
from advisory_site.companies.service import COMPANIES
from bench.admin import on_each_database
from sitekit.admin.history.state import read_seen
from sitekit.base.db import database
from sitekit.base.permissions import Actor, Role
from sitekit.records import drafts, revisions
from sitekit.records.listing import ListQuery
from sitekit.records.revisions import REVISIONS_KEPT, TABLE, columns
from sitekit.records.snapshots import snapshot_of

SAVES = 300
EACH = 40  # revisions per company
MOST_RATIO = 1.3
MOST_MS = 60


def save(number: int, actor: Actor) -> None:
    """Save a company as its form does: read it, compare, and write a long text."""
    with database.transaction() as session:
        stored = COMPANIES.get_stored(session, actor, number % 100 + 1)
        assert stored is not None
        inputs = stored.inputs()
        data = COMPANIES.data_class.read(
            inputs | {"description": f"What it does, told for the {number}th time."}, inputs
        )
        COMPANIES.update(session, actor, stored.id, data, stored.version)


def timed(call: Callable[[], Any]) -> float:
    """Milliseconds."""
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1000


def p95(times: list[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(times, n=20)[-1]


def measure_saves(dialect: str, actor: Actor) -> None:
    """Save by turns with and without revisions, so that both have the same machine."""
    times: dict[bool, list[float]] = {True: [], False: []}
    for number in range(2 * SAVES):
        has_history = number % 2 == 0
        if has_history:
            times[True].append(timed(lambda: save(number, actor)))  # noqa: B023  called at once
            continue
        event.remove(Session, "after_flush", revisions._write_revisions)
        times[False].append(timed(lambda: save(number, actor)))  # noqa: B023
        event.listen(Session, "after_flush", revisions._write_revisions)
    ratio = p95(times[True]) / p95(times[False])
    verdict = "ok" if ratio <= MOST_RATIO else "missed"
    print(
        f"{dialect:11} a save: p95 {p95(times[True]):.2f} ms, median {statistics.median(times[True]):.2f} ms; without "
        f"history p95 {p95(times[False]):.2f} ms, median {statistics.median(times[False]):.2f} ms: "
        f"{ratio:.2f} times   aim {MOST_RATIO}   {verdict}"
    )


@cache
def form_of(record: int, actor: Actor) -> dict[str, object]:
    """What the form of a company sends, which was opened before."""
    with database.read_session() as session:
        stored = COMPANIES.get_stored(session, actor, record)
        assert stored is not None
        return stored.inputs() | {"version": str(stored.version)}


def save_draft(number: int, actor: Actor) -> None:
    """Save a draft of a company as its form does, over the one before."""
    record = number % 100 + 1
    typed = form_of(record, actor) | {"description": f"What it does, told for the {number}th time."}
    with database.transaction() as session:
        drafts.save(session, actor, COMPANIES, record, typed, overwrite=True)


def measure_drafts(dialect: str, actor: Actor) -> None:
    """Save records and drafts by turns."""
    times: dict[bool, list[float]] = {True: [], False: []}
    for record in range(100):
        form_of(record + 1, actor)
    for number in range(2 * SAVES):
        is_draft = number % 2 == 0
        call = save_draft if is_draft else save
        times[is_draft].append(timed(lambda: call(number, actor)))  # noqa: B023  called at once
    ratio = p95(times[True]) / p95(times[False])
    print(
        f"{dialect:11} a draft: p95 {p95(times[True]):.2f} ms, median {statistics.median(times[True]):.2f} ms: "
        f"{ratio:.2f} times a save   aim 1   {'ok' if ratio <= 1 else 'missed'}"
    )


def fill(actor: Actor) -> float:
    """Give each company `EACH` revisions more; returns the bytes per revision."""
    before = size()
    with database.transaction() as session:
        connection = session.connection()
        made = 0
        for company in session.execute(sa.select(Company)).scalars():
            values = {
                "of_table": "companies",
                "record_id": company.id,
                "at": database.now(),
                "by": actor.user_id,
                "by_name": "Kelp Tan",
                "via": "back office",
                "action": "saved",
                "label": company.name,
                "snapshot": snapshot_of(company),
                "changed": ["description"],
                "batch": f"{company.id:032}",
            }
            connection.execute(sa.insert(TABLE), [values | {"number": 1_000 + number} for number in range(EACH)])
            made += EACH
    return (size() - before) / made


def size() -> int:
    """The size of the database in bytes."""
    with database.read_session() as session:
        if session.get_bind().dialect.name == "postgresql":
            return int(session.execute(sa.text("SELECT pg_database_size(current_database())")).scalar_one())
        pages, page = (session.execute(sa.text(f"PRAGMA {name}")).scalar_one() for name in ("page_count", "page_size"))
        return int(pages * page)


def measure_lists(actor: Actor) -> dict[str, float]:
    """The medians of the calls that lists and public pages make."""

    def read(call: Callable[[Session], Any]) -> float:
        def run() -> None:
            with database.read_session() as session:
                call(session)

        return statistics.median(timed(run) for _ in range(30))

    return {
        "a list": read(lambda session: COMPANIES.list_admin(session, actor, ListQuery())),
        "a search": read(lambda session: COMPANIES.list_admin(session, actor, ListQuery(search="kelp"))),
        "a public page": read(lambda session: COMPANIES.get_public(session, "company-77")),
        "the sitemap": read(COMPANIES.list_slugs_public),
    }


def measure_page(dialect: str, actor: Actor) -> None:
    """Open the history of a company with 100 revisions, whose two newest differ in a long text."""
    company = 50
    with database.transaction() as session:
        shown = snapshot_of(session.get_one(Company, company))
        # Every third word is another one.
        words = shown["detailed_description"].split()
        changed = " ".join(f"{word}{number}" if number % 3 == 0 else word for number, word in enumerate(words))
        of_it = (columns.of_table == "companies", columns.record_id == company)
        newest, count = session.execute(sa.select(sa.func.max(columns.number), sa.func.count()).where(*of_it)).one()
        line = session.execute(sa.select(TABLE).where(*of_it, columns.number == newest)).mappings().one()
        values = {name: value for name, value in line.items() if name != "id"}
        snapshot = shown | {"detailed_description": changed}
        more = [values | {"number": newest + one, "snapshot": snapshot} for one in range(1, REVISIONS_KEPT - count + 1)]
        more[-1]["snapshot"] = shown
        session.connection().execute(sa.insert(TABLE), more)

    def run() -> None:
        with database.read_session() as session:
            seen = read_seen(session, actor, COMPANIES, company, {})
            assert len(seen.versions) == REVISIONS_KEPT
            assert seen.changes

    times = [timed(run) for _ in range(200)]
    verdict = "ok" if p95(times) <= MOST_MS else "missed"
    print(
        f"{dialect:11} the history of a company with {REVISIONS_KEPT} revisions: p95 {p95(times):.1f} ms, median "
        f"{statistics.median(times):.1f} ms   aim {MOST_MS} ms   {verdict}"
    )


def report(dialect: str) -> None:
    """Print one line per measurement."""
    actor = Actor(1, Role.ADMIN)
    measure_saves(dialect, actor)
    measure_drafts(dialect, actor)
    before = measure_lists(actor)
    each = fill(actor)
    with database.read_session() as session:
        count = session.execute(sa.select(sa.func.count(columns.id))).scalar_one()
    after = measure_lists(actor)
    for name, ms in before.items():
        print(f"{dialect:11} {name}: {ms:.2f} ms; beside {count:,} revisions {after[name]:.2f} ms")
    measure_page(dialect, actor)
    print(f"{dialect:11} {each:,.0f} bytes per revision of a company with 2,500 characters of text")


if __name__ == "__main__":
    on_each_database(report)
