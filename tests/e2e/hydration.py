"""When the scripts of a page have taken it over."""

from playwright.sync_api import Page

from tests.e2e.conftest import wait_until_painted
from tests.support.waiting import wait_for

SETTLED = "html[data-hydrated]"


def wake(page: Page) -> None:
    """Come near to something that needs the scripts, and wait until they have taken the page over."""
    switch, settled = page.get_by_role("button", name="Switch between light and dark"), page.locator(SETTLED)
    wait_until_painted(page)

    def is_settled() -> bool:
        # Chromium drops what the pointer does before it has drawn the page, and repeats nothing by itself.
        page.mouse.move(0, 0)
        switch.hover()
        return settled.count() > 0

    wait_for(is_settled, "the scripts have taken the page over", page=page)
