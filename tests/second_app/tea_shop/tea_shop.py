"""Two pages, one of them with a parameter, and the pipeline around them. docs/server-rendering.md explains it."""

from pathlib import Path
from typing import TYPE_CHECKING

import reflex as rx
from starlette.types import ASGIApp

from sitekit.server.http.security_headers import SecurityHeaders
from sitekit.server.ssr.document import DocumentBuilder
from sitekit.server.ssr.initial_state import InitialStates
from sitekit.server.ssr.page_renderer import PageRenderer
from sitekit.server.ssr.page_state import hand_over_state
from sitekit.server.ssr.pages import Pages
from sitekit.server.ssr.plugin import RENDERER
from sitekit.server.ssr.prerendered import PrerenderedPages
from sitekit.server.ssr.public_pages import PublicPages
from sitekit.server.ssr.renderer import Renderer
from sitekit.server.ssr.routing import Route, RouteTable

WEB = Path(".web")
CLIENT = WEB / "build" / "client"
TEAS = {"sencha": "Steamed and rolled", "oolong": "Half oxidised"}
ROUTES = [Route("/"), Route("/teas/[tea]", follows_content=True), Route("404")]


class TeaState(rx.State):
    text: str = ""
    is_missing: bool = False  # the page is a true 404 then

    if TYPE_CHECKING:
        tea: str  # Reflex adds it to the root state, for the address has `[tea]` in it

    @rx.event
    def load(self) -> None:
        self.text = TEAS.get(self.tea, "")
        self.is_missing = not self.text


class Constant:
    async def version(self) -> int:  # nothing changes while the shop is open
        return 1


class Shop(rx.App):
    def __call__(self) -> ASGIApp:
        renderer = PageRenderer(InitialStates(self, 4), Renderer(WEB / RENDERER, 4), DocumentBuilder(CLIENT, ""))
        pages = Pages(renderer, Constant(), PrerenderedPages(CLIENT, "This page needs scripts."))
        app = PublicPages(
            super().__call__(), table=RouteTable(ROUTES), pages=pages, endpoints={}, forms={}, client=CLIENT
        )
        return SecurityHeaders(app, https_only=False)


app = Shop(stylesheets=["/tea.css"], reset_style=False)
hand_over_state(app)
app.add_page(lambda: rx.el.main(rx.el.h1("Tea")), route="/", title="Tea", description="A tea shop.")
app.add_page(lambda: rx.el.main(rx.el.h1(TeaState.text)), route="/teas/[tea]", title="A tea", on_load=TeaState.load)
app.add_page(lambda: rx.el.h1("No such page"), route="404", title="Not found")
