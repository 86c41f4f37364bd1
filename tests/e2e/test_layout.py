"""What stands on every public page: the header that stays, its menu on a phone, themes, anchors below the header."""

import re
import zlib
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from advisory_site import routes
from advisory_site.content.firm import FIRM
from sitekit.ui.public.head import PAPER
from tests.e2e.conftest import Site, Theme
from tests.e2e.hydration import wake

NAVIGATION = {
    "Why Us": "/why-us",
    "What We Do": "/what-we-do",
    "How We Work": "/how-we-work",
    "Advisors": "/advisors",
    "Contact": "/contact",
    "Get Started": "/contact",
}
SECTIONS = {"Scale Model": "/what-we-do#strategic-support", "For Founders": "/#strategic-support"}
PHONE: ViewportSize = {"width": 360, "height": 740}


@pytest.fixture
def on_a_phone(context: BrowserContext, site: Site) -> Page:
    page = context.new_page()
    page.set_viewport_size(PHONE)
    page.goto(site.url + "/why-us")
    return page


def header(page: Page) -> Locator:
    return page.get_by_role("banner")


def footer(page: Page) -> Locator:
    return page.get_by_role("contentinfo")


@pytest.mark.spec("LAY-1")
def test_the_header_stays_visible_while_scrolling(visit: Callable[[str], Page]) -> None:
    page = visit("/what-we-do")
    page.keyboard.press("End")
    expect(footer(page)).to_be_in_viewport()
    expect(header(page)).to_be_in_viewport()


@pytest.mark.spec("LAY-2")
def test_the_phone_menu_opens_and_closes_when_a_link_is_chosen(on_a_phone: Page) -> None:
    page = on_a_phone
    toggle = header(page).locator("summary")
    expect(toggle).to_have_attribute("aria-expanded", "false")
    toggle.click()
    expect(toggle).to_have_attribute("aria-expanded", "true")
    for label, path in NAVIGATION.items():
        link = header(page).get_by_role("link", name=label, exact=True).filter(visible=True)
        expect(link).to_have_attribute("href", path)
    for label, path in {"Companies": "/companies", "Team": "/team", FIRM.email: FIRM.email_href}.items():
        expect(header(page).get_by_role("link", name=label, exact=True)).to_have_attribute("href", path)
    header(page).get_by_role("link", name="Advisors", exact=True).filter(visible=True).click()
    expect(page).to_have_url(re.compile(r"/advisors$"))
    expect(header(page).get_by_role("link", name="How We Work", exact=True).filter(visible=True)).to_have_count(0)


@pytest.mark.spec("LAY-2")
def test_escape_closes_the_menu_and_restores_the_focus(on_a_phone: Page) -> None:
    page = on_a_phone
    toggle = header(page).locator("summary")
    toggle.click()
    expect(toggle).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Escape")
    expect(toggle).to_have_attribute("aria-expanded", "false")
    expect(toggle).to_be_focused()


@pytest.mark.spec("LAY-2")
def test_choosing_the_current_page_closes_the_menu_too(on_a_phone: Page) -> None:
    page = on_a_phone
    header(page).locator("summary").click()
    header(page).get_by_role("link", name="Why Us", exact=True).filter(visible=True).click()
    expect(header(page).get_by_role("link", name="How We Work", exact=True).filter(visible=True)).to_have_count(0)


@pytest.mark.spec("LAY-2")
def test_the_menu_works_without_scripts(browser: Browser, site: Site) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.goto(site.url + "/why-us")
    header(page).locator("summary").click()
    expect(header(page).get_by_role("link", name="Advisors", exact=True).filter(visible=True)).to_be_visible()
    context.close()


@pytest.mark.spec("LAY-6")
@pytest.mark.parametrize("label", SECTIONS)
@pytest.mark.parametrize("start", ["/team", "/what-we-do", "/"])
def test_a_section_link_scrolls_below_the_sticky_header(visit: Callable[[str], Page], start: str, label: str) -> None:
    page = visit(start)
    footer(page).get_by_role("link", name=label, exact=True).click()
    expect(page).to_have_url(re.compile(f"{re.escape(SECTIONS[label])}$"))
    check_that_the_section_is_below_the_header(page)


@pytest.mark.spec("LAY-6")
@pytest.mark.parametrize("address", SECTIONS.values())
def test_opening_the_address_of_a_section_scrolls_to_it(visit: Callable[[str], Page], address: str) -> None:
    check_that_the_section_is_below_the_header(visit(address))


def check_that_the_section_is_below_the_header(page: Page) -> None:
    heading = page.locator(f"#{routes.STRATEGIC_SUPPORT}").get_by_role("heading").first
    expect(heading).to_be_in_viewport()
    bar, target = header(page).bounding_box(), heading.bounding_box()
    assert bar and target
    assert bar["y"] + bar["height"] <= target["y"]


def colour_of_the_frame(page: Page) -> str:
    """What a browser takes for the bar with the address: the first colour whose medium applies."""
    colour: str = page.locator("meta[name=theme-color]").evaluate_all(
        "colours => colours.find(colour => matchMedia(colour.media).matches).content"
    )
    return colour


