"""Serves pages in the theme that a cookie of the visitor names, so that no script is needed.

A shared cache has the page without a choice, which follows the system; visitors with the cookie must not get it.
"""

import asyncio
import re

from starlette.datastructures import Headers

from ..http.responses import Document, with_html
from ..http.shared_cache import as_private
from .page_cache import PageCache
from .renderer import Compress, RendererAway

CACHE_BYTES = 16 * 2**20
# In seconds; after that the variant is sent uncompressed.
COMPRESS_TIMEOUT = 1.0
# The cookie that `js/page_state.js` writes.
_THEME_COOKIE = re.compile(r"(?:^|;)\s*theme=(light|dark)\s*(?:;|$)")

# The two theme-color tags, one for each theme of the system.
_THEME_COLOR = re.compile(r'media="\(prefers-color-scheme: (light|dark)\)" name="theme-color"')


def chosen_theme(headers: Headers) -> str:
    """'light' or 'dark'; empty without a choice, so that the page follows the system."""
    # HTTP/2 may send several cookie headers.
    match = _THEME_COOKIE.search(";".join(headers.getlist("cookie")))
    return match[1] if match else ""


class ThemeVariants:
    """Derives and caches the light and the dark variant of a page."""

    def __init__(self, compress: Compress) -> None:
        self._compress = compress
        self._cache = PageCache(CACHE_BYTES)

    async def variant(self, document: Document, theme: str) -> Document:
        """The page in this theme; unchanged if the theme is empty."""
        if not theme:
            return document
        if not document.is_compressed:  # the response to a form, for one visitor
            return as_private(with_html(document, in_theme(document.bodies[""].decode(), theme), {}))
        key = f"{document.etag} {theme}"
        if cached := self._cache.get(key, document.status):
            return cached
        try:
            async with asyncio.timeout(COMPRESS_TIMEOUT):
                return await self._cache.get_or_make(
                    key, document.status, lambda: self._make_variant(document, theme, key)
                )
        except (RendererAway, TimeoutError):
            return as_private(with_html(document, in_theme(document.bodies[""].decode(), theme), {}))

    async def _make_variant(self, document: Document, theme: str, key: str) -> Document:
        html = in_theme(document.bodies[""].decode(), theme)
        variant = as_private(with_html(document, html, await self._compress(html)))
        self._cache.put(key, document.status, variant)
        return variant


def in_theme(html: str, theme: str) -> str:
    """The HTML of a page in this theme."""
    html = html.replace("<html ", f'<html class="{theme}" ', 1)
    return _THEME_COLOR.sub(
        lambda match: f'media="{"all" if match[1] == theme else "not all"}" name="theme-color"', html
    )
