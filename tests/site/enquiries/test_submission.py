"""An enquiry is stored once, floods are refused, and the firm hears of it."""

import asyncio
import contextlib
import re
import threading
from pathlib import Path
from types import ModuleType

import pytest
import sqlalchemy as sa
from prometheus_client import Counter

from advisory_site import routes
from advisory_site.content.firm import FIRM
from advisory_site.enquiries import mails, messages, metrics, owners, spam, submission
from advisory_site.enquiries.desk import service as desk
from advisory_site.enquiries.form import EnquiryData
from advisory_site.enquiries.models import Enquiry
from advisory_site.enquiries.source import source_of
from advisory_site.enquiries.submission import Receipt
from advisory_site.enquiries.texts import HONEYPOT
from sitekit.accounts.models import Credential
from sitekit.base.db.database import now
from sitekit.base.db.rate_limits import Attempt
from sitekit.base.errors import InvalidInput, TooManyAttempts
from sitekit.base.mail.models import OutgoingMail
from sitekit.base.permissions import Actor, Role
from sitekit.base.settings import get_settings
from sitekit.base.threads import WRITERS
from sitekit.base.times import day_text
from tests.conftest import on_sqlite
from tests.support.database_faults import read_only
from tests.support.each import check_each
from tests.support.factories import add_actor
from tests.support.public_pages import PUBLIC
from tests.support.waiting import wait_for

HOME = "203.0.113.7"
HOSTILE = "<script>alert('x')</script> <b>bold</b> \U0001f680 ' OR 1=1 --"


def draft(**changes: str) -> EnquiryData:
    filled = {"firstName": "Ann", "lastName": "Lee", "email": "ann@example.com", "message": "Hello"}
    return EnquiryData.read(filled | changes)


def send(database: ModuleType, what: EnquiryData, address: str = HOME, **reported: str) -> bool:
    return receipt_of(database, what, address, **reported).is_new


def receipt_of(database: ModuleType, what: EnquiryData, address: str = HOME, **reported: str) -> Receipt:
    with database.transaction() as session:
        return submission.submit(session, what, {"submission": "form", **reported}, address)


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
def test_the_same_form_sent_twice_is_stored_as_one_enquiry(database: ModuleType) -> None:
    assert send(database, draft())
    assert not send(database, draft())
    assert len(stored(database)) == 1


@pytest.mark.spec("CON-4")
def test_the_same_form_id_from_two_visitors_is_stored_as_two_enquiries(database: ModuleType) -> None:
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
def test_the_limit_also_holds_for_concurrent_enquiries(database: ModuleType) -> None:
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
def test_the_limit_of_one_address_does_not_affect_another(database: ModuleType) -> None:
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
def test_sending_the_same_form_again_does_not_count_against_the_limit(database: ModuleType) -> None:
    for _ in range(6):
        send(database, draft())
    assert send(database, draft(message="Something else"))


@pytest.mark.spec("CON-4")
def test_the_mail_to_the_firm_has_all_fields_and_replies_go_to_the_visitor() -> None:
    message = mails.notification(draft(company="Kelong", stage="scale", message=HOSTILE))
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
def test_the_mail_to_the_firm_has_a_link_to_its_enquiry_above_what_was_typed(database: ModuleType) -> None:
    send(database, draft(message="Reply at the desk: https://evil.example"))
    notified, *_ = outgoing(database)
    (enquiry,) = stored(database)
    link = f"Reply at the desk: {get_settings().public_url}/admin/enquiries/{enquiry.id}"
    assert notified.text.startswith(f"{link}\n\nName: Ann Lee\n")
    assert notified.text.endswith("\n\nReply at the desk: https://evil.example\n")


@pytest.mark.spec("CON-4")
def test_an_undeliverable_address_is_mentioned_but_not_set_as_reply_to() -> None:
    message = mails.notification(draft(email="mélanie@example.com"))
    assert "Email: mélanie@example.com" in message.text
    assert message.reply_to == ""


