"""The pages prerendered by the build: for the back office always, for visitors when rendering fails."""

import gzip
from functools import cache
from pathlib import Path

from ..content.layout import NEEDS_SCRIPTS
from ..http.responses import NEVER_STORED, Document, make_document, robots_headers
from .routing import Route

_FALLBACK = "__spa-fallback.html"
# The fallback is empty until scripts fill it; this word at its end is no part of what React takes over.
_WITHOUT_SCRIPTS = f'<noscript><p class="wrap lead">{NEEDS_SCRIPTS}</p></noscript></body>'


class PrerenderedPages:
    """Documents of one finished build; the browser fills them over the websocket."""

    def __init__(self, client: Path) -> None:
        self._client = client
        self.page = cache(self._page)

    def _page(self, route: Route, status: int) -> Document:
        html = self._file(route).read_text(encoding="utf-8")
        if route.is_dynamic and not route.is_private:
            html = html.replace("</body>", _WITHOUT_SCRIPTS, 1)
        more = [(b"x-robots-tag", b"noindex")] if route.is_private else robots_headers(status)
        encoded = {"gzip": gzip.compress(html.encode(), 9)}
        return make_document(html, status, encoded=encoded, cache_control=NEVER_STORED, more=more)

    def _file(self, route: Route) -> Path:
        if not route.is_dynamic:
            name = route.route.strip("/")
            for file in (self._client / f"{name or 'index'}.html", self._client / name / "index.html"):
                if file.is_file():
                    return file
        return self._client / _FALLBACK
