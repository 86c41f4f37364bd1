"""A reader gets the records of a page or no 200: the current page, else the last one drawn and marked, else 503."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TypeVar

import httpx
import pytest
import sqlalchemy as sa

from advisory_site.companies.models import Company, columns
from advisory_site.companies.public import CompanyListState
from advisory_site.observability import metrics
from advisory_site.ssr import pages, slug_lookup
from advisory_site.ssr.content_version import SqliteVersionSource
from advisory_site.ssr.public_pages import PublicPages
from advisory_site.ssr.renderer import Renderer
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
async def test_with_the_database_away_every_page_read_before_is_there_with_its_records(
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


async def test_what_was_never_read_is_503_while_the_database_is_away(
    visitor: httpx.AsyncClient, kelp: int, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with missing(database_dir, monkeypatch):
        for path in ("/companies", "/companies/kelp", "/companies/unknown"):
            answer = await visitor.get(path)
            assert answer.status_code == 503
            assert int(answer.headers["retry-after"]) > 0


async def test_a_page_that_is_complete_without_records_comes_prerendered_and_is_not_kept(
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


async def test_the_stale_page_comes_in_the_theme_chosen(
    visitor: httpx.AsyncClient, read: object, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dark = {"cookie": "theme=dark"}
    before = await visitor.get("/companies", headers=dark)
    with missing(database_dir, monkeypatch):
        assert_stale(await visitor.get("/companies", headers=dark), before)
    assert '<html class="dark"' in before.text


async def test_a_stale_page_is_sent_whatever_the_browser_has_and_counted(
    visitor: httpx.AsyncClient, read: dict[str, httpx.Response], database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = metrics.degraded_pages.labels("stale")._value.get()
    with missing(database_dir, monkeypatch):
        for known in (read["/companies"].headers["etag"], "*", 'W/""'):
            assert (await visitor.get("/companies", headers={"if-none-match": known})).status_code == 200
    assert metrics.degraded_pages.labels("stale")._value.get() == counted + 3


async def test_when_it_is_back_the_page_is_current_and_bears_no_mark(
    visitor: httpx.AsyncClient,
    read: dict[str, httpx.Response],
    rename: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_self: SqliteVersionSource) -> None:
        raise OSError("no such file")

    with monkeypatch.context() as patch:
        patch.setattr(SqliteVersionSource, "_look", fail)
        assert_stale(await visitor.get("/companies"), read["/companies"])
    rename("Sea Grass")
    answer = await visitor.get("/companies")
    assert "Sea Grass" in answer.text
    assert answer.headers["cache-control"] == "no-cache"
    assert "cache-status" not in answer.headers


async def test_without_a_renderer_a_changed_page_is_answered_as_it_was(
    visitor: httpx.AsyncClient, read: dict[str, httpx.Response], rename: Callable[[str], None], renderer: Renderer
) -> None:
    rename("Sea Grass")
    await renderer.stop()
    for path in ("/companies", "/companies/kelp"):
        assert_stale(await visitor.get(path), read[path])


async def test_a_page_that_takes_long_is_answered_as_it_was_and_is_there_for_who_comes_later(
    visitor: httpx.AsyncClient,
    read: dict[str, httpx.Response],
    rename: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pages, "STALE_TIMEOUT", 0.1)
    rename("Sea Grass")
    slowly = CompanyListState._read

    async def read_slowly(self: CompanyListState, read: Callable[[], T], subject: str) -> T | None:
        await asyncio.sleep(0.4)
        return await slowly(self, read, subject)

    monkeypatch.setattr(CompanyListState, "_read", read_slowly)
    assert_stale(await visitor.get("/companies"), read["/companies"])
    async with asyncio.timeout(30):
        while "Sea Grass" not in (answer := await visitor.get("/companies")).text:
            assert_stale(answer, read["/companies"])
    assert "cache-status" not in answer.headers


async def test_a_page_that_was_never_read_is_waited_for(
    visitor: httpx.AsyncClient, public_pages: PublicPages, kelp: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_pages.page_renderer.initial_states, "_timeout", 5)
    slowly = CompanyListState._read

    async def read_slowly(self: CompanyListState, read: Callable[[], T], subject: str) -> T | None:
        await asyncio.sleep(pages.STALE_TIMEOUT + 0.2)
        return await slowly(self, read, subject)

    monkeypatch.setattr(CompanyListState, "_read", read_slowly)
    answer = await visitor.get("/companies")
    assert answer.status_code == 200
    assert "Kelp" in answer.text


@pytest.mark.parametrize("slug", ["kelp", "unknown"])
async def test_no_page_is_200_whose_look_up_did_not_happen(
    visitor: httpx.AsyncClient, public_pages: PublicPages, kelp: int, monkeypatch: pytest.MonkeyPatch, slug: str
) -> None:
    def fail() -> None:
        raise sa.exc.OperationalError("", {}, Exception("database is locked"))

    monkeypatch.setattr(slug_lookup, "read_session", fail)
    answer = await visitor.get(f"/companies/{slug}")
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0


async def test_a_record_that_is_gone_is_gone_even_when_its_absence_cannot_be_drawn(
    visitor: httpx.AsyncClient, read: object, database: ModuleType, renderer: Renderer
) -> None:
    with database.transaction() as session:
        session.execute(sa.select(Company).where(columns.slug == "kelp")).scalar_one().status = "Inactive"
    await renderer.stop()
    for _ in range(2):
        assert (await visitor.get("/companies/kelp")).status_code == 404


async def test_a_record_that_is_gone_is_not_shown_when_the_database_goes_away_later(
    visitor: httpx.AsyncClient, read: object, database: ModuleType, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.transaction() as session:
        session.execute(sa.select(Company).where(columns.slug == "kelp")).scalar_one().status = "Inactive"
    assert (await visitor.get("/companies/kelp")).status_code == 404
    with missing(database_dir, monkeypatch):
        assert (await visitor.get("/companies/kelp")).status_code == 503
