"""The back office with axe-core, in both themes, on a laptop and on a phone, and with the keyboard alone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sitekit.base.permissions import Role
from tests.e2e.axe import PHONE, findings_by_theme, findings_by_width
from tests.e2e.backoffice.company_form import stored
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import notice

# Lists of few rows: axe-core looks at every one.
PATHS = [
    "/admin",
    "/admin?tab=users&search=admin@",
    "/admin?tab=companies&search=tech",
    "/admin?tab=companies&search=zzzz",
    "/admin/companies/new",
    "/admin/companies/treacle-tech/edit",
    "/admin/history/companies/1",
    "/admin/users/1",
    "/admin/profile",
    "/admin/settings",
    "/admin/two-step",
    "/admin/media",
    "/admin/trash",
    "/admin/activity",
    "/admin/invitations",
    "/admin/personal-data",
]


def settled(page: Page) -> Page:
    """The page once its skeletons and spinners are gone."""
    expect(page.get_by_role("main")).to_be_visible()
    expect(page.locator(".chakra-skeleton, .chakra-spinner")).to_have_count(0)
    return page


@pytest.mark.parametrize("path", PATHS)
def test_the_back_office_is_accessible_without_horizontal_scrolling(staff: Staff, path: str) -> None:
    page = settled(staff(Role.ADMIN, viewport=PHONE, bypass_csp=True).open(path))
    assert findings_by_width(page) == []


def test_the_open_menu_and_a_refused_form_are_accessible(staff: Staff) -> None:
    page = staff(bypass_csp=True).open("/admin/companies/new")
    page.get_by_role("button", name="Create Company").click()
    expect(page.locator("[aria-invalid=true]")).to_have_count(7)
    assert findings_by_theme(page) == []
    page.get_by_role("button", name="Account menu").click()
    expect(page.get_by_role("menu")).to_have_css("opacity", "1")
    assert findings_by_theme(page) == []


def test_a_company_can_be_found_and_edited_by_keyboard(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(name="Keyboard Only")
    page = settled(staff().open("/admin"))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.get_by_role("tab", name="Dashboard").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_url("**/admin?tab=companies")
    page.get_by_role("searchbox").focus()
    page.keyboard.type("keyboard only")
    expect(page.get_by_text("1-1 of 1")).to_be_visible()
    page.get_by_role("link", name="Edit Keyboard Only").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[name=location]")).to_be_visible()
    page.locator("[name=location]").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("Typed blind")
    page.keyboard.press("Enter")
    expect(notice(page, "Company updated successfully")).to_be_visible()
    assert stored(slug).location == "Typed blind"


def test_the_menu_works_by_keyboard(staff: Staff) -> None:
    page = settled(staff().open("/admin"))
    button = page.get_by_role("button", name="Account menu")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name="Profile")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem", name="Settings")).to_be_focused()
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
