"""The sitemap while the database is away: the last one, marked, else 503."""

from collections.abc import Sequence
from datetime import UTC, datetime
from types import ModuleType

from sqlmodel import Session

from sitekit.server.seo.sitemap import Sitemap, SitemapSource
from tests.conftest import on_sqlite
from tests.support.asgi_client import ask_endpoint

slugs: list[tuple[str, datetime]] = [("kelp", datetime(2026, 1, 1, tzinfo=UTC))]


def read(_session: Session) -> Sequence[tuple[str, datetime]]:
    if not slugs:
        raise OSError("the database is away")
    return slugs


@on_sqlite
def test_the_last_sitemap_is_served_uncached_while_the_database_is_unavailable(database: ModuleType) -> None:
    sitemap = Sitemap("https://firm.example", ["/"], [SitemapSource(("/companies",), "/companies/{}".format, read)])
    kept = slugs.copy()
    slugs.clear()
    assert ask_endpoint(sitemap).status == 503
    slugs.extend(kept)
    whole = ask_endpoint(sitemap)
    assert (whole.status, "cache-status" in whole.headers) == (200, False)
    slugs.clear()
    try:
        last = ask_endpoint(sitemap)
    finally:
        slugs.extend(kept)
    assert (last.status, last.body, last.headers["cache-control"]) == (200, whole.body, "no-store")
    assert "stale" in last.headers["cache-status"]
