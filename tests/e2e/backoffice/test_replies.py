"""Replies in a real browser: each once, in place of what was said before, and never on what a person needs."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.e2e.backoffice.conftest import Staff, TableChange
from tests.e2e.backoffice.steps import answer, notice, wait_until_settled
from tests.e2e.clocks import pause_clock

LAPTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 740}
FAILED = "Please fill in all required fields"


def notices(page: Page) -> Locator:
    return page.locator(".notice")


def press_create(page: Page) -> None:
    page.get_by_role("button", name="Create Company").click()


def overlap(one: Locator, other: Locator) -> bool:
    a, b = one.bounding_box(), other.bounding_box()
    assert a and b
    apart = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
    return not (apart or a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"])


def fill_company(page: Page, name: str) -> None:
    page.locator("[name=name]").fill(name)
    expect(page.locator("[name=slug]")).not_to_have_value("")
    for field in ("industry", "location"):
        page.locator(f"[name={field}]").fill("Somewhere")
    page.locator("[name=founded]").fill("2020")
    page.locator("[name=employees]").fill("11-50")
    page.locator("[name=description]").fill("What it does.")


@pytest.mark.spec("SAY-2")
def test_a_success_replaces_the_earlier_error(staff: Staff) -> None:
    page = staff().open("/admin/companies/new")
    press_create(page)
    expect(notices(page)).to_have_text([FAILED])
    press_create(page)
    expect(notices(page)).to_have_text([FAILED])
    fill_company(page, "Replaced Reply")
    press_create(page)
    expect(notices(page)).to_have_text(["Company created successfully"])


@pytest.mark.spec("SAY-2")
def test_success_disappears_after_four_seconds_and_errors_when_dismissed(
    staff: Staff, company: Callable[..., str], taken_away: TableChange
) -> None:
    company(name="Here Today")
    page = staff().open("/admin?tab=companies&search=here+today")
    expect(page.get_by_role("row").nth(1)).to_be_visible()
    pause_clock(page)
    answer(page, yes=True)
    page.get_by_role("button", name="Delete Here Today").click()
    expect(notice(page, "Company deleted successfully")).to_be_visible()
    page.clock.run_for(11_900)  # because it offers Undo
    expect(notice(page, "Company deleted successfully")).to_be_visible()
    page.clock.run_for(200)
    expect(notices(page)).to_have_count(0)

    with taken_away("companies"):
        page.get_by_role("link", name="Clear search and filter").first.click()
        expect(notices(page)).to_contain_text(["Failed to fetch companies"])
        page.clock.run_for(60_000)
        expect(notices(page)).to_contain_text(["Failed to fetch companies"])
        notices(page).get_by_role("button", name="Dismiss").click()
        expect(notices(page)).to_have_count(0)


@pytest.mark.spec("SAY-2")
def test_a_notice_being_read_does_not_disappear(staff: Staff, company: Callable[..., str]) -> None:
    company(name="Read Slowly")
    page = staff().open("/admin?tab=companies&search=read+slowly")
    expect(page.get_by_role("row").nth(1)).to_be_visible()
    pause_clock(page)
    answer(page, yes=True)
    page.get_by_role("button", name="Delete Read Slowly").click()
    notice(page, "Company deleted successfully").hover()
    page.clock.run_for(20_000)
    expect(notice(page, "Company deleted successfully")).to_be_visible()
    page.mouse.move(700, 10)
    page.clock.run_for(9_000)
    expect(notice(page, "Company deleted successfully")).to_be_visible()
    page.clock.run_for(4_000)
    expect(notices(page)).to_have_count(0)


@pytest.mark.spec("SAY-2")
def test_an_error_disappears_with_its_form(staff: Staff) -> None:
    page = staff().open("/admin/companies/new")
    press_create(page)
    expect(notices(page)).to_have_text([FAILED])
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_role("row").nth(1)).to_be_visible()
    expect(notices(page)).to_have_count(0)


@pytest.mark.spec("SAY-2")
def test_a_refusal_is_shown_in_one_line_beside_the_form_buttons(staff: Staff) -> None:
    page = staff().open("/admin?tab=teams&edit=new")
    pressed, foot = page.get_by_role("button", name="Create Team Member"), page.locator(".form-foot")
    expect(pressed).to_be_visible()
    before = foot.bounding_box()
    pressed.click()
    expect(foot.locator(".form-wrong")).to_be_visible()
    expect(notices(page)).to_have_text([FAILED])
    wait_until_settled(notices(page))
    assert foot.bounding_box() == before
    assert not overlap(notices(page), page.locator(".form-buttons"))
    assert not overlap(notices(page), page.locator(".form-wrong"))
    expect(page.locator("[name=name]")).to_be_focused()
    page.set_viewport_size(PHONE)
    pressed.click(trial=True)
    assert not overlap(page.locator(".form-wrong"), page.locator(".form-buttons"))
    after = foot.bounding_box()
    assert after and after["height"] <= 110


@pytest.mark.spec("SAY-2")
def test_the_newest_notice_is_on_top_with_the_only_undo_and_stays_alone_on_the_next_page(
    staff: Staff, company: Callable[..., str]
) -> None:
    for name in ("Stacked One", "Stacked Two"):
        company(name=name)
    page = staff().open("/admin?tab=companies&search=stacked")
    expect(page.get_by_role("row").nth(1)).to_be_visible()
    pause_clock(page)
    answer(page, yes=True)
    page.get_by_role("button", name="Delete Stacked One").click()
    expect(notices(page)).to_contain_text(["Stacked One"])
    page.get_by_role("checkbox", name="Select Stacked Two").click(force=True)
    page.get_by_role("button", name="Unpublish").click()
    expect(notices(page)).to_contain_text(["Unpublished: Stacked Two.", "Stacked One"])
    expect(page.get_by_role("button", name="Undo")).to_have_count(1)
    expect(notices(page).first.get_by_role("button", name="Undo")).to_be_visible()
    newest, older = notices(page).first.bounding_box(), notices(page).last.bounding_box()
    assert newest and older and older["height"] < newest["height"]
    page.get_by_role("link", name="Trash", exact=True).first.click()
    page.wait_for_url("**/admin/trash")
    expect(notices(page)).to_have_count(1)
    expect(notices(page)).to_contain_text("Unpublished: Stacked Two.")
    page.keyboard.press("Control+z")
    page.clock.resume()  # what is pressed while a page loads is sent by a timer
    expect(notices(page)).to_contain_text(["Undone: Stacked Two is public again"])


@pytest.mark.spec("SAY-2")
@pytest.mark.parametrize("window", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_notices_are_at_the_bottom_left_below_menus_and_dialogs(
    staff: Staff, company: Callable[..., str], window: ViewportSize
) -> None:
    for number in range(4):
        company(name=f"Reply {number} of {window['width']}")
    page = staff(viewport=window).open(f"/admin?tab=companies&search=of+{window['width']}")
    answer(page, yes=True)
    page.get_by_role("button", name="More actions for Reply 0").click()
    page.get_by_role("menuitem", name="Delete").click()
    reply = notice(page, "Company deleted successfully")
    expect(reply).to_be_visible()
    wait_until_settled(reply)
    box = reply.bounding_box()
    assert box and box["x"] <= 20
    assert window["height"] - 20 <= box["y"] + box["height"] <= window["height"]
    assert box["width"] <= 400
    assert window is LAPTOP or box["width"] >= 330
    page.get_by_role("button", name="Account").click()
    for item in page.get_by_role("menuitem").all():
        item.click(trial=True)
