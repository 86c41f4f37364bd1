"""axe-core finds nothing serious on any public page, in either theme, on a laptop and on a phone."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.axe import findings_by_theme
from tests.e2e.conftest import Site, Watch
from tests.e2e.cut_texts import cut_texts
from tests.e2e.large_text import cut_at_twice_the_size
from tests.support.public_pages import PUBLIC, STATIC

RECORDS = ["/companies/treacle-tech", "/team-profile/adeline-koh"]
WIDTHS = [320, 360, 768, 1280, 1920]


@pytest.fixture
def go(browser: Browser, site: Site, watch: Watch) -> Iterator[Callable[..., Page]]:
    """Opens a path at a width; scripts of the test may run whatever the page's policy says."""
    contexts = []

    def open_page(path: str, width: int = 1280) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 800}, bypass_csp=True)
        context.on("page", watch.on)
        contexts.append(context)
        page = context.new_page()
        page.goto(site.url + path)
        return page

    yield open_page
    for context in contexts:
        context.close()


def test_the_open_phone_menu_is_accessible(go: Callable[..., Page]) -> None:
    page = go("/", 360)
    page.get_by_role("banner").locator("summary").click()
    assert findings_by_theme(page) == []


def test_the_primary_button_is_filled_in_forced_colors_mode(go: Callable[..., Page]) -> None:
    page = go("/")
    page.emulate_media(forced_colors="active")
    colour = "button => getComputedStyle(button).backgroundColor"
    primary, quiet = (page.get_by_role("main").get_by_role("link", name=one) for one in ("Start Your", "Learn More"))
    assert primary.evaluate(colour) != quiet.evaluate(colour)


def test_public_pages_are_accessible_without_horizontal_scrolling(go: Callable[..., Page]) -> None:
    wrong = []
    for path in [*STATIC, *RECORDS]:
        page = go(path)
        wrong += [f"{path}: {one}" for one in findings_by_theme(page)]
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            wrong += [f"{path} at {width}: {one}" for one in cut_texts(page)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.spec("PUB-6")
def test_letters_of_twice_the_size_fit_a_phone(go: Callable[..., Page], watch: Watch) -> None:
    watch.expect("Failed to load resource.*404")
    wrong = []
    for path in [*PUBLIC, "/no-such-page"]:
        page = go(path, 360)
        if path == "/":
            page.get_by_role("banner").locator("summary").click()
        wrong += [f"{path}: {one}" for one in cut_at_twice_the_size(page)]
    assert not wrong, "\n".join(wrong)
