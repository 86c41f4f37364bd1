"""Serves public pages and built files; everything else goes to Reflex."""

import logging
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from ..core.text import escape_controls
from ..http.endpoints import Endpoint
from ..http.form_posts import Form, FormRejected, read_form
from ..http.responses import NEVER_STORED, send_document, send_plain
from ..http.static_files import BuiltFiles
from .content_version import VersionSource
from .page_renderer import NOT_FOUND, PageRenderer, RenderFailed
from .pages import Pages
from .routing import Match, Route, RouteTable
from .slug_lookup import Moved
from .state_file import requested_state
from .theme_variants import chosen_theme

log = logging.getLogger(__name__)

# What Reflex serves besides the files of the build.
_BACKEND = ("/_event", "/_upload", "/_health", "/ping")


class PublicPages:
    """An ASGI application around Reflex's own."""

    def __init__(
        self,
        inner: Any,
        *,
        routes: Iterable[Route],
        endpoints: Mapping[str, Endpoint],
        forms: Mapping[str, Form],
        client: Path,
        page_renderer: PageRenderer,
        version_source: VersionSource,
        trusted_proxies: int = 0,
    ) -> None:
        self.inner = inner
        self.endpoints = endpoints
        self.forms = forms
        self.trusted_proxies = trusted_proxies
        self.page_renderer = page_renderer
        self.pages = Pages(page_renderer, version_source, client)
        self.table = RouteTable(routes)
        self.files = BuiltFiles(client)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer, or pass on."""
        if scope["type"] == "lifespan":
            await self.inner(scope, lambda: self._with_lifespan(receive), send)
            return
        if scope["type"] != "http":
            await self.inner(scope, receive, send)
            return
        path = _path_of(scope)
        match = self.table.match(path)
        if match is None and _wants_whole_file(scope) and (file := self.files.get(path)):
            await send_document(file, scope, send)
        elif match is None and (path in self.files or path.startswith(_BACKEND)):
            await self.inner(scope, receive, send)
        elif match is None and path.endswith("/") and self.table.match(_without_slashes(path)):
            await _redirect(scope, send, _without_slashes(path))
        elif match is not None and scope["method"] == "POST" and path in self.forms:
            await self._answer_form(match, path, scope, receive, send)
        elif scope["method"] not in ("GET", "HEAD"):
            allowed = b"GET, HEAD, POST" if path in self.forms else b"GET, HEAD"
            await send_plain(send, scope, "Method not allowed\n", status=405, headers=[(b"allow", allowed)])
        elif requested := requested_state(path):
            await self._send_state(*requested, scope, send)
        elif endpoint := self.endpoints.get(path):
            await endpoint(scope, receive, send)
        else:
            if match is None:
                log.warning("No page at %s", escape_controls(path))
                match, path = NOT_FOUND, NOT_FOUND.route.route
            elif (match := match.with_query(scope["query_string"].decode("latin-1"))).query:
                path = f"{path}?{match.query}"
            try:
                document = await self.pages.get(match, path, chosen_theme(scope["headers"]))
            except Moved as record:
                await _redirect(scope, send, record.path)
            else:
                await send_document(document, scope, send)

    async def _with_lifespan(self, receive: Any) -> Any:
        """The next lifespan message for Reflex; the renderer starts and stops with it."""
        message = await receive()
        if message["type"] == "lifespan.startup":
            await self.page_renderer.open(self.table.fixed)
        elif message["type"] == "lifespan.shutdown":
            await self.page_renderer.close()
        return message

    async def _send_state(self, tag: str, path: str, scope: Any, send: Any) -> None:
        """The state of the page at this path, as long as it is the one that the address names; else 410."""
        match = self.table.match(path)
        document = None
        if match is not None and not match.route.is_private:
            with suppress(Moved):
                document = await self.pages.get(match, path, "")
        if document and document.state and document.state.etag.decode() == tag:
            await send_document(document.state, scope, send)
        else:
            headers = [(b"cache-control", NEVER_STORED)]
            await send_plain(send, scope, "This page has changed.\n", status=410, headers=headers)

    async def _answer_form(self, match: Match, path: str, scope: Any, receive: Any, send: Any) -> None:
        """Answer a form with its own page, or in plain text where that cannot be rendered."""
        try:
            posted = await read_form(scope, receive, self.trusted_proxies)
        except FormRejected as error:
            await send_plain(send, scope, "The form was not accepted.\n", status=error.status)
            return
        answered = await self.forms[path](posted)
        try:
            document = await self.page_renderer.render_form_response(match, path, answered)
            document = await self.pages.theme_variants.variant(document, chosen_theme(scope["headers"]))
        except RenderFailed:
            text = "Thank you, it has arrived.\n" if answered.status == 200 else "Please go back and try again.\n"
            await send_plain(send, scope, text, status=answered.status)
        else:
            await send_document(document, scope, send)


def _wants_whole_file(scope: Any) -> bool:
    """Whether the whole file is requested; ranges are left to Reflex."""
    return scope["method"] in ("GET", "HEAD") and all(name != b"range" for name, _ in scope["headers"])


def _path_of(scope: Any) -> str:
    """The decoded path, but for an encoded slash, which is part of its segment."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    if b"%2f" not in raw.lower():
        return str(scope["path"])
    return "%2F".join(unquote(part) for part in re.split("%2f", raw.decode("latin-1"), flags=re.IGNORECASE))


def _without_slashes(path: str) -> str:
    return "/" + path.strip("/")


async def _redirect(scope: Any, send: Any, path: str) -> None:
    """Redirect permanently within this site. The path was looked up, so it holds neither a host nor a line break."""
    query: bytes = scope["query_string"]
    location = quote(path).encode() + (b"?" + query if query else b"")
    await send_plain(send, scope, "", status=301, headers=[(b"location", location)])
