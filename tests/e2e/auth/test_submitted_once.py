"""A form that is pressed twice is submitted once, and its button keeps the focus."""

import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.auth.steps import fill
from tests.e2e.conftest import ADMIN_EMAIL, ADMIN_PASSWORD, Site


def stored(site: Site, query: str, *values: object) -> int:
    with closing(sqlite3.connect(site.data_dir / "advisory.db", timeout=60)) as connection:
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


@pytest.mark.spec("AUTH-4")
def test_keyboard_focus_stays_on_the_button_while_it_is_busy(own_page: tuple[Site, Page]) -> None:
    _, page = own_page
    page.get_by_role("link", name="Forgotten your password?").click()
    expect(page.get_by_role("heading", name="Forgotten your password?")).to_be_visible()
    fill(page, **{"Email": "nobody@northstrait.example"})
    page.get_by_role("button", name="Send the link").press("Enter")
    expect(page.get_by_text("Check your email", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Send the link")).to_be_focused()
