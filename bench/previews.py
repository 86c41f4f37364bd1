"""Measures how long a preview of a draft takes, beside the same page rendered anew, and how long others wait to save;
and how long it takes to open the texts of a page.

`.venv/bin/python -m bench.previews` runs on SQLite and, if installed, on PostgreSQL. It needs a finished build ('make
build') and takes about two minutes.
"""

import asyncio
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import sqlalchemy as sa
from starlette.routing import request_response

from advisory_site import routes
from advisory_site.advisory_site import app
from advisory_site.companies.models import Company
from advisory_site.companies.service import COMPANIES
from advisory_site.content import what_we_do
from bench.admin import on_each_database
from bench.history import p95, save, timed
from sitekit.admin.page_texts import service
from sitekit.admin.page_texts.models import Text
from sitekit.admin.page_texts.models import columns as text_columns
from sitekit.app.previews import PreviewEndpoint
from sitekit.app.site_app import CLIENT, ON_LOAD_TIMEOUT, RENDER_TIMEOUT, WEB, text_pages
from sitekit.base import paths
from sitekit.base.db import database
from sitekit.base.permissions import Actor, Role
from sitekit.records import preview_links
from sitekit.records.preview_links import ShareData
from sitekit.records.proposals import Proposal
from sitekit.server.ssr.content_version import CoalescedQuery
from sitekit.server.ssr.document import DocumentBuilder
from sitekit.server.ssr.initial_state import InitialStates
from sitekit.server.ssr.page_renderer import PageRenderer
from sitekit.server.ssr.page_texts import PageTexts
from sitekit.server.ssr.plugin import RENDERER
from sitekit.server.ssr.renderer import Renderer
from sitekit.server.ssr.routing import RouteTable
from tests.support.asgi_client import asked

TIMES = 60
COMPANY = 50
PUBLIC = 100  # companies of the 5,000
PAGES = {"record": f"/companies/company-{COMPANY - 1}", "list": "/companies", "home": "/"}
MOST_MS = 400
MOST_WAIT = 100
MOST_OPENING_MS = 300
ACTOR = Actor(1, Role.ADMIN)


def share() -> str:
    """Share a draft of a company, of which visitors see `PUBLIC`; returns the path of its preview."""
    with database.transaction() as session:
        hidden = sa.update(Company.__table__).where(COMPANIES.columns.id > PUBLIC)  # type: ignore[attr-defined]
        session.connection().execute(hidden.values(status="Inactive"))
        stored = session.get_one(Company, COMPANY)
        inputs = COMPANIES.described_form(session, stored).inputs() | {"name": "Sea Grass"}
        draft = Proposal(of_table="companies", record_id=COMPANY, inputs=inputs)
        session.add(draft)
        session.flush()
        return paths.PREVIEW + preview_links.share(session, ACTOR, draft.id, ShareData(days="14"))


@contextmanager
def saving(times: list[float]) -> Iterator[None]:
    """Save companies one after the other in a thread until the block ends."""
    ended = threading.Event()

    def work() -> None:
        number = 0
        while not ended.is_set():
            number += 1
            times.append(timed(lambda: save(number, ACTOR)))  # noqa: B023  called at once
            time.sleep(0.01)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


async def measure(dialect: str) -> None:
    """Print one line for each page, and one for the saves."""
    table = RouteTable(app.routes)
    renderer = PageRenderer(
        InitialStates(app, ON_LOAD_TIMEOUT),
        Renderer(WEB / RENDERER, RENDER_TIMEOUT),
        DocumentBuilder(CLIENT, "https://firm.example"),
    )
    await renderer.renderer.start()
    texts = PageTexts(table, renderer, CoalescedQuery(database.content_version), partial(text_pages, app))
    endpoint = PreviewEndpoint(table, renderer, texts, app.sitemap_sources, 0)
    preview_links.MOST = 100_000
    pages = {name: match for name, path in PAGES.items() if (match := table.match(path))}
    address = await asyncio.to_thread(share)

    async def preview(page: str) -> None:
        answer = await asked(request_response(endpoint), f"{address}?page={page}")
        assert answer.status == 200, answer.body

    for page, path in PAGES.items():
        match = pages[page]
        times: dict[bool, list[float]] = {True: [], False: []}
        for _ in range(TIMES):
            for is_preview in times:
                started = time.perf_counter()
                await (preview(page) if is_preview else renderer.render(match, path))
                times[is_preview].append((time.perf_counter() - started) * 1000)
        verdict = "ok" if p95(times[True]) <= MOST_MS else "missed"
        preview_ms, page_ms = statistics.median(times[True]), statistics.median(times[False])
        print(
            f"{dialect:11} the preview of {path}: p95 {p95(times[True]):.0f} ms, median {preview_ms:.0f} ms; the "
            f"page rendered anew p95 {p95(times[False]):.0f} ms, median {page_ms:.0f} ms: "
            f"{preview_ms / page_ms:.2f} times   aim {MOST_MS} ms   {verdict}"
        )
    await measure_texts(dialect, texts)
    waits: dict[bool, list[float]] = {True: [], False: []}
    for is_preview in (True, False) * 3:
        until = time.monotonic() + 5
        with saving(waits[is_preview]):
            while time.monotonic() < until:
                # Without previews, pages are rendered instead, so that the machine is as busy.
                await (preview("list") if is_preview else renderer.render(pages["list"], PAGES["list"]))
    longer = max(waits[True]) - max(waits[False])
    print(
        f"{dialect:11} a save while previews are made: longest {max(waits[True]):.0f} ms, p95 "
        f"{p95(waits[True]):.0f} ms; while pages are rendered longest {max(waits[False]):.0f} ms, p95 "
        f"{p95(waits[False]):.0f} ms   aim {MOST_WAIT} ms longer   {'ok' if longer <= MOST_WAIT else 'missed'}"
    )
    await renderer.close()


async def measure_texts(dialect: str, texts: PageTexts) -> None:
    """Print how long it takes to open the texts of a page, each time after one of them was changed."""
    await asyncio.to_thread(_add_rows)
    times = []
    for number in range(TIMES):
        await asyncio.to_thread(_change_text, number)
        started = time.perf_counter()
        await texts.pages()
        marked = await texts.page(routes.WHAT_WE_DO)
        rows = await asyncio.to_thread(_read_rows, list(marked.is_shown))
        times.append((time.perf_counter() - started) * 1000)
        assert rows == len(marked.is_shown)
    verdict = "ok" if p95(times) <= MOST_OPENING_MS else "missed"
    print(
        f"{dialect:11} the {len(marked.is_shown)} texts of {routes.WHAT_WE_DO}: p95 {p95(times):.0f} ms, median "
        f"{statistics.median(times):.0f} ms   aim {MOST_OPENING_MS} ms   {verdict}"
    )


def _add_rows() -> None:
    with database.transaction() as session:
        service.add_missing(session)


def _change_text(number: int) -> None:
    with database.transaction() as session:
        row = session.execute(sa.select(Text).where(text_columns.name == str(what_we_do.HERO.text))).scalar_one()
        row.text, row.is_active = f"A change, number {number}", True


def _read_rows(originals: list[str]) -> int:
    with database.read_session() as session:
        return len(service.list_texts(session, ACTOR, originals))


def report(dialect: str) -> None:
    """Measure on the database that is configured."""
    asyncio.run(measure(dialect))


if __name__ == "__main__":
    on_each_database(report)
