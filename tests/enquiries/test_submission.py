"""An enquiry is stored once, floods are refused, and the firm hears of it."""

import asyncio
import contextlib
import threading
from pathlib import Path
from types import ModuleType

import pytest
import sqlalchemy as sa
from prometheus_client import Counter

from advisory_site.content import messages
from advisory_site.content.firm import FIRM
from advisory_site.core.errors import InvalidInput, TooManyAttempts
from advisory_site.core.threads import WRITERS
from advisory_site.enquiries import submission
from advisory_site.enquiries.form import EnquiryDraft
from advisory_site.enquiries.models import Enquiry
from advisory_site.enquiries.texts import HONEYPOT
from advisory_site.observability import metrics
from tests.conftest import on_sqlite
from tests.support.database_faults import read_only
from tests.support.waiting import wait_for

HOME = "203.0.113.7"
HOSTILE = "<script>alert('x')</script> <b>bold</b> \U0001f680 ' OR 1=1 --"


def draft(**changes: str) -> EnquiryDraft:
    filled = {"firstName": "Ann", "lastName": "Lee", "email": "ann@example.com", "message": "Hello"}
    return EnquiryDraft.read(filled | changes)


def send(database: ModuleType, what: EnquiryDraft, form: str = "form", address: str = HOME) -> bool:
    with database.transaction() as session:
        return submission.submit(session, what, form, address)


def stored(database: ModuleType) -> list[Enquiry]:
    with database.read_session() as session:
        return list(session.execute(sa.select(Enquiry)).scalars())


@pytest.mark.spec("CON-4")
def test_an_enquiry_is_stored_as_it_was_typed(database: ModuleType) -> None:
    assert send(database, draft(message=HOSTILE, stage="pmf", company="Ümlaut & Söhne"))
    (enquiry,) = stored(database)
    assert (enquiry.message, enquiry.stage, enquiry.company) == (HOSTILE, "pmf", "Ümlaut & Söhne")
    assert enquiry.handled_at is None


@pytest.mark.spec("CON-4")
def test_the_same_form_sent_twice_is_one_enquiry(database: ModuleType) -> None:
    assert send(database, draft())
    assert not send(database, draft())
    assert len(stored(database)) == 1


@pytest.mark.spec("CON-4")
def test_two_visitors_with_the_same_form_id_are_two_enquiries(database: ModuleType) -> None:
    assert send(database, draft())
    assert send(database, draft(firstName="Ben"))
    assert len(stored(database)) == 2


@pytest.mark.spec("CON-5")
def test_the_sixth_enquiry_in_an_hour_is_refused_with_the_wait(database: ModuleType) -> None:
    for number in range(5):
        send(database, draft(message=f"Number {number}"))
    with pytest.raises(TooManyAttempts) as refused:
        send(database, draft(message="One too many"))
    assert refused.value.message == messages.ENQUIRY_TOO_MANY.format(wait="60 minutes")
    assert len(stored(database)) == 5


@pytest.mark.spec("CON-5", "DATA-3")
def test_of_enquiries_sent_at_once_no_more_are_stored_than_one_after_the_other(database: ModuleType) -> None:
    barrier = threading.Barrier(12)

    def flood(number: int) -> None:
        barrier.wait()
        with contextlib.suppress(TooManyAttempts):
            send(database, draft(message=f"Number {number}"))

    threads = [threading.Thread(target=flood, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stored(database)) == 5


@pytest.mark.spec("CON-5")
def test_another_address_is_not_refused_for_it(database: ModuleType) -> None:
    for number in range(5):
        send(database, draft(message=f"Number {number}"))
    assert send(database, draft(message="From elsewhere"), address="203.0.113.8")


@pytest.mark.spec("CON-5")
def test_the_addresses_of_one_ipv6_network_count_together(database: ModuleType) -> None:
    for number in range(5):
        send(database, draft(message=f"Number {number}"), address=f"2001:db8:1:2::{number}")
    with pytest.raises(TooManyAttempts):
        send(database, draft(message="One too many"), address="2001:db8:1:2:ffff::1")
    assert send(database, draft(message="Next door"), address="2001:db8:1:3::1")


@pytest.mark.spec("CON-5")
def test_sending_the_same_form_again_is_not_an_attempt(database: ModuleType) -> None:
    for _ in range(6):
        send(database, draft())
    assert send(database, draft(message="Something else"))


@pytest.mark.spec("CON-4")
def test_the_mail_to_the_firm_says_all_and_is_answered_to_the_visitor() -> None:
    message = submission.notification(draft(company="Kelong", stage="scale", message=HOSTILE))
    assert (message.to, message.reply_to) == (FIRM.email, "ann@example.com")
    assert message.subject == "Enquiry from Ann Lee"
    assert message.html == ""
    assert message.text.splitlines() == [
        "Name: Ann Lee",
        "Email: ann@example.com",
        "Company: Kelong",
        "Stage: Scale",
        "",
        HOSTILE,
    ]


@pytest.mark.spec("CON-4")
def test_an_address_that_mail_cannot_go_to_is_told_to_the_firm_and_not_answered() -> None:
    message = submission.notification(draft(email="mélanie@example.com"))
    assert "Email: mélanie@example.com" in message.text
    assert message.reply_to == ""


@pytest.mark.spec("CON-4")
@on_sqlite
def test_forms_are_counted_by_what_became_of_them(
    database: ModuleType, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "enquiries", Counter("n", "", ["outcome"], registry=None))
    form = {"firstName": "Ann", "lastName": "Lee", "email": "ann@example.com", "message": "Hello"}
    asyncio.run(submission.receive(form, HOME))
    with pytest.raises(InvalidInput):
        asyncio.run(submission.receive(form | {"email": "none"}, HOME))
    with read_only(database_dir, monkeypatch), pytest.raises(sa.exc.OperationalError):
        asyncio.run(submission.receive(form | {"message": "Another"}, HOME))
    asyncio.run(submission.receive(form | {HONEYPOT.name: "https://spam.example"}, HOME))
    (counter,) = metrics.enquiries.collect()
    found = {sample.labels["outcome"]: sample.value for sample in counter.samples if sample.name.endswith("_total")}
    assert found == {"done": 1, "refused": 1, "failed": 1}


@pytest.mark.spec("CON-4")
def test_who_sends_again_because_no_answer_came_in_time_is_stored_once(
    database: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = {"firstName": "Ann", "lastName": "Lee", "email": "ann@example.com", "message": "Hello", "submission": "form"}
    monkeypatch.setattr(submission, "ANSWER_WITHIN", 0.2)
    with database.transaction() as session:  # a server that does not get to it
        session.execute(sa.text("UPDATE content_version SET number = number"))
        if session.get_bind().dialect.name == "postgresql":
            session.execute(sa.text("LOCK TABLE enquiries IN ACCESS EXCLUSIVE MODE"))
        with pytest.raises(TimeoutError):
            asyncio.run(submission.receive(form, HOME))
    monkeypatch.setattr(submission, "ANSWER_WITHIN", 30.0)
    asyncio.run(submission.receive(form, HOME))
    wait_for(lambda: WRITERS.busy == 0, "the first try has ended")
    assert len(stored(database)) == 1
