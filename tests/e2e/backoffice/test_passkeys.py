"""Passkeys in a real browser with a virtual authenticator: added, used at sign-in, renamed and removed."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from sitekit.accounts.factors import passkeys
from tests.e2e.auth.steps import sign_in, sign_out
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import notice, question, reply
from tests.e2e.conftest import Site
from tests.e2e.virtual_authenticator import VirtualAuthenticator
from tests.support.authenticator import Authenticator
from tests.support.people import PASSWORD, person
from tests.support.second_factors import identity_with_factor

WANTED = "/auth?next=/admin/profile"
THERE = re.compile("/admin/profile$")
EMAIL = "holder{}@northstrait.example"

Holder = Callable[..., tuple[str, Authenticator]]


@pytest.fixture
def holder(database: object, request: pytest.FixtureRequest) -> Holder:
    """A new person with a passkey, which was created without a browser."""

    def make(**device: Any) -> tuple[str, Authenticator]:
        email = EMAIL.format(abs(hash(request.node.name)))
        identity, made = identity_with_factor(person(email)), Authenticator(**device)
        passkeys.register(identity, made.create(passkeys.begin_registration(identity)), "Laptop")
        return email, made

    return make


def passkey_button(page: Page) -> Any:
    return page.get_by_role("button", name="Sign in with a passkey")


def add_passkey(page: Page, name: str = "") -> None:
    form = page.locator("#add-passkey-form")
    if name:
        form.get_by_label("Name").fill(name)
    form.get_by_role("button", name="Continue").press("Enter")
    page.get_by_role("button", name="Create passkey").press("Enter")


@pytest.mark.spec("MFA-2")
def test_a_passkey_can_be_added_used_renamed_and_removed(staff: Staff) -> None:
    page = staff().open("/admin/two-step")
    device = VirtualAuthenticator(page)
    expect(page.locator("#add-passkey-form").get_by_label("Name")).to_have_value(re.compile(r"^\w+ on \w+$"))
    add_passkey(page, "Work laptop")
    expect(notice(page, "Work laptop added")).to_be_visible()
    expect(page.get_by_role("heading", name="Your recovery codes")).to_be_focused()
    row = page.locator(".devices li").filter(has_text="Work laptop")
    expect(row).to_contain_text("Passkey")
    assert device.passkeys() == 1

    sign_out(page)
    page.goto(page.url.split("/auth")[0] + WANTED)
    passkey_button(page).press("Enter")
    expect(page).to_have_url(THERE)

    page.get_by_role("link", name="Set up or change").click()
    row.get_by_role("button", name="Rename").press("Enter")
    form = page.locator("#rename-factor-form")
    expect(form.get_by_label("Name")).to_be_focused()
    expect(form.get_by_label("Name")).to_have_value("Work laptop")
    form.get_by_label("Name").fill("Old laptop")
    form.get_by_label("Name").press("Enter")
    expect(notice(page, "Renamed to Old laptop")).to_be_visible()

    page.get_by_role("button", name="Remove Old laptop").press("Enter")
    expect(question(page).locator("strong")).to_have_text("Old laptop")
    assert reply(page, yes=True) == "Remove this second step?\nIt can no longer be used to sign in."
    expect(notice(page, "Old laptop removed")).to_be_visible()
    expect(page.locator(".devices")).to_have_count(0)

    sign_out(page)
    passkey_button(page).click()
    expect(notice(page, "This passkey was not accepted.")).to_be_visible()
    expect(page).to_have_url(re.compile("/auth$"))


@pytest.mark.spec("MFA-2")
def test_the_email_field_offers_passkeys(context: BrowserContext, site: Site, holder: Holder) -> None:
    page = context.new_page()
    _, passkey = holder()
    VirtualAuthenticator(page, is_suggested=True).hold(passkey)
    page.goto(site.url + WANTED)
    # The virtual authenticator chooses the passkey that the browser would offer in the field.
    expect(page).to_have_url(THERE)


@pytest.mark.spec("MFA-2", "MFA-4")
def test_a_passkey_or_a_code_works_as_the_second_factor(context: BrowserContext, site: Site, holder: Holder) -> None:
    page = context.new_page()
    device = VirtualAuthenticator(page)
    email, passkey = holder()
    device.hold(passkey)
    page.goto(site.url + WANTED)
    sign_in(page, email, PASSWORD)
    expect(page.get_by_text("Use your passkey.", exact=True)).to_be_visible()
    expect(page.get_by_label("Code")).to_have_count(0)
    page.get_by_role("button", name="Use a recovery code").click()
    expect(page.get_by_label("Recovery code")).to_be_focused()
    page.get_by_role("button", name="Use your passkey instead").click()
    page.get_by_role("button", name="Use your passkey", exact=True).click()
    expect(page).to_have_url(THERE)


@pytest.mark.spec("MFA-2")
def test_a_cancelled_passkey_dialog_shows_a_hint_and_can_be_retried(
    context: BrowserContext, site: Site, holder: Holder
) -> None:
    page = context.new_page()
    device = VirtualAuthenticator(page)
    page.goto(site.url + WANTED)
    passkey_button(page).click()
    expect(page.get_by_role("status").filter(has_text="No passkey was used.")).to_be_visible()
    expect(page.locator(".notice")).to_have_count(0)
    device.hold(holder()[1])
    passkey_button(page).click()
    expect(page).to_have_url(THERE)


def expect_no_passkey(page: Page) -> None:
    """A page that offers passkeys asks for them at once, so they are there before the reply to a sign-in."""
    sign_in(page, "stranger@northstrait.example", PASSWORD)
    expect(page.get_by_role("alert").get_by_text("Invalid login credentials")).to_be_visible()
    expect(passkey_button(page)).to_have_count(0)


@pytest.mark.spec("MFA-2")
def test_passkeys_are_hidden_in_browsers_without_support(context: BrowserContext, site: Site) -> None:
    page = context.new_page()
    page.add_init_script("delete window.PublicKeyCredential")
    page.goto(site.url + "/auth")
    expect_no_passkey(page)


@pytest.mark.spec("MFA-2")
def test_a_browser_without_passkeys_adds_none(staff: Staff) -> None:
    colleague = staff()
    colleague.context.add_init_script("delete window.PublicKeyCredential")
    page = colleague.open("/admin/two-step")
    expect(page.get_by_text("This browser has no passkeys.")).to_be_visible()
    expect(page.locator("#add-passkey-form")).to_have_count(0)


@pytest.mark.spec("MFA-2", "MFA-4")
def test_a_browser_without_passkeys_offers_a_recovery_code(context: BrowserContext, site: Site, holder: Holder) -> None:
    page = context.new_page()
    page.add_init_script("delete window.PublicKeyCredential")
    email, _ = holder()
    page.goto(site.url + WANTED)
    sign_in(page, email, PASSWORD)
    expect(page.get_by_text("This browser cannot use your passkey. Please use a recovery code.")).to_be_visible()
    page.get_by_role("button", name="Use a recovery code").click()
    expect(page.get_by_label("Recovery code")).to_be_focused()


@pytest.mark.spec("MFA-2")
def test_passkeys_are_not_offered_at_another_host(context: BrowserContext, site: Site) -> None:
    page = context.new_page()
    page.goto(site.url.replace("localhost", "127.0.0.1") + "/auth")
    expect_no_passkey(page)


@pytest.mark.spec("MFA-2")
def test_a_device_cannot_add_a_second_passkey_for_one_person(staff: Staff) -> None:
    page = staff().open("/admin/two-step")
    device = VirtualAuthenticator(page)
    add_passkey(page, "First")
    expect(notice(page, "First added")).to_be_visible()
    add_passkey(page, "Second")
    expect(page.get_by_text("This device already has a passkey for your account.")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#add-passkey-form")).to_be_visible()
    assert device.passkeys() == 1
