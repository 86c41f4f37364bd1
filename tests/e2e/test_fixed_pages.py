"""The pages of fixed copy: home, why us, what we do, how we work, meet our team, not found."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

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
def test_home_opens_and_closes_with_its_calls_to_action(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    hero = main(page)
    for word in ("scale", "growth-stage", "clarity", "speed"):
        expect(hero.get_by_role("heading", level=1)).to_contain_text(word, ignore_case=True)
    leads(page, "Start Your Journey", "/contact")
    leads(page, "Learn More", "/why-us")
    leads(page, "Book a Consultation", "/contact")
    leads(page, "Explore Our Model", "/what-we-do#strategic-support")


@pytest.mark.spec("HOME-2")
def test_home_shows_the_numbers(visit: Callable[[str], Page]) -> None:
    text = " ".join(main(visit("/")).inner_text().lower().split())
    numbers = {"50+": "startups scaled", "$2b+": "value created", "35+": "years experience", "100%": "founder focused"}
    missing = {
        value: label
        for value, label in numbers.items()
        if f"{value} {label}" not in text and f"{label} {value}" not in text
    }
    assert missing == {}


@pytest.mark.spec("HOME-3")
def test_home_says_why_founders_choose_us(visit: Callable[[str], Page]) -> None:
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
def test_home_lists_the_eight_support_areas_under_their_anchor(visit: Callable[[str], Page]) -> None:
    section = visit("/").locator("#strategic-support")
    for title in SUPPORT_AREAS:
        expect(section.get_by_role("heading", name=title, exact=True)).to_be_visible()


@pytest.mark.spec("PUB-6")
def test_on_a_phone_a_cell_of_home_opens_its_area(visit: Callable[[str], Page]) -> None:
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
def test_founders_partners_and_companies_lead_to_their_pages(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    for label, path in (("Meet the team", "/team"), ("See the companies", "/companies")):
        leads(page, label, path)
    expect(main(page).locator("figure blockquote")).to_have_count(1)
    expect(main(page).locator("figure a")).to_have_attribute("href", "/companies/saga-seed")
    marks = main(page).locator(".mark-row").get_by_role("link")
    expect(marks).to_have_count(8)
    expect(marks.first).to_have_accessible_name("Saga Seed")
    page = visit("/why-us")
    expect(main(page).locator("figure a")).to_have_text(["Toko Tally", "Ashlar Materials"])
    for path, name in (("/what-we-do", "Rajan Subramaniam"), ("/how-we-work", "Siti Aisyah Rahman")):
        leads(visit(path), name, "/team-profile/" + name.lower().replace(" ", "-"))


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
def test_how_we_work_goes_step_by_step(visit: Callable[[str], Page]) -> None:
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
def test_meet_our_team_leads_to_the_team_and_to_contact(visit: Callable[[str], Page]) -> None:
    page = visit("/meet-our-team")
    expect(main(page).locator("a[href='/team']").first).to_be_visible()
    leads(page, "Get in Touch", "/contact")


@pytest.mark.spec("NF-1")
def test_an_unknown_path_is_not_found_and_logged_safely(visit: Callable[[str], Page], site: Site, watch: Watch) -> None:
    watch.expect("404")
    page = visit("/no-such-page%0AFORGED%1b[31m")
    expect(page.get_by_text("404", exact=True)).to_be_visible()
    expect(page.get_by_text("Oops! Page not found")).to_be_visible()
    expect(page.get_by_role("link", name="Return to Home")).to_have_attribute("href", "/")
    assert "/no-such-page\\nFORGED\\x1b[31m" in site.log
    assert "\nFORGED" not in site.log
