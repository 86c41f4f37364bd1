"""The log says who did what and from where, once it is done."""

import logging
import subprocess
import sys
from collections.abc import Callable
from contextvars import Context
from typing import Any

import pytest

from advisory_site.companies.admin import CompanyTabState
from advisory_site.enquiries.desk import clock
from advisory_site.enquiries.desk.list_page import EnquiryInboxState
from sitekit.accounts.people.tab import UserTabState
from sitekit.accounts.sessions.auth_state import AuthPageState
from sitekit.app.site_app import SiteApp
from sitekit.base.db.database import now, transaction
from sitekit.base.permissions import Role
from sitekit.base.settings import get_settings
from tests.conftest import ROOT
from tests.support.event_client import EventClient
from tests.support.factories import add_company, add_enquiry, company_form
from tests.support.people import PASSWORD, person, signed_in
from tests.support.staff import STORED

HERE = "203.0.113.7"
BOSS = "boss@northstrait.example"
ANN = "ann@northstrait.example"
Noted = Callable[[], list[tuple[str, str, str, str]]]


@pytest.fixture(autouse=True)
def quick(database_dir: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cheapest hashes."""
    monkeypatch.setenv("ADVISORY_BCRYPT_COST", "4")
    get_settings.cache_clear()


@pytest.fixture
def noted(caplog: pytest.LogCaptureFixture) -> Noted:
    """What was written down since the last look: act, account, network, subject."""
    caplog.set_level(logging.INFO, logger="advisory_site.audit")

    def look() -> list[tuple[str, str, str, str]]:
        facts: list[dict[str, Any]] = [
            getattr(entry, "facts", {}) for entry in caplog.records if entry.name == "advisory_site.audit"
        ]
        caplog.clear()
        return [(one["act"], one["account"], one["network"], one["subject"]) for one in facts]

    return look


@pytest.fixture
def boss(tab: EventClient) -> EventClient:
    """A tab that an admin is signed in on."""
    stored = signed_in(person(BOSS, Role.ADMIN)).to_json()
    tab.send("reflex___state____state.hydrate_and_load", vars={STORED: stored})
    return tab


def enter(tab: EventClient, email: str, password: str = PASSWORD) -> None:
    tab.send(AuthPageState.sign_in, path="/auth", form_data={"email": email, "password": password})


@pytest.mark.spec("AUTH-10")
def test_successful_and_failed_sign_ins_are_logged_with_account_and_network(
    tab: EventClient, app: SiteApp, noted: Noted
) -> None:
    person(ANN)
    enter(tab, ANN, "wrong password")
    enter(EventClient(app, "2001:db8:1:2::77"), "nobody@northstrait.example")
    assert noted() == [
        ("Failed to sign in", ANN, HERE, ""),
        ("Failed to sign in", "nobody@northstrait.example", "2001:db8:1:2::/64", ""),
    ]
    enter(tab, ANN)
    assert noted() == [("Signed in", ANN, HERE, "signed in")]


@pytest.mark.spec("AUTH-10")
def test_a_password_typed_into_the_wrong_field_is_not_logged(tab: EventClient, noted: Noted) -> None:
    enter(tab, PASSWORD)
    assert noted() == [("Failed to sign in", "no email address", HERE, "")]


@pytest.mark.spec("AUTH-10")
def test_rate_limited_attempts_are_logged(tab: EventClient, noted: Noted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitekit.accounts.sessions.auth_state.delay_response", _at_once)
    for _ in range(11):
        enter(tab, ANN, "wrong password")
    assert noted()[-1] == ("Refused for too many attempts", ANN, HERE, "sign-in account")


async def _at_once(_seconds: float) -> None:
    """Nobody waits."""


@pytest.mark.spec("USR-3")
def test_role_changes_are_logged_only_if_they_succeed(boss: EventClient, noted: Noted) -> None:
    ann = person(ANN)
    boss.send(UserTabState.change_role, user_id=ann, role="manager")
    assert noted() == [("Changed a role", BOSS, HERE, f"{ANN} is manager")]
    boss.send(UserTabState.change_role, user_id=1, role="employee")
    assert noted() == [], "the last admin stays one"


@pytest.mark.spec("ACO-3", "CON-6")
def test_deletions_and_exports_are_logged(boss: EventClient, noted: Noted) -> None:
    with transaction() as session:
        company = add_company(session, **company_form()).id
        add_enquiry(session)
    boss.send(CompanyTabState.delete, record_id=company)
    boss.send(EnquiryInboxState.export, path="/admin/enquiries")
    assert noted() == [
        ("Deleted a record", BOSS, HERE, f"companies {company}"),
        ("Exported records", BOSS, HERE, "1 enquiries"),
    ]
    boss.send(CompanyTabState.delete, record_id=company)
    assert noted() == [], "it was gone already"


def test_what_the_clock_does_is_logged_as_the_site(database_dir: object, noted: Noted) -> None:
    with transaction() as session:
        enquiry = add_enquiry(session, state="waiting", waiting_until=now())
    Context().run(clock.reopen_waiting)
    assert noted() == [("Marked an enquiry as new", "the site", "", f"enquiry {enquiry.id}")]


def test_changes_by_a_command_are_logged_as_the_command_line(database_dir: object) -> None:
    person(BOSS, Role.ADMIN)
    person(ANN)
    code = "import logging; logging.basicConfig(level='INFO'); from advisory_site.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "set-role", ANN, "manager"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert f"Changed a role ({ANN} is manager): the command line" in done.stderr
