"""The public pages with everything real but React: the app's own on_load handlers, a database, a Node process."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from sqlmodel import Session
from starlette.types import Receive, Scope, Send

from advisory_site.content import home
from advisory_site.content.layout import NEEDS_SCRIPTS
from sitekit.app.site_app import SiteApp
from sitekit.base.messages import MENTION
from sitekit.base.settings import get_settings
from sitekit.records.record_type import RecordType
from sitekit.server.ssr.cached_pages import CachedPages
from sitekit.server.ssr.content_version import version_source
from sitekit.server.ssr.document import DocumentBuilder
from sitekit.server.ssr.initial_state import InitialStates
from sitekit.server.ssr.page_renderer import PageRenderer
from sitekit.server.ssr.page_state import LOADER, SCRIPTS
from sitekit.server.ssr.pages import Pages
from sitekit.server.ssr.prerendered import PrerenderedPages
from sitekit.server.ssr.public_pages import PublicPages
from sitekit.server.ssr.renderer import Renderer
from sitekit.server.ssr.routing import RouteTable
from tests.support.factories import add_company, id_of

ORIGIN = "https://firm.example"
PLAIN = {"accept-encoding": "identity"}  # what is compressed here is not
STYLES = "/assets/__reflex_global_styles-abc.css"
SCRIPT = "/assets/page.js"
# What React makes of every page in these tests: its vars, in a document of the known shape.
DOCUMENT = (
    '<!DOCTYPE html><html lang="en"><head><script>localStorage.getItem("theme")</script>'
    '<meta content="#eee" media="(prefers-color-scheme: light)" name="theme-color"/>'
    '<meta content="#111" media="(prefers-color-scheme: dark)" name="theme-color"/>'
    '<title>A page</title><meta content="About it" name="description"/>'
    f'<link href="{STYLES}" rel="stylesheet" type="text/css"/><link rel="modulepreload" href="{SCRIPT}"/></head>'
    '<body><pre>VARS</pre><a class="skip" href="/404#content">Skip</a>'
    '<script>scroll("react-router-scroll-positions")</script><script>window.__reactRouterContext = {}</script>'
    '<script type="module" async="">start()</script></body></html>'
)
# The text that staff can change of each page in these tests.
ASKED = home.STATS_TITLE
# A renderer's program that draws nothing. A path that ends in '/hang' is never answered, '/die' ends the process, and
# '/odd' has no list of its texts.
PROGRAM = """
import readline from "node:readline";
const say = (answer) => process.stdout.write(JSON.stringify(answer) + "\\n");
let drawn = 0;
say({ ready: true });
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, job, path, vars, texts, quick } = JSON.parse(line);
  if (path === "/die") process.exit(1);
  if (path === "/fail") say({ id, error: "it did not work" });
  else if (path?.endsWith("/hang")) continue;
  else if (job === "compress") say({ id, br: quick ? "cXVpY2s=" : "YnI=", zstd: "enN0ZA==", gzip: "Z3o=" });
  else {
    const html = DOCUMENT.replace("VARS", JSON.stringify({ drawn: ++drawn, path, vars, texts }));
    say({ id, status: 200, html, asked: path.endsWith("/odd") ? null : ["ASKED"] });
  }
}
"""


@pytest.fixture
def anyio_backend() -> str:
    """What the server runs on."""
    return "asyncio"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A renderer's program in a file."""
    file = tmp_path / "renderer.mjs"
    file.write_text(PROGRAM.replace("DOCUMENT", json.dumps(DOCUMENT)).replace("ASKED", ASKED))
    return file


@pytest.fixture
async def renderer(bundle: Path, anyio_backend: str) -> AsyncIterator[Renderer]:
    """The renderer, running that program."""
    renderer = Renderer(bundle, timeout=30)  # tests of what takes too long set less
    await renderer.start()
    yield renderer
    await renderer.stop()


@pytest.fixture
def client(tmp_path: Path) -> Path:
    """The folder of a finished build."""
    folder = tmp_path / "client"
    (folder / "assets").mkdir(parents=True)
    (folder / STYLES[1:]).write_text("body{color:ink}.skip{color:jade}.elsewhere{color:gold}.dark{color:moon}")
    (folder / SCRIPT[1:]).write_text('element.className="elsewhere"')
    (tmp_path / LOADER).write_text((SCRIPTS / LOADER).read_text(encoding="utf-8"))
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / "__spa-fallback.html").write_text("<html><head></head><body>the plain page</body></html>")
    # The build draws each page as the renderer does, without records.
    (folder / "index.html").write_text(DOCUMENT)
    return folder


@pytest.fixture
async def public_pages(
    app: SiteApp, database_dir: Path, client: Path, renderer: Renderer
) -> AsyncIterator[PublicPages]:
    """The public pages of the real site."""

    async def reflex(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"from Reflex"})

    initial_states = InitialStates(app, 4.0, app.read_texts)
    page_renderer = PageRenderer(initial_states, renderer, DocumentBuilder(client, "https://firm.example"))
    prerendered = PrerenderedPages(client, NEEDS_SCRIPTS, MENTION)
    yield PublicPages(
        reflex,
        table=RouteTable(app.routes),
        pages=Pages(page_renderer, version_source(get_settings().database_url), prerendered),
        endpoints={},
        forms=app.forms,
        client=client,
        mention=MENTION,
    )
    page_renderer.initial_states.close()


class ThroughTheLoop(httpx.ASGITransport):
    """Hands requests over as a server does: each waits in the loop for its turn."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(0)
        return await super().handle_async_request(request)


@pytest.fixture
async def visitor(public_pages: PublicPages) -> AsyncIterator[httpx.AsyncClient]:
    """Somebody who asks without a browser."""
    site = CachedPages(public_pages, table=public_pages.table, pages=public_pages.pages, headers=[])
    transport = ThroughTheLoop(site)
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=PLAIN) as visitor:
        yield visitor


@pytest.fixture
def kelp(database: ModuleType) -> int:
    """A company that visitors may see, and its id; there is one they may not see, too."""
    with database.transaction() as session:
        add_company(session, slug="gull", name="Gull", status="Inactive")
        return id_of(add_company(session, slug="kelp", name="Kelp & Co"))


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the records are called whose public list is read, once for each time."""
    seen: list[str] = []
    read = RecordType.list_public

    def read_and_note(self: RecordType[Any, Any, Any, Any], session: Session) -> list[Any]:
        seen.append(self.plural)
        return read(self, session)

    monkeypatch.setattr(RecordType, "list_public", read_and_note)
    return seen
