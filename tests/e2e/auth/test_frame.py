"""What the sign-in pages have in common: landmarks, and nothing that axe-core calls serious."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.auth.steps import OpenPage
from tests.e2e.axe import serious_findings
from tests.e2e.conftest import Site, Theme, Watch

PATHS = [
    "/auth",
    "/auth/forgot",
    "/auth/reset?token=made-up",
    "/auth/verify?token=made-up",
    "/auth/email?token=made-up",
    "/auth/invitation?token=made-up",
]


@pytest.fixture
def themed(browser: Browser, mailing_site: Site, watch: Watch) -> Iterator[Callable[..., Page]]:
    """Opens a path in a theme and a width; scripts of the test may run whatever the page's policy says."""
    contexts = []

    def open_page(path: str, theme: Theme, width: int) -> Page:
        context = browser.new_context(color_scheme=theme, viewport={"width": width, "height": 800}, bypass_csp=True)
        context.on("page", watch.on)
        contexts.append(context)
        page = context.new_page()
        page.goto(mailing_site.url + path)
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.spec("AUTH-1")
@pytest.mark.parametrize("path", PATHS)
def test_a_page_has_the_landmarks_that_screen_readers_jump_to(go: OpenPage, path: str) -> None:
    page = go(path)
    expect(page.get_by_role("banner")).to_have_count(1)
    expect(page.get_by_role("main")).to_have_count(1)
    expect(page.get_by_role("main").get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("banner").get_by_role("link")).to_have_attribute("href", "/")


@pytest.mark.spec("AUTH-1")
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_the_pages_are_accessible(themed: Callable[..., Page], theme: str, width: int) -> None:
    findings = {}
    for path in PATHS:
        page = themed(path, theme, width)
        expect(page.get_by_role("main").get_by_role("heading", level=1)).to_be_visible()
        findings[path] = serious_findings(page)
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert {path: found for path, found in findings.items() if found} == {}
