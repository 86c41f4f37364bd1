"""A form of the back office that is pressed twice is saved once, and its button says so before the server does."""

import pytest
from playwright.sync_api import expect

from tests.e2e.backoffice.company_form import fill_required, stored
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import notice
from tests.e2e.clocks import pause_clock
from tests.e2e.conftest import Site
from tests.e2e.processes import frozen


@pytest.mark.spec("ACO-4", "ACO-7")
def test_the_button_is_disabled_at_once_and_one_company_is_created(staff: Staff, site: Site) -> None:
    page = staff().open("/admin/companies/new")
    fill_required(page, name="Pressed Twice", slug="pressed-twice")
    pause_clock(page)  # after two seconds the button says that it waits for the connection
    with frozen(site):
        page.get_by_role("button", name="Create Company").click()
        expect(page.get_by_role("button", name="Creating...", exact=True)).to_be_disabled()
        page.keyboard.press("Control+s")
        page.keyboard.press("Control+s")
    expect(notice(page, "Company created successfully")).to_be_visible()
    assert stored("pressed-twice").name == "Pressed Twice"