@pytest.mark.spec("CON-4")
@on_sqlite
def test_forms_are_counted_by_outcome(
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
def test_a_form_resent_after_a_timeout_is_stored_once(database: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
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


def outgoing(database: ModuleType) -> list[OutgoingMail]:
    with database.read_session() as session:
        return list(session.execute(sa.select(OutgoingMail).order_by(sa.text("id"))).scalars())


@pytest.mark.spec("ENQ-9")
def test_the_visitor_is_told_once_an_hour_that_the_message_has_arrived(database: ModuleType) -> None:
    for number in range(3):
        send(database, draft(message=f"{HOSTILE} {number}"))
    notified, told, *others = outgoing(database)
    assert [mail.recipient for mail in (notified, told, *others)] == [FIRM.email, "ann@example.com", *[FIRM.email] * 2]
    (day,) = re.findall(r"^Thank you for writing. A partner will reply by (\w+day, \d+ \w+)\.\n", told.text)
    assert FIRM.call_booking_url in told.text
    assert day_text(stored(database)[0].due_at or now()) == day
    assert "script" not in told.text and "Ann" not in told.text
    assert (told.is_automatic, told.thread_id) == (True, notified.message_id)
    with database.transaction() as session:
        session.execute(sa.update(Attempt).values(at=now() - submission.ACKNOWLEDGED_WITHIN))
    send(database, draft(message="After an hour"))
    assert outgoing(database)[-1].recipient == "ann@example.com"


@pytest.mark.spec("ENQ-9", "ENQ-10")
def test_a_receipt_has_the_day_that_is_stored_and_whether_it_is_mailed(database: ModuleType) -> None:
    links = "https://a.example " * 6
    sent = [receipt_of(database, draft(message=text), elapsed="9000") for text in ("One", "Two", "One")]
    spam = receipt_of(database, draft(email="eve@x.example", message=links), elapsed="10")
    due = stored(database)[0].due_at or now()
    assert sent == [Receipt(due), Receipt(due, is_mailed=False), Receipt(due, is_new=False)]
    assert (spam, stored(database)[-1].state) == (Receipt(due), "spam")


@pytest.mark.spec("ENQ-9")
def test_plus_addresses_are_told_as_one_mailbox(database: ModuleType) -> None:
    for number, email in enumerate(("ann@x.example", "ann+1@x.example", "Ann+2@X.example", "ben+1@x.example")):
        send(database, draft(email=email), submission=str(number))
    told = [mail.recipient for mail in outgoing(database) if mail.recipient != FIRM.email]
    assert told == ["ann@x.example", "ben+1@x.example"]


@pytest.mark.spec("ENQ-9")
def test_twenty_visitors_of_a_domain_are_told_an_hour(database: ModuleType) -> None:
    for number in range(21):
        send(database, draft(email=f"v{number}@x.example"), address=f"203.0.113.{number}")
    send(database, draft(email="v@sub.x.example"), address="203.0.113.99")
    told = [mail.recipient for mail in outgoing(database) if mail.recipient != FIRM.email]
    assert (told[19:], len(stored(database))) == (["v19@x.example", "v@sub.x.example"], 22)


@pytest.mark.spec("ENQ-6")
def test_a_reply_belongs_to_the_thread_of_the_first_mail_to_the_visitor(database: ModuleType, actor: Actor) -> None:
    send(database, draft())
    with database.transaction() as session:
        desk.reply(session, actor, stored(database)[0].id, "Dear Ann, yes.", 0)
    _, told, reply = outgoing(database)
    assert (reply.thread_id, reply.subject) == (told.message_id, f"Re: {told.subject}")


@pytest.mark.spec("ENQ-10")
def test_reasons_for_spam_are_counted(database: ModuleType) -> None:
    def check(case: tuple[dict[str, str], dict[str, str], list[str]]) -> None:
        what, reported, reasons = case
        with database.read_session() as session:
            assert spam.reasons(session, draft(**what), reported.get("elapsed")) == reasons

    cases: list[tuple[dict[str, str], dict[str, str], list[str]]] = [
        ({}, {}, []),
        ({}, {"elapsed": "2999"}, [spam.QUICK]),
        ({}, {"elapsed": "3000"}, []),
        ({}, {"elapsed": "0000000002999"}, [spam.QUICK]),
        ({}, {"elapsed": "0000000003000"}, []),
        ({}, {"elapsed": "0" * 5_000}, [spam.QUICK]),
        ({}, {"elapsed": "-1"}, []),
        ({}, {"elapsed": "9" * 5_000}, []),
        ({"message": "http://a.example " * 5}, {}, []),
        ({"message": "http://a.example WWW.b.example " * 3}, {}, [spam.LINKS]),
        ({"message": "https://www.a.example " * 5}, {}, []),
        ({"message": "https://www.a.example " * 6}, {}, [spam.LINKS]),
        ({"message": "https://ann@www.a.example/?to=https://www.b.example " * 5}, {}, []),
        ({"message": "www.a.example/www.b.example " * 5}, {}, []),
        ({"message": "[a](https://www.a.example),(www.b.example)" * 3}, {}, [spam.LINKS]),
        ({"message": "请看https://a.example和www.b.example。" * 3}, {}, [spam.LINKS]),
        ({"email": "mélanie@example.com"}, {"elapsed": "100"}, [spam.QUICK, spam.UNMAILABLE]),
    ]
    check_each(cases, check)


@pytest.mark.spec("ENQ-10")
def test_the_same_text_from_three_addresses_is_a_reason(database: ModuleType) -> None:
    for name in ("ann", "ANN", "ben"):
        send(database, draft(email=f"{name}@example.com"), submission=name)
    with database.read_session() as session:
        assert spam.reasons(session, draft(email="Ben@Example.com"), "") == []
        assert spam.reasons(session, draft(email="cy@example.com"), "") == [spam.REPEATED]


@pytest.mark.spec("ENQ-10")
def test_spam_is_stored_and_mailed_to_nobody_until_it_is_no_spam(database: ModuleType, actor: Actor) -> None:
    links = "https://x.example " * 6
    assert send(database, draft(message=links, stage="scale"), elapsed="10")
    (enquiry,) = stored(database)
    assert (enquiry.state, enquiry.reasons, outgoing(database)) == ("spam", [spam.QUICK, spam.LINKS], [])
    with database.transaction() as session:
        desk.set_spam(session, actor, enquiry.id, False)
    assert [mail.recipient for mail in outgoing(database)] == [FIRM.email, "ann@example.com"]
    with database.transaction() as session:
        desk.set_spam(session, actor, enquiry.id, True)
        desk.set_spam(session, actor, enquiry.id, False)
    assert len(outgoing(database)) == 2


@pytest.mark.spec("ENQ-3")
def test_an_enquiry_begins_with_who_answers_its_stage(database: ModuleType) -> None:
    with database.transaction() as session:
        admin = add_actor(session, Role.ADMIN, email="mei@firm.example", first_name="Mei", last_name="Lin")
        session.add(Credential(user_id=admin.user_id, password_hash="", email_confirmed_at=now()))
        owners.name_for_stages(session, admin, {"scale": str(admin.user_id)})
    send(database, draft(stage="scale"))
    send(database, draft(stage="pmf"))
    assert [(enquiry.owner_id, enquiry.state) for enquiry in stored(database)] == [
        (admin.user_id, "open"),
        (None, "new"),
    ]
    assert [mail.recipient for mail in outgoing(database)].count("mei@firm.example") == 1


@pytest.mark.spec("ENQ-11")
@pytest.mark.parametrize(
    ("reported", "path", "host"),
    [
        ("http://localhost:3000/companies/kelp-co?x=1#y", "/companies/kelp-co", ""),
        ("http://localhost:3000/", "/", ""),
        ("https://news.example/story?id=7", "", "news.example"),
        ("http://localhost:3000/admin/users", "", ""),
        ("http://localhost:3000/companies/<script>", "", ""),
        ("/companies", "", ""),
        ("javascript:alert(1)", "", ""),
        ("https://[::1", "", ""),
        ("https://user:secret@news.example/", "", "news.example"),
        ("https://" + "x" * 3_000, "", ""),
        ("", "", ""),
    ],
)
def test_where_a_visitor_came_from_is_a_page_or_a_host_or_nothing(
    database: ModuleType, reported: str, path: str, host: str
) -> None:
    send(database, draft(), source=reported)
    (enquiry,) = stored(database)
    assert (enquiry.source_path, enquiry.source_host) == (path, host)


@pytest.mark.spec("ENQ-11")
def test_a_visitor_may_come_from_every_public_page_but_the_form() -> None:
    url = get_settings().public_url
    assert [path for path in PUBLIC if source_of(url + path).path != path] == [routes.CONTACT]
