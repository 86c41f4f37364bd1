"""Invitations in a real browser: from the admin's list to the invited person's back office, in one tab."""

import email
import email.policy
import re
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from sitekit.base.permissions import Role
from tests.e2e.auth.steps import fill, sign_out, somebody
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import notice, question, reply, row
from tests.e2e.conftest import Site
from tests.support.mailbox import link_in
from tests.support.outbox import mail_files
from tests.support.waiting import wait_for

pytestmark = pytest.mark.spec("INV-1")
PASSWORD = "seven-quiet-harbours-31"
INVALID = "This invitation is not valid any more"


def links_to(site: Site, address: str, count: int = 1) -> list[str]:
    """The links in the mails to an address, oldest first; waits until there are as many."""

    def found() -> list[str] | None:
        files = sorted(mail_files(site.data_dir), key=lambda file: file.stat().st_mtime_ns)
        mails = [_read(file) for file in files]
        links = [link_in(mail) for mail in mails if mail["To"] == address]
        return links if len(links) >= count else None

    links = wait_for(found, f"{count} mails to {address}")
    assert links is not None
    return links


def _read(file: Path) -> email.message.EmailMessage:
    return email.message_from_bytes(file.read_bytes(), policy=email.policy.default)


def invite(page: Page, addresses: str, role: str = "Employee") -> None:
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Email addresses").fill(addresses)
    dialog.get_by_label("Role").select_option(role)
    dialog.get_by_role("button", name="Send invitations").click()


def close(page: Page) -> None:
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def accept(page: Page) -> None:
    fill(page, First_name="Mei", Last_name="Tan", Password=PASSWORD, Confirm_password=PASSWORD)
    page.get_by_role("button", name="Create account").click()


def test_an_invited_person_gets_access_with_the_role(staff: Staff, site: Site) -> None:
    mei = somebody()
    page = staff(Role.ADMIN).open("/admin?tab=users")
    page.get_by_role("link", name="Invite people").click()
    expect(page.get_by_role("dialog").get_by_label("Email addresses")).to_be_focused()
    invite(page, f"Mei Tan <{mei}>", "Manager")
    expect(page.get_by_role("heading", name="1 of 1 invited")).to_be_focused()
    close(page)
    expect(row(page, mei)).to_contain_text("manager")
    expect(row(page, mei)).to_contain_text("Ann Lim")
    expect(row(page, mei)).to_contain_text("Mei Tan")
    (link,) = links_to(site, mei)
    sign_out(page)
    # As programs that look into mails do.
    for method in ("HEAD", "GET"):
        with urllib.request.urlopen(urllib.request.Request(link, method=method)) as reply:
            assert reply.status == 200
    page.goto(link)
    expect(page.get_by_text(f"You will sign in as {mei}.")).to_be_visible()
    expect(page.get_by_label("First name")).to_have_value("Mei")
    accept(page)
    expect(page).to_have_url(re.compile("/admin$"))
    expect(notice(page, "Welcome! Your account is ready.")).to_be_visible()
    expect(page.get_by_role("banner").get_by_text("manager", exact=True)).to_be_visible()
    page.goto(f"{site.url}/admin?tab=users")
    expect(page.get_by_role("cell", name=mei)).to_be_visible()
    expect(page.get_by_role("link", name="Invite people")).to_have_count(0)
    page.goto(f"{site.url}/admin/invitations")
    expect(page.get_by_text("Only admins can invite people.")).to_be_visible()
    page.goto(link)
    expect(page.get_by_role("heading", name=INVALID)).to_be_visible()
    expect(page.get_by_label("Password")).to_have_count(0)


def test_an_invitation_can_be_sent_again_and_revoked(staff: Staff, site: Site) -> None:
    mei = somebody()
    colleague = staff(Role.ADMIN)
    page = colleague.open("/admin/invitations?invite=new")
    invite(page, mei)
    expect(page.get_by_role("heading", name="1 of 1 invited")).to_be_visible()
    close(page)
    page.get_by_role("button", name=f"Send again {mei}").click()
    expect(notice(page, "Invitation sent again.")).to_be_visible()
    first, second = links_to(site, mei, 2)
    guest = staff(Role.EMPLOYEE)
    expect(guest.open(first.removeprefix(site.url)).get_by_role("heading", name=INVALID)).to_be_visible()
    opened = guest.open(second.removeprefix(site.url))
    expect(opened.get_by_role("heading", name="Create your account")).to_be_visible()
    page.get_by_role("button", name=f"Revoke {mei}").click()
    expect(question(page).locator("strong")).to_have_text(mei)
    assert reply(page, yes=True) == "Revoke this invitation?\nIts link will not work any more."
    expect(notice(page, "Invitation revoked.")).to_be_visible()
    expect(row(page, mei)).to_have_count(0)
    # The form that was open before says so, too.
    accept(opened)
    expect(opened.get_by_role("heading", name=INVALID)).to_be_focused()
    page.get_by_role("combobox", name="Status").select_option("Accepted or revoked")
    expect(row(page, mei)).to_contain_text("Revoked")


def test_refused_addresses_stay_in_the_dialog_with_reasons(staff: Staff) -> None:
    mei = somebody()
    colleague = staff(Role.ADMIN)
    page = colleague.open("/admin/invitations")
    page.get_by_role("link", name="Invite people").first.click()
    invite(page, "")
    field = page.get_by_label("Email addresses")
    expect(field).to_have_accessible_description(re.compile("Please fill in this field."))
    expect(field).to_be_focused()
    invite(page, f"{mei}, {colleague.email}\nnobody at all")
    expect(page.get_by_role("heading", name="1 of 3 invited")).to_be_visible()
    outcomes = page.locator("#invite-outcomes").get_by_role("listitem")
    expect(outcomes.filter(has_text=mei)).to_contain_text("Invited")
    expect(outcomes.filter(has_text=colleague.email)).to_contain_text("Already has an account")
    expect(outcomes.filter(has_text="nobody at all")).to_contain_text("Please enter a full email address")
    expect(field).to_have_value("nobody at all")
    field.fill("typed by hand")
    page.keyboard.press("Escape")
    reply(page, yes=False)
    expect(field).to_have_value("typed by hand")


def test_people_can_be_invited_by_keyboard(staff: Staff) -> None:
    mei = somebody()
    page = staff(Role.ADMIN).open("/admin/invitations")
    page.get_by_role("link", name="Invite people").first.focus()
    page.keyboard.press("Enter")
    field = page.get_by_label("Email addresses")
    expect(field).to_be_visible()
    while not field.evaluate("one => one === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.type(mei)
    page.keyboard.press("Tab")
    page.keyboard.type("M")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="1 of 1 invited")).to_be_focused()
    page.keyboard.press("Escape")
    expect(row(page, mei)).to_contain_text("manager")
