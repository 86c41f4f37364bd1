"""A form that is pressed twice is submitted once, and its button says so before the server does."""

import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.auth.steps import fill, sign_up, somebody
from tests.e2e.conftest import ADMIN_EMAIL, ADMIN_PASSWORD, Site
from tests.e2e.processes import frozen


def stored(site: Site, query: str, *values: object) -> int:
    with closing(sqlite3.connect(site.data_dir / "advisory.db", timeout=10)) as connection:
        return int(connection.execute(query, values).fetchone()[0])


@pytest.fixture
def own_page(fresh_site: Site, context: BrowserContext) -> tuple[Site, Page]:
    """A site and its sign-in page."""
    page = context.new_page()
    page.goto(fresh_site.url + "/auth")
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_enabled()
    return fresh_site, page


@pytest.mark.spec("AUTH-4")
def test_a_double_click_signs_in_once(own_page: tuple[Site, Page]) -> None:
    site, page = own_page
    fill(page, **{"Email": ADMIN_EMAIL, "Password": ADMIN_PASSWORD})
    page.get_by_role("button", name="Sign in", exact=True).dblclick()
    expect(page.get_by_role("heading", name="Admin Dashboard")).to_be_visible()
    expect(page.get_by_text("Welcome back!")).to_have_count(1)
    assert stored(site, "SELECT count(*) FROM auth_sessions") == 1


@pytest.mark.spec("AUTH-5")
def test_a_double_click_signs_up_once(own_page: tuple[Site, Page]) -> None:
    site, page = own_page
    email = somebody()
    sign_up(page, email, press=lambda button: button.dblclick())
    expect(page.get_by_role("heading", name="Check your email")).to_be_visible()
    # What was pressed is handled in turn: when this is answered, a second sign-up would have been.
    page.get_by_role("link", name="Sign in").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert stored(site, "SELECT count(*) FROM outgoing_mail WHERE recipient = ?", email) == 1


@pytest.mark.spec("AUTH-5")
def test_the_sign_up_button_shows_progress(own_page: tuple[Site, Page]) -> None:
    site, page = own_page

    def press(button: Locator) -> None:
        with frozen(site):
            button.click()
            expect(page.get_by_role("button", name="Creating account...", exact=True)).to_be_disabled()

    sign_up(page, somebody(), press=press)
    expect(page.get_by_role("heading", name="Check your email")).to_be_visible()


@pytest.mark.spec("AUTH-4")
def test_the_button_is_disabled_at_once_and_enabled_after_a_refusal(
    own_page: tuple[Site, Page],
) -> None:
    site, page = own_page
    fill(page, **{"Email": ADMIN_EMAIL, "Password": "not the password"})
    with frozen(site):
        page.get_by_role("button", name="Sign in", exact=True).click()
        expect(page.get_by_role("button", name="Signing in...", exact=True)).to_be_disabled()
        page.get_by_label("Password", exact=True).press("Enter")
    expect(page.get_by_role("alert").get_by_text("Invalid login credentials")).to_be_visible()
    assert stored(site, "SELECT count(*) FROM attempts WHERE bucket = 'sign-in account'") == 1
    fill(page, Password=ADMIN_PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).press("Enter")
    expect(page.get_by_role("heading", name="Admin Dashboard")).to_be_visible()


@pytest.mark.spec("AUTH-4")
def test_keyboard_focus_stays_on_the_button_while_it_is_busy(own_page: tuple[Site, Page]) -> None:
    _, page = own_page
    page.get_by_role("link", name="Forgotten your password?").click()
    expect(page.get_by_role("heading", name="Forgotten your password?")).to_be_visible()
    fill(page, **{"Email": "nobody@northstrait.example"})
    page.get_by_role("button", name="Send the link").press("Enter")
    expect(page.get_by_text("Check your email", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Send the link")).to_be_focused()
