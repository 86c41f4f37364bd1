"""Saving keeps the place: the list as it stood, with the saved row in sight, or the form, where one asks to stay."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from sitekit.admin import texts
from tests.e2e.backoffice import advisor_form as advisors
from tests.e2e.backoffice.company_form import NEW, edit, fill, fill_required, stored, submit
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import answer, notice, row, stay
from tests.e2e.clocks import pause_clock

Company = Callable[..., str]
MARKED = re.compile("is-saved")

TYPE_BEFORE_THE_PAGE_OF_THE_NEW_ADDRESS = """() => {
    const replaceState = history.replaceState;
    history.replaceState = (...step) => {
        history.replaceState = replaceState;
        const field = document.querySelector("[name=phone]");
        field.value = "+65 6123 0002";
        field.dispatchEvent(new Event("input", {bubbles: true}));
        field.form.dataset.former = "";
        return history.replaceState(...step);
    };
}"""


def is_marked_for_a_while(one: Locator) -> None:
    expect(one).to_have_class(MARKED)
    expect(one).to_be_in_viewport()
    one.page.clock.run_for(2_000)
    expect(one).not_to_have_class(MARKED)


@pytest.mark.spec("LIST-3")
def test_the_list_keeps_its_position_and_marks_the_saved_row(staff: Staff, company: Company) -> None:
    for number in range(30):
        company(name=f"Gannet {number:02}")
    page = staff().open("/admin?tab=companies&search=gannet&sort=name&order=desc&page=2")
    page.get_by_role("link", name="Edit Gannet 00").click()
    fill(page, phone="+65 6123 0000")
    pause_clock(page)
    submit(page, "Update Company")
    page.wait_for_url("**/admin?tab=companies&search=gannet&sort=name&order=desc&page=2")
    is_marked_for_a_while(row(page, "Gannet 00"))


@pytest.mark.spec("LIST-3")
def test_a_saved_row_that_moved_is_shown_at_its_new_place(staff: Staff, company: Company) -> None:
    for number in range(28):
        company(name=f"Petrel {number:02}")
    page = staff().open("/admin?tab=companies&search=petrel&sort=name")
    page.get_by_role("link", name="Edit Petrel 01").click()
    fill(page, name="Petrel 99")
    pause_clock(page)
    submit(page, "Update Company")
    page.wait_for_url("**/admin?tab=companies&search=petrel&sort=name&page=2")
    is_marked_for_a_while(row(page, "Petrel 99"))


@pytest.mark.spec("LIST-3")
def test_a_saved_row_outside_the_search_is_reported_and_can_be_shown(staff: Staff, company: Company) -> None:
    company(name="Dunlin", location="Penang")
    page = staff().open("/admin?tab=companies&search=dunlin")
    page.get_by_role("link", name="Edit Dunlin").click()
    fill(page, name="Curlew", slug="curlew")
    submit(page, "Update Company")
    expect(page.get_by_text(texts.SAVED_ELSEWHERE)).to_be_visible()
    page.get_by_role("link", name=texts.CLEAR_SEARCH).first.click()
    expect(row(page, "Curlew")).to_be_visible()
    expect(page.get_by_text(texts.SAVED_ELSEWHERE)).to_have_count(0)


@pytest.mark.spec("LIST-3")
@pytest.mark.parametrize("key", ["", "Control+s"])
def test_save_and_stay_can_be_repeated(staff: Staff, company: Company, key: str) -> None:
    slug = company()
    page = staff().open(edit(slug))
    asked = answer(page, yes=False)
    for place in ("Jurong", "Tuas  West"):
        fill(page, location=place)
        page.keyboard.press(key) if key else stay(page)
        expect(notice(page, "Company updated successfully")).to_be_visible()
        page.get_by_role("button", name="Dismiss").click()
    expect(page.locator("[name=location]")).to_have_value("Tuas West")
    assert stored(slug).location == "Tuas West"
    page.get_by_role("link", name="Cancel").click()
    page.wait_for_url("**/admin?tab=companies")
    assert asked == []


@pytest.mark.spec("LIST-3", "ACO-8")
def test_a_saved_new_record_continues_at_its_own_address(staff: Staff) -> None:
    page = staff().open(NEW)
    fill_required(page, name="Sanderling", slug="sanderling")
    page.locator("[name=phone]").focus()
    page.keyboard.press("Control+s")
    page.wait_for_url("**/admin/companies/sanderling/edit")
    expect(page.locator("[name=phone]")).to_be_focused()
    expect(page.get_by_role("button", name="Update Company")).to_be_visible()
    fill(page, phone="+65 6123 0001", slug="sanderling-two")
    stay(page)
    page.wait_for_url("**/admin/companies/sanderling-two/edit")
    expect(page.locator("[name=phone]")).to_have_value("+65 6123 0001")
    assert stored("sanderling-two").phone == "+65 6123 0001"
    page.get_by_role("link", name="Cancel").click()
    page.get_by_role("link", name="Add Company").first.click()
    expect(page.locator("[name=name]")).to_have_value("")


@pytest.mark.spec("LIST-3", "DRAFT-1")
def test_what_is_typed_while_a_new_record_gets_its_own_address_is_kept(staff: Staff) -> None:
    page = staff().open(NEW)
    fill_required(page, name="Turnstone", slug="turnstone")
    page.evaluate(TYPE_BEFORE_THE_PAGE_OF_THE_NEW_ADDRESS)
    page.locator("[name=phone]").press("Control+s")
    page.wait_for_url("**/admin/companies/turnstone/edit")
    expect(page.locator("form[data-former]")).to_have_count(0)
    expect(page.locator("[name=phone]")).to_have_value("+65 6123 0002")


@pytest.mark.spec("LIST-3", "AAD-1")
def test_a_saved_card_is_marked_like_a_row(staff: Staff, database: object) -> None:
    advisors.add(name="Whimbrel")
    page = staff().open("/admin?tab=advisors&search=whimbrel")
    page.get_by_role("link", name="Edit Whimbrel").click()
    advisors.fill(page, company="Elsewhere")
    pause_clock(page)
    advisors.submit(page, "Update Advisor")
    page.wait_for_url("**/admin?tab=advisors&search=whimbrel")
    is_marked_for_a_while(advisors.card(page, "Whimbrel"))


def test_pressing_enter_never_overwrites_a_newer_change(staff: Staff, company: Company) -> None:
    slug = company()
    mine, theirs = staff().open(edit(slug)), staff().open(edit(slug))
    fill(mine, location="Mine")
    fill(theirs, location="Theirs")
    submit(theirs, "Update Company")
    expect(notice(theirs, "Company updated successfully")).to_be_visible()
    submit(mine, "Update Company")
    expect(mine.get_by_role("button", name="Overwrite with mine")).to_be_visible()
    mine.locator("[name=location]").press("Enter")
    expect(mine.get_by_role("button", name="Update Company")).to_be_enabled()
    assert stored(slug).location == "Theirs"
