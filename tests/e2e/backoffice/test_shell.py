"""The back office's frame: who gets in, the tabs in the address, the header, the menu, the greeting."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from advisory_site.core.permissions import Role
from tests.e2e.backoffice.conftest import Staff, TableChange
from tests.e2e.conftest import Site


def tab(page: Page, name: str) -> Locator:
    return page.get_by_role("tab", name=name, exact=True)


@pytest.mark.spec("ADM-2")
def test_a_stranger_signs_in_first_and_comes_back_to_the_page_asked_for(visit: Callable[[str], Page]) -> None:
    page = visit("/admin/companies/new")
    page.wait_for_url("**/auth?next=/admin/companies/new")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


@pytest.mark.spec("ADM-1")
def test_tabs_are_in_the_address_and_back_and_forward_work(staff: Staff) -> None:
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
@pytest.mark.parametrize("role", list(Role))
def test_there_are_five_tabs_for_every_role(staff: Staff, role: Role) -> None:
    page = staff(role).open("/admin")
    expect(page.get_by_role("tab")).to_have_text(["Dashboard", "Users", "Companies", "Teams", "Advisors"])


@pytest.mark.spec("ADM-1")
def test_an_unknown_tab_is_the_dashboard(staff: Staff) -> None:
    page = staff().open("/admin?tab=nonsense")
    expect(tab(page, "Dashboard")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_text("Registered in the system")).to_be_visible()


@pytest.mark.spec("ADM-3")
@pytest.mark.parametrize("role", list(Role))
def test_the_header_says_where_one_is_and_what_one_may_do(staff: Staff, role: Role) -> None:
    page = staff(role).open("/admin")
    header = page.get_by_role("banner")
    expect(header.get_by_role("heading", name="Admin Dashboard")).to_be_visible()
    expect(header.get_by_text(role.value, exact=True)).to_be_visible()
    expect(header.get_by_text("AL", exact=True)).to_be_visible()


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
@pytest.mark.parametrize(
    ("time", "greeting"),
    [
        ("11:59", "Good morning, Ann!"),
        ("12:00", "Good afternoon, Ann!"),
        ("17:59", "Good afternoon, Ann!"),
        ("18:00", "Good evening, Ann!"),
    ],
)
def test_the_greeting_follows_the_visitors_own_clock(staff: Staff, time: str, greeting: str) -> None:
    context = staff(timezone_id="America/Lima")
    page = context.context.new_page()
    page.clock.set_fixed_time(f"2026-03-02T{time}:00-05:00")
    page.goto(context.site.url + "/admin")
    expect(page.get_by_role("heading", name=greeting)).to_be_visible()


@pytest.mark.spec("DASH-2", "ROLE-2")
@pytest.mark.parametrize(
    ("role", "capabilities"),
    [
        (
            Role.ADMIN,
            [
                "Full system access",
                "User management",
                "Role assignment",
                "System configuration",
                "All reports and analytics",
            ],
        ),
        (Role.MANAGER, ["Team management", "View user lists", "Generate reports", "Monitor team activities"]),
        (Role.EMPLOYEE, ["Personal dashboard", "Assigned tasks", "Profile updates", "Basic features"]),
    ],
)
def test_the_dashboard_says_what_a_role_can_do(staff: Staff, role: Role, capabilities: list[str]) -> None:
    page = staff(role).open("/admin")
    expect(page.get_by_text(f"Welcome to your {role} dashboard. Here's what you can do:")).to_be_visible()
    assert page.get_by_role("listitem").all_inner_texts() == capabilities


@pytest.mark.spec("DASH-3")
def test_the_cards_of_the_dashboard_are_alike(staff: Staff) -> None:
    page = staff(Role.ADMIN).open("/admin")
    expect(page.locator(".tiles > .tile .tile-number")).to_have_count(4)
    boxes = [tile.bounding_box() for tile in page.locator(".tiles > .tile").all()]
    assert len({(box["y"], box["width"], box["height"]) for box in boxes if box}) == 1


BARS_SHOWN = """
window.bars = [];
document.addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
  const text = document.querySelector(".connection-bar")?.textContent;
  if (text) bars.push(text);
}).observe(document.body, { subtree: true, childList: true, characterData: true }));
"""


@pytest.mark.spec("SAY-3")
def test_a_page_that_is_opened_says_nothing_of_its_connection(staff: Staff) -> None:
    page = staff(Role.ADMIN).open("/admin?tab=companies")
    page.add_init_script(BARS_SHOWN)
    page.goto(page.url.partition("?")[0])
    expect(page.get_by_text("Last verified backup")).to_be_visible()
    assert page.evaluate("window.bars") == []


@pytest.mark.spec("DASH-3")
def test_a_dashboard_that_cannot_be_read_shows_zeros_and_says_nothing(
    staff: Staff, site: Site, taken_away: TableChange
) -> None:
    colleague = staff(Role.ADMIN)
    with taken_away("enquiries"):
        page = colleague.open("/admin")
        for title in ("Total Users", "Administrators", "Managers", "Employees"):
            tile = page.get_by_role("article").filter(has=page.get_by_role("heading", name=title))
            expect(tile.locator(".tile-number")).to_have_text("0")
    assert page.locator(".notice").count() == 0
    assert "The dashboard could not be read" in site.log
