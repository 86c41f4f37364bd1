"""Finding a row: the order of a list, its pages and their size, its filters, and the key that leads to search."""

import pytest
from playwright.sync_api import expect

from tests.e2e.backoffice import team_dialog as team
from tests.e2e.backoffice.conftest import Staff


@pytest.mark.spec("LIST-2")
def test_a_slash_leads_to_search_but_not_from_a_field(staff: Staff) -> None:
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
def test_a_slash_in_a_dialog_is_a_slash(staff: Staff) -> None:
    page = staff().open(f"{team.TAB}&edit=new")
    expect(team.field(page, "name")).to_be_focused()
    page.keyboard.type("a/b")
    expect(team.field(page, "name")).to_have_value("a/b")
    team.dialog(page).get_by_role("button", name="Close").focus()
    page.keyboard.press("/")
    expect(team.dialog(page).get_by_role("button", name="Close")).to_be_focused()
