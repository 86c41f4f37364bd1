"""Serves public pages and built files; everything else goes to Reflex."""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...base.observability.metrics import OTHER
from ...base.request_context import reference
from ...base.text import escape_controls
from ..http.endpoints import Endpoint
from ..http.form_posts import Form, FormRejected, read_form
from ..http.request_log import ROUTE, without_secret
from ..http.responses import NEVER_STORED, respond
from ..http.static_files import BuiltFiles
from .page_renderer import NOT_FOUND, RenderFailed
from .pages import VERSION, Pages
from .routing import Match, RouteTable, path_of
from .slug_lookup import PageMoved, find_other_spelling
from .state_file import requested_state
from .theme_variants import chosen_theme

log = logging.getLogger(__name__)

# The paths that Reflex serves besides the files of the build.
_BACKEND = ("/_event", "/_upload", "/_health", "/ping")
# In seconds; after that a form without scripts is answered in plain text.
FORM_TIMEOUT = 10.0


class PublicPages:
    """ASGI middleware in front of Reflex.

    `endpoints` answer GET at a path, `folders` at every path that begins with theirs; `uploads` answer any method.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        table: RouteTable,
        pages: Pages,
        endpoints: Mapping[str, Endpoint],
        forms: Mapping[str, Form],
        client: Path,
        folders: Mapping[str, Endpoint] = MappingProxyType({}),
        uploads: Mapping[str, Endpoint] = MappingProxyType({}),
        former: Path | None = None,
        mention: str = "",
        trusted_proxies: int = 0,
    ) -> None:
        self.app = app
        self.endpoints = endpoints
        self.folders = tuple(folders.items())
        self.uploads = uploads
        self.forms = forms
        # One at a time, so that live pages are not rendered much later.
        self._form_turn = asyncio.Semaphore(1)
        self.trusted_proxies = trusted_proxies
        self.page_renderer = pages.page_renderer
        self.pages = pages
        self.mention = mention
        self.table = table
        self.files = BuiltFiles(client, former)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond, or pass the request on to Reflex."""
        answer: ASGIApp | None = None
        if scope["type"] == "http":
            answer = await self._respond(Request(scope, receive))
        elif scope["type"] == "lifespan":
            answer = self._with_lifespan
        await (answer or self.app)(scope, receive, send)

    async def _with_lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Start and stop the renderer with the server."""

        async def receive_and_follow() -> Message:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await self.page_renderer.open(self.table.fixed)
            elif message["type"] == "lifespan.shutdown":
                await self.page_renderer.close()
            return message

        await self.app(scope, receive_and_follow, send)

    async def _respond(self, request: Request) -> Response | None:
        """The response, or None if Reflex handles the request."""
        path = path_of(request.scope)
        match = self.table.match(path)
        request.scope[ROUTE] = self._route_of(match, path)
        if match is None and _wants_whole_file(request) and (file := self.files.get(path)):
            return respond(file, request)
        if match is None and (path in self.files or path.startswith(_BACKEND)):
            return None
        if match is not None and request.method == "POST" and path in self.forms:
            return await self._answer_form(match, path, request)
        if upload := self.uploads.get(path):
            return await upload(request)
        if request.method not in ("GET", "HEAD"):
            allowed = {"allow": "GET, HEAD, OPTIONS, POST" if path in self.forms else "GET, HEAD, OPTIONS"}
            if request.method == "OPTIONS":  # with which a form asks whether it can be sent
                return Response(status_code=204, headers=allowed)
            return PlainTextResponse("Method not allowed\n", 405, allowed)
        if requested := requested_state(path):
            return await self._page_state(*requested, request)
        if endpoint := self.endpoints.get(path) or self._folder_of(path):
            return await endpoint(request)
        return await self._page(match, path, request)

    def _route_of(self, match: Match | None, path: str) -> str:
        """The route of a request in the metrics: a page's, an endpoint's, or one for all others."""
        if match is not None:
            return match.route.route
        if path in self.endpoints or path in self.uploads:
            return path
        return next((start for start, _ in self.folders if path.startswith(start)), OTHER)

    def _folder_of(self, path: str) -> Endpoint | None:
        return next((endpoint for start, endpoint in self.folders if path.startswith(start)), None)

    async def _page(self, match: Match | None, path: str, request: Request) -> Response:
        theme, version = chosen_theme(request.headers), request.scope.get(VERSION)
        match = match and match.with_query(_query_of(request.scope))
        if match and match.route.is_private:
            cookies = ";".join(request.headers.getlist("cookie"))
            return respond(await self.pages.private_pages.get(match, cookies), request)
        try:
            if match is not None:
                document = await self.pages.get(match, path, theme, version)
            if match is None or document.status == 404:
                await find_other_spelling(self.table, path)
        except PageMoved as page:
            return _redirect(request, page.path)
        if match is None:
            log.warning("No page at %s", escape_controls(without_secret(path)))
            document = await self.pages.get(NOT_FOUND, NOT_FOUND.route.route, theme, version)
        return respond(document, request)

    async def _page_state(self, tag: str, path: str, request: Request) -> Response:
        """The state file of the page at this path and query; 410 if the page has changed since."""
        match = self.table.match(path)
        document = None
        if match is not None and not match.route.is_private:
            with suppress(PageMoved):
                document = await self.pages.get(match.with_query(_query_of(request.scope)), path, "")
        if document and document.state and document.state.etag == tag:
            return respond(document.state, request)
        return PlainTextResponse("This page has changed.\n", 410, {"cache-control": NEVER_STORED})

    async def _answer_form(self, match: Match, path: str, request: Request) -> Response:
        """Answer a posted form with its page, or in plain text if that cannot be rendered."""
        try:
            posted = await read_form(request, self.trusted_proxies)
        except FormRejected as error:
            # The server ends a connection whose body has not arrived whole, so that a slow one does not stay open.
            is_long = error.status == 413
            text = "This is too long. Please go back and shorten it." if is_long else "The form was not accepted."
            return PlainTextResponse(f"{text}\n", error.status, {"connection": "close"})
        response = await self.forms[path](posted)
        try:
            async with asyncio.timeout(FORM_TIMEOUT), self._form_turn:
                document = await self.page_renderer.render_form_response(match, path, response)
            document = await self.pages.theme_variants.variant(document, chosen_theme(request.headers))
        except (RenderFailed, TimeoutError):
            text = "Thank you, it has arrived.\n" if response.status == 200 else "Please go back and try again.\n"
            if response.status >= 500:
                text += self.mention.format(reference=reference()) + "\n"
            return PlainTextResponse(text, response.status)
        return respond(document, request)


def _wants_whole_file(request: Request) -> bool:
    """Whether the whole file is requested; Reflex handles range requests."""
    return request.method in ("GET", "HEAD") and "range" not in request.headers


def _query_of(scope: Scope) -> str:
    return str(scope["query_string"].decode("latin-1"))


def _redirect(request: Request, path: str) -> Response:
    """Redirect permanently within this site. The path matched a route, so it contains no host and no line break."""
    query = _query_of(request.scope)
    return PlainTextResponse("", 301, {"location": quote(path) + (f"?{query}" if query else "")})
