"""The contact form at work: thanks, words beside fields, bots, floods, and a database that is away."""

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sqlalchemy as sa

from advisory_site.enquiries import messages
from advisory_site.enquiries.contact.state import ContactState
from advisory_site.enquiries.models import Enquiry
from advisory_site.enquiries.texts import HONEYPOT
from sitekit.base.db.database import now
from sitekit.base.mail import worker
from sitekit.base.times import day_text
from sitekit.ui.marks import FieldCheck
from tests.conftest import on_sqlite
from tests.support.database_faults import UNWRITABLE, Fault
from tests.support.event_client import EventClient, Reply
from tests.support.outbox import mail_files

pytestmark = on_sqlite  # what differs between databases is proved with the service

FILLED = {"firstName": "Ann", "lastName": "Lee", "email": "ann@example.com", "message": "Hello"}


def send(tab: EventClient, form_data: Any = None, **changes: Any) -> Reply:
    """Send the filled-in form, with changes."""
    return tab.send(ContactState.send, form_data=FILLED | changes if form_data is None else form_data)


def said(reply: Reply) -> tuple[str, str]:
    """The newest notice: its kind and its text."""
    notice = reply.var("notice_state.notices")[-1]
    return notice["level"], notice["text"]


def thanked(reply: Reply) -> dict[str, str]:
    """What the thanks name."""
    return dict(reply.var("contact_state.thanks"))


def stored(database: ModuleType) -> list[Enquiry]:
    with database.read_session() as session:
        return list(session.execute(sa.select(Enquiry)).scalars())


def mails(database_dir: Path) -> list[Path]:
    """What has gone out when all that was due is delivered."""
    worker.deliver_due()
    return mail_files(database_dir)


@pytest.mark.spec("CON-4", "ENQ-9")
def test_a_message_is_stored_acknowledged_and_mailed_to_the_firm(
    tab: EventClient, database: ModuleType, database_dir: Path
) -> None:
    reply = send(tab)
    day = day_text(stored(database)[0].due_at or now())
    assert thanked(reply) == {"name": "Ann", "day": day, "email": "ann@example.com", "mailed": "yes"}
    assert [enquiry.message for enquiry in stored(database)] == ["Hello"]
    to_firm, to_visitor = sorted(mails(database_dir), key=lambda path: "auto-replied" in path.read_text())
    assert "Subject: Enquiry from Ann Lee" in to_firm.read_text()
    assert "To: ann@example.com" in to_visitor.read_text()


@pytest.mark.spec("CON-4")
def test_the_reply_names_the_accepted_form(tab: EventClient) -> None:
    first = tab.send(ContactState.load).var("contact_state.submission_id")
    reply = send(tab, submission="the-form-of-this-page")
    assert reply.var("contact_state.accepted") == "the-form-of-this-page"
    assert reply.var("contact_state.submission_id") != first
    assert reply.var("contact_state.is_busy") is False


@pytest.mark.spec("CON-4")
def test_a_refused_form_is_not_named_as_accepted(tab: EventClient) -> None:
    send(tab, submission="first")
    assert "contact_state.accepted" not in send(tab, submission="second", email="ann@").delta


@pytest.mark.spec("CON-4")
@pytest.mark.parametrize("id_sent", [None, 7, ["x"], "x" * 10_000, "\x00"])
def test_any_submission_id_is_accepted(tab: EventClient, id_sent: object) -> None:
    reply = send(tab, submission=id_sent)
    assert (thanked(reply)["name"], reply.errors) == ("Ann", [])
    assert len(reply.delta.get("contact_state.accepted", "")) <= 64


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        ("email", "ann@", messages.CONTACT_EMAIL_INVALID),
        ("email", "ann@example.com", ""),
        ("message", " ", messages.CONTACT_MESSAGE_MISSING),
        ("company", "", ""),
        ("no such field", "x", ""),
    ],
)
def test_a_field_is_checked_while_it_is_typed(tab: EventClient, name: str, text: str, error: str) -> None:
    reply = tab.send(ContactState.check, name=name, edit=3, typed={name: text})
    assert reply.var("contact_state.checks") == {name: FieldCheck(3, error)}


@pytest.mark.spec("CON-4")
def test_errors_are_shown_beside_their_fields_and_nothing_is_stored(tab: EventClient, database: ModuleType) -> None:
    reply = send(tab, email="ann@", lastName="", stage="unicorn")
    assert reply.var("contact_state.errors") == {
        "lastName": messages.LAST_NAME_MISSING,
        "email": messages.CONTACT_EMAIL_INVALID,
        "stage": messages.CONTACT_STAGE_INVALID,
    }
    assert said(reply) == ("error", messages.ENQUIRY_INCOMPLETE)
    assert (reply.var("contact_state.times_refused"), stored(database)) == (1, [])


