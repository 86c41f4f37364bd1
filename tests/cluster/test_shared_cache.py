"""A shared cache in front of the site, Varnish with deploy/varnish.vcl: readers hardly ever reach the site, see a
change in time, and do not notice that the site is down."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from advisory_site.team.models import TeamMember, columns
from sitekit.base import paths
from sitekit.base.db import database
from tests.cluster.conftest import METRICS_TOKEN, Backend, answers
from tests.conftest import IS_CI, use
from tests.support.fetch import Answer, fetch
from tests.support.ports import free_port
from tests.support.public_pages import PUBLIC
from tests.support.readers import readers, statuses
from tests.support.varnish import Varnish, varnishd
from tests.support.visitor import Visitor
from tests.support.waiting import wait_for

pytestmark = pytest.mark.skipif(varnishd() is None and not IS_CI, reason="Varnish is not installed")

TOKEN = "a-token-of-the-shared-cache"
READERS = 10_000
MOST_AT_THE_SITE = 50
MEMBER, NEW_NAME = "adeline-koh", "Adeline Koh-Tan"
# A page that the purge leaves alone and that expires at once instead of after a minute; no other page expires here.
SHORT = "/team-profiles"
FASTER_CLOCK = f"""
sub vcl_backend_response {{
	if (bereq.url == "{SHORT}") {{
		set beresp.ttl = 100ms;
		set beresp.grace = 0s;
		unset beresp.http.Surrogate-Key;
	}} elsif (beresp.ttl > 0s && !beresp.uncacheable) {{
		set beresp.ttl = 1h;
	}}
}}
"""


class Cached:
    """A site, and Varnish in front of it."""

    def __init__(self, folder: Path) -> None:
        port, cache_port = free_port(), free_port()
        self.varnish = Varnish(folder, port, TOKEN, FASTER_CLOCK, cache_port)
        self.url = self.varnish.url
        settings = {
            "PUBLIC_URL": self.url,
            "TRUSTED_PROXIES": "1",
            "METRICS_TOKEN": METRICS_TOKEN,
            "SHARED_CACHE": "on",
            "PURGE_URL": f"{self.url}/purge-cache",
            "PURGE_TOKEN": TOKEN,
        }
        self.site = Backend("site", port, folder, **settings)
        self.data = folder / "site"

    def start(self) -> None:
        """Start both, and wait for the purge that the site makes when it starts."""
        self.varnish.start()
        self.site.start()
        self.site.wait()
        wait_for(lambda: answers(self.url), "Varnish answers")
        wait_for(lambda: self.count('advisory_cache_purges_total{result="done"}') > 0, "the pages were purged")

    def count(self, series: str) -> float:
        """The sum of the numbers of the site's metrics whose series begins so."""
        lines = fetch(f"{self.site.url}/metrics", authorization=f"Bearer {METRICS_TOKEN}").text.splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.startswith(series))

    @property
    def requests(self) -> float:
        """How many requests the site has answered, without those for its files and its health."""
        return self.count("advisory_requests_total{")

    def get(self, path: str, **headers: str) -> Answer:
        """What a reader gets."""
        return fetch(self.url + path, None, 30, **headers)


@pytest.fixture(scope="module")
def cached(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cached]:
    """A site that a shared cache is in front of."""
    cached = Cached(tmp_path_factory.mktemp("cached"))
    try:
        cached.start()
        yield cached
    finally:
        cached.site.kill()
        cached.varnish.stop()


