"""The back office on phones, and in windows that leave little room: a phone on its side, or with its keyboard."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.backoffice import team_dialog as team
from tests.e2e.backoffice.company_form import edit
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.conftest import Watch
from tests.e2e.low_windows import covered_fields
from tests.e2e.states import GATE, OTHERS
from tests.e2e.walks import check

FIELDS = "input:not([type=hidden], [type=file], [type=checkbox], [type=radio], [hidden]), select, textarea"
SMALL_LETTERS = """fields => fields.filter(field => parseFloat(getComputedStyle(field).fontSize) < 16)
    .map(field => field.name || field.ariaLabel)"""


def test_fields_have_letters_that_a_phone_does_not_enlarge(staff: Staff, company: Callable[..., str]) -> None:
    colleague = staff(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    for path in (edit(company()), "/admin?tab=companies", f"{team.TAB}&edit=new", "/admin/profile", "/admin/activity"):
        page = colleague.open(path)
        fields = page.locator(FIELDS)
        expect(fields.first).to_be_attached()
        assert fields.evaluate_all(SMALL_LETTERS) == [], path


@pytest.mark.timeout(600)
def test_the_focused_field_and_its_message_are_in_view_in_every_window(staff: Staff, watch: Watch) -> None:
    watch.expect("Failed to load resource")
    check(GATE + OTHERS, staff, lambda state: covered_fields(state.page))
