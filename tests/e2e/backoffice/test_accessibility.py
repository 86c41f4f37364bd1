"""The back office with axe-core, in both themes, on a laptop and on a phone, and with the keyboard alone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.e2e.axe import findings_by_width
from tests.e2e.backoffice.company_form import stored
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import notice
from tests.e2e.conftest import Watch, wait_until_painted
from tests.e2e.cut_texts import broken_words, cut_texts
from tests.e2e.states import GATE, OTHERS
from tests.e2e.walks import State, Walk, check, settled

TABLET = ViewportSize(width=768, height=1024)


def accessible(state: State) -> list[str]:
    """What axe-core finds in a state; before, what is cut or broken on a tablet."""
    state.page.set_viewport_size(TABLET)
    wait_until_painted(state.page)
    wrong = [f"768: {one}" for one in [*cut_texts(state.page), *broken_words(state.page)]]
    return wrong + findings_by_width(state.page, within=state.part)


@pytest.mark.spec("AUTH-1")
@pytest.mark.parametrize("walk", GATE)
def test_pages_are_accessible_without_horizontal_scrolling(staff: Staff, walk: Walk) -> None:
    check([walk], staff, accessible)


@pytest.mark.timeout(600)
@pytest.mark.spec("PUB-2", "PUB-4", "LIST-1", "LIST-7", "ENQ-1", "IMG-3", "IMG-4", "ACC-1", "ACC-4", "INV-1", "MFA-2")
def test_open_dialogs_menus_and_forms_are_accessible_without_horizontal_scrolling(staff: Staff, watch: Watch) -> None:
    watch.expect("Failed to load resource")
    check(OTHERS, staff, accessible)


def test_a_company_can_be_found_and_edited_by_keyboard(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(name="Keyboard Only")
    page = settled(staff().open("/admin"))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.get_by_role("tab", name="Dashboard").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_url("**/admin?tab=companies")
    page.get_by_role("searchbox").focus()
    page.keyboard.type("keyboard only")
    expect(page.get_by_text("1–1 of 1")).to_be_visible()
    page.get_by_role("link", name="Edit Keyboard Only").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[name=location]")).to_be_visible()
    page.locator("[name=location]").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("Typed blind")
    page.keyboard.press("Enter")
    expect(notice(page, "Company updated successfully")).to_be_visible()
    assert stored(slug).location == "Typed blind"


def test_the_menu_works_by_keyboard(staff: Staff) -> None:
    page = settled(staff().open("/admin"))
    button = page.get_by_role("button", name="Account menu")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name="Profile")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem", name="Settings")).to_be_focused()
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
