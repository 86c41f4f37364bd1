"""Several rows at once, rows in order, and copies: by pointer and by keys."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.backoffice import advisor_form as advisors
from tests.e2e.backoffice import team_dialog as team
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import answer, notice, row

Company = Callable[..., str]


def tick(page: Page, name: str) -> None:
    """Tick a row, or all of the page; the server says that it is ticked."""
    box = page.get_by_role("checkbox", name=f"Select {name}", exact=True)
    expect(box).to_be_enabled()
    box.click(force=True)
    expect(box).to_be_checked()


def bar(page: Page) -> Locator:
    return page.get_by_role("region", name="Selected records")


def names(page: Page) -> list[str]:
    return page.locator("a.cell-title").all_inner_texts()


def three(add: Callable[..., object], word: str) -> None:
    """Three records in order that a search for this word finds."""
    for number, name in enumerate(("Avocet", "Dunlin", "Godwit")):
        add(name=f"{name} {word}", display_order=number - 50)


@pytest.mark.spec("LIST-5")
def test_ticked_companies_can_be_unpublished_and_deleted_together(staff: Staff, company: Company) -> None:
    for name in ("Plover Tea", "Plover Kelp", "Plover Rice"):
        company(name=name)
    page = staff().open("/admin?tab=companies&search=plover")
    tick(page, "Plover Tea")
    tick(page, "Plover Kelp")
    expect(bar(page).get_by_role("status")).to_have_text("2 selected")
    with page.expect_download() as download:
        bar(page).get_by_role("button", name="Export").click()
    assert Path(download.value.path()).read_text(encoding="utf-8-sig").count("Plover") == 2
    bar(page).get_by_role("button", name="Unpublish").click()
    expect(notice(page, "Unpublished: Plover")).to_be_visible()
    expect(row(page, "Plover Tea")).to_contain_text("Inactive")
    expect(bar(page)).to_have_count(0)
    tick(page, "all on this page")
    asked = answer(page, yes=True)
    bar(page).get_by_role("button", name="Move to trash").click()
    expect(notice(page, "Moved to the trash: Plover")).to_be_visible()
    assert asked == ["Move 3 records to the trash? They can be restored for 30 days."]
    expect(page.get_by_text("Nothing matches")).to_be_visible()
    notice(page, "Moved to the trash").get_by_role("button", name="Undo").click()
    expect(notice(page, "Undone: Plover Tea, Plover Kelp, Plover Rice")).to_be_visible()
    expect(row(page, "Plover Tea")).to_be_visible()


@pytest.mark.spec("LIST-5")
def test_all_search_results_can_be_ticked_after_the_page(staff: Staff, company: Company) -> None:
    for number in range(27):
        company(name=f"Sanderling {number}")
    page = staff().open("/admin?tab=companies&search=sanderling")
    tick(page, "all on this page")
    expect(bar(page).get_by_role("status")).to_have_text("25 selected")
    bar(page).get_by_role("button", name="Select all 27").click()
    expect(bar(page).get_by_role("status")).to_have_text("27 selected")
    bar(page).get_by_role("button", name="Clear selection").click()
    expect(bar(page)).to_have_count(0)


@pytest.mark.spec("LIST-4")
def test_members_can_be_reordered_by_keyboard(staff: Staff, database: object) -> None:
    three(team.add, "Wader")
    page = staff().open(f"{team.TAB}&search=wader")
    expect(row(page, "Godwit")).to_be_visible()
    handle = page.get_by_role("button", name="Move Avocet Wader")
    handle.focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.get_by_role("status").filter(has_text="This is the first row.")).to_have_count(1)
    page.keyboard.press("Alt+ArrowDown")
    expect(notice(page, "Avocet Wader moved to position 2")).to_be_visible()
    expect(handle).to_be_focused()
    page.keyboard.press("Alt+ArrowDown")
    expect(notice(page, "Avocet Wader moved to position 3")).to_be_visible()
    assert names(page) == ["Dunlin Wader", "Godwit Wader", "Avocet Wader"]


@pytest.mark.spec("LIST-4")
@pytest.mark.parametrize(("tab", "width"), [("teams", 1280), ("advisors", 360)])
def test_rows_can_be_reordered_by_dragging(staff: Staff, database: object, tab: str, width: int) -> None:
    word = f"Rail{width}"
    three(team.add if tab == "teams" else advisors.add, word)
    page = staff(viewport={"width": width, "height": 1200}).open(f"/admin?tab={tab}&search={word}")
    moved, goal = (page.get_by_role("button", name=f"Move {name} {word}") for name in ("Godwit", "Avocet"))
    goal.scroll_into_view_if_needed()
    moved.hover()
    page.mouse.down()
    goal.hover()
    page.mouse.up()
    expect(notice(page, f"Godwit {word} moved to position")).to_be_visible()
    assert names(page) == [f"Godwit {word}", f"Avocet {word}", f"Dunlin {word}"]


@pytest.mark.spec("LIST-1")
def test_copying_a_member_opens_the_dialog_for_a_new_one(staff: Staff, database: object) -> None:
    team.add(name="Whimbrel")
    page = staff().open(f"{team.TAB}&search=whimbrel")
    page.get_by_role("button", name="More actions for Whimbrel").click()
    page.get_by_role("menuitem", name="Duplicate").click()
    expect(team.dialog(page).get_by_role("heading", name="Add Team Member")).to_be_visible()
    expect(team.field(page, "name")).to_have_value("Whimbrel (copy)")
    page.keyboard.press("Escape")
    expect(team.dialog(page)).to_have_count(0)
    assert "copy" not in page.url