def rename(data: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Give a member another name, which is on several pages."""
    use(monkeypatch, data)
    with database.transaction() as session:
        session.execute(sa.select(TeamMember).where(columns.slug == MEMBER)).scalar_one().name = name


def test_the_cache_answers_nearly_all_of_ten_thousand_requests(cached: Cached) -> None:
    before = cached.requests
    assert statuses(cached.url, readers(READERS, [page for page in PUBLIC if page != SHORT])) == {200: READERS}
    assert cached.requests - before < MOST_AT_THE_SITE


def test_a_change_is_seen_by_staff_at_once_and_by_everybody_soon(
    cached: Cached, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = ("/team", f"/team-profile/{MEMBER}")
    for path in (*shown, SHORT):
        assert NEW_NAME not in cached.get(path).text
    for path in shown:
        assert "hit" in cached.get(path).headers["cache-status"]
    rename(cached.data, monkeypatch, NEW_NAME)
    assert NEW_NAME in cached.get("/team", cookie="uncached=1").text
    # One is purged, the other one expires; then the first reader gets the older page, and the next one the new one.
    for path in (*shown, SHORT):
        wait_for(lambda path=path: NEW_NAME in cached.get(path).text, f"{path} has changed")  # type: ignore[misc]


def test_a_chosen_theme_is_not_cached_for_others(cached: Cached) -> None:
    dark = cached.get("/why-us", cookie="a=b; theme=dark")
    assert '<html class="dark"' in dark.text
    assert "cache-status" not in dark.headers
    for _ in range(2):
        plain = cached.get("/why-us", cookie="a=b; theme=darker")
        assert '<html class="dark"' not in plain.text
    assert plain.headers["cache-status"] == "varnish; hit"
    # A browser keeps neither without asking.
    assert (plain.headers["cache-control"], plain.headers["vary"]) == ("no-cache", "Accept-Encoding, Cookie")
    assert dark.headers["cache-control"] == "private, no-cache"
    assert not {"surrogate-key", "cache-tag", "x-varnish", "via", "age"} & {*plain.headers}
    assert cached.get("/why-us", if_none_match=plain.headers["etag"]).status == 304


def test_private_and_posted_requests_bypass_the_cache_and_404_is_kept_briefly(cached: Cached) -> None:
    for path in (paths.AUTH, paths.ADMIN, f"{paths.ADMIN}?tab=team"):
        for _ in range(2):
            answer = cached.get(path)
            assert (answer.headers["cache-control"], answer.headers.get("cache-status")) == ("no-store", None)
    sent = b"firstName=Ann&lastName=Lim&email=ann%40kelp.example&message=Hello"
    answer = fetch(f"{cached.url}/contact", sent)
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
    assert '"is_sent_rx_state_":true' in answer.text
    assert '"is_sent_rx_state_":true' not in cached.get("/contact").text
    before = cached.requests
    lost = [cached.get("/nothing-here") for _ in range(20)]
    assert {answer.status for answer in lost} == {404}
    assert cached.requests - before < 3
    assert [cached.get(path).status for path in ("/readyz", "/metrics", "/ping", "/_health")] == [404] * 4


def test_only_the_site_can_purge(cached: Cached) -> None:
    cached.get("/terms")
    for token in ("", "Bearer ", "Bearer wrong"):
        answer = fetch(f"{cached.url}/purge-cache", b"{}", authorization=token, surrogate_key="pages")
        assert answer.status == 403
    assert cached.get("/terms").headers["cache-status"] == "varnish; hit"


def test_each_filter_is_cached_as_a_separate_page(cached: Cached) -> None:
    query = re.search(r'href="/companies(\?sector=[^"#]+)', cached.get("/companies").text)
    assert query
    whole, filtered = cached.get("/companies"), cached.get(f"/companies{query[1]}")
    assert filtered.text != whole.text
    for spelling in (f"{query[1]}&utm_source=x&gclid", query[1].replace("?", "?UTM_Source=x&utm_id=&")):
        assert cached.get(f"/companies{spelling}").text == filtered.text
    for other in (f"{query[1]}&x=1", f"{query[1]}&utm=x", "?utm_source=x&fbclid=y"):
        assert cached.get(f"/companies{other}").text == whole.text


def test_sockets_work_through_the_cache(cached: Cached) -> None:
    async def run() -> None:
        visitor = Visitor(cached.url, path="/contact")
        await visitor.connect()
        await visitor.until("contact_state.submission_id")
        await visitor.close()

    asyncio.run(run())


def test_errors_are_never_cached(cached: Cached) -> None:
    """The page was never read, and the database is away."""
    file, elsewhere = cached.data / "advisory.db", cached.data / "elsewhere.db"
    path = "/companies/toko-tally"
    file.rename(elsewhere)
    try:
        answer = cached.get(path)
        assert answer.status == 503
        assert int(answer.headers["retry-after"]) > 0
        assert cached.get("/companies").status == 200
    finally:
        elsewhere.rename(file)
    assert cached.get(path).status == 200


def test_cached_pages_are_served_while_the_site_is_down(cached: Cached) -> None:
    """Also not of a page that has expired."""
    before = {path: cached.get(path).text for path in PUBLIC}
    cached.site.kill()
    for _ in range(2):
        for path, text in before.items():
            for cookie in ("", "theme=dark", "uncached=1"):
                answer = cached.get(path, cookie=cookie)
                assert (answer.status, answer.text == text) == (200, True), path
    assert cached.get("/healthz").status == 200
    answer = cached.get("/companies/never-read")
    assert (answer.status, answer.headers["cache-control"]) == (503, "no-store")
    assert int(answer.headers["retry-after"]) > 0
    assert fetch(f"{cached.url}/contact", b"message=Hello").status == 503
    # With this question the form finds out, and what was typed stays.
    assert statuses(cached.url, ["OPTIONS /contact HTTP/1.1\r\nHost: firm.example\r\n\r\n"]) == {503: 1}
