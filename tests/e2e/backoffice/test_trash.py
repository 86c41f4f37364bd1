"""The trash, and Undo by keys, in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sitekit.base.permissions import Role
from tests.e2e.backoffice import team_dialog as team
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import answer, notice, row

UNDO = "Control+z"


def undo_has_focus(page: Page) -> bool:
    return bool(page.evaluate("document.activeElement.classList.contains('notice-undo')"))


@pytest.mark.spec("TRASH-1")
def test_a_deletion_can_be_undone_by_keyboard(staff: Staff, company: Callable[..., str]) -> None:
    company(name="Limpet Labs")
    page = staff().open("/admin?tab=companies&search=limpet")
    answer(page, yes=True)
    page.get_by_role("button", name="Delete Limpet Labs").press("Enter")
    expect(notice(page, "Company deleted successfully")).to_be_visible()
    expect(page.get_by_text("Nothing matches")).to_be_visible()
    search = page.get_by_role("searchbox")
    search.press(UNDO)  # undoes what was typed there, if anything
    search.blur()
    page.keyboard.press(UNDO)
    expect(notice(page, "Undone: Limpet Labs")).to_be_visible()
    expect(notice(page, "Company deleted")).to_have_count(0)
    expect(row(page, "Limpet Labs")).to_be_visible()
    for _ in range(60):
        if undo_has_focus(page):
            break
        page.keyboard.press("Tab")
    assert undo_has_focus(page)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing matches")).to_be_visible()


@pytest.mark.spec("SAY-2")
def test_an_undo_offer_disappears_when_a_later_change_makes_it_useless(
    staff: Staff, company: Callable[..., str]
) -> None:
    company(name="Cockle Club")
    page = staff().open("/admin?tab=companies&search=cockle")
    answer(page, yes=True)
    page.get_by_role("button", name="More actions for Cockle Club").click()
    page.get_by_role("menuitem", name="Unpublish").click()
    notice(page, "Unpublished: Cockle Club.").hover()  # it would stay as long as the pointer is there
    page.get_by_role("button", name="Delete Cockle Club").press("Enter")
    expect(notice(page, "Company deleted successfully")).to_be_visible()
    expect(notice(page, "Unpublished")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_have_count(1)


@pytest.mark.spec("TRASH-1")
def test_a_member_can_be_restored_from_the_trash_on_a_phone(staff: Staff, database: object) -> None:
    team.add(name="Turban Shell")
    page = staff(Role.ADMIN, viewport={"width": 360, "height": 740}).open(f"{team.TAB}&search=turban")
    asked = answer(page, yes=True)
    page.get_by_role("button", name="Delete Turban Shell").click()
    expect(notice(page, "Team member deleted successfully")).to_be_visible()
    page.get_by_role("link", name="Trash").click()
    expect(page).to_have_title("Trash")
    expect(page.get_by_role("combobox", name="Kind")).to_have_value("team_members")
    deleted = row(page, "Turban Shell")
    expect(deleted).to_contain_text("Ann Lim")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    deleted.get_by_role("button", name="Restore").click()
    expect(notice(page, "Turban Shell restored").get_by_role("button", name="Undo")).to_be_visible()
    expect(deleted).to_have_count(0)
    notice(page, "Turban Shell restored").get_by_role("button", name="Undo").click()
    expect(deleted).to_be_visible()
    deleted.get_by_role("button", name="Delete permanently").click()
    expect(notice(page, "Deleted permanently")).to_be_visible()
    assert asked[-1] == "Delete Turban Shell permanently? Its history goes too, and nobody can restore it."
    expect(page.get_by_text("Nothing in the trash for this filter.")).to_be_visible()
