"""What a private page shows before its scripts and its data are there."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from sitekit.base.permissions import Role
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.conftest import Site
from tests.e2e.states import PAGES
from tests.e2e.walks import settled
from tests.support.waiting import wait_for

MOST_SHIFT = 0.01  # the limit of visitors' pages
SHIFTS = """
  window.shifts = [];
  new PerformanceObserver((list) => {
    const named = ({ node }) => node?.className || node?.nodeName;
    for (const { value, sources } of list.getEntries()) window.shifts.push([value, sources.map(named).join(", ")]);
  }).observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture
def unscripted(browser: Browser, site: Site) -> Callable[[str], Page]:
    """Opens a page in a browser that runs no scripts."""
    context = browser.new_context(java_script_enabled=False)

    def open_(path: str) -> Page:
        page = context.new_page()
        page.goto(site.url + path)
        return page

    return open_


def test_the_first_html_of_a_list_has_everything_but_its_rows(unscripted: Callable[[str], Page]) -> None:
    page = unscripted("/admin?tab=companies&search=anything")
    expect(page.get_by_role("banner").get_by_text("Admin Dashboard")).to_be_visible()
    expect(page.get_by_role("tab", name="Companies")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("heading", name="Company Management")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Industry")).to_be_visible()
    assert page.locator("[data-bone]:visible").count() == 5
    expect(page.get_by_role("searchbox")).to_have_value("")


def test_what_is_typed_and_chosen_before_the_scripts_come_counts(staff: Staff, company: Callable[..., str]) -> None:
    company(name="Typed Early")
    colleague = staff()
    page = colleague.context.new_page()
    held: list[Route] = []
    page.route("**/assets/entry.client-*.js", lambda route: held.append(route), times=1)
    page.goto(colleague.site.url + "/admin?tab=companies")
    page.get_by_role("searchbox").fill("typed early")
    page.get_by_label("Status").select_option("active")
    wait_for(lambda: held, "the scripts are asked for", page=page)
    held[0].continue_()
    expect(page.get_by_role("link", name="Typed Early", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile("filter=active.*search=typed"))
    expect(page.get_by_role("searchbox")).to_have_value("typed early")


@pytest.mark.parametrize("key", ["", "Control+k"], ids=["a press", "the keys"])
def test_the_finder_that_is_opened_before_the_scripts_come_opens_then(staff: Staff, key: str) -> None:
    colleague = staff()
    page = colleague.context.new_page()
    held: list[Route] = []
    page.route("**/assets/entry.client-*.js", lambda route: held.append(route), times=1)
    page.goto(colleague.site.url + "/admin/trash")
    if key:
        page.keyboard.press(key)
    else:
        page.get_by_role("button", name="Find anything").click()
    wait_for(lambda: held, "the scripts are asked for", page=page)
    held[0].continue_()
    expect(page.get_by_role("dialog").get_by_role("combobox")).to_be_focused()


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_moves_when_the_data_comes(staff: Staff, width: int) -> None:
    """Opened again, when the number of a list's rows is known; the browser says of each shift what moved."""
    admin = staff(Role.ADMIN)
    moved = []
    for path in PAGES:
        for _ in range(2):
            page = admin.context.new_page()
            page.set_viewport_size({"width": width, "height": 800})
            page.add_init_script(SHIFTS)
            page.goto(admin.site.url + path)
            settled(page)
            shifts = page.evaluate("shifts")
            page.close()
        if sum(value for value, _ in shifts) > MOST_SHIFT:
            moved += [f"{path}: {value:.4f} {what}" for value, what in shifts]
    assert not moved, "\n".join(moved)
