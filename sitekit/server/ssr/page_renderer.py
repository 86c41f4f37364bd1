"""Renders a page: initial state, React's HTML, final document."""

import contextlib
import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import quote

from ...base.observability import tracing
from ...base.observability.log_throttle import ThrottledLog
from ...base.request_context import PLACEHOLDER
from ..framework.on_load import Vars
from ..http.form_posts import FormResponse
from ..http.responses import NEVER_STORED, Document, make_document, robots_headers
from ..http.shared_cache import shared_headers
from .document import DocumentBuilder, UnexpectedHtml
from .initial_state import InitialState, InitialStates, OnLoadFailed
from .renderer import Renderer, RendererAway
from .routing import NOT_FOUND_ROUTE, Match, Route
from .state_file import make_state_file, state_address

log = logging.getLogger(__name__)

ON_LOAD_COOLDOWN = 5.0
NOT_FOUND = Match(Route(NOT_FOUND_ROUTE))
# In the state of a page beside its vars; `ui/js/words.js` reads it.
TEXTS = "texts"
# Any unknown address works: React Router renders the same view for all of them.
_NOT_FOUND_PATH = "/404"


class RenderFailed(Exception):
    """A page could not be rendered; `status` is the status it would have had."""

    def __init__(self, status: int) -> None:
        super().__init__(f"not rendered, {status}")
        self.status = status


@dataclass
class PageRenderer:
    """Renders documents from a page's on_load and React's HTML.

    `is_shared`: shared caches may keep pages. Then each contains its state, because an older page that such a cache
    still has could not fetch it.
    """

    initial_states: InitialStates
    renderer: Renderer
    document_builder: DocumentBuilder
    is_shared: bool = False

    def __post_init__(self) -> None:
        self._error_pages: dict[tuple[str, int], tuple[InitialState, Document]] = {}
        self._not_found_pages: dict[str, tuple[int, Document]] = {}
        self._failed_until: dict[str, float] = {}
        self._log = ThrottledLog(log)

    async def open(self, pages: Iterable[Match]) -> None:
        """Start the renderer and render one page to warm it up; raises nothing if the renderer does not start."""
        await self.renderer.start()
        for match in pages:
            if not match.route.follows_content and not match.route.is_private:
                with contextlib.suppress(RenderFailed):
                    await self.render(match, match.route.route)
                return

    async def close(self) -> None:
        """Stop the renderer and the thread of the on_load handlers."""
        self.initial_states.close()
        await self.renderer.stop()

    async def render(self, match: Match, path: str) -> Document:
        """Render the page at this path with its status: 200, 404 without a record, 503 without a database.

        Raises `RenderFailed`, also for a page without a database that would be complete without its records.
        """
        try:
            initial_state = await self._initial_state(match, path)
        except OnLoadFailed as error:
            self._log_failure(path, error)
            raise RenderFailed(200) from error
        status = _status(match, initial_state)
        if status == 503 and not match.route.shows_records:
            self._log_failure(path, OnLoadFailed("its on_load could not read the records"))
            raise RenderFailed(200)
        if status != 200:
            # The same page for all requests that fail in this way; the response has the reference of each.
            initial_state = initial_state.without(match.params).with_value("reference", PLACEHOLDER)
        try:
            return await self._document(match, path, initial_state, status)
        except (RendererAway, UnexpectedHtml) as error:
            self._log_failure(path, error)
            raise RenderFailed(status) from error

    async def render_not_found(self, match: Match, path: str, version: int) -> Document:
        """Render the page for an address without a record, once per route. Raises `RenderFailed`."""
        route = match.route.route
        if (cached := self._not_found_pages.get(route)) and cached[0] == version:
            return cached[1]
        document = await self.render(match, path)
        if document.status == 404:
            self._not_found_pages[route] = (version, document)
        return document

    async def render_form_response(self, match: Match, path: str, response: FormResponse) -> Document:
        """Render the page in response to a form; never cached. Raises `RenderFailed`."""
        initial_state = InitialState()
        with contextlib.suppress(OnLoadFailed):
            initial_state = await self._initial_state(match, path)
        vars = {name: dict(values) for name, values in initial_state.vars.items()}
        for name, values in response.vars.items():
            vars.setdefault(name, {}).update(values)
        try:
            html, vars = await self._render_html(quote(path), replace(initial_state, vars=vars))
            html = self.document_builder.page(html, quote(path), vars, None)
        except (RendererAway, UnexpectedHtml) as error:
            self._log_failure(path, error)
            raise RenderFailed(response.status) from error
        headers = robots_headers(response.status)
        return make_document(html, response.status, cache_control=NEVER_STORED, headers=headers)

    async def _initial_state(self, match: Match, path: str) -> InitialState:
        route = match.route.route
        if not match.route.follows_content:
            return InitialState()
        if self._failed_until.get(route, 0) > time.monotonic():
            raise OnLoadFailed(f"The on_load of {route} failed a moment ago")
        try:
            return await self.initial_states.take(route, match.address(path), match.params)
        except OnLoadFailed:
            # Without this pause, every visitor would wait for the same failure.
            self._failed_until[route] = time.monotonic() + ON_LOAD_COOLDOWN
            raise

    async def _document(self, match: Match, path: str, initial_state: InitialState, status: int) -> Document:
        """Render the document; an error page is the same at every address, so it is rendered once per route."""
        if status == 200:
            return await self._render_document(match, path, initial_state, status)
        key = (match.route.route, status)
        rendered = self._error_pages.get(key)
        if rendered is None or rendered[0] != initial_state:
            address = _NOT_FOUND_PATH if match is NOT_FOUND else path
            document = await self._render_document(match, address, initial_state, status)
            rendered = self._error_pages[key] = (initial_state, document)
        return rendered[1]

    async def _render_document(self, match: Match, path: str, initial_state: InitialState, status: int) -> Document:
        address = match.address(quote(path))
        with tracing.span("render"):
            html, vars = await self._render_html(address, initial_state)
        compress = partial(self.renderer.compress, quick=True)
        # A page for one occasion is not indexed. A filtered list has the canonical URL of the whole list.
        head = match.route.head if status == 200 and match.query not in match.route.queries else None
        # Error pages have their state inline, because they are served at many addresses.
        state = await make_state_file(vars, compress) if status == 200 and not self.is_shared else None
        state_url = state_address(state, address) if state else ""
        html = self.document_builder.page(html, address, vars, head, state_url)
        with tracing.span("compress"):
            encoded = await compress(html)
        headers = robots_headers(status) | (shared_headers(status) if self.is_shared else {})
        if status == 200:
            return replace(make_document(html, encoded=encoded, headers=headers), state=state)
        return make_document(html, status, encoded=encoded, cache_control=NEVER_STORED, headers=headers)

    async def _render_html(self, address: str, initial_state: InitialState) -> tuple[str, Vars]:
        """React's HTML, and the vars with the changed texts of this page, so that the browser shows the same."""
        texts = initial_state.texts
        rendered = await self.renderer.render(address, initial_state.vars, texts)
        changed = {original: texts[original] for original in rendered.asked if original in texts}
        return rendered.html, {**initial_state.vars, **({TEXTS: changed} if changed else {})}

    def _log_failure(self, path: str, error: Exception) -> None:
        cause = error.__cause__ or error
        self._log("Not rendered: %r (%s: %s)", path, type(cause).__name__, cause)


def _status(match: Match, initial_state: InitialState) -> int:
    if match is NOT_FOUND or initial_state.flag("is_missing"):
        return 404
    return 503 if initial_state.flag("is_unavailable") else 200
