"""Answers requests for cached pages before the layers that they do not need."""

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ..http.request_log import ROUTE
from ..http.responses import RawHeaders, prebuilt
from .pages import VERSION, Pages
from .routing import RouteTable, path_of


class CachedPages:
    """ASGI middleware in front of the security headers, the error page and `PublicPages`.

    It adds `headers` to a page. What it does not answer (a page with a query or in a chosen theme, one that is not in
    the cache) is passed on with the content version it has read, and gets the same answer there.
    """

    def __init__(self, app: ASGIApp, *, table: RouteTable, pages: Pages, headers: RawHeaders) -> None:
        self.app = app
        self._table = table
        self._pages = pages
        self._headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass the request on."""
        is_for_a_page = scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and not scope["query_string"]
        response = await self._find(scope) if is_for_a_page else None
        await (response or self.app)(scope, receive, send)

    async def _find(self, scope: Scope) -> Response | None:
        path = path_of(scope)
        match = self._table.match(path)
        headers = dict(scope["headers"])
        # Of a header that is repeated, `headers` has the last one alone.
        is_usual = len(headers) == len(scope["headers"]) and b"theme=" not in headers.get(b"cookie", b"")
        if match is None or match.route.is_private or not is_usual:
            return None
        scope[VERSION] = version = await self._pages.version(match.route)
        document = self._pages.cached(path, version)
        if document is None:
            return None
        scope[ROUTE] = match.route.route
        accepted = headers.get(b"accept-encoding", b"").decode("latin-1")
        etags = headers.get(b"if-none-match", b"").decode("latin-1")
        response = prebuilt(document, scope["method"], accepted, etags)
        response.raw_headers = [*response.raw_headers, *self._headers]
        return response
