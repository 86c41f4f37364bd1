"""The first HTML of private pages: their frame, with bones in place of what the browser fetches afterwards.

The session is in the browser's storage, so the server does not know who asks, and says the same to everybody. A cookie
of each list has the number of its rows, which is that of its bones (`ui/js/bones.jsx`).
"""

import gzip
import logging
import re
from functools import lru_cache
from urllib.parse import quote

from ...base.observability.log_throttle import ThrottledLog
from ..http.responses import NEVER_STORED, Document, make_document
from .prerendered import PrerenderedPages
from .renderer import Renderer, RendererAway
from .routing import Match

log = logging.getLogger(__name__)

# In place of a parameter while a page is rendered, so that its addresses share one rendering.
_PARAMETER = "parameter-{name}-of-the-page"
PAGES_REMEMBERED = 256
# The elements that stand for the rows of a list, which are equal, and its name.
_BONES = re.compile(r'(<(\w+)\b[^>]* data-bone="(?P<name>\w+)"[^>]*>.*?</\2>)\1+', re.S)
_ROWS = re.compile(r"(?:^|;) *rows_(\w+)=([1-9][0-9]{0,2})(?=;|$)", re.A)
MOST_BONES = 12  # a window of them; what is below comes with the rows


class PrivatePages:
    """Renders each private page once for its route and query, and puts the parameters of an address in afterwards."""

    def __init__(self, renderer: Renderer, prerendered: PrerenderedPages) -> None:
        self._renderer = renderer
        self._prerendered = prerendered
        self._rendered: dict[str, str] = {}
        self._document = lru_cache(PAGES_REMEMBERED)(_document)
        self._log = ThrottledLog(log)

    async def get(self, match: Match, cookies: str) -> Document:
        """The page for a browser with these cookies; as it was prerendered if the renderer does not answer."""
        try:
            html = await self._rendered_html(match)
        except RendererAway as error:
            self._log("Served the prerendered page: %r (%s)", match.route.route, error)
            return self._prerendered.page(match.route, 200)
        return self._document(html, tuple(match.params.items()), tuple(_ROWS.findall(cookies)))

    async def _rendered_html(self, match: Match) -> str:
        path = match.route.path({name: _PARAMETER.format(name=name) for name in match.params})
        address = match.address(path)
        if address not in self._rendered:
            rendered = await self._renderer.render(address, {})
            self._rendered[address] = self._prerendered.as_private(rendered.html)
        return self._rendered[address]


def _document(html: str, params: tuple[tuple[str, str], ...], rows: tuple[tuple[str, str], ...]) -> Document:
    counts = {name: min(int(count), MOST_BONES) for name, count in rows}
    html = _BONES.sub(lambda bones: bones[1] * counts[bones["name"]] if bones["name"] in counts else bones[0], html)
    for name, value in params:
        html = html.replace(_PARAMETER.format(name=name), quote(value, safe=""))
    encoded = {"gzip": gzip.compress(html.encode(), 6)}
    return make_document(html, encoded=encoded, cache_control=NEVER_STORED, headers={"x-robots-tag": "noindex"})
