"""An account without a password in a real browser: opened by an invitation, signed in to, proved, and given one."""

import re

import pytest
from playwright.sync_api import Page, expect

from sitekit.base.permissions import Role
from tests.e2e.auth.steps import fill, sign_out
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import answer, notice
from tests.e2e.virtual_authenticator import VirtualAuthenticator
from tests.support.people import age, invited

PASSWORD = "seven-quiet-harbours-31"


def choose_passkey(page: Page) -> None:
    fill(page, First_name="Mei", Last_name="Tan")
    page.get_by_role("button", name="Use a passkey instead").click()
    expect(page.get_by_label("Password")).to_have_count(0)
    expect(page.get_by_label("Last name")).to_have_value("Tan")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="Create your passkey")).to_be_focused()


@pytest.mark.spec("INV-1", "MFA-2", "MFA-3", "ACC-1")
def test_a_passkey_creates_signs_in_and_reauthenticates_an_account(staff: Staff) -> None:
    boss = staff(Role.ADMIN)
    page = boss.open(invited(boss.user_id))
    device = VirtualAuthenticator(page)
    choose_passkey(page)
    page.get_by_role("button", name="Create passkey").click()
    expect(page).to_have_url(re.compile("/admin/two-step$"))
    expect(notice(page, "Welcome! Your account is ready.")).to_be_visible()
    expect(page.locator(".recovery-codes li")).to_have_count(10)
    assert device.passkeys() == 1
    page.get_by_role("button", name="I have saved them").click()
    sign_out(page)
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page).to_have_url(re.compile("/admin$"))

    age(16)
    answer(page, yes=True)
    page.goto(f"{boss.site.url}/admin?tab=users&search={boss.email}")
    page.get_by_label(f"Role of {boss.email}").select_option("manager")
    dialog = page.get_by_role("dialog", name="Confirm it is you")
    expect(dialog.get_by_role("button", name="Use a passkey")).to_be_visible()
    expect(dialog.get_by_role("textbox")).to_have_count(0)
    dialog.get_by_role("button", name="Use a passkey").click()
    expect(notice(page, "User role updated successfully")).to_be_visible()
    expect(dialog).to_have_count(0)

    page.goto(f"{boss.site.url}/admin/two-step")
    page.get_by_role("button", name=re.compile("^Remove ")).click()
    expect(notice(page, "You have no password, so this passkey is how you sign in.")).to_be_visible()
    page.goto(f"{boss.site.url}/admin/profile")
    expect(page.locator("[name=current_password]")).to_have_count(0)
    age(16)
    page.get_by_role("button", name="Set a password").click()
    dialog.get_by_role("button", name="Use a passkey").click()
    form = page.locator("#password-form")
    expect(form.locator("[name=password]")).to_be_focused()
    form.locator("[name=password]").fill(PASSWORD)
    form.locator("[name=confirm_password]").fill(PASSWORD)
    form.get_by_role("button", name="Set a password").click()
    expect(notice(page, "Password changed successfully")).to_be_visible()
    expect(form.locator("[name=current_password]")).to_be_visible()


@pytest.mark.spec("INV-1", "MFA-2")
def test_a_browser_without_passkeys_offers_a_password_instead(staff: Staff) -> None:
    boss = staff(Role.ADMIN)
    boss.context.add_init_script("delete window.PublicKeyCredential")
    page = boss.open(invited(boss.user_id))
    choose_passkey(page)
    expect(page.get_by_text("This browser has no passkeys.")).to_be_visible()
    page.get_by_role("button", name="Use a password instead").click()
    expect(page.get_by_label("First name")).to_have_value("Mei")
    fill(page, Password=PASSWORD, Confirm_password=PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page).to_have_url(re.compile("/admin$"))
