"""The back office's frame: who gets in, the tabs in the address, the header, the menu, the greeting."""

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise

import pytest
import sqlalchemy as sa
from playwright.sync_api import Locator, Page, expect
from sqlmodel import col

from advisory_site.advisors.models import Advisor
from sitekit.accounts.models import Profile
from sitekit.admin.shell import SHEET
from sitekit.base.db.database import now, transaction
from sitekit.base.permissions import Role
from tests.e2e.backoffice.company_form import edit
from tests.e2e.backoffice.conftest import Staff, TableChange
from tests.e2e.conftest import Site
from tests.support import factories


def tab(page: Page, name: str) -> Locator:
    return page.get_by_role("tab", name=name, exact=True)


@pytest.mark.spec("ADM-2")
def test_a_visitor_signs_in_and_returns_to_the_requested_page(visit: Callable[[str], Page]) -> None:
    page = visit("/admin/companies/new")
    page.wait_for_url("**/auth?next=/admin/companies/new")
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()


def test_the_stylesheet_is_not_preloaded_by_scripts(staff: Staff, company: Callable[..., str]) -> None:
    """React shows nothing until it has loaded, and browsers warn of a preload that a slow device uses late."""
    colleague = staff()
    for path, shown in ((edit(company()), "**/edit"), ("/auth", "**/admin")):
        page = colleague.open(path)
        page.wait_for_url(shown)
        expect(page.get_by_role("main")).to_be_visible()
        expect(page.locator(f"link[href='{SHEET}']")).to_have_count(1)


def test_pages_share_the_rules_of_the_component_library(staff: Staff) -> None:
    """Each page with rules of its own would leave them in the document."""
    page = staff().open("/admin?tab=companies")
    sheets = page.locator("style[data-emotion]")
    counts = []
    for _ in range(3):
        page.get_by_role("link", name="Add Company").click()
        expect(page.locator("[name=location]")).to_be_visible()
        page.get_by_role("link", name="Back to Companies").click()
        expect(tab(page, "Companies")).to_have_attribute("aria-selected", "true")
        counts.append(sheets.count())
    assert counts == [counts[0]] * 3


