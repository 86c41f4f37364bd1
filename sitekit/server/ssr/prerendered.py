"""The pages prerendered by the build, for when the renderer does not answer."""

import gzip
from functools import cache
from html import escape
from pathlib import Path

from ...base.request_context import PLACEHOLDER
from ..http.responses import NEVER_STORED, Document, make_document, robots_headers
from .document import without_scroll_script
from .page_state import SCRIPTS
from .routing import Route

# Private pages show what staff typed, which they compare and correct; a translation would hide how it is spelt.
_NOT_TRANSLATED = '<meta name="google" content="notranslate">'
EARLY_PRESS = (SCRIPTS / "early_press.js").read_text(encoding="utf-8")
_FALLBACK = "__spa-fallback.html"


class PrerenderedPages:
    """Documents of one finished build; the browser gets their state over the WebSocket.

    `needs_scripts` is the message for readers without scripts, on pages that are empty without them; `mention` asks
    them to mention the reference of a failure. `sheet` is the link to the stylesheet of private pages, for those that
    the build gave none, or React would preload it only when it draws them, and show nothing before.
    """

    def __init__(self, client: Path, needs_scripts: str, mention: str = "", sheet: str = "") -> None:
        self._client = client
        self._sheet = sheet
        # At the end of the body, outside the HTML that React hydrates.
        self._note = f'<noscript><p class="wrap lead">{escape(needs_scripts)}</p></noscript></body>'
        self._mention = (
            f'<noscript><p class="wrap hint">{escape(mention.format(reference=PLACEHOLDER))}</p></noscript></body>'
        )
        self.page = cache(self._page)

    def as_private(self, html: str) -> str:
        """A private page from its HTML."""
        # There is nothing to scroll yet, and the script throws where site data is blocked.
        html = without_scroll_script(html)
        if self._sheet not in html:
            html = html.replace("<head>", f"<head>{self._sheet}", 1)
        end = f"{_NOT_TRANSLATED}<script>{EARLY_PRESS}</script></head>"
        return html.replace("<html", '<html translate="no"', 1).replace("</head>", end, 1)

    def _page(self, route: Route, status: int) -> Document:
        html = self._file(route).read_text(encoding="utf-8")
        html = self.as_private(html) if route.is_private else without_scroll_script(html)
        if route.is_dynamic and not route.is_private:
            html = html.replace("</body>", self._note, 1)
        if status >= 500:
            html = html.replace("</body>", self._mention, 1)
        headers = {"x-robots-tag": "noindex"} if route.is_private else robots_headers(status)
        encoded = {"gzip": gzip.compress(html.encode(), 9)}
        return make_document(html, status, encoded=encoded, cache_control=NEVER_STORED, headers=headers)

    def _file(self, route: Route) -> Path:
        if not route.is_dynamic:
            name = route.route.strip("/")
            for file in (self._client / f"{name or 'index'}.html", self._client / name / "index.html"):
                if file.is_file():
                    return file
        return self._client / _FALLBACK
