"""Changing one's email address in a browser, with the mail that is sent."""

import pytest
from playwright.sync_api import expect

from tests.e2e.auth.steps import OpenPage, sign_in, sign_out
from tests.e2e.conftest import ADMIN_EMAIL, ADMIN_PASSWORD
from tests.support.mailbox import Mailbox, link_in

pytestmark = pytest.mark.spec("ACC-3")
NEW = "new.boss@northstrait.example"


def test_an_email_address_is_changed_by_its_link_and_the_password(go: OpenPage, mailbox: Mailbox) -> None:
    page = go("/auth")
    sign_in(page, ADMIN_EMAIL, ADMIN_PASSWORD)
    page.wait_for_url("**/admin")
    page = go("/admin/profile")
    page.get_by_label("New email address").fill(NEW)
    page.locator("#email-form [name=current_password]").fill(ADMIN_PASSWORD)
    page.get_by_role("button", name="Change email").click()
    link = link_in(mailbox.wait_for(NEW))
    assert "about to change" in mailbox.wait_for(ADMIN_EMAIL)["Subject"]

    confirming = go(link)
    expect(confirming.get_by_text(f"The email address of your account will then be {NEW}.")).to_be_visible()
    confirming.get_by_label("Password", exact=True).fill("not the one")
    confirming.get_by_role("button", name="Use this address").click()
    expect(confirming.get_by_text("The current password is not right")).to_be_visible()
    confirming.get_by_label("Password", exact=True).fill(ADMIN_PASSWORD)
    confirming.get_by_role("button", name="Use this address").click()
    confirming.wait_for_url("**/admin/profile")
    expect(confirming.get_by_text("Your email address has been changed.")).to_be_visible()
    expect(confirming.locator("#email-form")).to_contain_text(f"Your address is {NEW}.")
    assert "has changed" in mailbox.wait_for(ADMIN_EMAIL, 2)["Subject"]

    again = go(link)
    expect(again.get_by_role("heading", name="This link has expired")).to_be_visible()
    again.get_by_role("link", name="To your profile").click()
    again.wait_for_url("**/admin/profile")
    sign_out(again)
    sign_in(again, NEW, ADMIN_PASSWORD)
    again.wait_for_url("**/admin")
