"""A visitor whose browser keeps nothing for any site: its storages answer with an error, and everything works."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from advisory_site.enquiries import messages
from tests.e2e.auth.steps import sign_in
from tests.e2e.conftest import ADMIN_EMAIL, ADMIN_PASSWORD, Site, Watch
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
    expect(page.get_by_role("status").filter(has_text=messages.ENQUIRY_SENT)).to_be_visible()
    assert len(enquiries(fresh_site)) == 1


def test_staff_can_sign_in_without_browser_storage(visit: Callable[[str], Page], watch: Watch) -> None:
    # On pages that are not rendered here the framework's own script asks once, for where the page was scrolled to.
    watch.expect("Access is denied for this document")
    page = visit("/auth")
    sign_in(page, ADMIN_EMAIL, ADMIN_PASSWORD)
    expect(page.get_by_role("heading", name="Dashboard")).to_be_visible()
