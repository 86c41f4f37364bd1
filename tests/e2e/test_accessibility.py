"""axe-core finds nothing serious on any public page, in either theme, on a laptop and on a phone."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.axe import findings_by_theme
from tests.e2e.conftest import Site, Watch
from tests.support.public_pages import STATIC

RECORDS = ["/companies/treacle-tech", "/team-profile/adeline-koh"]
WIDTHS = [320, 360, 768, 1280, 1920]
# Words that end beyond the screen, but for those in what can be scrolled sideways.
CUT_OFF = """() => [...document.querySelectorAll("main :is(h1, h2, h3, p, a, dd, dt, li)")]
    .filter(part => part.checkVisibility())
    .filter(part => part.getBoundingClientRect().right > document.body.getBoundingClientRect().right + 1)
    .filter(part => {
        while ((part = part.parentElement)) if (getComputedStyle(part).overflowX === "auto") return false;
        return true;
    })
    .map(part => part.textContent.slice(0, 40))"""


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
            if page.evaluate("document.documentElement.scrollWidth") > width or page.evaluate(CUT_OFF):
                wrong.append(f"{path} is wider than {width}: {page.evaluate(CUT_OFF)}")
    assert not wrong, "\n".join(wrong)
