"""The strip of tabs and other places, on each page of the back office."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from sitekit.base.permissions import Role
from tests.e2e.axe import PHONE
from tests.e2e.backoffice.conftest import Staff

TABS = ["Dashboard", "Users", "Companies", "Teams", "Advisors", "Insights"]
PLACES = ["Enquiries", "Page texts", "Pictures", "Activity", "Trash", "Personal data"]


def strip(page: Page) -> Locator:
    return page.locator(".backoffice-strip")


@pytest.mark.spec("FIND-3")
def test_the_navigation_links_every_page_to_every_other(staff: Staff, company: Callable[..., str]) -> None:
    page = staff(Role.ADMIN).open("/admin")
    expect(page.get_by_role("tablist").get_by_role("tab")).to_have_text(TABS)
    for place in PLACES:
        strip(page).get_by_role("link", name=place, exact=True).click()
        expect(strip(page).locator("[aria-current=page]")).to_have_text(place)
        expect(strip(page).get_by_role("link")).to_have_text(TABS + PLACES)
        expect(page.get_by_role("link", name="Back to")).to_have_count(0)
    page.goto(f"{page.url.partition('/admin')[0]}/admin/companies/{company()}/edit")
    expect(page.get_by_role("link", name="Back to Companies")).to_be_visible()
    strip(page).get_by_role("link", name="Companies").click()
    page.wait_for_url("**/admin?tab=companies")
    expect(page.get_by_role("tab", name="Companies")).to_have_attribute("aria-selected", "true")


@pytest.mark.spec("FIND-3")
def test_the_navigation_scrolls_on_a_phone_and_the_menu_has_all_pages(staff: Staff) -> None:
    page = staff(viewport=PHONE).open("/admin/companies/new")
    expect(strip(page).locator("[aria-current=page]")).to_be_in_viewport(ratio=1)
    for is_at_end, attribute in ((False, "data-more-after"), (True, "data-more-before")):
        strip(page).evaluate("(strip, end) => strip.scrollTo(end ? 999 : 0, 0)", is_at_end)
        expect(strip(page)).to_have_attribute(attribute, "")
        others = {"data-more-after", "data-more-before"} - {attribute}
        expect(strip(page)).not_to_have_attribute(others.pop(), "")
    expect(strip(page).get_by_role("link")).to_have_text(TABS)
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("menuitem", name="Trash").click()
    page.wait_for_url("**/admin/trash")
    expect(strip(page).get_by_role("link")).to_have_text(TABS)


@pytest.mark.spec("FIND-3")
def test_a_phone_has_the_tab_of_its_address_in_view(staff: Staff) -> None:
    page = staff(viewport=PHONE).open("/admin?tab=advisors")
    expect(page.get_by_role("tab", name="Advisors")).to_be_in_viewport(ratio=1)
    expect(strip(page)).to_have_attribute("data-more-before", "")


@pytest.mark.spec("FIND-3", "ADM-3")
def test_only_admins_see_the_link_to_personal_data(staff: Staff) -> None:
    page = staff(Role.MANAGER).open("/admin")
    expect(strip(page).get_by_role("link")).to_have_text(PLACES[:-1])
