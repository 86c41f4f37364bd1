"""The pages of fixed copy, as they are drawn: home, what we do, not found."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import Site, Watch

# Where the last of a headline's lines ends.
END = """title => {
  const text = new Range();
  text.selectNodeContents(title);
  return Math.max(...Array.from(text.getClientRects(), (line) => line.right));
}"""


@pytest.mark.spec("PUB-6")
@pytest.mark.parametrize("width", [960, 1280, 1920])
def test_the_hero_drawing_does_not_cross_the_headline(visit: Callable[[str], Page], width: int) -> None:
    page = visit("/")
    page.set_viewport_size({"width": width, "height": 900})
    chart = page.locator(".hero-art > svg")
    mask = chart.evaluate("chart => getComputedStyle(chart).maskImage")
    clear = re.search(r"rgba\(0, 0, 0, 0\) (\d+)%", mask)
    assert clear, mask
    box = chart.bounding_box()
    assert box
    assert page.locator("h1").evaluate(END) <= box["x"] + box["width"] * int(clear[1]) / 100


@pytest.mark.spec("PUB-6")
def test_the_hero_animation_starts_with_a_third_of_the_drawing(context: BrowserContext, site: Site) -> None:
    page = context.new_page()
    animations = context.new_cdp_session(page)
    animations.send("Animation.enable")
    animations.send("Animation.setPlaybackRate", {"playbackRate": 0})
    page.goto(site.url)
    window, drawing = (page.locator(one).bounding_box() for one in (".hero-art .unveiled", ".hero-art"))
    assert window
    assert drawing
    seen = (window["x"] + window["width"] - drawing["x"]) / drawing["width"]
    assert seen == pytest.approx(0.35, abs=0.01)


@pytest.mark.spec("PUB-6")
def test_printed_numbers_stay_together_and_quotation_marks_fit_the_sheet(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    page.emulate_media(media="print")
    expect(page.locator(".stats")).to_have_css("break-inside", "avoid")
    mark = page.locator(".voice p").first.evaluate("words => getComputedStyle(words, '::before').position")
    assert mark == "static"


@pytest.mark.spec("PUB-6")
def test_a_support_area_of_the_home_page_opens_on_a_phone(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    page.set_viewport_size({"width": 360, "height": 740})
    drawing, numbers = (page.locator(selector).bounding_box() for selector in (".hero-art", ".stats"))
    assert drawing and numbers
    assert numbers["y"] < drawing["y"]
    assert drawing["height"] <= 180
    section = page.locator("#strategic-support")
    expect(section.locator(".area p").first).to_be_hidden()
    title = "GTM Material Preparation & Partner Outreach"
    section.get_by_role("link", name=title, exact=True).click()
    page.wait_for_url("**/what-we-do#*")
    area = page.locator("details").filter(has=page.get_by_role("heading", name=title, exact=True))
    expect(area.get_by_role("listitem").first).to_be_visible()
    expect(area.locator("summary")).to_be_in_viewport()
    others = page.locator("#strategic-support details:not([open])")
    expect(others).to_have_count(6)  # the first is open too
    assert page.evaluate("document.documentElement.scrollHeight") < 9_000
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(others.get_by_role("listitem")).to_have_count(24)
    looks = others.evaluate_all("areas => areas.map(area => getComputedStyle(area.closest('li')).backgroundColor)")
    assert len(set(looks)) > 1


@pytest.mark.spec("PUB-6")
def test_the_home_page_names_eight_companies_beside_their_logos(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    strip = page.get_by_role("main").locator(".mark-row")
    companies = strip.get_by_role("link")
    expect(companies.first).to_have_text("Saga Seed")
    expect(companies.first.locator("img")).to_have_css("filter", "none")
    for width, columns in ((1280, 4), (768, 4), (360, 2)):
        page.set_viewport_size({"width": width, "height": 900})
        boxes = [box for company in companies.all() if (box := company.bounding_box())]
        whole = strip.bounding_box()
        assert whole
        assert len(boxes) == 8
        assert len({round(box["x"]) for box in boxes}) == columns
        assert max(box["x"] + box["width"] for box in boxes) == pytest.approx(whole["x"] + whole["width"], abs=1)


@pytest.mark.spec("NF-1")
def test_an_unknown_path_is_404_and_logged_safely(visit: Callable[[str], Page], site: Site, watch: Watch) -> None:
    watch.expect("404")
    page = visit("/no-such-page%0AFORGED%1b[31m")
    expect(page.get_by_text("404", exact=True)).to_be_visible()
    expect(page.get_by_text("Oops! Page not found")).to_be_visible()
    expect(page.get_by_role("link", name="Return to Home")).to_have_attribute("href", "/")
    assert "/no-such-page\\nFORGED\\x1b[31m" in site.log
    assert "\nFORGED" not in site.log
