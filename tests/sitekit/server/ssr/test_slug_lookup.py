"""Addresses of records: renamed ones lead on for good, unknown ones cost next to nothing however many are asked."""

import asyncio
import gc
import sys
from collections.abc import Callable
from itertools import pairwise
from types import ModuleType

import httpx
import pytest

from advisory_site.companies.public import CompanyState
from advisory_site.companies.service import COMPANIES
from sitekit.base.permissions import Actor
from sitekit.server.ssr.public_pages import PublicPages
from sitekit.server.ssr.renderer import Renderer
from tests.conftest import on_sqlite
from tests.support.asgi_client import asked
from tests.support.factories import add_actor, company_form

pytestmark = [pytest.mark.anyio, on_sqlite]  # the look-up itself is proved on both, with the services

UNKNOWN = 4_000
# A crowd at a time: one by one they would wait for each other's threads.
AT_ONCE = 20


@pytest.fixture
def staff(database: ModuleType) -> Actor:
    with database.transaction() as session:
        return add_actor(session)


@pytest.fixture
def rename(database: ModuleType, staff: Actor, kelp: int) -> Callable[..., None]:
    """Gives the company another slug, as staff do."""

    def give(slug: str, **fields: str) -> None:
        with database.transaction() as session:
            data = COMPANIES.data_class.read(company_form(slug=slug, **fields))
            COMPANIES.update(session, staff, kelp, data, 0, overwrite=True)

    return give


async def test_the_old_slug_of_a_renamed_record_redirects_to_the_new_one(
    visitor: httpx.AsyncClient, rename: Callable[..., None]
) -> None:
    assert (await visitor.get("/companies/kelp")).status_code == 200
    for slug in ("sea-kelp", "deep-kelp"):
        rename(slug)
    for method in ("GET", "HEAD"):
        answer = await visitor.request(method, "/companies/kelp?from=mail")
        assert (answer.status_code, answer.content) == (301, b"")
        assert answer.headers["location"] == "/companies/deep-kelp?from=mail"
    assert (await visitor.get("/companies/deep-kelp")).status_code == 200


async def test_an_old_slug_can_belong_to_a_new_record(
    visitor: httpx.AsyncClient, rename: Callable[..., None], staff: Actor, database: ModuleType
) -> None:
    rename("sea-kelp")
    assert (await visitor.get("/companies/kelp")).status_code == 301
    with database.transaction() as session:
        COMPANIES.create(session, staff, COMPANIES.data_class.read(company_form(slug="kelp", name="Another")))
    answer = await visitor.get("/companies/kelp")
    assert answer.status_code == 200
    assert "Another" in answer.text


async def test_the_old_slug_of_a_hidden_record_is_404(visitor: httpx.AsyncClient, rename: Callable[..., None]) -> None:
    rename("sea-kelp", status="Inactive")
    for slug in ("kelp", "sea-kelp"):
        assert (await visitor.get(f"/companies/{slug}")).status_code == 404


async def test_an_old_slug_redirects_without_a_renderer(
    visitor: httpx.AsyncClient, rename: Callable[..., None], renderer: Renderer
) -> None:
    await renderer.stop()
    rename("sea-kelp")
    assert (await visitor.get("/companies/kelp")).headers["location"] == "/companies/sea-kelp"


async def until_drawn(public_pages: PublicPages, path: str) -> None:
    """A process is slow to make its first page."""
    async with asyncio.timeout(30):
        while b"<pre>" not in (await asked(public_pages, path)).body:
            await asyncio.sleep(0.05)


def kept() -> int:
    """How many pieces of memory Python's objects have, texts among them."""
    gc.collect()
    return sys.getallocatedblocks()


async def test_thousands_of_unknown_slugs_use_no_memory_and_block_no_known_page(
    public_pages: PublicPages, database: ModuleType, kelp: int
) -> None:
    async def ask_many(start: int, end: int) -> set[bytes]:
        bodies = set()
        for first in range(start, end, AT_ONCE):
            crowd = (asked(public_pages, f"/companies/unknown-{number}") for number in range(first, first + AT_ONCE))
            *unknown, known = await asyncio.gather(*crowd, asked(public_pages, "/companies/kelp"))
            assert {answer.status for answer in unknown} == {404}
            assert known.status == 200
            assert b"Kelp" in known.body
            bodies |= {answer.body for answer in unknown}
        return bodies

    for path in ("/companies/kelp", "/companies/unknown"):
        await until_drawn(public_pages, path)
    await ask_many(0, UNKNOWN // 10)  # what a process needs once, threads among it, is there from here on
    drawings, grown = set(), []
    for start, end in pairwise(range(UNKNOWN // 10, UNKNOWN + 1, UNKNOWN * 3 // 10)):
        before = kept()
        drawings |= await ask_many(start, end)
        grown.append(kept() - before)
    assert len(drawings) == 1
    assert len(public_pages.pages.cache) == 1
    # A process on a busy machine may start a thread in one round; what every address leaves behind shows in each.
    assert min(grown) < UNKNOWN * 3 // 100, "less than a tenth of a piece per address"


async def test_an_unknown_slug_is_404_even_if_its_page_cannot_be_rendered(
    visitor: httpx.AsyncClient, public_pages: PublicPages, kelp: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_pages.page_renderer.initial_states, "_timeout", 0.8)

    async def hang(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(CompanyState, "_read", hang)
    answer = await visitor.get("/companies/unknown")
    assert answer.status_code == 404
    assert "the plain page" in answer.text
