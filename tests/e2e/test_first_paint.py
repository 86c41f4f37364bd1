"""What is drawn first stays: late fonts move nothing."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route

from tests.e2e.conftest import Site
from tests.e2e.test_rendering import PUBLIC

SIZES = {"phone": {"width": 412, "height": 823}, "desk": {"width": 1350, "height": 940}}
WATCH_SHIFTS = """
window.shifted = [];
new PerformanceObserver((list) => { for (const entry of list.getEntries()) shifted.push(entry.value); })
  .observe({type: "layout-shift", buffered: true});
window.painted = new Promise((resolve) => {
  new PerformanceObserver(resolve).observe({type: "paint", buffered: true});
});
"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("path", PUBLIC)
def test_fonts_that_come_late_move_nothing(context: BrowserContext, site: Site, path: str, size: str) -> None:
    waiting: list[Route] = []

    def hold(font: Route) -> None:
        waiting.append(font)

    page = context.new_page()
    page.set_viewport_size(SIZES[size])
    page.add_init_script(WATCH_SHIFTS)
    page.route("**/*.woff2", hold)
    page.goto(site.url + path, wait_until="commit")
    page.evaluate("window.painted")
    assert len(waiting) == 3
    for font in waiting:
        font.continue_()
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
    assert page.evaluate("window.shifted") == []


def test_the_next_page_has_the_real_faces(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    page.wait_for_load_state("networkidle")
    page.get_by_role("link", name="Why Us", exact=True).first.evaluate("link => link.click()")
    page.wait_for_url("**/why-us")
    inspector = page.context.new_cdp_session(page)
    inspector.send("DOM.enable")
    inspector.send("CSS.enable")
    root = inspector.send("DOM.getDocument")["root"]["nodeId"]
    for selector in ("h1", ".eyebrow", "p.lead"):
        node = inspector.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
        fonts = inspector.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        assert fonts
        assert all(font["isCustomFont"] for font in fonts)
