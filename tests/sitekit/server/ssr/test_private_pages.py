"""The first HTML of private pages, which is the same for everybody."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from sitekit.server.http.responses import Document
from sitekit.server.ssr.prerendered import PrerenderedPages
from sitekit.server.ssr.private_pages import PrivatePages
from sitekit.server.ssr.renderer import Rendered, RendererAway
from sitekit.server.ssr.routing import Route, RouteTable

pytestmark = pytest.mark.anyio

BONE = '<tr data-bone="Tea" aria-hidden="true"><td><div></div></td></tr>'
TABLE = RouteTable(
    [
        Route("/admin", is_private=True, queries=("tab=users", "tab=tea")),
        Route("/admin/tea/[id]/edit", is_private=True),
        Route("/admin/trash", is_private=True),
    ]
)


class Drawing:
    """Draws the address that it is asked for, and a list of two rows of bones."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.is_away = False
        self.bones = BONE * 2

    async def render(self, path: str, vars: dict[str, Any]) -> Rendered:
        """As `Renderer.render`."""
        self.asked.append(path)
        if self.is_away:
            raise RendererAway("not now")
        assert vars == {}
        return Rendered(200, f"<html><head></head><body><a href='{path}'></a><table>{self.bones}</table></body></html>")


class Office:
    """Asks for private pages as `PublicPages` does."""

    def __init__(self, client: Path) -> None:
        self.drawing = Drawing()
        self.pages = PrivatePages(self.drawing, PrerenderedPages(client, ""))  # type: ignore[arg-type]

    async def get(self, path: str, query: str = "", cookies: str = "") -> str:
        """The HTML at an address."""
        return (await self.document(path, query, cookies)).bodies[""].decode()

    async def document(self, path: str, query: str = "", cookies: str = "") -> Document:
        """The page at an address."""
        match = TABLE.match(path)
        assert match is not None
        return await self.pages.get(match.with_query(query), cookies)


@pytest.fixture
def office(client: Path) -> Office:
    """A back office of three pages."""
    return Office(client)


async def test_a_private_page_is_rendered_without_state(visitor: httpx.AsyncClient) -> None:
    answer = await visitor.get("/admin/trash")
    assert '"path":"/admin/trash","vars":{}' in answer.text
    assert answer.headers["x-robots-tag"] == "noindex"
    assert '<html translate="no"' in answer.text and "notranslate" in answer.text
    assert "react-router-scroll-positions" not in answer.text
    assert "script-src 'self' 'sha256-" in answer.headers["content-security-policy"]


async def test_its_query_is_the_tab_alone(office: Office) -> None:
    for query in ("tab=tea", "tab=tea&search=x", "page=2&tab=tea"):
        assert "href='/admin?tab=tea'" in await office.get("/admin", query)
    for query in ("", "tab=none", "tab=tea%20", "atab=tea", "search=tab=tea"):
        assert "href='/admin'" in await office.get("/admin", query)
    assert "href='/admin/trash'" in await office.get("/admin/trash", "tab=tea")
    assert office.drawing.asked == ["/admin?tab=tea", "/admin", "/admin/trash"]


async def test_all_addresses_of_a_page_share_one_rendering(office: Office) -> None:
    assert "href='/admin/tea/7/edit'" in await office.get("/admin/tea/7/edit")
    assert "href='/admin/tea/green%22%3E/edit'" in await office.get('/admin/tea/green">/edit')
    assert len(office.drawing.asked) == 1


@pytest.mark.parametrize(
    ("cookies", "count"),
    [
        ("rows_Tea=3", 3),
        ("theme=dark; rows_Tea=7; uncached=1", 7),
        ("rows_Tea=999", 12),
        ("rows_users=3", 2),
        ("rows_Tea=0", 2),
        ("rows_Tea=3000000", 2),
        ("rows_Tea=-1", 2),
        ("a_rows_Tea=3", 2),
        ("rows_Tea=<b>", 2),
        ("", 2),
    ],
)
async def test_a_list_has_as_many_bones_as_it_last_had_rows(office: Office, cookies: str, count: int) -> None:
    assert (await office.get("/admin", "tab=tea", cookies)).count(BONE) == count


async def test_each_list_of_a_page_has_its_own_number(office: Office) -> None:
    office.drawing.bones = BONE * 2 + BONE.replace("Tea", "Cups") * 2
    page = await office.get("/admin", "", "rows_Cups=4; rows_Tea=1")
    assert (page.count('data-bone="Tea"'), page.count('data-bone="Cups"')) == (1, 4)


async def test_without_the_renderer_it_is_as_the_build_made_it(office: Office, client: Path) -> None:
    (client / "admin").mkdir()
    (client / "admin" / "index.html").write_text("<html><head></head><body>from the build</body></html>")
    office.drawing.is_away = True
    page = await office.document("/admin", "tab=tea")
    assert (page.status, b"from the build" in page.bodies[""]) == (200, True)
    office.drawing.is_away = False
    assert "href='/admin?tab=tea'" in await office.get("/admin", "tab=tea")
