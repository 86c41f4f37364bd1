"""When the scripts of a page have taken it over."""

from playwright.sync_api import Page

SETTLED = "html[data-hydrated]"


def wake(page: Page) -> None:
    """Come near to something that needs the scripts, and wait until they have taken the page over."""
    page.get_by_role("button", name="Switch between light and dark").hover()
    page.locator(SETTLED).wait_for(state="attached")
