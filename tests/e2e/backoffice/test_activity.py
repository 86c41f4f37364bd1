"""The activity page in a browser: what was just done is found, and an employee sees their own acts alone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from advisory_site.core.permissions import Role
from tests.e2e.axe import serious_findings
from tests.e2e.backoffice.conftest import Staff

pytestmark = pytest.mark.spec("LOG-1")


@pytest.mark.spec("ROLE-4")
def test_an_act_is_found_by_its_filters_and_leads_to_its_record(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(name="Saltmarsh Logs")
    page = staff(Role.ADMIN).open("/admin")
    page.get_by_role("link", name="All activity").click()
    expect(page.get_by_role("heading", name="Activity", level=1)).to_be_visible()
    page.get_by_role("searchbox", name="Search the activity").fill("saltmarsh")
    page.get_by_label("Kind").select_option("Records")
    page.wait_for_url("**/admin/activity?**filter=records**")
    row = page.get_by_role("row", name="Saltmarsh Logs")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Added a record")
    row.get_by_role("link", name="Saltmarsh Logs").click()
    page.wait_for_url(f"**/admin/companies/{slug}/edit")


@pytest.mark.spec("ROLE-4")
def test_an_employee_sees_their_own_acts_alone_on_a_phone(staff: Staff, company: Callable[..., str]) -> None:
    company(name="Somebody Else's")
    page = staff(Role.EMPLOYEE, viewport={"width": 360, "height": 780}, bypass_csp=True).open("/admin/profile")
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("menuitem", name="Activity").click()
    page.wait_for_url("**/admin/activity")
    rows = page.get_by_role("table", name="Activity").get_by_role("row")
    expect(rows.filter(has_text="Signed in")).to_have_count(1)
    expect(rows).to_have_count(2)
    expect(page.get_by_label("Person")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert serious_findings(page) == []
