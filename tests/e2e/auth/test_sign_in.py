"""Signing in, in a real browser."""

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.e2e.auth.steps import OpenPage, fill, sign_in
from tests.e2e.conftest import ADMIN_EMAIL, ADMIN_PASSWORD, Site
from tests.e2e.sockets import EVENTS, refuse


@pytest.mark.spec("AUTH-4", "AUTH-8")
@pytest.mark.parametrize("email", [ADMIN_EMAIL, "nobody@northstrait.example"])
def test_a_wrong_password_and_an_unknown_address_show_the_same_error(go: OpenPage, email: str) -> None:
    page = go("/auth")
    sign_in(page, email, "not the password")
    expect(page.get_by_role("alert").get_by_text("Invalid login credentials")).to_be_visible()
    expect(page.get_by_text("Invalid login credentials")).to_have_count(1)
    expect(page.get_by_label("Password", exact=True)).to_be_focused()
    expect(page.get_by_label("Password", exact=True)).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Email")).to_have_value(email)
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_enabled()


@pytest.mark.spec("AUTH-4")
def test_enter_signs_in_and_disables_the_button_meanwhile(go: OpenPage) -> None:
    page = go("/auth")
    fill(page, **{"Email": "nobody@northstrait.example", "Password": "not the password"})
    page.evaluate(
        """() => { window.said = []; new MutationObserver(() => {
            const button = document.querySelector("button[type=submit]");
            window.said.push(button.textContent + (button.disabled ? " (disabled)" : ""));
        }).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true}); }"""
    )
    page.get_by_label("Password", exact=True).press("Enter")
    expect(page.get_by_role("alert").get_by_text("Invalid login credentials")).to_be_visible()
    assert "Signing in... (disabled)" in page.evaluate("window.said")


@pytest.mark.spec("AUTH-1")
def test_fields_have_the_autocomplete_hints_of_password_managers(go: OpenPage) -> None:
    page = go("/auth")

    def complete(label: str) -> str | None:
        return page.get_by_label(label, exact=True).get_attribute("autocomplete")

    assert (complete("Email"), complete("Password")) == ("username webauthn", "current-password")
    page.get_by_role("link", name="Create one").click()
    expect(page.get_by_label("First name")).to_be_visible()
    labels = ("First name", "Last name", "Email", "Password", "Confirm password")
    assert [complete(label) for label in labels] == [
        "given-name",
        "family-name",
        "username",
        "new-password",
        "new-password",
    ]


@pytest.mark.spec("ADM-2", "AUTH-3")
def test_signing_in_redirects_to_the_requested_page(go: OpenPage) -> None:
    page = go("/admin/companies/new")
    expect(page).to_have_url(re.compile(r"/auth\?next=/admin/companies/new$"))
    assert "uncached" not in page.evaluate("document.cookie")
    sign_in(page, ADMIN_EMAIL, ADMIN_PASSWORD)
    expect(page).to_have_url(re.compile(r"//[^/]+/admin/companies/new$"))
    expect(page.get_by_role("heading", name="Add Company")).to_be_visible()
    assert "uncached=1" in page.evaluate("document.cookie"), "a shared cache would answer this browser's requests"


@pytest.mark.spec("AUTH-4")
@pytest.mark.parametrize("path", ["/auth", "/auth?mode=signup", "/auth/forgot"])
def test_a_form_cannot_be_sent_before_its_scripts_are_loaded(site: Site, browser: Browser, path: str) -> None:
    """The browser would put the password into the address."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.url + path)
    before = page.url
    expect(page.locator("form button[type=submit]")).to_be_disabled()
    expect(page.locator("form")).to_have_attribute("method", "post")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    page.locator("form input").first.press("Enter")
    page.reload()
    assert [request for request in asked if before in request] == [f"GET {before}"]
    context.close()


def test_a_page_that_was_never_connected_promises_nothing(go: OpenPage, context: BrowserContext) -> None:
    context.route_web_socket(EVENTS, refuse)
    page = go("/auth")
    said = page.get_by_role("status").filter(has_text="This page has no connection to the server yet")
    expect(said).to_be_visible()
    sign_in(page, ADMIN_EMAIL, ADMIN_PASSWORD)
    expect(page.get_by_role("button", name="Waiting for the connection")).to_be_visible()
    expect(said).to_be_visible()
