"""sitemap.xml and robots.txt."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from xml.sax.saxutils import escape

from sqlmodel import Session

from ...base import paths
from ...base.db.database import read_session
from ..ssr.content_version import VersionSource
from .last_read import LastRead

_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


@dataclass(frozen=True, slots=True)
class SitemapSource:
    """Pages of records: the paths of the lists, and a function that lists the records' own pages."""

    lists: tuple[str, ...]
    page: Callable[[str], str]
    slugs: Callable[[Session], Sequence[tuple[str, datetime]]]


class Sitemap(LastRead):
    """The sitemap, read from the database once for each content version; if that fails, the last one."""

    subject, media_type = "The sitemap", "application/xml; charset=utf-8"

    def __init__(
        self, origin: str, fixed: Iterable[str], sources: Iterable[SitemapSource], versions: VersionSource
    ) -> None:
        super().__init__(versions)
        self._origin = origin
        self._fixed = tuple(fixed)
        self._sources = tuple(sources)

    def text(self) -> str:
        """The XML document; a list's lastmod is that of its newest record. An empty one is left out, if it may."""
        changed: dict[str, datetime | None] = dict.fromkeys(self._fixed)
        with read_session() as session:
            for source in self._sources:
                slugs = source.slugs(session)
                newest = max((when for _, when in slugs), default=None)
                changed |= dict.fromkeys(source.lists if slugs else (), newest)
                changed |= {source.page(slug): when for slug, when in slugs}
        entries = "".join(self._entry(path, when) for path, when in changed.items())
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{_NAMESPACE}">\n{entries}</urlset>\n'

    def _entry(self, path: str, when: datetime | None) -> str:
        modified = f"<lastmod>{when.isoformat(timespec='seconds')}</lastmod>" if when else ""
        return f"<url><loc>{escape(self._origin + path)}</loc>{modified}</url>\n"


def robots(origin: str) -> str:
    """robots.txt: allows everything but the back office."""
    closed = "".join(f"Disallow: {path}\n" for path in paths.PRIVATE)
    return f"User-agent: *\n{closed}Allow: /\n\nSitemap: {origin}/sitemap.xml\n"
