"""The handbook in a browser: how it is reached, where its links land, and how it prints."""

import re

import pytest
from playwright.sync_api import expect

from sitekit.base.permissions import Role
from tests.e2e.backoffice.conftest import Staff

pytestmark = pytest.mark.spec("HELP-1")


def test_how_this_works_leads_to_the_task_and_the_menu_to_all(staff: Staff) -> None:
    page = staff(Role.ADMIN, viewport={"width": 360, "height": 640}).open("/admin/companies/import")
    page.get_by_role("link", name="How this works").click()
    task = page.get_by_role("heading", name="Import a list")
    expect(task).to_be_in_viewport()
    page.reload()
    expect(task).to_be_in_viewport()
    page.goto(page.url.replace("help#import-a-list", "profile"))
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("menuitem", name="Help").click()
    page.get_by_role("navigation", name="Help").get_by_role("link", name="Someone leaves").click()
    expect(page.get_by_role("heading", name="Someone leaves")).to_be_in_viewport()


def test_the_handbook_of_an_employee_lacks_what_admins_do(staff: Staff) -> None:
    page = staff(Role.EMPLOYEE).open("/admin/help")
    expect(page.get_by_role("heading", level=2, name="Answer an enquiry")).to_be_visible()
    expect(page.get_by_text("Invite a colleague")).to_have_count(0)
    expect(page.get_by_text("Correct a sentence on Home")).to_have_count(0)


def test_the_handbook_of_an_admin_is_printed_on_two_pages(staff: Staff) -> None:
    page = staff(Role.ADMIN).open("/admin/help")
    expect(page.get_by_role("heading", level=2)).to_have_count(14)
    assert len(re.findall(rb"/Type /Page\n", page.pdf(format="A4"))) == 2
