"""What the sign-in pages have in common: landmarks, and nothing that axe-core calls serious."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.auth.steps import OpenPage
from tests.e2e.axe import PHONE, findings_by_width
from tests.e2e.conftest import Site, Watch

PATHS = [
    "/auth",
    "/auth/forgot",
    "/auth/reset?token=made-up",
    "/auth/verify?token=made-up",
    "/auth/email?token=made-up",
    "/auth/invitation?token=made-up",
]


@pytest.fixture
def go_on_a_phone(browser: Browser, mailing_site: Site, watch: Watch) -> Iterator[OpenPage]:
    """Opens a path on a phone; scripts of the test may run whatever the page's policy says."""
    context = browser.new_context(viewport=PHONE, bypass_csp=True)
    context.on("page", watch.on)

    def open_page(path: str) -> Page:
        page = context.new_page()
        page.goto(mailing_site.url + path)
        return page

    yield open_page
    context.close()


@pytest.mark.spec("AUTH-1")
@pytest.mark.parametrize("path", PATHS)
def test_sign_in_pages_are_accessible_and_have_landmarks(go_on_a_phone: OpenPage, path: str) -> None:
    page = go_on_a_phone(path)
    expect(page.get_by_role("banner")).to_have_count(1)
    expect(page.get_by_role("main")).to_have_count(1)
    expect(page.get_by_role("main").get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("banner").get_by_role("link")).to_have_attribute("href", "/")
    assert findings_by_width(page) == []
