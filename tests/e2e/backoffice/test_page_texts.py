"""Changing the texts of pages: from a press on a sentence in the frame to the page as visitors read it."""

import re
from urllib.parse import urlencode

import pytest
import sqlalchemy as sa
from playwright.sync_api import Browser, FrameLocator, Locator, Page, ViewportSize, expect

from advisory_site import routes
from advisory_site.content import home, what_we_do
from sitekit.admin.page_texts.models import Text, columns
from sitekit.base import paths
from sitekit.base.db.database import transaction
from sitekit.base.permissions import Role
from tests.e2e.axe import PHONE
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import notice, row
from tests.e2e.conftest import LAPTOP, Site
from tests.support.changed_texts import change_text

TEXT = home.HERO.text
START = TEXT[:40]
NEW = "You have customers and a team. We help you choose."


@pytest.fixture(autouse=True)
def _unchanged(site: Site, database: object) -> None:
    """The pages as they are in the code."""
    with transaction() as session:
        for row in session.execute(sa.select(Text).where(columns.is_active)).scalars():
            row.is_active = False


def address(path: str) -> str:
    return f"{paths.ADMIN_PAGE_TEXTS}?{urlencode({'at': path})}"


def frame_of(page: Page) -> FrameLocator:
    return page.frame_locator("iframe")


def field(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Text")


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()


def opened(staff: Staff, path: str = "/", role: Role = Role.MANAGER) -> Page:
    page = staff(role).open(address(path))
    expect(frame_of(page).locator("[data-text]").first).to_be_visible()
    return page


@pytest.mark.spec("COPY-1", "COPY-2", "COPY-4", "COPY-5")
def test_a_sentence_is_pressed_changed_and_taken_back(staff: Staff, site: Site, browser: Browser) -> None:
    page = opened(staff)
    frame_of(page).get_by_text(START).click()
    expect(field(page)).to_be_focused()
    expect(field(page)).to_have_value(TEXT)
    expect(frame_of(page).locator("[data-is-chosen]")).to_have_text(TEXT)
    field(page).fill(NEW)
    save(page)
    expect(notice(page, "Saved. Live on Home.")).to_be_visible()
    expect(field(page)).to_be_in_viewport()
    expect(frame_of(page).locator("[data-is-chosen]")).to_have_text(NEW)
    expect(page.get_by_text(f"The original: {TEXT}")).to_be_visible()
    visitor = browser.new_page()
    visitor.goto(site.url)
    expect(visitor.get_by_text(NEW)).to_be_visible()

    page.get_by_role("link", name="All pages").click()
    expect(row(page, "Home")).to_contain_text(re.compile(r"Home\s*1\s*just now"))
    page.get_by_role("link", name="Home", exact=True).click()
    page.get_by_role("link", name=NEW).click()
    page.get_by_role("button", name="Use the original").click()
    expect(notice(page, "Back to the original")).to_be_visible()
    expect(field(page)).to_have_value(TEXT)
    visitor.reload()
    expect(visitor.get_by_text(START)).to_be_visible()
    visitor.close()
    notice(page, "Back to the original").get_by_role("button", name="Undo").click()
    expect(field(page)).to_have_value(NEW)
    field(page).fill("You have customers.")
    save(page)
    notice(page, "Saved. Live on Home.").get_by_role("button", name="Undo").click()
    expect(field(page)).to_have_value(NEW)


@pytest.mark.spec("COPY-3")
def test_an_error_stands_below_the_field_and_nothing_typed_is_lost(staff: Staff) -> None:
    page = opened(staff)
    page.get_by_role("link", name=TEXT).click()
    most = len(TEXT) * 3 // 2 + 40
    field(page).fill("x" * int(most * 0.7))
    expect(page.get_by_text(f"of {most} characters")).to_have_count(0)
    field(page).fill("x" * (most + 1))
    expect(page.get_by_text(f"{most + 1} of {most} characters")).to_be_visible()
    save(page)
    expect(page.get_by_text(f"Please shorten this to {most} characters or fewer.")).to_be_visible()
    field(page).fill("x" * most)
    expect(page.get_by_text("Please shorten this")).to_have_count(0)
    field(page).fill(" ")
    save(page)
    expect(page.get_by_text("A text cannot be empty. Use the original instead.")).to_be_visible()
    expect(field(page)).to_have_value(" ")


@pytest.mark.spec("COPY-4")
def test_a_draft_is_kept_previewed_and_not_on_the_site(staff: Staff) -> None:
    page = opened(staff, routes.WHAT_WE_DO)
    text = what_we_do.HERO.text
    page.get_by_role("link", name=text).click()
    field(page).fill(NEW)
    page.get_by_role("button", name="Save draft").click()
    expect(notice(page, "Draft saved")).to_be_visible()
    expect(frame_of(page).get_by_text(text[:40])).to_be_visible()
    page.get_by_role("button", name="Preview").first.click()
    preview = page.get_by_role("navigation", name="Page", exact=True)
    expect(preview.get_by_role("link")).to_have_text(["What We Do"])
    expect(frame_of(page).get_by_text(NEW)).to_be_visible()
    page.go_back()
    expect(field(page)).to_have_value(NEW)
    expect(page.get_by_text("Draft by")).to_be_visible()


@pytest.mark.spec("COPY-6")
def test_a_text_of_two_pages_says_so_and_changes_on_both(staff: Staff, site: Site, browser: Browser) -> None:
    page = opened(staff)
    page.get_by_role("link", name="Companies we work with", exact=True).click()
    expect(page.get_by_text("Also on Companies", exact=True)).to_be_visible()
    field(page).fill("Companies that we scale")
    save(page)
    expect(notice(page, "Saved. Live on Home and Companies.")).to_be_visible()
    visitor = browser.new_page()
    for path in ("/", routes.COMPANIES):
        visitor.goto(f"{site.url}{path}")
        expect(visitor.get_by_role("heading", name="Companies that we scale")).to_be_attached()
    visitor.close()


@pytest.mark.spec("COPY-7")
def test_what_cannot_be_changed_says_where_it_can(staff: Staff, site: Site) -> None:
    page = opened(staff, routes.COMPANIES)
    frame_of(page).get_by_text("Get Started").first.click()
    expect(page.get_by_text("This text cannot be changed here.")).to_be_visible()
    card = frame_of(page).locator("[data-path^='/companies/']").first
    slug = str(card.get_attribute("data-path")).rpartition("/")[2]
    card.click()
    expect(page.get_by_text("This text cannot be changed here.")).to_be_in_viewport(ratio=1)
    page.get_by_role("link", name=re.compile("^Edit ")).click()
    page.wait_for_url(f"**/admin/companies/{slug}/edit")


@pytest.mark.spec("COPY-8")
def test_title_and_description_are_shown_as_a_result_and_changed(staff: Staff, site: Site, browser: Browser) -> None:
    page = opened(staff, routes.WHY_US)
    result = page.locator(".texts-search")
    expect(result.get_by_text(re.compile(r"^Title, \d+ characters$"))).to_be_visible()
    result.get_by_role("link").first.click()
    field(page).fill("Why founders stay with us")
    save(page)
    expect(notice(page, "Saved. Live on Why Us.")).to_be_visible()
    expect(result.get_by_text("Title, 25 characters")).to_be_visible()
    visitor = browser.new_page()
    visitor.goto(f"{site.url}{routes.WHY_US}")
    assert visitor.title() == "Why founders stay with us"
    card = visitor.locator("meta[property='og:title']").get_attribute("content")
    assert card == "Why founders stay with us"
    visitor.close()


@pytest.mark.spec("COPY-9")
def test_a_change_of_a_text_that_is_gone_is_copied_or_deleted(staff: Staff) -> None:
    with transaction() as session:
        change_text(session, "The work of last year in numbers", "The work in figures")
    page = staff(Role.MANAGER).open(paths.ADMIN_TEXTS)
    expect(page.get_by_role("heading", name="No longer on the site")).to_be_visible()
    expect(page.get_by_text("Original: The work of last year in numbers")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="No longer on the site")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="No longer on the site")).to_be_visible()


