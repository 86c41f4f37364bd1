"""Signing up, verifying, signing in, staying in, signing out and recovering, in a real browser with real mails."""

import json
import os
import re
import signal
import sqlite3
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from advisory_site.limits import hashed
from tests.e2e.conftest import ADMIN_EMAIL, ADMIN_PASSWORD, Site, Watch, serving
from tests.e2e.mailbox import Mailbox, link_in

PASSWORD = "seven-quiet-harbours-31"
NEW_PASSWORD = "nine-loud-ferries-58"
QUICK = {"BCRYPT_COST": "6"}

OpenPage = Callable[[str], Page]


@pytest.fixture(scope="module")
def mailbox() -> Iterator[Mailbox]:
    """Where this module's site sends its mail."""
    box = Mailbox()
    box.start()
    yield box
    box.stop()


@pytest.fixture(scope="module")
def mailing_site(seeded, tmp_path_factory: pytest.TempPathFactory, mailbox: Mailbox) -> Iterator[Site]:
    """A site with a mail server, so that addresses have to be confirmed."""
    from tests.e2e.conftest import _copy

    with serving(_copy(seeded, tmp_path_factory.mktemp("mailing")), SMTP_URL=mailbox.smtp_url, **QUICK) as site:
        yield site


@pytest.fixture
def go(context: BrowserContext, mailing_site: Site) -> OpenPage:
    """Opens a path of that site in a new tab."""

    def open_page(path: str) -> Page:
        page = context.new_page()
        page.goto(path if path.startswith("http") else mailing_site.url + path)
        return page

    return open_page


def fill(page: Page, **fields: str) -> None:
    for label, text in fields.items():
        page.get_by_label(label.replace("_", " "), exact=True).fill(text)


def sign_in(page: Page, email: str, password: str) -> None:
    fill(page, **{"E-mail": email, "Password": password})
    page.get_by_role("button", name="Sign in").click()


def sign_up(page: Page, email: str, password: str = PASSWORD, **changes: str) -> None:
    page.get_by_role("button", name="Create one").click()
    names = {"First_name": "Mei", "Last_name": "Tan", "E-mail": email}
    fill(page, **names | {"Password": password, "Confirm_password": password} | changes)
    page.get_by_role("button", name="Create account").click()


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("menuitem", name="Log out").click()
    expect(page).to_have_url(re.compile("/auth$"))


def somebody() -> str:
    return f"mei.{uuid.uuid4().hex[:8]}@northstrait.example"


def stored_session(page: Page) -> dict[str, object]:
    text = page.context.storage_state()["origins"][0]["localStorage"]
    held = {item["name"]: item["value"] for item in text}
    return json.loads(held.get("advisory_session") or "{}")


@pytest.mark.spec("AUTH-1", "AUTH-5", "AUTH-7", "AUTH-4", "AUTH-3", "SES-6", "SES-1")
def test_from_sign_up_over_the_mailed_link_to_sign_in_and_out(go: OpenPage, mailbox: Mailbox) -> None:
    email = somebody()
    page = go("/auth")
    sign_up(page, email)
    told = "Account created successfully! Please check your email for verification."
    expect(page.get_by_role("status").get_by_text(told)).to_be_visible()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()

    sign_in(page, email, PASSWORD)
    expect(page.get_by_role("alert").get_by_text("Email not confirmed")).to_be_visible()
    expect(page.get_by_text("Confirm your e-mail address first")).to_be_visible()
    page.get_by_role("button", name="Send it again").click()
    expect(page.get_by_text("If this address needs confirming, a new link is on its way.")).to_be_visible()

    landing = go(link_in(mailbox.wait_for(email, 2)))
    landing.get_by_role("button", name="Confirm my address").click()
    expect(landing.get_by_text("Your e-mail address is confirmed. You can sign in now.")).to_be_visible()
    expect(landing).to_have_url(re.compile(r"/auth$"))

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


@pytest.mark.spec("AUTH-7")
def test_a_spent_link_says_so_and_offers_another(go: OpenPage, mailbox: Mailbox) -> None:
    email = somebody()
    sign_up(go("/auth"), email)
    link = link_in(mailbox.wait_for(email))
    first = go(link)
    first.get_by_role("button", name="Confirm my address").click()
    expect(first).to_have_url(re.compile(r"/auth$"))
    second = go(link)
    second.get_by_role("button", name="Confirm my address").click()
    expect(second.get_by_role("alert").get_by_text("This link has expired or has been used.")).to_be_visible()
    fill(second, **{"E-mail": email})
    second.get_by_role("button", name="Send it again").click()
    expect(second.get_by_text("Check your e-mail")).to_be_visible()


