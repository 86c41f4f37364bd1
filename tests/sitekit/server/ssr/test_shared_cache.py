"""What a CDN may keep: public pages for everybody, missing ones briefly, and nothing of one visitor."""

from dataclasses import replace
from pathlib import Path
from types import ModuleType

import httpx
import pytest

from sitekit.base import paths
from sitekit.server.ssr.public_pages import PublicPages
from tests.conftest import on_sqlite
from tests.sitekit.server.ssr.drawings import rename
from tests.support.database_faults import missing
from tests.support.factories import add_company

pytestmark = [pytest.mark.anyio, on_sqlite, pytest.mark.usefixtures("database")]

PUBLIC = "public, max-age=0, s-maxage=60, stale-while-revalidate=600, stale-if-error=86400"
BRIEFLY = "public, max-age=0, s-maxage=10"
DARK = {"cookie": "theme=dark"}
FORM = {"firstName": "Ann", "lastName": "Lim", "email": "ann@kelp.example", "message": "Hello"}


@pytest.fixture
async def visitor(public_pages: PublicPages, visitor: httpx.AsyncClient) -> httpx.AsyncClient:
    """Somebody who asks a site behind a shared cache."""
    pages = public_pages.pages
    public_pages.page_renderer = pages.page_renderer = replace(public_pages.page_renderer, is_shared=True)
    return visitor


def assert_not_shared(answer: httpx.Response) -> None:
    """No shared cache keeps it."""
    assert "s-maxage" not in answer.headers.get("cache-control", "")
    assert "public" not in answer.headers.get("cache-control", "")
    assert not {"surrogate-key", "cache-tag"} & {*answer.headers}


async def test_a_public_page_is_cached_for_everybody(visitor: httpx.AsyncClient, kelp: int) -> None:
    for path in ("/", "/companies", "/companies/kelp", "/contact", "/privacy", "/companies?sector=none"):
        plain = await visitor.get(path)
        other = await visitor.get(path, headers={"cookie": "backend=abc; uncached=1; _ga=1"})
        assert (plain.headers["cache-control"], plain.headers["vary"]) == (PUBLIC, "accept-encoding")
        assert plain.headers["surrogate-key"] == plain.headers["cache-tag"] == "pages"
        assert (other.text, other.headers) == (plain.text, plain.headers)
        assert "set-cookie" not in plain.headers
        again = await visitor.get(path, headers={"if-none-match": plain.headers["etag"]})
        assert (again.status_code, again.headers["cache-control"]) == (304, PUBLIC)


async def test_a_page_in_a_chosen_theme_is_private(visitor: httpx.AsyncClient, kelp: int) -> None:
    await visitor.get("/companies")
    dark = await visitor.get("/companies", headers=DARK)
    assert '<html class="dark"' in dark.text
    assert (dark.headers["cache-control"], dark.headers["vary"]) == ("private, no-cache", "accept-encoding, cookie")
    assert_not_shared(dark)
    known = DARK | {"if-none-match": dark.headers["etag"]}
    assert (await visitor.get("/companies", headers=known)).status_code == 304
    lost = await visitor.get("/companies/nope", headers=DARK)
    assert (lost.status_code, lost.headers["cache-control"]) == (404, "no-store")


async def test_a_missing_page_is_cached_briefly(visitor: httpx.AsyncClient, kelp: int) -> None:
    for path in ("/companies/nope", "/nothing-here"):
        answer = await visitor.get(path)
        assert (answer.status_code, answer.headers["cache-control"]) == (404, BRIEFLY)
        assert answer.headers["surrogate-key"] == "pages"


async def test_private_redirected_refused_or_posted_responses_are_never_shared(
    visitor: httpx.AsyncClient, public_pages: PublicPages, database: ModuleType, kelp: int
) -> None:
    private = [one.route for one in public_pages.table.fixed if one.route.is_private]
    assert {paths.AUTH, paths.ADMIN} <= {one.route for one in private}
    for route in private:
        assert_not_shared(answer := await visitor.get(route.route))
        assert answer.headers["cache-control"] == "no-store"
    for method, path in (("GET", "/companies/"), ("POST", "/companies"), ("GET", "/page-state/abc/companies")):
        assert_not_shared(answer := await visitor.request(method, path))
        assert answer.status_code in (301, 405, 410)
    for form in (FORM, FORM | {"email": "ann at kelp"}):
        assert_not_shared(answer := await visitor.post("/contact", data=form))
        assert answer.headers["cache-control"] == "no-store"


async def test_stale_pages_are_cached_briefly_and_errors_never(
    visitor: httpx.AsyncClient, database_dir: Path, monkeypatch: pytest.MonkeyPatch, kelp: int
) -> None:
    before, dark = await visitor.get("/companies"), await visitor.get("/companies", headers=DARK)
    with missing(database_dir, monkeypatch):
        stale = await visitor.get("/companies")
        assert (stale.text, stale.headers["cache-control"]) == (before.text, BRIEFLY)
        assert "stale" in stale.headers["cache-status"] and "etag" not in stale.headers
        in_dark = await visitor.get("/companies", headers=DARK)
        assert (in_dark.text, in_dark.headers["cache-control"]) == (dark.text, "no-store")
        error = await visitor.get("/team")
        assert error.status_code == 503
        assert_not_shared(error)


async def test_a_shared_page_contains_its_state(visitor: httpx.AsyncClient, database: ModuleType, kelp: int) -> None:
    """The file of its state is gone when the page has changed, and a shared cache may have the page for a day."""
    with database.transaction() as session:
        for number in range(20):
            add_company(session, slug=f"kelp-{number}", name=f"Kelp {number}")
    before = await visitor.get("/companies")
    rename(database, "kelp", "Sea Grass")
    after = await visitor.get("/companies")
    assert "Sea Grass" in after.text and "Sea Grass" not in before.text
    for page in (before, after):
        assert "data-state=" not in page.text
        assert len(page.text.partition('id="page-state">')[2]) > 1024
