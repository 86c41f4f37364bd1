"""The frame of every public page, in a real browser: header, menu, footer, theme, anchors, access for all."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from advisory_site import routes
from tests.e2e.conftest import ROOT, Site

AXE = ROOT / "tests" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = [
    routes.HOME,
    routes.WHY_US,
    routes.WHAT_WE_DO,
    routes.HOW_WE_WORK,
    routes.CONTACT,
    routes.COMPANIES,
    routes.TEAM,
    routes.TEAM_PROFILES,
    routes.ADVISORS,
    routes.MEET_OUR_TEAM,
    routes.PRIVACY,
    routes.TERMS,
]
PHONE = {"width": 360, "height": 740}


def menu_button(page: Page):
    return page.locator(".site-header").get_by_role("button", name="menu")


@pytest.mark.spec("LAY-1")
def test_the_header_stays_in_view_and_marks_the_page_you_are_on(visit: Callable[[str], Page]) -> None:
    page = visit(routes.WHY_US)
    header = page.get_by_role("banner")
    expect(header.get_by_role("link", name="Why Us")).to_have_attribute("aria-current", "page")
    expect(header.locator("[aria-current]:visible")).to_have_count(1)
    page.mouse.wheel(0, 2000)
    expect(header.get_by_role("link", name="Get Started")).to_be_in_viewport()
    header.get_by_role("link", name="Northstrait").click()
    expect(page).to_have_url(re.compile(r"^http://[^/]+/$"))


@pytest.mark.spec("LAY-2")
def test_the_menu_of_a_small_screen_opens_and_closes(visit: Callable[[str], Page]) -> None:
    page = visit(routes.HOME)
    page.set_viewport_size(PHONE)
    button = menu_button(page)
    expect(button).to_have_attribute("aria-expanded", "false")
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    panel = page.locator(".menu-panel")
    for name in ("Why Us", "What We Do", "How We Work", "Advisors", "Contact", "Get Started"):
        expect(panel.get_by_role("link", name=name)).to_be_visible()

    page.keyboard.press("Escape")
    expect(button).to_have_attribute("aria-expanded", "false")
    expect(button).to_be_focused()
    expect(panel).to_be_hidden()

    button.click()
    panel.get_by_role("link", name="How We Work").click()
    expect(page).to_have_url(re.compile(f"{routes.HOW_WE_WORK}$"))
    expect(page.locator(".menu-panel")).to_be_hidden()


@pytest.mark.spec("LAY-2")
def test_choosing_the_page_you_are_on_closes_the_menu_too(visit: Callable[[str], Page]) -> None:
    page = visit(routes.WHY_US)
    page.set_viewport_size(PHONE)
    menu_button(page).click()
    page.locator(".menu-panel").get_by_role("link", name="Why Us").click()
    expect(page.locator(".menu-panel")).to_be_hidden()


@pytest.mark.spec("LAY-3", "LAY-4")
def test_the_footer_leads_everywhere_and_says_who_we_are(visit: Callable[[str], Page]) -> None:
    footer = visit(routes.HOME).get_by_role("contentinfo")
    for name, href in {
        "Why Us": "/why-us",
        "What We Do": "/what-we-do",
        "How We Work": "/how-we-work",
        "Scale Model": "/what-we-do#strategic-support",
        "For Founders": "/#strategic-support",
        "Ventures": "/companies",
        "Team": "/team",
        "Advisors": "/advisors",
        "Privacy Policy": "/privacy",
        "Terms of Service": "/terms",
    }.items():
        expect(footer.get_by_role("link", name=name, exact=True)).to_have_attribute("href", href)
    for kind in ("mailto:", "tel:", "https://www.linkedin.com/", "https://x.com/"):
        expect(footer.locator(f'a[href^="{kind}"]')).to_have_count(1)
    expect(footer).to_contain_text("202014387K")


@pytest.mark.spec("LAY-6")
@pytest.mark.parametrize("arrival", ["from another page", "by address", "from the same page"])
def test_a_link_to_a_section_lands_below_the_header(visit: Callable[[str], Page], arrival: str) -> None:
    start = {
        "from another page": routes.WHY_US,
        "by address": routes.SCALE_MODEL,
        "from the same page": routes.WHAT_WE_DO,
    }
    page = visit(start[arrival])
    if arrival != "by address":
        page.get_by_role("contentinfo").get_by_role("link", name="Scale Model").click()
    section = page.locator(f"#{routes.STRATEGIC_SUPPORT}")
    expect(section).to_be_in_viewport()
    expect(section.get_by_role("heading", level=2)).to_be_in_viewport()
    header = page.get_by_role("banner").bounding_box()
    heading = section.get_by_role("heading", level=2).bounding_box()
    assert header and heading
    assert header["y"] + header["height"] <= heading["y"]


def test_the_theme_is_chosen_with_one_button_and_remembered(visit: Callable[[str], Page]) -> None:
    page = visit(routes.HOME)
    root = page.locator("html")
    expect(root).to_have_class("light")
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(root).to_have_class("dark")
    page.reload()
    expect(root).to_have_class("dark")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_to_object_to(visit: Callable[[str], Page], path: str, theme: str) -> None:
    page = visit(path)
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    expect(page.locator("html")).to_have_class(theme)
    page.evaluate(AXE.read_text(encoding="utf-8"))  # a script tag of the test's would be refused by the policy
    found = page.evaluate("async () => (await axe.run()).violations.map(v => [v.id, v.impact, v.nodes[0].html])")
    assert found == []


@pytest.mark.parametrize("path", PAGES)
def test_no_page_is_wider_than_the_window(visit: Callable[[str], Page], path: str) -> None:
    page = visit(path)
    for width in (320, 360, 640, 768, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"at {width}"


def test_the_page_and_its_menu_work_without_scripts(browser, site: Site) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.goto(site.url + routes.WHY_US)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.locator(".menu > summary").click()
    expect(page.locator(".menu-panel").get_by_role("link", name="Advisors")).to_be_visible()
    context.close()