@pytest.mark.spec("AUTH-9", "AUTH-8")
def test_a_forgotten_password_is_replaced_by_a_mailed_link(go: OpenPage, mailbox: Mailbox) -> None:
    email = somebody()
    page = go("/auth")
    sign_up(page, email)
    mailbox.wait_for(email)
    page.get_by_role("link", name="Forgotten your password?").click()
    expect(page.get_by_role("heading", name="Forgotten your password?")).to_be_visible()
    fill(page, **{"E-mail": email})
    page.get_by_role("button", name="Send the link").click()
    told = "If there is an account for this address, a link to choose a new password is on its way."
    expect(page.get_by_role("status").get_by_text(told)).to_be_visible()

    reset = go(link_in(mailbox.wait_for(email, 2)))
    fill(reset, **{"Password": NEW_PASSWORD, "Confirm_password": "something else"})
    reset.get_by_role("button", name="Set new password").click()
    expect(reset.get_by_role("alert").get_by_text("Passwords do not match")).to_be_visible()
    fill(reset, **{"Confirm_password": NEW_PASSWORD})
    reset.get_by_role("button", name="Set new password").click()
    expect(reset.get_by_text("Your password is changed, and all other sessions are signed out")).to_be_visible()
    expect(reset).to_have_url(re.compile(r"/admin$"))
    assert "has been changed" in mailbox.wait_for(email, 3)["Subject"]


@pytest.mark.spec("AUTH-8")
def test_a_known_address_gets_a_mail_while_the_page_says_the_usual(go: OpenPage, mailbox: Mailbox) -> None:
    email = somebody()
    sign_up(go("/auth"), email)
    mailbox.wait_for(email)
    page = go("/auth")
    sign_up(page, email, "quite-another-password-7")
    told = "Account created successfully! Please check your email for verification."
    expect(page.get_by_role("status").get_by_text(told)).to_be_visible()
    assert "already have an account" in mailbox.wait_for(email, 2)["Subject"]


@pytest.mark.spec("AUTH-4", "AUTH-8")
@pytest.mark.parametrize("email", [ADMIN_EMAIL, "nobody@northstrait.example"])
def test_a_wrong_password_and_an_unknown_address_read_the_same(go: OpenPage, email: str) -> None:
    page = go("/auth")
    sign_in(page, email, "not the password")
    expect(page.get_by_role("alert").get_by_text("Invalid login credentials")).to_be_visible()
    expect(page.get_by_label("Password", exact=True)).to_be_focused()
    expect(page.get_by_label("E-mail")).to_have_value(email)
    expect(page.get_by_role("button", name="Sign in")).to_be_enabled()


@pytest.mark.spec("AUTH-4")
def test_enter_signs_in_and_the_button_is_busy_meanwhile(go: OpenPage) -> None:
    page = go("/auth")
    fill(page, **{"E-mail": "nobody@northstrait.example", "Password": "not the password"})
    page.evaluate(
        """() => { window.said = []; new MutationObserver(() => {
            const button = document.querySelector("button[type=submit]");
            window.said.push(button.textContent + (button.disabled ? " (disabled)" : ""));
        }).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true}); }"""
    )
    page.get_by_label("Password", exact=True).press("Enter")
    expect(page.get_by_role("alert").get_by_text("Invalid login credentials")).to_be_visible()
    assert "Signing in... (disabled)" in page.evaluate("window.said")


@pytest.mark.spec("AUTH-5", "AUTH-2")
def test_sign_up_marks_the_fields_keeps_what_was_typed_and_moves_the_focus(go: OpenPage) -> None:
    page = go("/auth")
    sign_up(page, "mei", "abc", **{"Confirm_password": "abcd"})
    for text in (
        "Please enter a full e-mail address, such as name@company.com.",
        "Password must be at least 6 characters",
        "Passwords do not match",
    ):
        expect(page.locator("form").get_by_text(text)).to_be_visible()
    email = page.get_by_label("E-mail")
    expect(email).to_be_focused()
    expect(email).to_have_attribute("aria-invalid", "true")
    expect(email).to_have_accessible_description(re.compile("Please enter a full e-mail address"))
    expect(page.get_by_label("First name")).to_have_value("Mei")
    expect(page.get_by_label("Password", exact=True)).to_have_value("abc")


@pytest.mark.spec("AUTH-2")
def test_one_toggle_shows_both_passwords_of_sign_up(go: OpenPage) -> None:
    page = go("/auth")
    page.get_by_role("button", name="Create one").click()
    both = [page.get_by_label("Password", exact=True), page.get_by_label("Confirm password")]
    for field in both:
        expect(field).to_have_attribute("type", "password")
    page.get_by_role("button", name="Show password").click()
    for field in both:
        expect(field).to_have_attribute("type", "text")
    page.get_by_role("button", name="Hide password").click()
    for field in both:
        expect(field).to_have_attribute("type", "password")


