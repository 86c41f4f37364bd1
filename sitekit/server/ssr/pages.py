"""Selects the document of a page: the current version, else the last one, else the prerendered page."""

import asyncio
import logging
from dataclasses import replace

from ...base.observability import metrics
from ...base.observability.log_throttle import ThrottledLog
from ...base.request_context import add_fact
from ..http.responses import Document, with_html
from ..http.shared_cache import as_older_version
from .content_version import DatabaseAway, VersionSource
from .filter_lookup import FilterLookup
from .page_cache import PageCache
from .page_renderer import NOT_FOUND, PageRenderer, RenderFailed
from .prerendered import PrerenderedPages
from .private_pages import PrivatePages
from .renderer import RendererAway
from .routing import Match, Route
from .slug_lookup import PageMoved, is_missing
from .theme_variants import ThemeVariants

log = logging.getLogger(__name__)

# How long a reader waits for the current version, in seconds: with an older version in the cache, and without one.
STALE_TIMEOUT = 1.5
FIRST_TIMEOUT = 10.0
CACHE_BYTES = 64 * 2**20
# Filtered lists have a separate cache, because their number depends on the records.
FILTERED_CACHE_BYTES = 16 * 2**20
# The content version while the database is down; nothing is cached under it.
UNKNOWN = -1
# The key of the scope in which `CachedPages` leaves the content version that it has read.
VERSION = "sitekit.version"
# Kept, because the look-up of a label costs a tenth of a response.
_HITS, _MISSES = metrics.page_cache.labels("hit"), metrics.page_cache.labels("miss")


class Pages:
    """The documents of public pages.

    A page that shows records has them if its status is 200. If the current version cannot be rendered in time,
    the last one is sent, marked as stale; if there is none, the status is 503.
    """

    def __init__(
        self, page_renderer: PageRenderer, version_source: VersionSource, prerendered: PrerenderedPages
    ) -> None:
        self.page_renderer = page_renderer
        self.version_source = version_source
        self.cache = PageCache(CACHE_BYTES)
        self.filtered_cache = PageCache(FILTERED_CACHE_BYTES)
        self.filter_lookup = FilterLookup()
        self.prerendered = prerendered
        self.private_pages = PrivatePages(page_renderer.renderer, prerendered)
        self.theme_variants = ThemeVariants(page_renderer.renderer.compress)
        self._log = ThrottledLog(log)
        self._recompressions: set[asyncio.Task[None]] = set()

    async def version(self, route: Route) -> int:
        """The content version that a page of this route has now."""
        try:
            return await self.version_source.version() if route.follows_content else 0
        except DatabaseAway:
            return UNKNOWN

    def cached(self, path: str, version: int) -> Document | None:
        """The page at this path without a query, if it is in the cache in this version."""
        document = self.cache.get(path, version)
        if document is not None:
            _HITS.inc()
        return document

    async def get(self, match: Match, path: str, theme: str, version: int | None = None) -> Document:
        """The page at this path in a theme; raises `PageMoved` if its record has another address.

        `version` is the content version, if it was read for this request already.
        """
        if version is None:
            version = await self.version(match.route)
        try:
            if version == UNKNOWN:
                raise DatabaseAway
            match = await self.filter_lookup.resolve(match, version)
        except DatabaseAway:
            version, match = UNKNOWN, self.filter_lookup.resolve_as_last_read(match)
        document = self._cache_of(match).get(match.address(path), version)
        (_MISSES if document is None else _HITS).inc()
        if document is not None:
            return await self.theme_variants.variant(document, theme) if theme else document
        document, is_stale = await self._current_or_last(match, path, version)
        document = await self.theme_variants.variant(document, theme)
        return as_older_version(document) if is_stale else document

    async def _current_or_last(self, match: Match, path: str, version: int) -> tuple[Document, bool]:
        """The page, and whether it is an older version."""
        cache, address = self._cache_of(match), match.address(path)
        last = cache.last(address)
        status = 404 if match is NOT_FOUND else 200  # until it is rendered
        try:
            async with asyncio.timeout(STALE_TIMEOUT if last else FIRST_TIMEOUT):
                if version == UNKNOWN and last:
                    raise DatabaseAway
                if version != UNKNOWN and await self._is_missing(match, path):
                    status, last = 404, None
                    return await self._not_found_page(match, path, version), False
                document = await cache.get_or_make(
                    address, version, lambda: self._render_and_cache(match, path, version)
                )
                if document.status != 503:
                    return document, False
                why = "its records could not be read"
                if last is None:
                    add_fact("why", why)
                    return document, False
        except RenderFailed as error:
            status, why = (error.status if status == 200 else status), "it could not be rendered"
        except DatabaseAway:
            why = "the database is away"
        except TimeoutError:
            why = "it was not rendered in time"
        add_fact("why", why)
        if last is not None and status != 404:
            metrics.degraded_pages.labels("stale").inc()
            self._log("Served an older version: %r (%s)", address, why)
            return last, True
        if status == 200 and match.route.shows_records:
            status = 503
        metrics.degraded_pages.labels("fallback").inc()
        self._log("Served the prerendered page: %r (%s)", address, why)
        return self.prerendered.page(match.route, status), False

    async def _is_missing(self, match: Match, path: str) -> bool:
        """Whether no public record has this address; if so, or if it has moved, the page is removed from the cache."""
        try:
            missing = await is_missing(match)
        except PageMoved:
            self.cache.drop(path)
            raise
        if missing:
            self.cache.drop(path)
        return missing

    async def _not_found_page(self, match: Match, path: str, version: int) -> Document:
        """The not-found page of a route, rendered once for all its addresses."""
        key = f"not found at {match.route.route}"
        return await self.cache.get_or_make(
            key, version, lambda: self.page_renderer.render_not_found(match, path, version)
        )

    def _cache_of(self, match: Match) -> PageCache:
        return self.filtered_cache if match.route.filters and match.query else self.cache

    async def _render_and_cache(self, match: Match, path: str, version: int) -> Document:
        document = await self.page_renderer.render(match, path)
        if document.status == 200 and version != UNKNOWN:
            cache, address = self._cache_of(match), match.address(path)
            cache.put(address, version, document)
            task = asyncio.create_task(self._recompress(cache, address, version, document))
            self._recompressions.add(task)
            task.add_done_callback(self._recompressions.discard)
        return document

    async def _recompress(self, cache: PageCache, address: str, version: int, document: Document) -> None:
        """Recompress a cached page at a higher level than for its first request."""
        html = document.bodies[""].decode()
        try:
            encoded = await self.page_renderer.renderer.compress(html)
        except RendererAway:
            return
        if cache.get(address, version) is document:
            cache.put(address, version, replace(with_html(document, html, encoded), state=document.state))
