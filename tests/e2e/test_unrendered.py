"""A server whose renderer is gone: visitors get the prerendered pages, which live by themselves.

Those that show records say 503 to programs, for which they are empty.
"""

import re
import urllib.error
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from advisory_site.content.layout import NEEDS_SCRIPTS, RELOAD
from tests.e2e.conftest import ROOT, Site, Watch, serving
from tests.e2e.raw_html import read, status
from tests.e2e.sockets import EVENTS, refuse
from tests.support.each import check_each
from tests.support.public_pages import PUBLIC

RENDERER = "renderer.mjs"
LOADING = {
    "/companies": "Loading...",
    "/companies/treacle-tech": "Loading...",
    "/team": "Loading team members...",
    "/team-profile/adeline-koh": "Loading team members...",
}
WITHOUT_RECORDS = ("/", "/why-us", "/what-we-do", "/how-we-work", "/contact", "/privacy", "/terms")


@pytest.fixture(scope="module")
def plain(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The same project and build, but for the renderer's file."""
    folder = tmp_path_factory.mktemp("plain")
    root = folder / "root"
    for source in (ROOT, ROOT / ".web", ROOT / ".web" / "build"):
        target = root / source.relative_to(ROOT)
        target.mkdir()
        for entry in source.iterdir():
            if entry.name not in (".web", "build", ".data", RENDERER):
                (target / entry.name).symlink_to(entry)
    with serving(folder / "data", root=root) as site:
        yield site


def test_every_page_works_in_the_browser_without_a_renderer(context: BrowserContext, plain: Site, watch: Watch) -> None:
    watch.expect("status of 503")

    def check(path: str) -> None:
        page = context.new_page()
        answer = page.goto(plain.url + path, wait_until="commit")
        assert answer
        assert answer.status == (200 if path in WITHOUT_RECORDS else 503)
        assert ("retry-after" in answer.headers) == (path not in WITHOUT_RECORDS)
        # Nobody touches anything.
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator(".loading")).to_have_count(0)

    check_each(PUBLIC, check)


def test_status_codes_are_correct_without_a_renderer(plain: Site) -> None:
    assert [status(plain, path) for path in ("/companies/nobody", "/nowhere", "/companies/")] == [404, 404, 503]


@pytest.mark.spec("CO-4", "TM-1")
def test_a_failed_load_can_be_retried(context: BrowserContext, plain: Site, watch: Watch) -> None:
    watch.expect("status of 503")
    context.route_web_socket(EVENTS, refuse)

    def check(load: tuple[str, str]) -> None:
        path, words = load
        page = context.new_page()
        page.goto(plain.url + path)
        expect(page.locator(".loading")).to_contain_text(words)
        again = page.get_by_role("link", name=RELOAD)
        expect(again).to_be_visible()
        with page.expect_navigation(url=plain.url + path):
            again.click()

    check_each(LOADING.items(), check)


def test_an_empty_page_explains_itself_without_scripts(plain: Site) -> None:
    with pytest.raises(urllib.error.HTTPError) as raised:
        read(plain, "/companies/treacle-tech")
    said = re.search(r"<noscript>(.*?)</noscript></body>", raised.value.read().decode())
    assert said
    assert NEEDS_SCRIPTS in said[1]


def test_the_missing_renderer_is_logged_at_most_once_a_minute(plain: Site) -> None:
    for _ in range(20):
        status(plain, "/companies")
    for complaint in ("The renderer ended", "Not rendered", "Served the prerendered page"):
        said = re.findall(rf"^(\d\d):(\d\d):(\d\d) .*{complaint}", plain.log, re.M)
        moments = [int(hours) * 3600 + int(minutes) * 60 + int(seconds) for hours, minutes, seconds in said]
        assert moments
        assert all((later - earlier) % 86_400 >= 59 for earlier, later in pairwise(moments))
