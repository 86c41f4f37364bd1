"""sitemap.xml and robots.txt."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from xml.sax.saxutils import escape

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from ..core import routes
from ..core.threads import READERS
from ..db.database import read_session
from ..http.responses import RETRY_AFTER, REVALIDATED, STALE_HEADERS

log = logging.getLogger(__name__)

READ_TIMEOUT = 5.0  # seconds
_XML = "application/xml; charset=utf-8"
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


@dataclass(frozen=True, slots=True)
class SitemapSource:
    """Pages of records: the paths of the lists, and a function that lists the records' own pages."""

    lists: tuple[str, ...]
    page: Callable[[str], str]
    slugs: Callable[[Session], Sequence[tuple[str, datetime]]]


class Sitemap:
    """The sitemap, read from the database at each request; if that fails, the last one."""

    def __init__(self, origin: str, fixed: Iterable[str], sources: Iterable[SitemapSource]) -> None:
        self._origin = origin
        self._fixed = tuple(fixed)
        self._sources = tuple(sources)
        self._last = ""

    async def __call__(self, _request: Request) -> Response:
        """The sitemap; 503 if the database is down and none was read before."""
        headers = {"cache-control": REVALIDATED}
        try:
            async with asyncio.timeout(READ_TIMEOUT):
                self._last = await READERS.run(self.text)
        except Exception as error:
            log.error("The sitemap could not be read: %s", type(error).__name__)
            headers = STALE_HEADERS
        if self._last:
            return PlainTextResponse(self._last, headers=headers, media_type=_XML)
        return PlainTextResponse("The database is away.\n", 503, {"retry-after": RETRY_AFTER})

    def text(self) -> str:
        """The XML document; a list's lastmod is that of its newest record."""
        changed: dict[str, datetime | None] = dict.fromkeys(self._fixed)
        with read_session() as session:
            for source in self._sources:
                found = source.slugs(session)
                newest = max((when for _, when in found), default=None)
                changed |= dict.fromkeys(source.lists, newest)
                changed |= {source.page(slug): when for slug, when in found}
        entries = "".join(self._entry(path, when) for path, when in changed.items())
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{_NAMESPACE}">\n{entries}</urlset>\n'

    def _entry(self, path: str, when: datetime | None) -> str:
        modified = f"<lastmod>{when.isoformat(timespec='seconds')}</lastmod>" if when else ""
        return f"<url><loc>{escape(self._origin + path)}</loc>{modified}</url>\n"


def robots(origin: str) -> str:
    """robots.txt: allows everything but the back office."""
    closed = "".join(f"Disallow: {path}\n" for path in routes.PRIVATE)
    return f"User-agent: *\n{closed}Allow: /\n\nSitemap: {origin}/sitemap.xml\n"