@pytest.mark.spec("CON-4")
def test_an_error_keeps_the_form_unchanged(tab: EventClient) -> None:
    reply = send(tab, email="")
    assert reply.delta.get("contact_state.times_sent", 0) == 0
    assert reply.var("contact_state.is_busy") is False


@pytest.mark.spec("CON-4")
def test_errors_are_cleared_when_the_message_is_sent(tab: EventClient) -> None:
    send(tab, email="")
    assert send(tab).var("contact_state.errors") == {}


@pytest.mark.spec("CON-4")
def test_reopening_the_form_clears_earlier_errors(tab: EventClient) -> None:
    send(tab, email="")
    tab.send(ContactState.check, name="email", edit=1, typed={"email": "x"})
    reply = tab.send(ContactState.load)
    assert (reply.var("contact_state.errors"), reply.var("contact_state.checks")) == ({}, {})


@pytest.mark.spec("CON-4")
@pytest.mark.parametrize("form_data", [[], "text", 7])
def test_malformed_form_data_is_ignored(tab: EventClient, database: ModuleType, form_data: object) -> None:
    reply = send(tab, form_data)
    assert (reply.delta, reply.errors, stored(database)) == ({}, [], [])


@pytest.mark.spec("CON-4")
@pytest.mark.parametrize("form_data", [{"firstName": {"a": 1}}, {"message": ["x"] * 1000}])
def test_fields_that_are_not_text_are_refused_without_an_exception(
    tab: EventClient, database: ModuleType, form_data: object
) -> None:
    reply = send(tab, form_data)
    assert said(reply) == ("error", messages.ENQUIRY_INCOMPLETE)
    assert (reply.errors, stored(database)) == ([], [])


@pytest.mark.spec("CON-4", "ENQ-9")
def test_the_same_form_sent_twice_is_stored_and_mailed_once(
    tab: EventClient, database: ModuleType, database_dir: Path
) -> None:
    form_id = tab.send(ContactState.load).var("contact_state.submission_id")
    for _ in range(2):
        assert thanked(send(tab, submission=form_id))["mailed"]
    assert (len(stored(database)), len(mails(database_dir))) == (1, 2)


@pytest.mark.spec("CON-5")
def test_a_bot_that_fills_in_every_field_is_thanked_and_nothing_is_stored(
    tab: EventClient, database: ModuleType, database_dir: Path
) -> None:
    reply = send(tab, **{HONEYPOT.name: "https://pills.example"})
    assert (stored(database), mails(database_dir)) == ([], [])
    assert thanked(reply) == thanked(send(EventClient(tab.app)))


@pytest.mark.spec("CON-5")
def test_a_bot_with_an_invalid_form_is_thanked_too(tab: EventClient) -> None:
    assert thanked(send(tab, {HONEYPOT.name: "x"}))["day"]


@pytest.mark.spec("CON-5")
def test_too_many_messages_from_one_address_are_told_to_wait(tab: EventClient, database: ModuleType) -> None:
    for number in range(5):
        send(tab, message=f"Number {number}")
    reply = send(EventClient(tab.app), message="From a new tab")
    kind, text = said(reply)
    assert kind == "error"
    assert "60 minutes" in text
    assert "What you typed is still here." in text
    assert thanked(send(EventClient(tab.app, client_ip="203.0.113.8")))["name"] == "Ann"
    assert len(stored(database)) == 6


@pytest.mark.spec("CON-4")
def test_a_mail_failure_is_not_shown_to_the_visitor(
    tab: EventClient, database: ModuleType, database_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (database_dir / "outbox").write_text("a file where the folder should be")
    assert thanked(send(tab))["name"] == "Ann"
    assert worker.deliver_due() == 0
    assert len(stored(database)) == 1
    assert "could not be sent" in caplog.text


@pytest.mark.spec("CON-4", "DATA-4")
@pytest.mark.parametrize("fault", UNWRITABLE)
def test_a_failed_save_is_reported_and_keeps_the_form(
    tab: EventClient,
    database_dir: Path,
    fault: Fault,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with fault(database_dir, monkeypatch):
        reply = send(tab, message="A private matter")
    assert said(reply) == ("error", messages.ENQUIRY_NOT_STORED)
    assert reply.delta.get("contact_state.times_sent", 0) == 0
    assert "OperationalError" in caplog.text
    assert "A private matter" not in caplog.text
