"""The sitemap and the feed: made once for each content version; the last one while the database is away, else 503."""

import asyncio
import gzip
from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from types import ModuleType

import pytest
from sqlmodel import Session
from starlette.routing import request_response

from sitekit.base.settings import get_settings
from sitekit.server.seo.atom import AtomFeed, Feed
from sitekit.server.seo.last_read import LastRead
from sitekit.server.seo.sitemap import Sitemap, SitemapSource
from sitekit.server.ssr.content_version import version_source
from tests.conftest import on_sqlite
from tests.support.asgi_client import ask_endpoint, asked
from tests.support.factories import add_article

SLUGS = [("kelp", datetime(2026, 1, 1, tzinfo=UTC))]
readings: list[str] = []


@pytest.fixture(params=["sitemap", "feed"])
def endpoint(request: pytest.FixtureRequest, database: ModuleType) -> LastRead:
    """An endpoint that notes in `readings` when it reads the records."""
    readings.clear()
    versions = version_source(get_settings().database_url)
    if request.param == "feed":
        return AtomFeed(read_feed, versions)
    source = SitemapSource(("/companies",), "/companies/{}".format, read_slugs)
    return Sitemap("https://firm.example", ["/"], [source], versions)


def read_slugs(_session: Session) -> Sequence[tuple[str, datetime]]:
    readings.append("sitemap")
    return SLUGS


def read_feed() -> Feed:
    readings.append("feed")
    return Feed("/feed.xml", "/insights", "Insights", "Firm", f"2026-11-{len(readings):02}T00:00:00Z", [])


def ask_many(endpoint: LastRead, method: str = "GET") -> set[int]:
    """The statuses of twenty requests at once."""

    async def all_at_once() -> set[int]:
        app = request_response(endpoint)
        return {answer.status for answer in await asyncio.gather(*(asked(app, method=method) for _ in range(20)))}

    return asyncio.run(all_at_once())


@pytest.mark.spec("PUB-5")
def test_a_text_is_made_once_for_all_requests_until_content_changes(endpoint: LastRead, database: ModuleType) -> None:
    assert (ask_many(endpoint), len(readings)) == ({200}, 1)
    assert (ask_many(endpoint), ask_many(endpoint, "HEAD"), len(readings)) == ({200}, {200}, 1)
    with database.transaction() as session:
        add_article(session)
    assert (ask_many(endpoint, "HEAD"), len(readings)) == ({200}, 2)


@on_sqlite
@pytest.mark.spec("PUB-5")
def test_a_text_is_compressed_and_has_a_tag(endpoint: LastRead, database: ModuleType) -> None:
    plain, packed = ask_endpoint(endpoint), ask_endpoint(endpoint, accept_encoding="gzip, deflate, br")
    assert (packed.headers["content-encoding"], packed.headers["vary"]) == ("gzip", "accept-encoding")
    assert gzip.decompress(packed.body) == plain.body
    same = ask_endpoint(endpoint, if_none_match=plain.headers["etag"])
    assert (same.status, same.body, len(readings)) == (304, b"", 1)


@on_sqlite
def test_the_last_text_is_served_uncached_while_the_database_is_unavailable(
    endpoint: LastRead, database_away: AbstractContextManager[None]
) -> None:
    whole = ask_endpoint(endpoint)
    assert (whole.status, "cache-status" in whole.headers) == (200, False)
    with database_away:
        last = ask_endpoint(endpoint, if_none_match=whole.headers["etag"])
    assert (last.status, last.body, last.headers["cache-control"]) == (200, whole.body, "no-store")
    assert "stale" in last.headers["cache-status"]


@on_sqlite
def test_a_text_that_was_never_read_is_unavailable_with_the_database(
    endpoint: LastRead, database_away: AbstractContextManager[None]
) -> None:
    with database_away:
        answer = ask_endpoint(endpoint)
    assert (answer.status, answer.headers["retry-after"]) == (503, "30")


@on_sqlite
def test_the_last_text_is_served_until_the_changed_records_can_be_read(
    endpoint: LastRead, database: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = ask_endpoint(endpoint)
    with database.transaction() as session:
        add_article(session)
    with monkeypatch.context() as patch:
        patch.delattr(f"{__name__}.readings")
        last = ask_endpoint(endpoint)
    assert (last.status, last.body, "stale" in last.headers["cache-status"]) == (200, whole.body, True)
    assert "cache-status" not in ask_endpoint(endpoint).headers
