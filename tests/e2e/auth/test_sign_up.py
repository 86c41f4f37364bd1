"""Signing up and confirming the address by the mailed link."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.auth.steps import PASSWORD, OpenPage, confirm, sign_in, sign_out, sign_up, somebody, stored_session
from tests.support.mailbox import Mailbox, link_in


@pytest.mark.spec("AUTH-1", "AUTH-5", "AUTH-7", "AUTH-4", "AUTH-3", "SES-6", "SES-1", "INV-2")
def test_a_person_signs_up_confirms_by_mail_signs_in_and_out(go: OpenPage, mailbox: Mailbox) -> None:
    email = somebody()
    page = go("/auth")
    sign_up(page, email)
    told = "Account created successfully! Please check your email for verification."
    expect(page.get_by_role("status").get_by_text(told)).to_be_visible()
    expect(page.get_by_role("heading", name="Check your email")).to_be_focused()
    expect(page.get_by_text(email)).to_be_visible()

    page.get_by_role("link", name="Sign in").click()
    sign_in(page, email, PASSWORD)
    expect(page.get_by_role("alert").get_by_text("Email not confirmed")).to_be_visible()
    expect(page.get_by_text("Confirm your email address first")).to_be_visible()
    page.get_by_role("button", name="Send it again").click()
    expect(page.get_by_text("If this address needs confirming, a new link is on its way.")).to_be_visible()

    landing = go(link_in(mailbox.wait_for(email, 2)))
    confirm(landing)
    expect(landing).to_have_url(re.compile(r"^http://[^/]+/\?email=confirmed$"))
    expect(landing.get_by_text("Your email address is confirmed. You can sign in now.")).to_be_visible()
    landing.get_by_role("main").get_by_role("link", name="Sign in").click()

    sign_in(landing, email, PASSWORD)
    expect(landing.get_by_text("Welcome back!")).to_be_visible()
    expect(landing).to_have_url(re.compile(r"/admin$"))
    expect(landing.get_by_role("heading", name="Admin Dashboard")).to_be_visible()
    kept = stored_session(landing)
    landing.reload()
    expect(landing.get_by_role("heading", name="Admin Dashboard")).to_be_visible()
    sign_out(landing)
    expect(landing.get_by_text("You are signed out")).to_be_visible()
    assert stored_session(landing) == {}
    landing.goto(landing.url.replace("/auth", "/admin"))
    expect(landing).to_have_url(re.compile(r"/auth$"))
    assert set(kept) == {"access_token", "refresh_token", "expires_in", "expires_at", "token_type", "user"}


@pytest.mark.spec("AUTH-2")
def test_one_toggle_shows_both_passwords_of_sign_up(go: OpenPage) -> None:
    page = go("/auth")
    page.get_by_role("link", name="Create one").click()
    both = [page.get_by_label("Password", exact=True), page.get_by_label("Confirm password")]
    for field in both:
        expect(field).to_have_attribute("type", "password")
    page.get_by_role("button", name="Show password").click()
    for field in both:
        expect(field).to_have_attribute("type", "text")
    page.get_by_role("button", name="Hide password").click()
    for field in both:
        expect(field).to_have_attribute("type", "password")
