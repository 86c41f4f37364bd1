"""Pages on a phone whose owner reads letters of twice the usual size (WCAG 1.4.4)."""

from playwright.sync_api import Page, expect

from tests.e2e.axe import PHONE
from tests.e2e.conftest import wait_until_painted
from tests.e2e.cut_texts import cut_texts

DOUBLED = {"standard": 32, "fixed": 26}  # Chromium's own are 16 and 13


def cut_at_twice_the_size(page: Page) -> list[str]:
    """The texts that are cut on a phone with letters of twice the size, which the page keeps."""
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": DOUBLED})
    page.set_viewport_size(PHONE)
    expect(page.locator("html")).to_have_css("font-size", "32px")
    wait_until_painted(page)
    return cut_texts(page)
