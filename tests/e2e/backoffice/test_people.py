"""An admin and a person's account: the page, each act, and what the person's own tab does about it."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sitekit.base.permissions import Role
from tests.e2e.backoffice.conftest import Colleague, Staff
from tests.e2e.backoffice.steps import answer, notice, row
from tests.support.people import PASSWORD

pytestmark = pytest.mark.spec("ACC-2")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def look_around(page: Page) -> None:
    """What a person does next in their own tab."""
    page.get_by_role("link", name="Enquiries").first.click()


def test_an_admin_can_manage_a_person_from_one_page(staff: Staff, again: Callable[[Colleague], Colleague]) -> None:
    person = staff(Role.EMPLOYEE)
    theirs = person.open("/admin")
    expect(theirs.get_by_role("heading", name="Ann!")).to_be_visible()
    page = staff(Role.ADMIN).open(f"/admin?tab=users&search={person.email}")
    asked = answer(page, yes=True)
    row(page, person.email).get_by_role("link", name="Ann Lim").click()
    page.wait_for_url(f"**/admin/users/{person.user_id}")
    expect(page.get_by_role("heading", name="Ann Lim")).to_be_visible()
    expect(page.get_by_text("An unknown device")).to_be_visible()

    press(page, "Send a reset link")
    expect(notice(page, f"A link to choose a new password is on its way to {person.email}")).to_be_visible()
    press(page, "Sign out everywhere")
    expect(notice(page, "Signed out on 1 device")).to_be_visible()
    expect(page.get_by_text("Not signed in anywhere.")).to_be_visible()
    look_around(theirs)
    theirs.wait_for_url("**/auth**")
    expect(notice(theirs, "Your session has ended. Please sign in again.")).to_be_visible()

    there = again(person).open("/admin")
    expect(there.get_by_role("heading", name="Ann!")).to_be_visible()
    press(page, "Deactivate")
    expect(notice(page, "The account is deactivated")).to_be_visible()
    expect(page.get_by_text("Deactivated since")).to_be_visible()
    expect(page.get_by_role("button", name="Send a reset link")).to_have_count(0)
    look_around(there)
    there.wait_for_url("**/auth**")
    there.get_by_label("Email", exact=True).fill(person.email)
    there.get_by_label("Password", exact=True).fill(PASSWORD)
    there.get_by_role("button", name="Sign in", exact=True).click()
    expect(there.get_by_text("Invalid login credentials")).to_be_visible()

    press(page, "Reactivate")
    expect(notice(page, "The account is active again")).to_be_visible()
    there.get_by_label("Password", exact=True).fill(PASSWORD)
    there.get_by_role("button", name="Sign in", exact=True).click()
    there.wait_for_url("**/admin/enquiries")
    expect(there.get_by_role("heading", name="Enquiries")).to_be_visible()

    press(page, "Delete the account")
    expect(notice(page, f"The account of {person.email} is deleted")).to_be_visible()
    expect(row(page, person.email)).to_have_count(0)
    there.reload()
    there.wait_for_url("**/auth**")
    assert len(asked) == 5
    assert all(person.email in question for question in asked)
    assert "Records they saved keep their name." in asked[-1]


def test_the_page_of_the_own_account_links_to_the_profile(staff: Staff) -> None:
    admin = staff(Role.ADMIN)
    page = admin.open(f"/admin/users/{admin.user_id}")
    expect(page.get_by_text("Only another admin can deactivate or delete it")).to_be_visible()
    expect(page.get_by_role("button", name="Delete the account")).to_have_count(0)
    page.get_by_role("link", name="Change your name, email address or password").click()
    page.wait_for_url("**/admin/profile")


@pytest.mark.spec("ROLE-3", "USR-2")
def test_other_roles_see_neither_the_page_nor_links_to_it(staff: Staff) -> None:
    colleague = staff(Role.MANAGER)
    page = colleague.open("/admin?tab=users")
    expect(page.get_by_text("View only - admin access required to make changes.")).to_be_visible()
    expect(page.get_by_role("columnheader")).to_have_count(4)
    expect(page.get_by_role("combobox", name=re.compile("Role of"))).to_have_count(0)
    expect(page.locator("a[href*='/admin/users/']")).to_have_count(0)
    page = colleague.open(f"/admin/users/{colleague.user_id}")
    expect(page.get_by_role("alert").filter(has_text="You may not do this.")).to_be_visible()


@pytest.mark.spec("ACC-3")
def test_the_email_address_is_changed_on_the_profile_page(staff: Staff) -> None:
    colleague = staff()
    page = colleague.open("/admin/profile")
    form = page.locator("#email-form")
    form.get_by_label("New email address").fill("ann@")
    form.get_by_label(re.compile("^Current password")).fill(PASSWORD)
    page.get_by_role("button", name="Change email").click()
    expect(form.get_by_label("New email address")).to_have_accessible_description(re.compile("full email address"))
    form.get_by_label("New email address").fill("ann.new@northstrait.example")
    page.get_by_role("button", name="Change email").click()
    expect(notice(page, "We sent a link to ann.new@northstrait.example.")).to_be_visible()
    expect(form).to_contain_text(f"Your address is {colleague.email}. Not confirmed yet: a link is on its way to")