@pytest.mark.spec("ADM-1")
def test_tabs_are_in_the_page_address_and_browser_history_works(staff: Staff) -> None:
    page = staff(Role.ADMIN).open("/admin")
    expect(tab(page, "Dashboard")).to_have_attribute("aria-selected", "true")
    tab(page, "Companies").click()
    page.wait_for_url("**/admin?tab=companies")
    expect(page.get_by_role("heading", name="Company Management")).to_be_visible()
    tab(page, "Users").click()
    expect(page.get_by_role("heading", name="User Management")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Company Management")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("heading", name="User Management")).to_be_visible()


@pytest.mark.spec("ADM-1")
def test_a_tab_can_be_opened_in_another_browser_tab(staff: Staff) -> None:
    page = staff().open("/admin")
    with page.context.expect_page() as opened:
        tab(page, "Companies").click(modifiers=["ControlOrMeta"])
    expect(opened.value.get_by_role("heading", name="Company Management")).to_be_visible()
    expect(tab(page, "Dashboard")).to_have_attribute("aria-selected", "true")


@pytest.mark.spec("ADM-3")
def test_the_avatar_menu_names_the_person_and_signs_out(staff: Staff) -> None:
    colleague = staff(Role.MANAGER)
    page = colleague.open("/admin")
    page.get_by_role("button", name="Account menu").click()
    menu = page.get_by_role("menu")
    expect(menu.get_by_text("Ann Lim")).to_be_visible()
    expect(menu.get_by_text(colleague.email)).to_be_visible()
    expect(menu.get_by_role("menuitem", name="Profile")).to_be_visible()
    expect(menu.get_by_role("menuitem", name="Settings")).to_be_visible()
    menu.get_by_role("menuitem", name="Log out").click()
    page.wait_for_url("**/auth**")


@pytest.mark.spec("DASH-1")
def test_the_greeting_follows_the_clock_of_the_browser(staff: Staff) -> None:
    colleague = staff(timezone_id="America/Lima")
    page = colleague.context.new_page()
    for time, greeting in (
        ("11:59", "Good morning, Ann!"),
        ("12:00", "Good afternoon, Ann!"),
        ("17:59", "Good afternoon, Ann!"),
        ("18:00", "Good evening, Ann!"),
    ):
        page.clock.set_fixed_time(f"2026-03-02T{time}:00-05:00")
        page.goto(colleague.site.url + "/admin")
        expect(page.get_by_role("heading", name=greeting), time).to_be_visible()


@pytest.mark.spec("ADM-1", "ADM-3", "DASH-2", "ROLE-2")
def test_the_dashboard_shows_the_tabs_and_the_capabilities_of_the_role(staff: Staff) -> None:
    page = staff(Role.MANAGER).open("/admin")
    expect(page.get_by_role("tab")).to_have_text(["Dashboard", "Users", "Companies", "Teams", "Advisors", "Insights"])
    header = page.get_by_role("banner")
    expect(header.get_by_role("heading", name="Admin Dashboard")).to_be_visible()
    expect(header.get_by_text("manager", exact=True)).to_be_visible()
    expect(header.get_by_text("AL", exact=True)).to_be_visible()
    expect(page.get_by_text("Welcome to your manager dashboard. Here's what you can do:")).to_be_visible()
    capabilities = ["Team management", "View user lists", "Generate reports", "Monitor team activities"]
    assert page.locator(".capabilities").get_by_role("listitem").all_inner_texts() == capabilities
    page.locator(".capabilities").get_by_role("link", name="Monitor team activities").click()
    page.wait_for_url("**/admin/activity")


@pytest.mark.spec("DASH-1")
def test_people_without_a_name_are_greeted_as_user_and_asked_for_one(staff: Staff) -> None:
    colleague = staff()
    with transaction() as session:
        session.execute(sa.update(Profile).where(col(Profile.id) == colleague.user_id).values(first_name=""))
    page = colleague.open("/admin")
    expect(page.get_by_role("heading", name=", User!")).to_be_visible()
    page.get_by_role("link", name="Add your name").click()
    page.wait_for_url("**/admin/profile")


@pytest.mark.spec("DASH-3")
def test_dashboard_cards_are_aligned_and_equal_in_size(staff: Staff) -> None:
    page = staff(Role.ADMIN).open("/admin")
    expect(page.locator(".tiles > .tile .tile-number")).to_have_count(4)
    boxes = [tile.bounding_box() for tile in page.locator(".tiles > .tile").all()]
    assert len({(box["y"], box["width"], box["height"]) for box in boxes if box}) == 1


def panel(page: Page, title: str) -> Locator:
    return page.locator("section").filter(has=page.get_by_role("heading", name=title, exact=True))


@pytest.mark.spec("DASH-3", "CON-6", "ENQ-4")
def test_an_enquiry_can_be_opened_from_the_dashboard(staff: Staff, emptied: TableChange) -> None:
    colleague = staff(timezone_id="Asia/Singapore")
    with emptied("enquiries"):
        page = colleague.open("/admin")
        expect(panel(page, "To answer").get_by_text("No enquiries to answer.")).to_be_visible()
        with transaction() as session:
            due = now() - timedelta(hours=3, minutes=5)
            enquiry = factories.add_enquiry(session, company="Reef", stage="pmf", due_at=due)
            enquiry_id = factories.id_of(enquiry)
        page.reload()
        line = panel(page, "To answer").get_by_role("listitem")
        for text in ("Product-Market Fit · Reef", "Overdue by 3 h"):
            expect(line.get_by_text(text)).to_be_visible()
        expect(panel(page, "To answer").get_by_text("1 waiting for a reply, 1 overdue")).to_be_visible()
        line.get_by_role("link", name="Ann Lee").click()
        page.wait_for_url(f"**/admin/enquiries/{enquiry_id}")
        expect(page.get_by_role("heading", name="Ann Lee", exact=True)).to_be_visible()


@pytest.mark.spec("DASH-3")
def test_each_matter_needing_attention_links_to_exactly_its_records(staff: Staff) -> None:
    with transaction() as session:
        session.connection().execute(sa.update(Advisor).values(is_active=True))
        factories.add_advisor(session, name="Not Yet Shown", is_active=False)
    page = staff().open("/admin")
    attention = panel(page, "Needs attention")
    expect(attention).to_contain_text("Sifu Trades, Treacle Tech")
    expect(attention).to_contain_text("1 advisor is not published")
    attention.get_by_role("link", name="Not Yet Shown").click()
    expect(page.locator("[name=name]")).to_have_value("Not Yet Shown")


@pytest.mark.spec("DASH-3")
def test_the_week_labels_of_the_chart_fit_one_line_on_a_phone(staff: Staff) -> None:
    page = staff(viewport={"width": 360, "height": 780}).open("/admin")
    labels = page.locator(".chart-label")
    expect(labels).to_have_count(8)
    heights = [label.evaluate("label => label.getBoundingClientRect().height") for label in labels.all()]
    assert max(heights) < 20
    boxes = [box for label in labels.all() if label.is_visible() and (box := label.bounding_box())]
    assert len(boxes) == 4
    assert all(one["x"] + one["width"] < other["x"] for one, other in pairwise(boxes))
    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.spec("ADM-3")
def test_the_header_of_a_phone_has_room_for_mark_title_and_buttons(staff: Staff) -> None:
    page = staff(viewport={"width": 360, "height": 780}).open("/admin")
    mark, title = page.locator(".backoffice-title svg"), page.locator(".backoffice-title :is(h1, p)")
    expect(mark).to_have_css("width", "24px")
    assert title.evaluate("title => title.getClientRects().length") == 1
    page.set_viewport_size({"width": 320, "height": 780})
    expect(mark).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") == 320


# What is said in the first second, in which a connection is not missed yet, however slow the machine is.
BARS_SHOWN = """
window.bars = [];
document.addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
  const text = document.querySelector(".connection-bar")?.textContent;
  if (text && performance.now() < 1000) bars.push(text);
}).observe(document.body, { subtree: true, childList: true, characterData: true }));
"""


@pytest.mark.spec("SAY-3")
def test_opening_a_page_shows_no_connection_bar(staff: Staff) -> None:
    page = staff(Role.ADMIN).open("/admin?tab=companies")
    page.add_init_script(BARS_SHOWN)
    page.goto(page.url.partition("?")[0])
    expect(page.get_by_text("Last verified backup")).to_be_visible()
    assert page.evaluate("window.bars") == []


@pytest.mark.spec("DASH-3")
def test_an_unreadable_dashboard_shows_zeros_without_an_error(
    staff: Staff, site: Site, taken_away: TableChange
) -> None:
    colleague = staff(Role.ADMIN)
    with taken_away("enquiries"):
        page = colleague.open("/admin")
        for title in ("Total Users", "Administrators", "Managers", "Employees"):
            tile = page.get_by_role("article").filter(has=page.get_by_role("heading", name=title))
            expect(tile.locator(".tile-number")).to_have_text("0")
        expect(page.get_by_text("No enquiries to answer.")).to_have_count(0)
    assert page.locator(".notice").count() == 0
    assert "The dashboard could not be read" in site.log
