"""Lists filtered by their address, in a real browser with scripts and without."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from advisory_site.advisors import texts as advisors
from advisory_site.companies import texts as companies
from tests.e2e.conftest import Site

HEALTHCARE_NAMES = ["Kinfold Care", "Ronda Health", "Halia Diagnostics"]
ALL = re.compile(r"/companies$")
HEALTHCARE = re.compile(r"/companies\?sector=Healthcare(#list)?$")
SINGAPORE = re.compile(r"/companies\?sector=Healthcare&country=Singapore#list$")


def filters(page: Page) -> Locator:
    return page.get_by_role("navigation", name=companies.FILTERS_LABEL)


def names(page: Page) -> Locator:
    return page.get_by_role("article").get_by_role("heading")


@pytest.mark.spec("PUB-2")
def test_a_filter_can_be_chosen_reverted_and_removed(visit: Callable[[str], Page]) -> None:
    page = visit("/companies")
    everyone = names(page).all_text_contents()
    filters(page).get_by_role("link", name="Healthcare 3").click()
    expect(page).to_have_url(HEALTHCARE)
    expect(names(page)).to_have_text(HEALTHCARE_NAMES)
    chosen = filters(page).get_by_role("link", name="Healthcare (remove this filter)")
    expect(chosen).to_have_attribute("aria-current", "true")
    expect(chosen).to_be_in_viewport()
    # The scripts draw the same list.
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(page.locator("html[data-hydrated]")).to_be_attached()
    expect(names(page)).to_have_text(HEALTHCARE_NAMES)
    page.locator(".skip-link").evaluate("link => link.click()")
    expect(page).to_have_url(re.compile(r"\?sector=Healthcare#content$"))
    expect(names(page)).to_have_text(HEALTHCARE_NAMES)
    filters(page).get_by_role("link", name="Singapore 2").click()
    expect(page).to_have_url(SINGAPORE)
    expect(page.get_by_role("article")).to_have_count(2)
    page.go_back()
    expect(page).to_have_url(re.compile(r"\?sector=Healthcare#content$"))
    expect(page.get_by_role("article")).to_have_count(3)
    page.go_forward()
    expect(page).to_have_url(SINGAPORE)
    expect(page.get_by_role("article")).to_have_count(2)
    filters(page).get_by_role("link", name="Singapore (remove this filter)").click()
    expect(page).to_have_url(HEALTHCARE)
    filters(page).get_by_role("link", name="Healthcare (remove this filter)").click()
    expect(page).to_have_url(ALL)
    expect(names(page)).to_have_text(everyone)


@pytest.mark.spec("PUB-2")
@pytest.mark.parametrize("width", [360, 1280])
def test_rare_sectors_can_be_unfolded_without_scripts(visit: Callable[[str], Page], width: int) -> None:
    page = visit("/companies")
    page.set_viewport_size({"width": width, "height": 800})
    maritime = filters(page).get_by_role("link", name="Maritime 1")
    expect(maritime).to_be_hidden()
    filters(page).get_by_text("7 more").click()
    maritime.click()
    expect(page).to_have_url(re.compile("sector=Maritime#list$"))
    expect(names(page)).to_have_text(["Barnacle Robotics"])
    expect(page.locator("html[data-hydrated]")).to_have_count(0)


@pytest.mark.spec("PUB-2", "PUB-4")
def test_filters_work_without_scripts_on_a_phone(browser: Browser, site: Site) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(f"{site.url}/companies?utm_source=mail")
    filters(page).get_by_role("link", name="Vietnam 1").click()
    expect(page.get_by_role("heading", name="1 company: Vietnam")).to_be_in_viewport()
    expect(page.get_by_role("article")).to_have_count(1)
    page.get_by_role("link", name="Show all 23").click()
    expect(page).to_have_url(ALL)
    page.goto(f"{site.url}/advisors")
    fields = page.get_by_role("navigation", name=advisors.EXPERTISE_TITLE)
    fields.get_by_role("link", name="Mergers & Exits 2").click()
    expect(names(page)).to_have_text(["Tan Wei Ming", "Somchai Rattanakul"])
    page.go_back()
    expect(page.get_by_role("article")).to_have_count(11)
    context.close()
