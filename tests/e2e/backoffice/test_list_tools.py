"""Finding a row: the order of a list, its pages and their size, its filters, and the key that leads to search."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from sitekit.base.db.database import transaction
from sitekit.base.permissions import Role
from tests.e2e.backoffice import advisor_form as advisors
from tests.e2e.backoffice import team_dialog as team
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import row
from tests.e2e.clocks import pause_clock
from tests.support import factories
from tests.support.waiting import wait_for

Company = Callable[..., str]


def names(page: Page) -> list[str]:
    return page.locator("tbody a.cell-title").all_inner_texts()


@pytest.mark.spec("LIST-2")
@pytest.mark.parametrize(
    ("path", "column", "direction"),
    [
        ("/admin?tab=teams", "Order", "ascending"),
        ("/admin?tab=users", "Member Since", "descending"),
        ("/admin/enquiries", "Received", "descending"),
    ],
)
def test_the_sorted_column_is_marked(staff: Staff, path: str, column: str, direction: str) -> None:
    colleague = staff(Role.ADMIN)
    with transaction() as session:
        factories.add_enquiry(session)
    head = colleague.open(path).get_by_role("columnheader", name=column)
    expect(head).to_have_attribute("aria-sort", direction)
    head.get_by_role("link").click()
    expect(head).to_have_attribute("aria-sort", "descending" if direction == "ascending" else "ascending")


@pytest.mark.spec("LIST-2", "ACO-1")
def test_a_column_sorts_both_ways_and_other_orders_are_named(staff: Staff) -> None:
    page = staff().open("/admin?tab=companies")
    head = page.get_by_role("columnheader", name="Company")
    expect(head).to_have_attribute("aria-sort", "none")
    expect(page.get_by_text("Newest first")).to_be_visible()
    # A column that sorts has an icon.
    sortable, fixed = (page.get_by_role("columnheader", name=name) for name in ("Industry", "Founder"))
    expect(sortable.locator("svg")).to_have_css("opacity", "0.45")
    expect(fixed.locator("svg")).to_have_count(0)
    head.get_by_role("link").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    expect(page.get_by_text("Newest first")).to_have_count(0)
    head.get_by_role("link").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    page.wait_for_url("**sort=name&order=desc")


@pytest.mark.spec("LIST-2")
def test_cards_are_sorted_by_a_select(staff: Staff, database: object) -> None:
    for name, order in (("Zitting Cisticola", 1), ("Ashy Cisticola", 2)):
        advisors.add(name=name, display_order=order)
    page = staff().open("/admin?tab=advisors&search=cisticola")
    heads = page.get_by_role("heading", level=3)
    expect(heads).to_have_text(["Zitting Cisticola", "Ashy Cisticola"])
    page.get_by_label("Order").select_option("By name")
    page.wait_for_url("**sort=name")
    expect(heads).to_have_text(["Ashy Cisticola", "Zitting Cisticola"])


@pytest.mark.spec("LIST-2")
def test_a_table_is_sorted_by_a_select_on_a_phone(staff: Staff, company: Company) -> None:
    for name in ("Ashy Prinia", "Zitting Prinia"):
        company(name=name)
    page = staff(viewport={"width": 360, "height": 780}).open("/admin?tab=companies&search=prinia")
    choice, names = page.get_by_label("Sort by"), page.locator(".cell-title")
    choice.select_option("Company, descending")
    page.wait_for_url("**sort=name&order=desc")
    expect(names).to_have_text(["Zitting Prinia", "Ashy Prinia"])
    choice.select_option("Company, ascending")
    expect(names).to_have_text(["Ashy Prinia", "Zitting Prinia"])
    page.reload()
    expect(choice).to_have_value("name")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(choice).to_be_hidden()


@pytest.mark.spec("LIST-2")
def test_pages_are_numbered_and_lead_to_both_ends(staff: Staff, company: Company) -> None:
    for number in range(80):
        company(name=f"Sandpiper {number:02}")
    page = staff().open("/admin?tab=companies&search=sandpiper&sort=name")
    expect(page.get_by_text("Page 1 of 4")).to_be_visible()
    expect(page.get_by_role("link", name="First page")).to_have_count(0)
    page.get_by_role("link", name="Last page").click()
    expect(page.get_by_text("Page 4 of 4")).to_be_visible()
    expect(page.get_by_text("76–80 of 80")).to_be_visible()
    expect(page.get_by_role("link", name="Last page")).to_have_count(0)
    page.get_by_role("link", name="Previous page").click()
    expect(page.get_by_text("Page 3 of 4")).to_be_visible()
    page.get_by_role("link", name="First page").click()
    expect(page.get_by_text("Page 1 of 4")).to_be_visible()
    assert "page=" not in page.url
    page.get_by_role("link", name="Next page").click()
    expect(page.get_by_text("Page 2 of 4")).to_be_visible()
    page.get_by_label("Rows per page").select_option("50")
    page.wait_for_url("**search=sandpiper&sort=name&size=50")
    expect(page.get_by_text("1–50 of 80")).to_be_visible()
    expect(page.get_by_text("Page 1 of 2")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Rows per page")).to_have_value("50")
    expect(page.get_by_text("1–50 of 80")).to_be_visible()


@pytest.mark.spec("LIST-2")
def test_companies_can_be_filtered_by_industry_and_country_together(staff: Staff, company: Company) -> None:
    company(name="Stint One", industry="Wader Care", location="Vientiane, Laos")
    company(name="Stint Two", industry="Wader Care", location="Tuas, Singapore")
    company(name="Stint Three", industry="Aquaculture", location="Laos")
    page = staff().open("/admin?tab=companies&search=stint")
    page.get_by_label("Country").select_option("Laos")
    expect(row(page, "Stint Two")).to_have_count(0)
    expect(row(page, "Stint Three")).to_be_visible()
    page.get_by_label("Industry").select_option("Wader Care")
    page.wait_for_url("**search=stint&country=Laos&industry=Wader+Care")
    expect(row(page, "Stint Three")).to_have_count(0)
    assert names(page) == ["Stint One"]


@pytest.mark.spec("LIST-2")
def test_an_unknown_filter_value_is_still_shown_and_can_be_cleared(staff: Staff) -> None:
    page = staff().open("/admin?tab=companies&industry=Alchemy")
    expect(page.get_by_text("Nothing matches the filter Industry.")).to_be_visible()
    expect(page.get_by_label("Industry")).to_have_value("Alchemy")
    page.get_by_role("link", name="Clear search and filters").click()
    page.wait_for_url("**/admin?tab=companies")
    expect(page.get_by_label("Industry")).to_have_value("")


@pytest.mark.spec("LIST-2")
def test_an_empty_result_keeps_the_table_header_and_repeats_the_search(staff: Staff) -> None:
    path = "/admin?tab=companies"
    page = staff().open(f"{path}&search=zzzz&size=50")
    expect(page.get_by_text("Nothing matches “zzzz”.")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Company")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_have_value("zzzz")
    page.get_by_role("link", name="Clear search and filters").click()
    page.wait_for_url(f"**{path}&size=50")
    expect(page.locator("tbody").get_by_role("row").first).to_be_visible()


@pytest.mark.spec("LIST-2")
def test_pressing_slash_focuses_the_search_except_in_a_field(staff: Staff) -> None:
    page = staff().open("/admin?tab=companies&search=tea")
    box = page.get_by_role("searchbox")
    expect(box).to_have_attribute("aria-keyshortcuts", "/")
    expect(page.get_by_role("row").first).to_be_visible()
    page.keyboard.press("/")
    expect(box).to_be_focused()
    expect(box).to_have_value("tea")
    page.keyboard.type("a/b")  # what is found is selected, and gives way
    expect(box).to_have_value("a/b")


@pytest.mark.spec("LIST-2")
def test_pressing_slash_in_a_dialog_types_a_slash(staff: Staff) -> None:
    page = staff().open(f"{team.TAB}&edit=new")
    expect(team.dialog(page).get_by_role("heading", name="Add Team Member")).to_be_focused()
    page.keyboard.press("/")
    expect(team.dialog(page).get_by_role("heading", name="Add Team Member")).to_be_focused()
    team.field(page, "name").focus()
    page.keyboard.type("a/b")
    expect(team.field(page, "name")).to_have_value("a/b")
    team.dialog(page).get_by_role("button", name="Close").focus()
    page.keyboard.press("/")
    expect(team.dialog(page).get_by_role("button", name="Close")).to_be_focused()


@pytest.mark.spec("ACO-2")
def test_only_the_exact_status_active_is_green(staff: Staff, company: Company) -> None:
    green = "rgb(8, 68, 54)"
    for number, status in enumerate(("Active", "active", "Exited")):
        company(name=f"Phalarope {number}", status=status)
    page = staff().open("/admin?tab=companies&search=phalarope&sort=name")
    badges = page.locator("tbody .badge")
    expect(badges).to_have_text(["Active", "active", "Exited"])
    expect(badges.nth(0)).to_have_css("color", green)
    for other in (1, 2):
        expect(badges.nth(other)).not_to_have_css("color", green)


@pytest.mark.spec("LIST-3")
def test_a_row_can_be_opened_while_the_search_waits_for_input(staff: Staff, company: Company) -> None:
    slug = company(name="Quick Hand")
    page = staff().open("/admin?tab=companies&search=quick")

    late: list[Route] = []
    page.route("**/assets/**", lambda route: late.append(route))
    pause_clock(page)
    page.get_by_role("searchbox").fill("quick h")
    page.get_by_role("link", name="Quick Hand", exact=True).click()
    wait_for(lambda: late, "the next page asks for its files", page=page)
    page.clock.run_for(600)  # longer than the search waits
    page.clock.resume()
    page.route("**/assets/**", lambda route: route.continue_())
    for route in late:
        route.continue_()
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("Quick Hand")
    assert f"/admin/companies/{slug}/edit" in page.url


# React draws by messages to itself, which a slow machine handles after the timer of the search.
SLOW_DRAWING = """() => {
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (...message) {
        setTimeout(() => post.apply(this, message), 600);
    };
}"""


@pytest.mark.spec("LIST-3")
def test_a_row_can_be_opened_during_a_search_on_a_slow_machine(staff: Staff, company: Company) -> None:
    slug = company(name="Slow Hand")
    page = staff().open("/admin?tab=companies&search=slow")
    page.evaluate(SLOW_DRAWING)
    page.get_by_role("searchbox").fill("slow h")
    page.get_by_role("link", name="Slow Hand", exact=True).click()
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("Slow Hand")
    assert f"/admin/companies/{slug}/edit" in page.url
