"""The press: from a page's address to the finished document, or to the reason why there is none."""

import contextlib
import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import quote

from ..http.form_posts import Answered
from ..http.responses import NEVER_STORED, Document, make_document, told_to_machines
from ..observability.log_throttle import ThrottledLog
from .document import Assembly, UnknownShape
from .initial_state import OnLoadFailed, Snapshot, Snapshots, Vars
from .renderer import Renderer, RendererAway
from .routing import NOT_FOUND_ROUTE, Match, Route
from .state_file import make_state_file, state_address

log = logging.getLogger(__name__)

SECONDS_OF_REST = 5.0
NOT_FOUND = Match(Route(NOT_FOUND_ROUTE))
# Any address without a page of its own would do: React Router draws the same view for all of them.
_NOT_FOUND_PATH = "/404"


class NotPrinted(Exception):
    """No document could be made; `status` is what is known of the page all the same."""

    def __init__(self, status: int) -> None:
        super().__init__(f"not printed, {status}")
        self.status = status


@dataclass
class Press:
    """Makes documents from the page's own on_load and React's HTML."""

    snapshots: Snapshots
    renderer: Renderer
    assembly: Assembly

    def __post_init__(self) -> None:
        self._answers: dict[tuple[str, int], tuple[Vars, Document]] = {}
        self._absences: dict[str, tuple[int, Document]] = {}
        self._resting: dict[str, float] = {}
        self._log = ThrottledLog(log)

    async def open(self, pages: Iterable[Match]) -> None:
        """Start the renderer, and give it one page to warm up; without it, open all the same."""
        await self.renderer.start()
        for match in pages:
            if not match.route.is_live and not match.route.is_private:
                with contextlib.suppress(NotPrinted):
                    await self.print(match, match.route.route)
                return

    async def close(self) -> None:
        """Stop what was started."""
        self.snapshots.close()
        await self.renderer.stop()

    async def print(self, match: Match, path: str) -> Document:
        """The page at this address with its status: 200, 404 without a record, 503 without a database.

        Raises `NotPrinted`.
        """
        try:
            snapshot = await self._snapshot(match, path)
        except OnLoadFailed as error:
            self._complain(path, error)
            raise NotPrinted(200) from error
        status = _status(match, snapshot)
        if status != 200:
            snapshot = snapshot.without(match.params)
        try:
            return await self._document(match, path, snapshot.vars, status)
        except (RendererAway, UnknownShape) as error:
            self._complain(path, error)
            raise NotPrinted(status) from error

    async def print_absence(self, match: Match, path: str, version: int) -> Document:
        """The page that stands where no record is: one for all such addresses of a route. Raises `NotPrinted`."""
        route = match.route.route
        if (known := self._absences.get(route)) and known[0] == version:
            return known[1]
        document = await self.print(match, path)
        if document.status == 404:
            self._absences[route] = (version, document)
        return document

    async def print_answer(self, match: Match, path: str, answered: Answered) -> Document:
        """The page that answers a form; it is for one visitor and kept by nobody. Raises `NotPrinted`."""
        vars: Vars = {}
        with contextlib.suppress(OnLoadFailed):
            vars = {name: dict(values) for name, values in (await self._snapshot(match, path)).vars.items()}
        for name, values in answered.vars.items():
            vars.setdefault(name, {}).update(values)
        try:
            rendered = await self.renderer.render(quote(path), vars)
            html = self.assembly.page(rendered.html, quote(path), vars, None)
        except (RendererAway, UnknownShape) as error:
            self._complain(path, error)
            raise NotPrinted(answered.status) from error
        more = told_to_machines(answered.status)
        return make_document(html, answered.status, cache_control=NEVER_STORED, more=more)

    async def _snapshot(self, match: Match, path: str) -> Snapshot:
        route = match.route.route
        if not match.route.is_live:
            return Snapshot()
        if self._resting.get(route, 0) > time.monotonic():
            raise OnLoadFailed(f"The on_load of {route} failed a moment ago")
        try:
            return await self.snapshots.take(route, path, match.params)
        except OnLoadFailed:
            # Asking again at once would make every visitor wait for the same failure.
            self._resting[route] = time.monotonic() + SECONDS_OF_REST
            raise

    async def _document(self, match: Match, path: str, vars: Vars, status: int) -> Document:
        """A missing record looks the same under every address, so its page is drawn once for each route."""
        if status == 200:
            return await self._draw(match, path, vars, status)
        key = (match.route.route, status)
        drawn = self._answers.get(key)
        if drawn is None or drawn[0] != vars:
            address = _NOT_FOUND_PATH if match is NOT_FOUND else path
            drawn = self._answers[key] = (vars, await self._draw(match, address, vars, status))
        return drawn[1]

    async def _draw(self, match: Match, path: str, vars: Vars, status: int) -> Document:
        rendered = await self.renderer.render(_address(match, path), vars)
        compress = partial(self.renderer.compress, quick=True)
        # Of a page with a query there is one without, and that is the one for search engines.
        describe = match.route.describe if status == 200 and not match.query else None
        # A page drawn once for many addresses carries its state: by which of them it is asked for is not known here.
        state = await make_state_file(vars, compress) if status == 200 else None
        address = state_address(state, quote(path)) if state else ""
        html = self.assembly.page(rendered.html, _address(match, path), vars, describe, address)
        encoded = await compress(html)
        if status == 200:
            return replace(make_document(html, encoded=encoded), state=state)
        more = told_to_machines(status)
        return make_document(html, status, encoded=encoded, cache_control=NEVER_STORED, more=more)

    def _complain(self, path: str, error: Exception) -> None:
        cause = error.__cause__ or error
        self._log("Not rendered: %r (%s: %s)", path, type(cause).__name__, cause)


def _address(match: Match, path: str) -> str:
    """The path as it stands in a request; a query of the route's own is no part of it."""
    return f"{quote(match.route.route)}?{match.query}" if match.query else quote(path)


def _status(match: Match, snapshot: Snapshot) -> int:
    if match is NOT_FOUND or snapshot.says("is_missing"):
        return 404
    return 503 if snapshot.says("is_unavailable") else 200
