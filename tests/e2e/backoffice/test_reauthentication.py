"""The dialog that asks who one is before a dangerous act, which is done afterwards."""

import pytest
from playwright.sync_api import Page, expect

from sitekit.accounts.models import UserRole
from sitekit.base import messages
from sitekit.base.db.database import read_session
from sitekit.base.permissions import Role
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import answer, notice, reply
from tests.support.people import PASSWORD, age

pytestmark = pytest.mark.spec("ACC-1")


def open_later(staff: Staff, path: str, **options: object) -> Page:
    """A page that an admin opens some time after they signed in."""
    page = staff(Role.ADMIN, **options).open(path)
    age(16)
    return page


def role_of(user_id: int) -> str:
    with read_session() as session:
        return session.get_one(UserRole, user_id).role


def test_a_role_change_continues_after_reauthentication(staff: Staff) -> None:
    person = staff(Role.EMPLOYEE)
    page = open_later(staff, f"/admin?tab=users&search={person.email}")
    page.get_by_label(f"Role of {person.email}").select_option("manager")
    reply(page, yes=True)
    dialog = page.get_by_role("dialog", name="Confirm it is you")
    field = dialog.get_by_role("textbox", name="Your password")
    expect(field).to_be_focused()
    page.keyboard.type("not the one")
    page.keyboard.press("Enter")
    expect(field).to_have_accessible_description(messages.REAUTHENTICATION_WRONG)
    assert role_of(person.user_id) == "employee"
    field.fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(notice(page, "User role updated successfully")).to_be_visible()
    expect(dialog).to_have_count(0)
    expect(page.get_by_label(f"Role of {person.email}")).to_have_value("manager")
    assert role_of(person.user_id) == "manager"
    # Not asked again for a while.
    page.get_by_label(f"Role of {person.email}").select_option("employee")
    reply(page, yes=True)
    expect(page.get_by_label(f"Role of {person.email}")).to_have_value("employee")
    expect(dialog).to_have_count(0)


def test_closing_the_dialog_cancels_the_action(staff: Staff) -> None:
    person = staff(Role.MANAGER)
    page = open_later(staff, f"/admin/users/{person.user_id}")
    answer(page, yes=True)
    page.get_by_role("button", name="Delete the account").click()
    dialog = page.get_by_role("dialog", name="Confirm it is you")
    expect(dialog.get_by_role("textbox", name="Your password")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("heading", name="Ann Lim")).to_be_visible()
    expect(page.get_by_role("button", name="Delete the account")).to_be_focused()
    assert role_of(person.user_id) == "manager"


def test_reauthentication_appears_above_another_dialog_that_then_continues(staff: Staff) -> None:
    page = open_later(staff, "/admin/invitations", viewport={"width": 360, "height": 780})
    page.get_by_role("link", name="Invite people").first.click()
    invite = page.get_by_role("dialog", name="Invite people")
    invite.get_by_label("Email addresses").fill("later@northstrait.example")
    invite.get_by_role("button", name="Send invitations").click()
    proof = page.get_by_role("dialog", name="Confirm it is you")
    expect(proof.get_by_role("textbox", name="Your password")).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(proof).to_have_count(0)
    expect(invite.get_by_text("Invited", exact=True)).to_be_visible()
    invite.get_by_role("button", name="Close").click()
    expect(page.get_by_role("cell", name="later@northstrait.example", exact=True)).to_be_visible()
