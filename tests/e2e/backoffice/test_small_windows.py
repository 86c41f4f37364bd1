"""The back office on phones, and in windows that leave little room: a phone on its side, or with its keyboard."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.backoffice import team_dialog as team
from tests.e2e.backoffice.company_form import edit
from tests.e2e.backoffice.conftest import Staff

FIELDS = "input:not([type=hidden], [type=file], [type=checkbox], [type=radio], [hidden]), select, textarea"
SMALL_LETTERS = """fields => fields.filter(field => parseFloat(getComputedStyle(field).fontSize) < 16)
    .map(field => field.name || field.ariaLabel)"""
# The fields that something else covers, in whole or in their middle, once they have the focus.
COVERED = """fields => fields.filter(field => field.checkVisibility({ visibilityProperty: true })).filter(field => {
    field.focus();
    const { left, top, width, height } = field.getBoundingClientRect();
    const found = document.elementFromPoint(left + width / 2, top + Math.min(height, 44) / 2);
    return !field.contains(found) && !field.parentElement.contains(found);
}).map(field => field.name)"""


def test_fields_have_letters_that_a_phone_does_not_enlarge(staff: Staff, company: Callable[..., str]) -> None:
    colleague = staff(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    for path in (edit(company()), "/admin?tab=companies", f"{team.TAB}&edit=new", "/admin/profile", "/admin/activity"):
        page = colleague.open(path)
        fields = page.locator(FIELDS)
        expect(fields.first).to_be_attached()
        assert fields.evaluate_all(SMALL_LETTERS) == [], path


@pytest.mark.parametrize(("width", "height"), [(360, 330), (640, 360), (740, 320)])
def test_the_focused_field_is_in_view_in_a_low_window(
    staff: Staff, company: Callable[..., str], width: int, height: int
) -> None:
    colleague = staff(viewport={"width": width, "height": height})
    for path in (edit(company()), f"{team.TAB}&edit=new"):
        page = colleague.open(path)
        expect(page.locator("[name=name]")).to_be_visible()
        assert page.locator(f".backoffice-form :is({FIELDS})").evaluate_all(COVERED) == [], path
    page = colleague.open(edit(company()))
    page.locator("[name=name]").fill("")
    page.get_by_role("button", name="Update Company").click()
    wrong = page.locator("[name=name]")
    expect(wrong).to_be_focused()
    expect(wrong).to_have_attribute("aria-invalid", "true")
    assert wrong.evaluate_all(COVERED) == []
