"""The pages of fixed copy: home, why us, what we do, how we work, meet our team, not found."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.conftest import Site, Watch

SUPPORT_AREAS = [
    "Key Operational & Strategic Issues",
    "Supportive Mentoring Advice",
    "Product Review & Vision Development",
    "Investor Attraction & Funding Optimisation",
    "Market & Intellectual Property Review",
    "GTM Material Preparation & Partner Outreach",
    "Financial Metrics & Founder Investibility",
    "Additional Customised GTM Plans",
]


def main(page: Page) -> Locator:
    return page.get_by_role("main")


def leads(page: Page, label: str, path: str) -> None:
    """A link of the page's content has this text and leads there."""
    expect(main(page).locator("a").filter(has_text=label).first).to_have_attribute("href", path)


def has_headings(page: Page, titles: list[str]) -> None:
    for title in titles:
        expect(main(page).get_by_role("heading", name=title, exact=True)).to_be_visible()


@pytest.mark.spec("HOME-1", "HOME-5")
def test_the_home_page_begins_and_ends_with_calls_to_action(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    hero = main(page)
    for word in ("scale", "growth-stage", "clarity", "speed"):
        expect(hero.get_by_role("heading", level=1)).to_contain_text(word, ignore_case=True)
    leads(page, "Start Your Journey", "/contact")
    leads(page, "Learn More", "/why-us")
    leads(page, "Book a Consultation", "/contact")
    leads(page, "Explore Our Model", "/what-we-do#strategic-support")


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


@pytest.mark.spec("HOME-2")
def test_the_home_page_shows_the_numbers(visit: Callable[[str], Page]) -> None:
    text = " ".join(main(visit("/")).inner_text().lower().split())
    numbers = {"50+": "startups scaled", "$2b+": "value created", "35+": "years experience", "100%": "founder focused"}
    missing = {
        value: label
        for value, label in numbers.items()
        if f"{value} {label}" not in text and f"{label} {value}" not in text
    }
    assert missing == {}


@pytest.mark.spec("HOME-3")
def test_the_home_page_says_why_founders_choose_the_firm(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    has_headings(
        page,
        [
            "Why Founders Choose Us",
            "Strategic Clarity",
            "Ecosystem Access",
            "Hands-On Execution",
            "Proven Framework",
        ],
    )


@pytest.mark.spec("HOME-4")
def test_the_home_page_lists_eight_support_areas_under_their_anchor(visit: Callable[[str], Page]) -> None:
    section = visit("/").locator("#strategic-support")
    for title in SUPPORT_AREAS:
        expect(section.get_by_role("heading", name=title, exact=True)).to_be_visible()


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
    section.get_by_role("link", name=SUPPORT_AREAS[5], exact=True).click()
    page.wait_for_url("**/what-we-do#*")
    area = page.locator("details").filter(has=page.get_by_role("heading", name=SUPPORT_AREAS[5], exact=True))
    expect(area.get_by_role("listitem").first).to_be_visible()
    expect(area.locator("summary")).to_be_in_viewport()
    others = page.locator("#strategic-support details:not([open])")
    expect(others).to_have_count(6)  # the first is open too
    assert page.evaluate("document.documentElement.scrollHeight") < 9_000
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(others.get_by_role("listitem")).to_have_count(24)


@pytest.mark.spec("PUB-3", "PUB-6")
def test_founders_partners_and_companies_link_to_their_pages(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    for label, path in (("Meet the team", "/team"), ("See the companies", "/companies")):
        leads(page, label, path)
    expect(main(page).locator("figure blockquote")).to_have_count(1)
    of_company, of_case = main(page).locator("figure").get_by_role("link").all()
    expect(of_company).to_have_attribute("href", "/companies/saga-seed")
    expect(of_case).to_have_accessible_name("Read the case of Saga Seed")
    marks = main(page).locator(".mark-row").get_by_role("link")
    expect(marks).to_have_count(8)
    expect(marks.first).to_have_accessible_name("Saga Seed")
    page = visit("/why-us")
    expect(main(page).locator("figure a")).to_have_text(["Toko Tally", "Ashlar Materials"])
    for path, name in (("/what-we-do", "Rajan Subramaniam"), ("/how-we-work", "Siti Aisyah Rahman")):
        leads(visit(path), name, "/team-profile/" + name.lower().replace(" ", "-"))


@pytest.mark.spec("PUB-6")
def test_the_home_page_names_eight_companies_beside_their_logos(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    strip = main(page).locator(".mark-row")
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


@pytest.mark.spec("WHY-1", "WHY-2")
def test_why_us_states_what_the_firm_believes(visit: Callable[[str], Page]) -> None:
    page = visit("/why-us")
    for word in ("Mission", "Vision", "Purpose"):
        expect(main(page).get_by_role("heading", name=word).first).to_be_visible()
    has_headings(page, ["Founder-First", "Data-Driven", "Execution-Focused", "Long-term Partnership"])


@pytest.mark.spec("WHAT-1")
def test_what_we_do_names_the_four_services(visit: Callable[[str], Page]) -> None:
    has_headings(
        visit("/what-we-do"),
        ["Strategic Advisory", "Growth Acceleration", "Ecosystem Building", "Investment & Governance"],
    )


@pytest.mark.spec("WHAT-2")
def test_each_support_area_has_four_details_and_the_cards_alternate(visit: Callable[[str], Page]) -> None:
    section = visit("/what-we-do").locator("#strategic-support")
    looks = []
    for title in SUPPORT_AREAS:
        heading = section.get_by_role("heading", name=title, exact=True)
        card = heading.locator("xpath=ancestor::li")
        expect(card.get_by_role("listitem")).to_have_count(4)
        looks.append(card.evaluate("card => getComputedStyle(card).backgroundColor"))
    assert len(set(looks)) > 1


@pytest.mark.spec("HOW-1", "HOW-2")
def test_how_we_work_shows_its_steps_in_order(visit: Callable[[str], Page]) -> None:
    page = visit("/how-we-work")
    steps = ["Discovery & Assessment", "Strategic Planning", "Implementation Support", "Monitoring & Optimization"]
    text = main(page).inner_text()
    places = [text.index(step) for step in steps]
    assert places == sorted(places)
    for model, duration in (
        ("Advisory Partnership", "3-12 months"),
        ("Intensive Sprint", "4-6 weeks"),
        ("Strategic Consultation", "1-2 sessions"),
    ):
        assert model in text
        assert duration in text.replace("–", "-")


@pytest.mark.spec("HOW-3", "HOW-4")
def test_how_we_work_shows_eight_tools_and_ends_with_an_invitation(visit: Callable[[str], Page]) -> None:
    from advisory_site.content.how_we_work import TOOLS

    page = visit("/how-we-work")
    assert len(TOOLS) == 8
    has_headings(page, [tool.name for tool in TOOLS])
    leads(page, "Start the Conversation", "/contact")


@pytest.mark.spec("TM-4")
def test_meet_our_team_links_to_the_team_and_to_contact(visit: Callable[[str], Page]) -> None:
    page = visit("/meet-our-team")
    expect(main(page).locator("a[href='/team']").first).to_be_visible()
    leads(page, "Get in Touch", "/contact")


@pytest.mark.spec("NF-1")
def test_an_unknown_path_is_404_and_logged_safely(visit: Callable[[str], Page], site: Site, watch: Watch) -> None:
    watch.expect("404")
    page = visit("/no-such-page%0AFORGED%1b[31m")
    expect(page.get_by_text("404", exact=True)).to_be_visible()
    expect(page.get_by_text("Oops! Page not found")).to_be_visible()
    expect(page.get_by_role("link", name="Return to Home")).to_have_attribute("href", "/")
    assert "/no-such-page\\nFORGED\\x1b[31m" in site.log
    assert "\nFORGED" not in site.log