@pytest.mark.spec("COPY-1", "ROLE-4")
def test_employees_read_the_texts(staff: Staff) -> None:
    page = opened(staff, role=Role.EMPLOYEE)
    expect(page.locator(".texts-list").get_by_text(START)).to_be_visible()
    expect(page.locator(".texts-list").get_by_role("link")).to_have_count(0)
    frame_of(page).get_by_text(START).click()
    expect(page.get_by_text("This text cannot be changed here.")).to_be_visible()
    expect(field(page)).to_have_count(0)
    page.goto(page.url + "&edit=1")
    expect(notice(page, "You may not do this.")).to_be_visible()
    expect(page.get_by_role("heading", name="Page texts")).to_be_visible()


@pytest.mark.spec("COPY-2")
@pytest.mark.parametrize("size", [PHONE, LAPTOP["viewport"]], ids=["phone", "laptop"])
def test_a_phone_has_the_list_alone_and_a_link_to_the_page(staff: Staff, size: ViewportSize) -> None:
    page = staff(Role.MANAGER, viewport=size).open(address("/"))
    page.get_by_role("link", name=TEXT).click()
    expect(field(page)).to_be_focused()
    is_phone = size == PHONE
    expect(page.locator("iframe")).to_be_visible(visible=not is_phone)
    see = page.get_by_role("link", name="See on the page")
    expect(see).to_be_visible(visible=is_phone)
    if is_phone:
        with page.expect_popup() as popup:
            see.click()
        expect(popup.value.locator(":target")).to_have_text(TEXT)
        popup.value.close()
    page.get_by_role("link", name="All pages").click()
    expect(page.get_by_role("heading", name="Page texts")).to_be_visible()
