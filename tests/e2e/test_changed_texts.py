"""Texts that staff have changed, in real pages: the same before and after the scripts have taken a page over."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from advisory_site.advisory_site import PAGES
from advisory_site.content import home
from sitekit.base import settings
from sitekit.base.db.database import engine, transaction
from sitekit.base.typography import typeset
from sitekit.ui.copy import ORIGINALS
from tests.conftest import use
from tests.e2e.conftest import Site, Watch, _copy, serving
from tests.e2e.hydration import wake
from tests.e2e.raw_html import Words, read
from tests.support.changed_texts import change_text
from tests.support.public_pages import PUBLIC
from tests.support.waiting import wait_for

assert PAGES  # all texts are known once the pages are
FIXED = ("/privacy", "/terms")
CHANGEABLE = [path for path in PUBLIC if path not in FIXED]
ODD = (
    "</script><script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    "--> <!-- &amp; &lt;b&gt;",
    "${x} {{x}} $& \\1 `x`",
    '"double" and it\'s 2-3 ...',
    "👩‍👩‍👧 🇸🇬 中文 \u202bעברית\u202c \u2028",
    "first-hand",
    "a rather-long-word in it",
)
CHANGED = {text: f"{text} {ODD[number % len(ODD)]}" for number, text in enumerate(sorted(ORIGINALS))}
SHOWN = """() => ({
  title: document.title,
  description: document.querySelector("meta[name=description]").content,
  main: document.querySelector("main").textContent,
  labels: [...document.querySelectorAll("[aria-label]")].map((one) => one.getAttribute("aria-label")),
})"""
# What is written anew in the main part; what is added is not shown yet: the live region of a form.
OBSERVE = """() => {
  window.rewritten = [];
  const note = ({ type, target, removedNodes }) => {
    if (type !== "childList" || removedNodes.length) window.rewritten.push(`${type}: ${target.textContent}`);
  };
  new MutationObserver((changes) => changes.forEach(note)).observe(document.querySelector("main"), {
    subtree: true, childList: true, characterData: true,
  });
}"""


def change(data_dir: Path, texts: dict[str, str]) -> None:
    """Change texts in a process that is not the server's."""
    with pytest.MonkeyPatch.context() as patch:
        use(patch, data_dir)
        with transaction() as session:
            for original, text in texts.items():
                change_text(session, original, text)
        engine().dispose()
    settings.get_settings.cache_clear()


@pytest.fixture(scope="module")
def changed(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site of which every text is changed."""
    folder = _copy(seeded, tmp_path_factory.mktemp("changed"))
    change(folder, CHANGED)
    with serving(folder) as site:
        yield site


def shown(page: Page) -> Any:
    """What the page shows."""
    return page.evaluate(SHOWN)


@pytest.mark.spec("COPY-3", "COPY-12")
@pytest.mark.parametrize("path", CHANGEABLE)
def test_changed_texts_stay_when_the_scripts_take_over(context: BrowserContext, changed: Site, path: str) -> None:
    page = context.new_page()
    page.goto(changed.url + path)
    before = shown(page)
    page.evaluate(OBSERVE)
    wake(page)
    page.get_by_role("button", name="Switch between light and dark").click()
    assert (shown(page), page.evaluate("window.rewritten")) == (before, [])
    texts = json.loads(page.locator("#page-state").text_content() or "")["texts"]
    assert texts == {original: typeset(CHANGED[original]) for original in texts}
    content = page.locator("main").text_content() or ""
    assert any(text in content for text in texts.values())
    # The page's own event runs again over the WebSocket.
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    page.evaluate("path => window.__reactRouterDataRouter.navigate(path + '?again')", path)
    wait_for(lambda: any('"delta"' in frame for frame in frames), "the event is answered", page=page)
    assert shown(page) == before


@pytest.mark.spec("COPY-12")
def test_a_page_without_its_changes_would_not_be_taken_over(
    context: BrowserContext, changed: Site, watch: Watch
) -> None:
    watch.expect(r"Minified React error #4(18|23|25)")
    page = context.new_page()

    def without_texts(route: Any) -> None:
        state = route.fetch().json()
        del state["texts"]
        route.fulfill(json=state)

    page.route("**/page-state/**", without_texts)
    page.goto(changed.url)
    with page.expect_event("pageerror", lambda error: "React error #418" in str(error)):
        wake(page)


@pytest.mark.spec("COPY-4", "COPY-11")
def test_a_change_is_in_the_pages_with_its_text_alone_in_every_process(fresh_site: Site) -> None:
    paths = [path for path in PUBLIC if path != "/contact"]  # that page has a new id each time
    original, text = str(home.STATS_SOURCE), "From our records, as of 30 September."

    def pages(site: Site) -> dict[str, str]:
        varying = re.compile(f"{site.url}|/page-state/[0-9a-f]+")
        return {path: varying.sub("", read(site, path)) for path in paths}

    with serving(fresh_site.data_dir) as other:
        before = pages(fresh_site)
        assert before == pages(other)
        change(fresh_site.data_dir, {original: text})
        expected = before | {"/": before["/"].replace(original, text)}
        assert (pages(fresh_site), pages(other)) == (expected, expected)


@pytest.mark.spec("NEWS-11", "COPY-4")
def test_the_told_case_of_home_is_that_of_the_company_that_its_line_names(fresh_site: Site) -> None:
    def told() -> list[tuple[str, str, str]]:
        return re.findall(
            r"\) ([^)\[]*)\[Read the case of ([^]]*)\]\(([^)]*)\) # The work", str(Words(read(fresh_site, "/")))
        )

    tally = "/insights/toko-tally-the-loan-book-that-had-to-go"
    assert told() == [(f"{home.TOLD_CASE} ", "Toko Tally", tally)]
    other = "Why Ashlar Materials saw no bank for eleven months."
    change(fresh_site.data_dir, {home.TOLD_CASE: other})
    ashlar = "/insights/ashlar-materials-three-buyers-before-the-first-bank"
    assert told() == [(f"{other} ", "Ashlar Materials", ashlar)]
    change(fresh_site.data_dir, {home.TOLD_CASE: "What Musim did in four months."})
    assert told() == []
    assert "What Musim did" not in read(fresh_site, "/")


@pytest.mark.spec("COPY-8")
def test_search_results_and_share_cards_follow_a_changed_title(fresh_site: Site) -> None:
    title, description = "Advisory & more | Northstrait", "What we do for founders."
    change(fresh_site.data_dir, {home.SEO.title: title, home.SEO.description: description})
    html = read(fresh_site, "/")
    for tag in (f"<title>{title}</title>", f'content="{title}"', f'content="{description}"', f'"name":"{title}"'):
        assert tag in html
    assert home.SEO.title not in html and home.SEO.description not in html


@pytest.mark.spec("COPY-8")
def test_a_filtered_list_has_its_changed_title(changed: Site) -> None:
    html = read(changed, "/companies?country=Singapore")
    (title,) = re.findall("<title>(.*?)</title>", html, re.S)
    assert title.startswith("Singapore | Ventures: companies we work with | Northstrait ")
