"""The finder, with the keyboard alone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from sitekit.base.db.database import transaction
from sitekit.base.permissions import Role
from tests.e2e.axe import PHONE
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.conftest import ADMIN_EMAIL
from tests.support.factories import add_enquiry, id_of


def opened(page: Page) -> Locator:
    """The field of the dialog, which Ctrl+K opens."""
    expect(page.locator(".finder-button")).to_be_visible()
    page.keyboard.press("Control+k")
    field = page.get_by_role("dialog").get_by_role("combobox")
    expect(field).to_be_focused()
    return field


def options(page: Page) -> Locator:
    return page.get_by_role("dialog").get_by_role("option")


@pytest.mark.spec("FIND-1")
def test_a_record_is_found_opened_and_remembered_by_keyboard(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(name="Quicksilver Trades", industry="Quartz")
    colleague = staff(Role.ADMIN)
    page = colleague.open("/admin/trash")
    field = opened(page)
    page.keyboard.type("quicksilver")
    expect(options(page)).to_have_text(["Quicksilver TradesQuartzCompany"])
    chosen = options(page).and_(page.locator("[aria-selected=true]"))
    expect(field).to_have_attribute("aria-activedescendant", chosen.get_attribute("id") or "")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/admin/companies/{slug}/edit")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("[name=name]")).to_have_value("Quicksilver Trades")
    opened(page)
    expect(options(page).first).to_contain_text("Quicksilver Trades")
    page.keyboard.press("ArrowUp")
    expect(options(page).last).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert "Quicksilver" not in page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")


def enquiry_of(name: str) -> int:
    with transaction() as session:
        return id_of(add_enquiry(session, first_name=name, last_name="Zephyrine"))


@pytest.mark.spec("FIND-2")
@pytest.mark.usefixtures("database")
def test_the_heading_of_an_enquiry_and_of_a_person_has_the_focus(staff: Staff) -> None:
    first, second = map(enquiry_of, ("Una", "Ilse"))
    page = staff(Role.ADMIN).open("/admin")
    for text, path in (
        ("una zeph", f"enquiries/{first}"),
        ("ilse zeph", f"enquiries/{second}"),
        (ADMIN_EMAIL, "users/"),
    ):
        opened(page)
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile(f"/admin/{path}"))
        expect(page.get_by_role("heading", level=1)).to_be_focused()


@pytest.mark.spec("FIND-1")
def test_pressing_enter_waits_for_the_results_of_the_last_input(staff: Staff) -> None:
    page = staff(Role.ADMIN).open("/admin")
    opened(page)
    page.keyboard.type("inv")
    page.keyboard.type("ite people")
    page.keyboard.press("Enter")
    page.wait_for_url("**/admin/invitations?invite=new")
    expect(page.get_by_role("dialog").get_by_role("heading", name="Invite people")).to_be_visible()


@pytest.mark.spec("FIND-1")
def test_the_finder_offers_signing_out(staff: Staff) -> None:
    page = staff(viewport=PHONE).open("/admin/settings")
    page.get_by_role("button", name="Find anything").click()
    field = page.get_by_role("dialog").get_by_role("combobox")
    field.fill("a")
    expect(options(page).first).to_be_visible()
    field.fill("qqqqqq")
    expect(page.get_by_role("status").filter(has_text="Nothing matches “qqqqqq”.")).to_be_visible()
    field.fill("log out")
    expect(options(page)).to_have_text(["Log outAction"])
    page.keyboard.press("Enter")
    page.wait_for_url("**/auth**")
