"""The keys of the back office beside those of the finder."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.backoffice import team_dialog as team
from tests.e2e.backoffice.company_form import edit, stored
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import answer, notice, row


@pytest.mark.spec("FIND-2")
@pytest.mark.parametrize("key", ["Enter", "ArrowDown"])
def test_keys_move_from_search_to_the_first_row_and_from_form_to_heading(
    staff: Staff, company: Callable[..., str], key: str
) -> None:
    company(name=f"Rowfirst {key}")
    page = staff().open("/admin?tab=companies&search=treacle")
    expect(page.get_by_text("1–1 of 1")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type(f"rowfirst {key}")
    page.keyboard.press(key)
    expect(page.get_by_role("link", name=f"Rowfirst {key}", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/edit**")
    expect(page.get_by_role("heading", level=1)).to_be_focused()


@pytest.mark.spec("FIND-2")
def test_pressing_question_mark_shows_the_shortcuts_of_the_page(staff: Staff) -> None:
    page = staff().open("/admin?tab=companies&search=tech")
    search = page.get_by_role("searchbox")
    search.press("?")
    expect(search).to_have_value("?tech")
    search.blur()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys that work here")
    expect(dialog.get_by_text("Search this list")).to_be_visible()
    expect(dialog.get_by_text("Save and continue")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.goto(f"{page.url.partition('?')[0]}/companies/new")
    expect(page.locator("[name=name]")).to_be_visible()
    page.keyboard.press("?")
    expect(dialog.get_by_text("Save and continue")).to_be_visible()
    expect(dialog.get_by_text("Search this list")).to_have_count(0)


@pytest.mark.spec("FIND-2")
def test_shortcuts_of_one_key_can_be_turned_off(staff: Staff) -> None:
    colleague = staff()
    page = colleague.open("/admin/settings")
    page.get_by_role("checkbox", name="Use / and ? as shortcuts").press("Space")
    page = colleague.open("/admin?tab=companies&search=tech")
    expect(page.get_by_role("row").nth(1)).to_be_visible()
    expect(page.get_by_role("searchbox")).not_to_have_attribute("aria-keyshortcuts", "/")
    page.keyboard.press("?")
    page.keyboard.press("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.spec("LIST-2")
def test_pressing_slash_counts_after_a_row_was_ticked(staff: Staff, company: Callable[..., str]) -> None:
    company(name="Slashtick")
    page = staff().open("/admin?tab=companies&search=slashtick")
    row(page, "Slashtick").get_by_role("checkbox").press("Space")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()


def hold(page: Page, key: str) -> None:
    """Press a key so long that it repeats."""
    for _ in range(6):
        page.keyboard.down(key)
    page.keyboard.up(key)


@pytest.mark.spec("ACO-6")
def test_holding_enter_adds_or_removes_one_row_and_saves_nothing(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(founders=[{"name": "Ana"}, {"name": "Ben"}])
    page = staff().open(edit(slug))
    page.locator("[name=tagline]").fill("Half typed")
    names = page.locator("[name^='founders.'][name$='.name']")
    page.get_by_role("button", name="Add founder").focus()
    hold(page, "Enter")
    expect(names).to_have_count(3)
    expect(names.nth(2)).to_be_focused()
    page.get_by_role("button", name="Remove founder 1").focus()
    hold(page, "Enter")
    expect(names).to_have_count(2)
    expect(page.locator("[data-undo]")).to_be_focused()
    expect(page.locator("[aria-invalid=true]")).to_have_count(0)
    assert "/edit" in page.url
    assert stored(slug).tagline != "Half typed"


@pytest.mark.spec("ACO-5")
def test_a_form_is_saved_by_ctrl_s_of_a_russian_keyboard(staff: Staff, company: Callable[..., str]) -> None:
    page = staff().open(edit(company()))
    page.locator("[name=tagline]").fill("Saved in Russian")
    page.locator("[name=tagline]").dispatch_event(
        "keydown", {"key": "ы", "code": "KeyS", "ctrlKey": True, "bubbles": True}
    )
    expect(notice(page, "Company updated successfully")).to_be_visible()


def compose(field: Locator, text: str) -> None:
    """Type a text that an input method has not finished yet."""
    session = field.page.context.new_cdp_session(field.page)
    session.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})


def press_escape_to_cancel(field: Locator) -> None:
    """What the browser tells the page of a key that the input method takes."""
    field.dispatch_event("keydown", {"key": "Escape", "keyCode": 229, "isComposing": True, "bubbles": True})


@pytest.mark.spec("LIST-2")
def test_the_search_waits_until_a_text_is_composed(staff: Staff) -> None:
    page = staff().open("/admin?tab=companies&search=tide")
    page.clock.install()
    box = page.get_by_role("searchbox")
    box.focus()
    page.keyboard.press("End")
    for text in ("z", "zh", "zhong"):
        compose(box, text)
        page.clock.run_for(1000)
    press_escape_to_cancel(box)
    expect(box).to_have_value("tidezhong")
    assert page.url.endswith("search=tide")
    page.keyboard.insert_text("中")
    page.clock.run_for(1000)
    page.wait_for_url("**search=tide%E4%B8%AD")


def test_cancelling_a_composed_text_leaves_the_dialog_open(staff: Staff) -> None:
    page = staff().open(f"{team.TAB}&edit=new")
    asked = answer(page, yes=False)
    name = team.field(page, "name")
    name.fill("Mei")
    compose(name, "ling")
    press_escape_to_cancel(name)
    page.keyboard.insert_text("玲")
    expect(name).to_have_value("Mei玲")
    expect(name).to_be_focused()
    assert asked == []
