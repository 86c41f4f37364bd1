"""What a visitor sees of the companies, in a real browser."""

import re
import sqlite3
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.conftest import Site, Watch
from tests.support.fetch import fetch

# The pictures that cannot be decoded, also those that would be loaded when they come into view.
BROKEN = """async () => {
  const pictures = [...document.images];
  for (const picture of pictures) picture.loading = "eager";
  const decoded = await Promise.allSettled(pictures.map((picture) => picture.decode()));
  return pictures.filter((_, place) => decoded[place].status === "rejected").map((picture) => picture.src);
}"""


@pytest.mark.spec("CO-1")
def test_visitors_can_go_from_the_list_to_a_company_and_back(visit: Callable[[str], Page]) -> None:
    page = visit("/companies")
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name="Kelong Systems"))
    expect(card.get_by_role("link", name="Get in Touch")).to_have_attribute("href", "/contact")
    card.get_by_role("link", name="View Details").click()
    expect(page).to_have_url(re.compile("/companies/kelong-systems$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Kelong Systems")
    expect(page).to_have_title("Kelong Systems | Northstrait")
    page.get_by_role("link", name="Back to Companies").click()
    expect(page).to_have_url(re.compile("/companies$"))
    expect(page.get_by_role("article")).not_to_have_count(0)


@pytest.mark.spec("CO-1")
def test_the_links_of_a_row_appear_on_hover_or_focus(visit: Callable[[str], Page]) -> None:
    page = visit("/companies")
    links = page.locator(".company .company-links").first
    contact = links.get_by_role("link", name="Get in Touch")
    expect(links).to_have_css("opacity", "0")
    contact.focus()
    expect(links).to_have_css("opacity", "1")
    contact.blur()
    expect(links).to_have_css("opacity", "0")
    links.locator("xpath=..").hover()
    expect(links).to_have_css("opacity", "1")
    contact.click()
    expect(page).to_have_url(re.compile("/contact$"))


@pytest.mark.spec("CO-1")
@pytest.mark.parametrize(("width", "has_touch"), [(768, False), (1280, True)])
def test_the_links_of_a_row_are_always_visible_without_hover(
    browser: Browser, site: Site, width: int, has_touch: bool
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, is_mobile=has_touch, has_touch=has_touch)
    page = context.new_page()
    page.goto(site.url + "/companies")
    expect(page.locator(".company .company-links").first).to_have_css("opacity", "1")
    context.close()


@pytest.mark.spec("PUB-2")
def test_the_sentence_of_a_featured_company_has_the_text_font(visit: Callable[[str], Page]) -> None:
    face = "text => getComputedStyle(text).fontFamily"
    case = visit("/companies").locator(".case").first
    assert case.locator(".case-role").evaluate(face) != case.get_by_role("heading").evaluate(face)
    expect(case.locator(".case-role")).to_have_css("font-size", "18px")


@pytest.mark.spec("PUB-6")
@pytest.mark.parametrize(("width", "rows"), [(768, 3), (1024, 3), (1120, 1), (1280, 1)])
def test_featured_companies_fill_whole_rows(visit: Callable[[str], Page], width: int, rows: int) -> None:
    page = visit("/companies")
    page.set_viewport_size({"width": width, "height": 900})
    cases = page.locator(".cases > li")
    tops = {round(box["y"]) for case in cases.all() if (box := case.bounding_box())}
    assert (cases.count(), len(tops)) == (3, rows)


@pytest.mark.spec("PUB-2")
def test_the_list_is_compact_on_phones_and_laptops(visit: Callable[[str], Page]) -> None:
    page = visit("/companies")
    rows = page.locator("#list").get_by_role("article")
    assert max(row["height"] for row in (one.bounding_box() for one in rows.all()) if row) <= 57
    page.set_viewport_size({"width": 360, "height": 740})
    box = page.locator("#list").bounding_box()
    assert box and box["height"] < 2_400


@pytest.mark.spec("CO-2")
def test_a_company_shows_its_whole_record(visit: Callable[[str], Page]) -> None:
    page = visit("/companies/treacle-tech")
    main = page.get_by_role("main")
    for title in ("Key metrics", "About the company", "Founders", "Services", "Target market", "Coverage areas"):
        expect(main.get_by_role("heading", name=title, exact=True)).to_be_visible()
    for value in (
        "Process control for kitchens that cook by the tonne",
        "Food Technology",
        "2018",
        "51–200",
        "Woodlands, Singapore",
        "Treacle Tech Pte. Ltd.",
        "201809265D",
        "Dr Meenakshi Iyer",
        "Co-founder & Chief Scientist",
        "In-line viscosity probes",
        "Penang",
        "Confectionery plants",
        "factories under contract",
    ):
        expect(main.get_by_text(value, exact=True)).to_be_visible()
    expect(main.get_by_role("listitem").filter(has_text="61 factories under contract")).to_be_visible()
    website = main.get_by_role("link", name="treacletech.example (opens in a new tab)")
    expect(website).to_have_attribute("href", "https://treacletech.example")
    expect(website).to_have_attribute("rel", "noopener")
    expect(main.get_by_role("link", name="hello@treacletech.example")).to_have_attribute(
        "href", "mailto:hello@treacletech.example"
    )
    expect(main.get_by_role("link", name="+65 6555 0118")).to_have_attribute("href", "tel:+6565550118")


@pytest.mark.spec("PUB-1", "PUB-6")
def test_a_company_page_begins_with_the_firms_work_and_links_on(visit: Callable[[str], Page]) -> None:
    page = visit("/companies/ashlar-materials")
    page.set_viewport_size({"width": 360, "height": 740})
    work = page.locator("section").filter(has=page.get_by_role("heading", name="What we did"))
    partner = work.get_by_role("link", name="Siti Aisyah Rahman")
    expect(partner).to_have_attribute("href", "/team-profile/siti-aisyah-rahman")
    area = work.get_by_role("link", name="Investor Attraction & Funding Optimisation")
    expect(area).to_have_attribute("href", "/what-we-do#investor-attraction-funding-optimisation")
    voice = page.locator("figure", has_text="Dr Alvin Seah")
    in_order = (
        page.get_by_role("heading", level=1),
        page.get_by_text("Ashlar Materials turns incineration ash"),
        work,
        page.get_by_role("heading", name="Key metrics"),
        page.get_by_role("heading", name="About the company"),
        voice,
        page.get_by_role("heading", name="Founders"),
        page.get_by_role("complementary", name="Key facts"),
        page.get_by_role("navigation", name="Other companies"),
    )
    boxes = [part.bounding_box() for part in in_order]
    tops = [box["y"] for box in boxes if box]
    assert len(tops) == len(in_order)
    assert tops == sorted(tops)
    facts = page.get_by_role("complementary", name="Key facts").locator("dt")
    assert len({round(box["x"]) for fact in facts.all() if (box := fact.bounding_box())}) == 2
    page.get_by_role("link", name="Previous Treacle Tech").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Treacle Tech")


@pytest.mark.spec("CO-2")
def test_the_button_below_the_contacts_of_a_company_names_the_firm(site: Site) -> None:
    page = fetch(site.url + "/companies/treacle-tech").text
    facts = page.partition('aria-label="Key facts"')[2].partition("</aside>")[0]
    assert "hello@treacletech.example" in facts
    assert re.search(r'<a [^>]*href="/contact"[^>]*>Talk to Northstrait</a>', facts)


@pytest.mark.spec("CO-2")
def test_empty_sections_are_not_shown(fresh_site: Site, context: BrowserContext) -> None:
    with sqlite3.connect(fresh_site.data_dir / "advisory.db") as connection:
        connection.execute(
            "UPDATE companies SET tagline='', detailed_description='', website_url='javascript:alert(1)', phone='',"
            " founders='[]', services='[]', coverage_areas='', legal_entity_name='' WHERE slug='treacle-tech'"
        )
    page = context.new_page()
    page.goto(f"{fresh_site.url}/companies/treacle-tech")
    main = page.get_by_role("main")
    expect(main.get_by_role("heading", name="Treacle Tech")).to_be_visible()
    expect(main.get_by_role("heading", name="Target market")).to_be_visible()
    for title in ("About the company", "Founders", "Services", "Coverage areas"):
        expect(main.get_by_role("heading", name=title)).to_have_count(0)
    for label in ("Website", "Phone", "Legal entity name"):
        expect(main.get_by_text(label, exact=True)).to_have_count(0)


@pytest.mark.spec("CO-3")
def test_an_unknown_company_is_reported_as_not_found(context: BrowserContext, site: Site, watch: Watch) -> None:
    watch.expect(r"Failed to load resource: the server responded with a status of 404")
    page = context.new_page()
    for slug in ("nobody", "'--", "a%22b", "a%00b", "x" * 2_000, "%E2%80%AEacme", "..%2f..%2fetc"):
        reply = page.goto(f"{site.url}/companies/{slug}")
        assert reply and reply.status == 404, slug
        expect(page.get_by_role("heading", level=1), slug).to_have_text("Company Not Found")
        expect(page.get_by_role("link", name="Back to Companies"), slug).to_have_attribute("href", "/companies")


@pytest.mark.spec("CO-5")
def test_no_company_has_a_broken_logo(visit: Callable[[str], Page]) -> None:
    page = visit("/companies")
    logo = page.get_by_role("img", name="Logo of Treacle Tech")
    expect(logo).to_have_attribute("src", "/images/treacle-tech-mark.svg")
    expect(page.get_by_role("img", name="Logo of Sifu Trades")).to_have_attribute(
        "src", "/images/placeholder-company.svg"
    )
    assert page.evaluate(BROKEN) == []


@pytest.mark.spec("CO-5")
def test_a_logo_that_cannot_be_loaded_is_replaced_by_the_placeholder(
    context: BrowserContext, site: Site, watch: Watch
) -> None:
    watch.expect("Failed to load resource")
    page = context.new_page()
    page.route("**/images/companies/kelong-systems.svg", lambda route: route.abort())
    page.goto(f"{site.url}/companies/kelong-systems")
    expect(page.get_by_role("img", name="Logo of Kelong Systems")).to_have_attribute(
        "src", "/images/placeholder-company.svg"
    )
