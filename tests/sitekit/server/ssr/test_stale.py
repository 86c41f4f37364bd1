"""A reader gets the records of a page or no 200: the current page, else the last one drawn and marked, else 503."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TypeVar

import httpx
import pytest
import sqlalchemy as sa

from advisory_site.companies.models import Company, columns
from advisory_site.companies.public import CompanyListState
from sitekit.base.observability import metrics
from sitekit.server.ssr import pages, slug_lookup
from sitekit.server.ssr.content_version import SqliteVersionSource
from sitekit.server.ssr.public_pages import PublicPages
from sitekit.server.ssr.renderer import Renderer
from tests.conftest import on_sqlite
from tests.support.database_faults import Fault, missing, no_file

T = TypeVar("T")

pytestmark = [pytest.mark.anyio, on_sqlite]

READ = ("/companies", "/companies/kelp", "/team", "/team-profiles", "/advisors", "/contact", "/why-us", "/")


@pytest.fixture
async def read(visitor: httpx.AsyncClient, kelp: int) -> dict[str, httpx.Response]:
    """Every page as somebody has read it before the fault."""
    return {path: await visitor.get(path) for path in READ}


@pytest.fixture
def rename(database: ModuleType) -> Callable[[str], None]:
    """Gives the company another name, which makes every page stale."""

    def give(name: str) -> None:
        with database.transaction() as session:
            session.execute(sa.select(Company).where(columns.slug == "kelp")).scalar_one().name = name

    return give


def assert_stale(answer: httpx.Response, before: httpx.Response) -> None:
    """The page as it was, marked, and kept by nobody."""
    assert (answer.status_code, answer.text) == (200, before.text)
    assert answer.headers["cache-control"] == "no-store"
    assert "stale" in answer.headers["cache-status"]
    assert "etag" not in answer.headers


@pytest.mark.parametrize("fault", [missing, no_file], ids=lambda fault: fault.__name__)
async def test_pages_read_before_are_served_without_the_database(
    visitor: httpx.AsyncClient,
    read: dict[str, httpx.Response],
    database_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: Fault,
) -> None:
    with fault(database_dir, monkeypatch):
        for path, before in read.items():
            answer = await visitor.get(path)
            assert answer.status_code == 200
            assert answer.text == before.text
            assert_stale(answer, before)


async def test_pages_never_read_before_are_503_without_the_database(
    visitor: httpx.AsyncClient, kelp: int, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with missing(database_dir, monkeypatch):
        for path in ("/companies", "/companies/kelp", "/companies/unknown"):
            answer = await visitor.get(path)
            assert answer.status_code == 503
            assert int(answer.headers["retry-after"]) > 0


async def test_a_page_without_records_is_served_prerendered_and_not_cached(
    visitor: httpx.AsyncClient,
    public_pages: PublicPages,
    database_dir: Path,
    client: Path,
    monkeypatch: pytest.MonkeyPatch,
    kelp: int,
) -> None:
    (client / "index.html").write_text("<html><body>as built</body></html>")
    version = await public_pages.pages.version_source.version()

    async def known() -> int:
        return version

    # The version was read a moment before the records cannot be.
    monkeypatch.setattr(public_pages.pages.version_source, "version", known)
    with missing(database_dir, monkeypatch):
        answer = await visitor.get("/")
    assert (answer.status_code, "as built" in answer.text) == (200, True)
    assert answer.headers["cache-control"] == "no-store"
    assert public_pages.pages.cache.get("/", version) is None


async def test_a_stale_page_has_the_chosen_theme(
    visitor: httpx.AsyncClient, read: object, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dark = {"cookie": "theme=dark"}
    before = await visitor.get("/companies", headers=dark)
    with missing(database_dir, monkeypatch):
        assert_stale(await visitor.get("/companies", headers=dark), before)
    assert '<html class="dark"' in before.text


async def test_a_stale_page_is_sent_in_full_and_counted(
    visitor: httpx.AsyncClient, read: dict[str, httpx.Response], database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = metrics.degraded_pages.labels("stale")._value.get()
    with missing(database_dir, monkeypatch):
        for known in (read["/companies"].headers["etag"], "*", 'W/""'):
            assert (await visitor.get("/companies", headers={"if-none-match": known})).status_code == 200
    assert metrics.degraded_pages.labels("stale")._value.get() == counted + 3


async def test_pages_are_current_again_once_the_database_is_back(
    visitor: httpx.AsyncClient,
    read: dict[str, httpx.Response],
    rename: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_self: SqliteVersionSource) -> None:
        raise OSError("no such file")

    with monkeypatch.context() as patch:
        patch.setattr(SqliteVersionSource, "_data_version", fail)
        assert_stale(await visitor.get("/companies"), read["/companies"])
    rename("Sea Grass")
    answer = await visitor.get("/companies")
    assert "Sea Grass" in answer.text
    assert answer.headers["cache-control"] == "no-cache"
    assert "cache-status" not in answer.headers


async def test_a_changed_page_is_served_stale_without_a_renderer(
    visitor: httpx.AsyncClient, read: dict[str, httpx.Response], rename: Callable[[str], None], renderer: Renderer
) -> None:
    rename("Sea Grass")
    await renderer.stop()
    for path in ("/companies", "/companies/kelp"):
        assert_stale(await visitor.get(path), read[path])


async def test_a_slow_page_is_served_stale_and_is_ready_for_later_requests(
    visitor: httpx.AsyncClient,
    public_pages: PublicPages,
    read: dict[str, httpx.Response],
    rename: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pages, "STALE_TIMEOUT", 0.1)
    monkeypatch.setattr(public_pages.page_renderer.initial_states, "_timeout", 60)
    rename("Sea Grass")
    slowly, may_read = CompanyListState._read, threading.Event()

    async def read_slowly(self: CompanyListState, read: Callable[[], T], subject: str) -> T | None:
        while not may_read.is_set():  # in the loop of another thread
            await asyncio.sleep(0.01)
        return await slowly(self, read, subject)

    monkeypatch.setattr(CompanyListState, "_read", read_slowly)
    async with asyncio.timeout(30):
        assert_stale(await visitor.get("/companies"), read["/companies"])
    may_read.set()
    async with asyncio.timeout(30):
        while "Sea Grass" not in (answer := await visitor.get("/companies")).text:
            assert_stale(answer, read["/companies"])
    assert "cache-status" not in answer.headers


async def test_a_slow_page_without_a_stale_copy_is_waited_for(
    visitor: httpx.AsyncClient, public_pages: PublicPages, kelp: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_pages.page_renderer.initial_states, "_timeout", 30)
    slowly = CompanyListState._read

    async def read_slowly(self: CompanyListState, read: Callable[[], T], subject: str) -> T | None:
        await asyncio.sleep(pages.STALE_TIMEOUT + 0.2)
        return await slowly(self, read, subject)

    monkeypatch.setattr(CompanyListState, "_read", read_slowly)
    answer = await visitor.get("/companies")
    assert answer.status_code == 200
    assert "Kelp" in answer.text


@pytest.mark.parametrize("slug", ["kelp", "unknown"])
async def test_a_page_is_503_if_its_slug_lookup_fails(
    visitor: httpx.AsyncClient, public_pages: PublicPages, kelp: int, monkeypatch: pytest.MonkeyPatch, slug: str
) -> None:
    def fail() -> None:
        raise sa.exc.OperationalError("", {}, Exception("database is locked"))

    monkeypatch.setattr(slug_lookup, "read_session", fail)
    answer = await visitor.get(f"/companies/{slug}")
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0


async def test_a_hidden_record_is_404_without_a_renderer(
    visitor: httpx.AsyncClient, read: object, database: ModuleType, renderer: Renderer
) -> None:
    with database.transaction() as session:
        session.execute(sa.select(Company).where(columns.slug == "kelp")).scalar_one().status = "Inactive"
    await renderer.stop()
    for _ in range(2):
        assert (await visitor.get("/companies/kelp")).status_code == 404


async def test_a_removed_record_is_not_shown_stale_without_the_database(
    visitor: httpx.AsyncClient, read: object, database: ModuleType, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.transaction() as session:
        session.execute(sa.select(Company).where(columns.slug == "kelp")).scalar_one().status = "Inactive"
    assert (await visitor.get("/companies/kelp")).status_code == 404
    with missing(database_dir, monkeypatch):
        assert (await visitor.get("/companies/kelp")).status_code == 503
