"""Mailed links in a real browser: opened twice, too late, by the wrong person; and where they lead."""

import re
import sqlite3
import urllib.request
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.auth.steps import NEW_PASSWORD, PASSWORD, OpenPage, confirm, fill, sign_in, sign_up, somebody
from tests.e2e.conftest import Site
from tests.support.mailbox import Mailbox, link_in

EXPIRED = "This link has expired"


def signed_up(go: OpenPage, mailbox: Mailbox) -> tuple[str, str]:
    """An address that somebody signed up with, and the link that was mailed to it."""
    email = somebody()
    sign_up(go("/auth"), email)
    return email, link_in(mailbox.wait_for(email))


def forgotten(go: OpenPage, mailbox: Mailbox) -> tuple[str, str]:
    """The same, with the link that replaces a password."""
    email, _ = signed_up(go, mailbox)
    page = go("/auth/forgot")
    fill(page, Email=email)
    page.get_by_role("button", name="Send the link").click()
    return email, link_in(mailbox.wait_for(email, 2))


def expire(site: Site) -> None:
    """Let the time of all links be over."""
    past = (datetime.now(UTC) - timedelta(minutes=1)).strftime("%Y-%m-%d %H:%M:%S.%f")
    with closing(sqlite3.connect(site.data_dir / "advisory.db", timeout=60)) as connection:
        connection.execute("UPDATE mailed_links SET expires_at = ?", [past])
        connection.commit()


def expired_and_renewed(go: OpenPage, mailing_site: Site, email: str, link: str) -> Page:
    """The page of an expired link, on which a new one has been asked for."""
    expire(mailing_site)
    page = go(link)
    expect(page.get_by_role("heading", name=EXPIRED)).to_be_visible()
    fill(page, Email=email)
    page.get_by_role("button", name="Send a new one").click()
    expect(page.get_by_role("status").get_by_text("Check your email")).to_be_visible()
    return page


@pytest.mark.spec("INV-2", "AUTH-7")
def test_a_confirmation_link_asks_for_the_password_of_the_sign_up(go: OpenPage, mailbox: Mailbox) -> None:
    email, link = signed_up(go, mailbox)
    page = go(link)
    expect(page.get_by_text(f"Enter the password you chose when you signed up as {email}.")).to_be_visible()
    page.get_by_role("button", name="Confirm my address").click()
    expect(page.get_by_label("Password", exact=True)).to_have_accessible_description("Please fill in this field.")
    confirm(page, "a password of my own")
    told = "This is not the password that was chosen at sign-up."
    expect(page.get_by_label("Password", exact=True)).to_have_accessible_description(told)
    strangers = go("/auth")
    sign_in(strangers, email, PASSWORD)
    expect(strangers.get_by_role("alert").get_by_text("Email not confirmed")).to_be_visible()
    confirm(page)
    expect(page).to_have_url(re.compile(r"/\?email=confirmed$"))


@pytest.mark.spec("AUTH-7")
def test_an_expired_confirmation_can_be_sent_again(go: OpenPage, mailbox: Mailbox, mailing_site: Site) -> None:
    email, link = signed_up(go, mailbox)
    page = expired_and_renewed(go, mailing_site, email, link)
    # In the same tab, which had the expired one.
    page.goto(link_in(mailbox.wait_for(email, 2)))
    confirm(page)
    expect(page).to_have_url(re.compile(r"/\?email=confirmed$"))


@pytest.mark.spec("AUTH-9")
def test_an_expired_recovery_can_be_sent_again(go: OpenPage, mailbox: Mailbox, mailing_site: Site) -> None:
    email, link = forgotten(go, mailbox)
    page = expired_and_renewed(go, mailing_site, email, link)
    page.goto(link_in(mailbox.wait_for(email, 3)))
    fill(page, **{"Password": NEW_PASSWORD, "Confirm_password": NEW_PASSWORD})
    page.get_by_role("button", name="Set new password").click()
    expect(page).to_have_url(re.compile("/admin$"))


@pytest.mark.spec("AUTH-7")
def test_the_second_page_of_a_used_link_says_it_is_used(go: OpenPage, mailbox: Mailbox) -> None:
    _, link = signed_up(go, mailbox)
    first, second = go(link), go(link)
    expect(second.get_by_label("Password", exact=True)).to_be_visible()
    confirm(first)
    expect(first).to_have_url(re.compile(r"/\?email=confirmed$"))
    confirm(second)
    expect(second.get_by_role("heading", name=EXPIRED)).to_be_focused()


@pytest.mark.spec("AUTH-7", "SES-1")
def test_the_confirmation_notice_is_in_the_html_of_its_page_only(
    go: OpenPage, context: BrowserContext, mailing_site: Site
) -> None:
    def html(path: str) -> str:
        with urllib.request.urlopen(mailing_site.url + path) as answer:
            assert answer.status == 200
            return str(answer.read().decode())

    told = "Your email address is confirmed. You can sign in now."
    assert told in html("/?email=confirmed")
    assert 'name="robots" content="noindex"' in html("/?email=confirmed")
    plain = html("/")
    assert told not in plain
    for query in ("?email=confirmed&x", "?email", "?Email=Confirmed", "?x", "?"):
        assert html(f"/{query}") == plain

    page: Page = go("/?email=confirmed")
    expect(page.get_by_text(told)).to_be_visible()
    # The scripts wake, and find the page as they would draw it.
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(page.locator("html")).to_have_attribute("data-hydrated", "")
    expect(page.get_by_text(told)).to_be_visible()
    page.goto(mailing_site.url + "/?email=confirmed&x=1")
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(page.locator("html")).to_have_attribute("data-hydrated", "")
    expect(page.get_by_text(told)).to_have_count(0)
