"""A list filtered by its address: one page for each query that selects records, the whole list for any other."""

import json
import re
from html import unescape
from pathlib import Path
from types import ModuleType

import httpx
import pytest
import sqlalchemy as sa

from advisory_site.companies.models import Company, columns
from advisory_site.companies.public import CompanyListState
from sitekit.server.ssr.page_cache import PageCache
from sitekit.server.ssr.public_pages import PublicPages
from tests.conftest import on_sqlite
from tests.sitekit.server.ssr.drawings import drawing
from tests.support.database_faults import missing
from tests.support.factories import add_company
from tests.support.hostile_queries import HOSTILE_QUERIES

pytestmark = [pytest.mark.anyio, on_sqlite]

SECTORS = ("Health", "Health", "Food & Drink", "Energy")
COUNTRIES = ("Singapore", "Singapore", "Vietnam", "Vietnam")


@pytest.fixture(autouse=True)
def companies(database: ModuleType) -> None:
    """Four companies that visitors may see, and one in a sector of its own that they may not."""
    with database.transaction() as session:
        for number, (sector, country) in enumerate(zip(SECTORS, COUNTRIES, strict=True)):
            add_company(session, name=f"Company {number}", industry=sector, location=f"A town, {country}")
        add_company(session, industry="Secrets", location="Vietnam", status="Inactive")


def listed(answer: httpx.Response) -> list[str]:
    """The names of the companies on the page."""
    vars = drawing(answer)["vars"][CompanyListState.get_full_name()]
    return [company["name"] for company in vars["companies_rx_state_"]]


@pytest.mark.spec("PUB-2")
async def test_a_filtered_list_has_its_records_and_the_canonical_url_of_the_whole_list(
    visitor: httpx.AsyncClient,
) -> None:
    answer = await visitor.get("/companies?sector=Health&country=Singapore")
    assert listed(answer) == ["Company 0", "Company 1"]
    assert '<link rel="canonical" href="https://firm.example/companies">' in answer.text
    assert "noindex" not in answer.text


@pytest.mark.spec("PUB-2")
async def test_an_unknown_query_gives_the_whole_list_and_is_not_cached(
    visitor: httpx.AsyncClient, public_pages: PublicPages, readings: list[str]
) -> None:
    whole = await visitor.get("/companies")
    readings.clear()
    for query in [*HOSTILE_QUERIES, "sector=Secrets"]:
        answer = await visitor.get(f"/companies?{query}")
        assert (answer.status_code, answer.content) == (200, whole.content), query
    assert readings.count("companies") == 1
    assert (len(public_pages.pages.cache), len(public_pages.pages.filtered_cache)) == (1, 0)


@pytest.mark.spec("PUB-2")
async def test_all_spellings_of_a_query_share_one_cached_page(
    visitor: httpx.AsyncClient, public_pages: PublicPages
) -> None:
    queries = (
        "sector=Food+%26+Drink&country=Vietnam",
        "country=Vietnam&sector=Food%20%26%20Drink",
        "sector=food+%26+drink&country=VIETNAM",
        "utm_source=mail&sector=Food+%26+Drink&gclid=x&country=Vietnam&utm_medium=",
    )
    answers = [await visitor.get(f"/companies?{query}") for query in queries]
    assert {drawing(answer)["drawn"] for answer in answers} == {drawing(answers[0])["drawn"]}
    assert listed(answers[0]) == ["Company 2"]
    assert len(public_pages.pages.filtered_cache) == 1


@pytest.mark.spec("PUB-2")
async def test_what_campaigns_add_leaves_no_trace_on_a_page(
    visitor: httpx.AsyncClient, public_pages: PublicPages
) -> None:
    added = "utm_source=mail&fbclid=IwAR0&UTM_Source=a&utm_source=b&mc_cid=%FF&igshid"
    for path in ("/companies", "/companies?sector=Health", "/?email=confirmed", "/why-us"):
        plain = await visitor.get(path)
        assert (await visitor.get(f"{path}{'&' if '?' in path else '?'}{added}")).content == plain.content
    assert (len(public_pages.pages.cache), len(public_pages.pages.filtered_cache)) == (3, 1)


@pytest.mark.spec("PUB-2")
async def test_filtered_lists_never_evict_other_pages(
    visitor: httpx.AsyncClient, public_pages: PublicPages, database: ModuleType
) -> None:
    with database.transaction() as session:
        for number in range(12):
            add_company(session, industry=f"Sector {number}")
    public_pages.pages.filtered_cache = kept = PageCache(20_000)
    whole = await visitor.get("/companies")
    for number in range(12):
        await visitor.get(f"/companies?sector=Sector+{number}")
    assert 0 < len(kept) < 12
    assert kept.size <= 20_000
    assert drawing(await visitor.get("/companies"))["drawn"] == drawing(whole)["drawn"]


@pytest.mark.spec("PUB-2")
async def test_filters_follow_changes_of_the_records(visitor: httpx.AsyncClient, database: ModuleType) -> None:
    assert listed(await visitor.get("/companies?sector=Energy")) == ["Company 3"]
    with database.transaction() as session:
        session.execute(sa.select(Company).where(columns.name == "Company 3")).scalar_one().industry = "Solar"
    whole = await visitor.get("/companies")
    assert (await visitor.get("/companies?sector=Energy")).text == whole.text
    assert listed(await visitor.get("/companies?sector=Solar")) == ["Company 3"]


async def test_the_state_of_a_filtered_page_is_a_separate_file(
    visitor: httpx.AsyncClient, database: ModuleType
) -> None:
    with database.transaction() as session:
        for _ in range(10):
            add_company(session, industry="Health", tagline="A long line. " * 10)
    answer = await visitor.get("/companies?sector=Health")
    found = re.search(r' data-state="([^"]+)"', answer.text)
    assert found
    address = unescape(found[1])
    assert address.endswith("/companies?sector=Health")
    assert json.loads((await visitor.get(address)).text) == drawing(answer)["vars"]
    for other in ("", "?sector=Energy", "?sector=Nope"):
        assert (await visitor.get(address.partition("?")[0] + other)).status_code == 410


async def test_a_cached_filtered_list_is_served_without_the_database(
    visitor: httpx.AsyncClient, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = await visitor.get("/companies")
    before = await visitor.get("/companies?sector=Health")
    with missing(database_dir, monkeypatch):
        for query, expected in (("sector=Health", before), ("sector=Nope", whole), ("sector=Energy", None)):
            answer = await visitor.get(f"/companies?{query}")
            assert answer.headers["cache-control"] == "no-store"
            assert (answer.text == expected.text) if expected else (answer.status_code == 503)
