"""The keys of the back office beside those of the finder."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.axe import findings_by_theme
from tests.e2e.backoffice.conftest import Staff


@pytest.mark.spec("FIND-2")
@pytest.mark.parametrize("key", ["Enter", "ArrowDown"])
def test_keys_move_from_search_to_the_first_row_and_from_form_to_heading(
    staff: Staff, company: Callable[..., str], key: str
) -> None:
    company(name=f"Rowfirst {key}")
    page = staff().open("/admin?tab=companies&search=treacle")
    expect(page.get_by_text("1-1 of 1")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type(f"rowfirst {key}")
    page.keyboard.press(key)
    expect(page.get_by_role("link", name=f"Rowfirst {key}", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/edit**")
    expect(page.get_by_role("heading", level=1)).to_be_focused()


@pytest.mark.spec("FIND-2")
def test_pressing_question_mark_shows_the_shortcuts_of_the_page(staff: Staff) -> None:
    page = staff(bypass_csp=True).open("/admin?tab=companies&search=tech")
    search = page.get_by_role("searchbox")
    search.press("?")
    expect(search).to_have_value("?tech")
    search.blur()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys that work here")
    expect(dialog.get_by_text("Search this list")).to_be_visible()
    expect(dialog.get_by_text("Save and continue")).to_have_count(0)
    assert findings_by_theme(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.goto(f"{page.url.partition('?')[0]}/companies/new")
    expect(page.locator("[name=name]")).to_be_visible()
    page.keyboard.press("?")
    expect(dialog.get_by_text("Save and continue")).to_be_visible()
    expect(dialog.get_by_text("Search this list")).to_have_count(0)
