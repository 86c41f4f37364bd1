"""Backups and outgoing mail on the dashboard: what admins see and do, and that nobody else sees any of it."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import sqlalchemy as sa
from playwright.sync_api import Locator, Page, expect

from sitekit.accounts.sessions.session_state import AuthState
from sitekit.base import backup_log
from sitekit.base.backup_log import BackupRehearsal, VerifiedBackup
from sitekit.base.db.database import now, transaction
from sitekit.base.mail.models import OutgoingMail
from sitekit.base.permissions import Role
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import answer, notice
from tests.support.outbox import given_up
from tests.support.raw_socket import ROOT_STATE

STATE = f"{ROOT_STATE}.sitekit___admin___operations___status____system_status_state"
STORED = f"{AuthState.get_full_name()}.stored_session_rx_state_"
MARK = "for-admins-alone-5d2f"


@pytest.fixture(autouse=True)
def nothing_yet(database: object) -> Iterator[None]:
    """No backup and no mail, before and after."""
    _empty()
    yield
    _empty()


def _empty() -> None:
    with transaction() as session:
        session.execute(sa.delete(OutgoingMail))
        session.execute(sa.delete(VerifiedBackup))
        session.execute(sa.delete(BackupRehearsal))


def backed_up(age: timedelta) -> None:
    with transaction() as session:
        backup_log.record(session, f"{MARK}.backup", now() - age, 1, "")


def operations(page: Page) -> Locator:
    return page.locator(".operations")


def test_admins_are_warned_without_a_backup_and_told_how_to_make_one(staff: Staff) -> None:
    section = operations(staff(Role.ADMIN).open("/admin"))
    expect(section.get_by_text("No backup has been verified yet.")).to_be_visible()
    expect(section.get_by_text("python -m advisory_site backup FILE")).to_be_visible()


def test_an_old_backup_and_a_failed_rehearsal_show_warnings(staff: Staff) -> None:
    backed_up(timedelta(days=3))
    with transaction() as session:
        backup_log.record_rehearsal(session, "", "There is no backup in /backups.")
    section = operations(staff(Role.ADMIN).open("/admin"))
    expect(section.get_by_text("3 days ago")).to_be_visible()
    expect(section.get_by_text("More than 26 hours old")).to_be_visible()
    failed = "The last rehearsal of a restore failed: There is no backup in /backups."
    expect(section.get_by_text(failed)).to_be_visible()


def test_only_admins_see_system_status(staff: Staff) -> None:
    page = staff(Role.MANAGER).open("/admin")
    expect(page.get_by_text("Registered in the system")).to_be_visible()
    expect(page.get_by_role("heading", name="Enquiries")).to_be_visible()
    expect(operations(page)).to_have_count(0)
    assert page.locator(".notice").count() == 0


def test_failed_mail_can_be_sent_again(staff: Staff) -> None:
    given_up("ann@example.com", "bo@example.com")
    page = staff(Role.ADMIN).open("/admin")
    table = operations(page).get_by_role("table", name="Emails that could not be sent")
    expect(table.get_by_text("The mail server refused the recipient’s address (code 550).")).to_have_count(2)
    table.get_by_role("button", name="Send again Hello ann@example.com").click()
    expect(notice(page, "The message is being sent again")).to_be_visible()
    expect(table.get_by_text("ann@example.com", exact=True)).to_have_count(0)
    expect(table.get_by_text("bo@example.com", exact=True)).to_be_visible()


def test_all_failed_mail_is_sent_again_after_a_question(staff: Staff) -> None:
    given_up("ann@example.com", "bo@example.com")
    page = staff(Role.ADMIN).open("/admin")
    asked = answer(page, yes=True)
    page.get_by_role("button", name="Send all again").click()
    expect(notice(page, "Messages being sent again: 2")).to_be_visible()
    expect(operations(page).get_by_role("table")).to_have_count(0)
    assert asked == ["Send every failed message again?"]
