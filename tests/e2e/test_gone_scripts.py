"""An open page whose scripts are gone, because a newer version of the site is served: it is loaded again, once."""

import pytest
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from tests.e2e.conftest import Site, Watch, wait_until_painted
from tests.e2e.contact_form import HOSTILE, enquiries, fill, send
from tests.support.waiting import wait_for

THEME = "Switch between light and dark"


class Visit:
    """The contact page, whose scripts are gone in the first documents that are loaded."""

    def __init__(self, context: BrowserContext, site: Site, gone_in: int) -> None:
        self.documents, self.refused, self._gone_in = 0, 0, gone_in
        context.route("**/assets/*.js", self._answer)
        self.page: Page = context.new_page()
        self.page.on("request", self._count)
        self.page.goto(f"{site.url}/contact")
        wait_until_painted(self.page)

    def _count(self, request: Request) -> None:
        self.documents += request.resource_type == "document"

    def _answer(self, route: Route) -> None:
        if self.documents <= self._gone_in:
            route.fulfill(status=404, body="Not found")
            self.refused += self.documents > 1
        else:
            route.continue_()


@pytest.fixture(autouse=True)
def expected(watch: Watch) -> None:
    """The browser complains about what is gone."""
    watch.expect("404|Failed to fetch dynamically imported module")


@pytest.mark.spec("CON-4")
def test_missing_scripts_reload_the_page_and_keep_click_and_typed_text(context: BrowserContext, site: Site) -> None:
    visit = Visit(context, site, gone_in=1)
    fill(visit.page)
    visit.page.get_by_role("combobox", name="Stage").select_option("scale")
    # Coming near changes nothing: the page stays as it is being read.
    assert visit.documents == 1
    visit.page.get_by_role("button", name=THEME).click()
    expect(visit.page.locator("html.dark")).to_be_attached()
    assert visit.documents == 2
    expect(visit.page.get_by_role("textbox", name="Message")).to_have_value(HOSTILE)
    expect(visit.page.get_by_role("combobox", name="Stage")).to_have_value("scale")


@pytest.mark.spec("CON-4")
def test_permanently_missing_scripts_reload_once_and_the_form_still_works(
    context: BrowserContext, fresh_site: Site
) -> None:
    visit = Visit(context, fresh_site, gone_in=9)
    fill(visit.page)
    with visit.page.expect_event("load"):
        visit.page.get_by_role("button", name=THEME).click()
    wait_for(lambda: visit.refused, "the page that was loaded again has asked for its scripts", page=visit.page)
    visit.page.get_by_role("button", name=THEME).click()
    send(visit.page)
    expect(visit.page.locator("#enquiry-sent").get_by_text("Thank you, Ann.")).to_be_visible()
    assert enquiries(fresh_site) == [("Ann", "ann@example.com", "", HOSTILE)]
    assert visit.documents == 3, "the page, the one that was loaded again, and the reply to the form"