def test_the_theme_button_changes_and_remembers_the_theme(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    expect(page.locator("html")).to_have_css("color-scheme", "light")
    assert colour_of_the_frame(page) == PAPER["light"]
    for theme in ("dark", "light", "dark"):
        page.get_by_role("button", name="Switch between light and dark").click()
        expect(page.locator("html")).to_have_css("color-scheme", theme)
        assert colour_of_the_frame(page) == PAPER[theme]
    for path in ("/", "/why-us"):
        page = visit(path)
        expect(page.locator("html")).to_have_css("color-scheme", "dark")
        assert colour_of_the_frame(page) == PAPER["dark"]
        expect(page.locator("html[data-hydrated]")).to_have_count(0)


def test_the_first_press_of_the_theme_button_counts_in_the_dark_theme(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    page.evaluate("() => { localStorage.setItem('theme', 'dark'); document.cookie = 'theme=dark; path=/'; }")
    page.reload()
    expect(page.locator("html")).to_have_css("color-scheme", "dark")
    # Without a pointer that comes near before, as on a phone.
    page.get_by_role("button", name="Switch between light and dark").dispatch_event("click")
    expect(page.locator("html")).to_have_css("color-scheme", "light")


def test_a_page_follows_the_system_theme_without_scripts(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    icons: dict[Theme, tuple[str, str]] = {"dark": ("moon", "sun"), "light": ("sun", "moon")}
    for theme, (shown, hidden) in icons.items():
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_css("color-scheme", theme)
        expect(page.locator(f".theme-{shown}").first).to_be_visible()
        expect(page.locator(f".theme-{hidden}").first).to_be_hidden()
    expect(page.locator("html[data-hydrated]")).to_have_count(0)


@pytest.mark.parametrize("is_awake", [False, True])
def test_going_back_shows_the_page_in_the_newly_chosen_theme(visit: Callable[[str], Page], is_awake: bool) -> None:
    earlier, later = visit("/"), visit("/why-us")
    if is_awake:
        wake(earlier)
    wake(later)
    toggle = later.get_by_role("button", name="Switch between light and dark")
    for theme in ("dark", "light"):
        toggle.click()
        expect(later.locator("html")).to_have_css("color-scheme", theme)
        # Browsers under test keep no pages; this is what a page kept would be told.
        earlier.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
        expect(earlier.locator("html")).to_have_css("color-scheme", theme)
    if is_awake:
        earlier.get_by_role("button", name="Switch between light and dark").click()
        expect(earlier.locator("html")).to_have_css("color-scheme", "dark")


def test_a_theme_deleted_from_browser_storage_is_not_used_by_the_next_page(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(page.locator("html")).to_have_css("color-scheme", "dark")
    page.evaluate("localStorage.clear()")
    page.reload()
    page.get_by_role("button", name="Switch between light and dark").hover()
    expect(page.locator("html")).to_have_css("color-scheme", "light")
    assert page.context.cookies() == []


@pytest.mark.spec("LAY-1")
def test_the_first_tab_stop_is_the_skip_link(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    page.keyboard.press("Tab")
    skip = page.locator(":focus")
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"#{page.get_by_role('main').get_attribute('id')}$"))


def test_an_arrow_is_never_separated_from_the_last_word(on_a_phone: Page, site: Site) -> None:
    on_a_phone.goto(site.url + "/contact")
    link = on_a_phone.get_by_role("link", name="Rather talk? Book 30 minutes")
    tops = link.evaluate(
        "link => { const last = new Range(); last.selectNodeContents(link.querySelector('span').firstChild);"
        " return [last, link.querySelector('svg')].map((one) => one.getBoundingClientRect().bottom); }"
    )
    assert abs(tops[0] - tops[1]) < 8


@pytest.mark.parametrize(
    ("path", "width", "lines"),
    [
        ("/companies/ashlar-materials", 360, ["hello@ashlarmaterials.example"]),
        ("/team-profile/adeline-koh", 360, ["adeline@northstrait.example"]),
        ("/advisor/farah-nabila-ismail", 360, ["farah.nabila.ismail@northstrait.example"]),
        ("/advisor/farah-nabila-ismail", 320, ["farah.nabila.ismail", "@northstrait.example"]),
    ],
)
def test_an_email_address_breaks_only_before_its_at_sign_on_a_phone(
    on_a_phone: Page, site: Site, path: str, width: int, lines: list[str]
) -> None:
    on_a_phone.set_viewport_size({"width": width, "height": 740})
    on_a_phone.goto(site.url + path)
    address = on_a_phone.locator(".profile-facts [href^='mailto:']")
    expect(address).to_have_text("".join(lines))
    tops = address.evaluate("address => Array.from(address.getClientRects(), (part) => Math.round(part.top))")
    assert len(set(tops)) == len(lines)


PRINTED = (
    "/",
    "/team",
    "/team-profile/rajan-subramaniam",
    "/advisors",
    "/advisor/kavitha-raman",
    "/companies",
    "/companies/saga-seed",
    "/insights",
    "/insights/saga-seed-ten-schools-before-the-first-hire-in-hanoi",
    "/insights/the-two-page-document-that-stops-a-bad-market-entry",
    "/contact",
    "/privacy",
)


@pytest.mark.spec("PUB-6")
@pytest.mark.parametrize("path", PRINTED)
def test_every_printed_sheet_has_text(visit: Callable[[str], Page], path: str) -> None:
    sheets = letters_on_sheets(visit(path).pdf(format="A4"))
    assert sheets[0] > 400 and 0 not in sheets, sheets


def letters_on_sheets(pdf: bytes) -> list[int]:
    """How many pieces of text, of a letter or more, are drawn on each sheet of a PDF by Chromium."""
    sheets = []
    for number in re.findall(rb"/Type /Page\n.*?/Contents (\d+) 0 R", pdf, re.DOTALL):
        content = re.search(rb"\n%b 0 obj\n(.*?)stream\n(.*?)\nendstream" % number, pdf, re.DOTALL)
        assert content
        # A short one is not compressed.
        drawn = zlib.decompress(content[2]) if b"FlateDecode" in content[1] else content[2]
        sheets.append(len(re.findall(rb" T[jJ]\b", drawn)))
    return sheets
