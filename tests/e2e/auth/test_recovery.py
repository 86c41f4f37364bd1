"""Replacing a forgotten password by the mailed link."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.auth.steps import NEW_PASSWORD, OpenPage, fill, sign_up, somebody
from tests.support.mailbox import Mailbox, link_in


@pytest.mark.spec("AUTH-9", "AUTH-8")
def test_a_forgotten_password_is_replaced_by_a_mailed_link(go: OpenPage, mailbox: Mailbox) -> None:
    email = somebody()
    page = go("/auth")
    sign_up(page, email)
    mailbox.wait_for(email)
    page.get_by_role("link", name="Sign in").click()
    page.get_by_role("link", name="Forgotten your password?").click()
    expect(page.get_by_role("heading", name="Forgotten your password?")).to_be_visible()
    fill(page, **{"Email": email})
    page.get_by_role("button", name="Send the link").click()
    told = "If there is an account for this address, a link to choose a new password is on its way."
    expect(page.get_by_role("status").get_by_text(told)).to_be_visible()

    reset = go(link_in(mailbox.wait_for(email, 2)))
    fill(reset, **{"Password": NEW_PASSWORD, "Confirm_password": "something else"})
    reset.get_by_role("button", name="Set new password").click()
    expect(reset.get_by_label("Confirm password")).to_have_accessible_description("Passwords do not match")
    expect(reset.get_by_text("Passwords do not match")).to_have_count(1)
    fill(reset, **{"Confirm_password": NEW_PASSWORD})
    reset.get_by_role("button", name="Set new password").click()
    expect(reset.get_by_text("Your password has been changed, and you are signed out everywhere else")).to_be_visible()
    expect(reset).to_have_url(re.compile(r"/admin$"))
    assert "has been changed" in mailbox.wait_for(email, 3)["Subject"]
