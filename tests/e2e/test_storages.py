"""Browsers that keep nothing for any site, because their storages refuse it, are full or missing: everything works."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from sitekit.base.messages import NOTHING_STORED
from tests.e2e.auth.steps import sign_in
from tests.e2e.conftest import ADMIN_EMAIL, ADMIN_PASSWORD, Site
from tests.e2e.contact_form import enquiries, fill, send
from tests.e2e.hydration import wake

# What Chromium does when it is told to block all site data.
REFUSE = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, {
    configurable: true,
    get() { throw new DOMException("Access is denied for this document.", "SecurityError"); },
  });
"""

FULL = "Storage.prototype.setItem = () => { throw new DOMException('It is full.', 'QuotaExceededError'); };"
MISSING = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { value: null, configurable: true });
"""
DRAFT = "draft:1:companies:/admin/companies/treacle-tech/edit"


@pytest.fixture
def context(context: BrowserContext) -> BrowserContext:
    """A visitor with such a browser."""
    context.add_init_script(REFUSE)
    return context


@pytest.mark.parametrize("path", ["/", "/companies", "/team-profile/adeline-koh"])
def test_a_page_works_and_changes_its_theme_without_browser_storage(visit: Callable[[str], Page], path: str) -> None:
    page = visit(path)
    before = page.locator("main").text_content()
    wake(page)
    assert page.locator("main").text_content() == before
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(page.locator("html")).to_have_css("color-scheme", "dark")


@pytest.mark.spec("CON-4")
def test_a_message_is_sent_without_browser_storage(fresh_site: Site, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{fresh_site.url}/contact")
    fill(page)
    send(page)
    expect(page.locator("#enquiry-sent").get_by_text("Thank you, Ann.")).to_be_visible()
    assert len(enquiries(fresh_site)) == 1


def test_staff_can_sign_in_without_browser_storage(visit: Callable[[str], Page]) -> None:
    page = visit("/auth")
    sign_in(page, ADMIN_EMAIL, ADMIN_PASSWORD)
    expect(page.get_by_role("heading", name="Dashboard")).to_be_visible()


@pytest.mark.parametrize("storage", [FULL, MISSING], ids=["full", "missing"])
def test_staff_are_told_once_that_nothing_is_stored_and_stay_signed_in(
    site: Site, first_visit: BrowserContext, storage: str
) -> None:
    first_visit.add_init_script(storage)
    page = first_visit.new_page()
    page.goto(f"{site.url}/auth")
    sign_in(page, ADMIN_EMAIL, ADMIN_PASSWORD)
    told = page.get_by_role("alert").filter(has_text=NOTHING_STORED)
    told.get_by_role("button", name="Dismiss").click()
    page.get_by_role("tab", name="Companies").click()
    page.get_by_role("link", name="Treacle Tech", exact=True).click()
    page.get_by_label("Tagline").fill("Sweet, and not saved yet")
    page.wait_for_function(f"() => sessionStorage.getItem('{DRAFT}')?.includes('Sweet')")
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("menuitem", name="Settings").click()
    page.get_by_role("button", name="Leave").click()
    page.get_by_text("Dark", exact=True).click()
    expect(page.locator("html")).to_have_css("color-scheme", "dark")
    expect(told).to_have_count(0)
    page.reload()
    expect(page).to_have_url(re.compile(r"/auth\?next=/admin/settings$"))
