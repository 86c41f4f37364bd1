"""What can be done with a row: its menu holds every action."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.backoffice import advisor_form as advisors
from tests.e2e.backoffice import team_dialog as team
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import answer, notice, question, reply, row

Company = Callable[..., str]


def menu_button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=f"More actions for {name}")


def items(page: Page) -> Locator:
    return page.get_by_role("menuitem")


@pytest.mark.spec("LIST-1")
def test_the_row_menu_works_by_keyboard(staff: Staff, company: Company) -> None:
    slug = company(name="Avocet")
    page = staff().open("/admin?tab=companies&search=avocet")
    button = menu_button(page, "Avocet")
    expect(button).to_have_attribute("aria-haspopup", "menu")
    button.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    names = ["View on site (opens in a new tab)", "Edit", "Duplicate", "Unpublish", "History", "Delete"]
    expect(items(page)).to_have_text(names)
    expect(items(page).first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem", name="Edit")).to_be_focused()
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem", name="Delete")).to_be_focused()
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    expect(items(page)).to_have_count(0)
    button.press("Enter")
    expect(items(page).first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem", name="Edit")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/admin/companies/{slug}/edit?search=avocet")


# Presses keys before the menu has been drawn for the first time, which is sooner than a test can.
PRESS_AT_ONCE = """async (button, keys) => {
    button.focus();
    const frame = window.requestAnimationFrame;
    const held = [];
    window.requestAnimationFrame = (draw) => held.push(draw);
    for (const key of keys) {
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
        while (!document.querySelector("[aria-expanded=true]")) await new Promise((resolve) => setTimeout(resolve));
    }
    window.requestAnimationFrame = frame;
    for (const draw of held) frame(draw);
}"""


@pytest.mark.spec("LIST-1")
def test_keys_pressed_before_the_row_menu_is_drawn_count(staff: Staff, company: Company) -> None:
    slug = company(name="Whimbrel")
    page = staff().open("/admin?tab=companies&search=whimbrel")
    menu_button(page, "Whimbrel").evaluate(PRESS_AT_ONCE, ["Enter", "ArrowDown", "Enter"])
    page.wait_for_url(f"**/admin/companies/{slug}/edit?search=whimbrel")


@pytest.mark.spec("LIST-1")
def test_hidden_records_have_no_view_link(staff: Staff, company: Company) -> None:
    company(name="Ruff", status="Exited")
    advisors.add(name="Ruff", is_active=False)
    team.add(name="Ruff", is_active=False)
    colleague = staff()
    for tab in ("companies", "teams", "advisors"):
        page = colleague.open(f"/admin?tab={tab}&search=ruff")
        menu_button(page, "Ruff").click()
        expect(items(page)).to_have_text(["Edit", "Duplicate", "Publish", "History", "Delete"])


@pytest.mark.spec("LIST-1", "ACO-3")
def test_deleting_from_the_menu_asks_first(staff: Staff, company: Company) -> None:
    company(name="Shoveler")
    page = staff().open("/admin?tab=companies&search=shoveler")
    menu_button(page, "Shoveler").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(question(page).get_by_role("button", name="Cancel")).to_be_focused()
    assert reply(page, yes=False) == "Are you sure you want to delete this company?"
    expect(menu_button(page, "Shoveler")).to_be_focused()
    answer(page, yes=True)
    menu_button(page, "Shoveler").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(notice(page, "Company deleted successfully")).to_be_visible()
    expect(row(page, "Shoveler")).to_have_count(0)


@pytest.mark.spec("LIST-1")
def test_rows_are_44_pixels_high_on_a_laptop(staff: Staff, company: Company) -> None:
    long = "The Honourable Company of " * 6
    slug = company(name=f"Pochard {long}", industry=long, location=long, status=long)
    page = staff().open("/admin?tab=companies&search=pochard")
    box = row(page, slug).bounding_box()
    assert box
    assert box["height"] == 44
    assert page.evaluate("document.documentElement.scrollWidth") == 1280
    actions = menu_button(page, "Pochard").bounding_box()
    assert actions
    assert actions["x"] + actions["width"] < 1280
