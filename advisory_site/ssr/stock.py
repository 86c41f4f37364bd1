"""The pages as the build left them: for the back office always, for visitors when rendering fails."""

from functools import cache
from pathlib import Path

from ..web.documents import NEVER_STORED, Document, make_document
from .routing import Route

_FALLBACK = "__spa-fallback.html"


class StockPages:
    """Documents of one finished build; the browser fills them over the websocket."""

    def __init__(self, client: Path) -> None:
        self._client = client
        self.page = cache(self._page)

    def _page(self, route: Route, status: int) -> Document:
        return make_document(
            self._file(route).read_text(encoding="utf-8"),
            status,
            cache_control=NEVER_STORED,
            more=[(b"x-robots-tag", b"noindex")] if route.is_private else None,
        )

    def _file(self, route: Route) -> Path:
        if not route.is_dynamic:
            name = route.route.strip("/")
            for file in (self._client / f"{name or 'index'}.html", self._client / name / "index.html"):
                if file.is_file():
                    return file
        return self._client / _FALLBACK
