"""A page's state is fetched when its scripts wake, and is never another one than the page was drawn from."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import Site, Watch, wait_until_painted
from tests.e2e.demo_firm import change
from tests.e2e.hydration import SETTLED, wake
from tests.e2e.raw_html import read
from tests.support.each import check_each

THEME = "Switch between light and dark"
LARGE = ("/", "/?email=confirmed", "/companies", "/companies/treacle-tech", "/team", "/team-profiles", "/advisors")
SMALL = ("/how-we-work", "/contact", "/companies/nowhere", "/advisor/nowhere", "/no-such-page")


def press_theme(page: Page) -> None:
    page.get_by_role("button", name=THEME).click()


def test_a_large_state_is_loaded_only_with_the_scripts(visit: Callable[[str], Page], site: Site) -> None:
    def check(path: str) -> None:
        assert 'id="page-state"' not in read(site, path)
        page = visit(path)
        with page.expect_response("**/page-state/**") as fetched:
            wake(page)
        assert fetched.value.status == 200
        assert fetched.value.header_value("x-robots-tag") == "noindex"

    check_each(LARGE, check)


def test_a_small_state_stays_in_the_page(context: BrowserContext, site: Site, watch: Watch) -> None:
    watch.expect("404")

    def check(path: str) -> None:
        fetched: list[str] = []
        page = context.new_page()
        page.on("request", lambda request: fetched.append(request.url))
        page.goto(site.url + path)
        wake(page)
        assert page.locator("#page-state").count() == 1
        assert not [url for url in fetched if "/page-state/" in url]

    check_each(SMALL, check)


def test_a_page_with_changed_content_is_reloaded_on_interaction(
    context: BrowserContext, fresh_site: Site, watch: Watch
) -> None:
    watch.expect("410")
    page = context.new_page()
    page.goto(f"{fresh_site.url}/companies")
    change(fresh_site.data_dir, name="Warung Ledger")
    with page.expect_response("**/page-state/**") as fetched:
        page.get_by_role("button", name=THEME).hover()
    assert fetched.value.status == 410
    # Coming near changes nothing: the page stays as it is being read.
    expect(page.get_by_role("heading", name="Toko Tally")).to_be_attached()
    press_theme(page)
    expect(page.get_by_role("heading", name="Warung Ledger")).to_be_attached()
    # The press counts: the new page's button is pressed by itself, once.
    expect(page.locator("html.dark")).to_be_attached()
    page.reload()
    expect(page.locator("html.dark")).to_be_attached()


def test_a_change_of_one_page_keeps_the_state_files_of_others(context: BrowserContext, fresh_site: Site) -> None:
    page = context.new_page()
    page.goto(f"{fresh_site.url}/team")
    change(fresh_site.data_dir, name="Warung Ledger")
    wake(page)


def test_a_page_remains_usable_without_its_state_file(context: BrowserContext, site: Site, watch: Watch) -> None:
    watch.expect("Failed to load resource|Failed to fetch|net::ERR")
    page = context.new_page()
    page.goto(f"{site.url}/companies")
    before = page.locator("main").text_content()
    wait_until_painted(page)
    context.set_offline(True)
    with page.expect_event("requestfailed", lambda request: "/page-state/" in request.url):
        page.get_by_role("button", name=THEME).hover()
    assert page.locator("main").text_content() == before
    assert page.locator(SETTLED).count() == 0