@pytest.mark.spec("AUTH-5")
def test_a_weak_password_is_refused_with_reasons(go: OpenPage) -> None:
    page = go("/auth")
    sign_up(page, somebody(), "password1")
    reason = "Password is too weak: it is among the passwords that are guessed first"
    expect(page.get_by_role("alert").get_by_text(reason)).to_be_visible()


@pytest.mark.spec("AUTH-1")
def test_password_managers_find_their_way(go: OpenPage) -> None:
    page = go("/auth")

    def complete(label: str) -> str | None:
        return page.get_by_label(label, exact=True).get_attribute("autocomplete")

    assert (complete("E-mail"), complete("Password")) == ("username", "current-password")
    page.get_by_role("button", name="Create one").click()
    expect(page.get_by_label("First name")).to_be_visible()
    labels = ("First name", "Last name", "E-mail", "Password", "Confirm password")
    assert [complete(label) for label in labels] == [
        "given-name",
        "family-name",
        "username",
        "new-password",
        "new-password",
    ]


@pytest.mark.spec("AUTH-3", "ADM-2")
@pytest.mark.parametrize("wanted", ["https://evil.example", "//evil.example", "/\\evil.example", "/auth"])
def test_nobody_is_led_off_the_site_after_signing_in(go: OpenPage, wanted: str) -> None:
    page = go(f"/auth?next={wanted}")
    sign_in(page, ADMIN_EMAIL, ADMIN_PASSWORD)
    expect(page).to_have_url(re.compile(r"^http://localhost:\d+/admin$"))


@pytest.mark.spec("ADM-2", "AUTH-3")
def test_after_signing_in_one_is_where_one_wanted_to_be(go: OpenPage) -> None:
    page = go("/admin/companies/new")
    expect(page).to_have_url(re.compile(r"/auth\?next=/admin/companies/new$"))
    sign_in(page, ADMIN_EMAIL, ADMIN_PASSWORD)
    expect(page).to_have_url(re.compile("/admin/companies/new$"))


@pytest.mark.spec("AUTH-8", "AUTH-10")
def test_after_too_many_failures_the_wait_is_told(own_site: Callable[..., Site], context: BrowserContext) -> None:
    site = own_site(**QUICK)
    with sqlite3.connect(site.data_dir / "advisory.db") as database:
        database.executemany(
            "INSERT INTO attempts (bucket, key, at) VALUES ('sign-in account', ?, ?)",
            [(hashed("mei@northstrait.example"), datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f"))] * 10,
        )
    page = context.new_page()
    page.goto(site.url + "/auth")
    sign_in(page, "mei@northstrait.example", PASSWORD)
    told = "Too many attempts. Please wait 15 minutes and try again."
    expect(page.get_by_role("alert").get_by_text(told)).to_be_visible()


@pytest.mark.spec("SES-1", "AUTH-3")
def test_after_a_restart_of_the_server_the_tab_goes_on(
    own_site: Callable[..., Site], context: BrowserContext, watch: Watch
) -> None:
    watch.expect("ERR_CONNECTION_REFUSED|Error during WebSocket handshake")
    site = own_site(**QUICK)
    page = context.new_page()
    page.goto(site.url + "/auth")
    sign_in(page, ADMIN_EMAIL, ADMIN_PASSWORD)
    expect(page).to_have_url(re.compile("/admin$"))
    port = int(site.url.rsplit(":", 1)[1])
    os.killpg(site.process.pid, signal.SIGKILL)
    site.process.wait()
    with serving(site.data_dir, port, **QUICK):
        page.goto(site.url + "/auth")
        expect(page).to_have_url(re.compile("/admin$"))


@pytest.mark.spec("SES-4", "SES-6")
def test_two_tabs_stay_in_over_two_refreshes_and_leave_together(
    own_site: Callable[..., Site], context: BrowserContext
) -> None:
    site = own_site(ACCESS_TOKEN_SECONDS="6", **QUICK)
    first, second = context.new_page(), context.new_page()
    second.goto(site.url + "/auth")
    expect(second.get_by_role("button", name="Sign in")).to_be_enabled()
    first.goto(site.url + "/auth")
    sign_in(first, ADMIN_EMAIL, ADMIN_PASSWORD)
    expect(first).to_have_url(re.compile("/admin$"))
    # The other tab sees it by itself.
    expect(second).to_have_url(re.compile("/admin$"), timeout=2000)
    tokens = {str(stored_session(first)["refresh_token"])}
    for _ in range(200):
        if len(tokens) >= 3:
            break
        first.wait_for_timeout(100)
        tokens.add(str(stored_session(first)["refresh_token"]))
    assert len(tokens) >= 3
    for tab in (first, second):
        expect(tab.get_by_role("heading", name="Admin Dashboard")).to_be_visible()
    sign_out(first)
    expect(second).to_have_url(re.compile("/auth"), timeout=2000)
    expect(second.get_by_role("heading", name="Admin Dashboard")).to_have_count(0)
    assert stored_session(first) == {}
