"""What staff do with one enquiry, on a real database: owners, replies, notes, waits, spam, and what is on record."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import ModuleType
from urllib.parse import parse_qs, urlsplit

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.content.firm import FIRM
from advisory_site.enquiries import messages, owners, submission
from advisory_site.enquiries.desk import service as desk
from advisory_site.enquiries.desk import view as desk_view
from advisory_site.enquiries.models import Enquiry, EnquiryEntry, EnquiryState, entries
from sitekit.accounts.models import Credential
from sitekit.accounts.people import people
from sitekit.base.db.database import now
from sitekit.base.errors import Conflict, Forbidden, InvalidInput, NotFound, TooManyAttempts
from sitekit.base.mail import outbox, transport
from sitekit.base.mail.models import OutgoingMail
from sitekit.base.mail.worker import deliver_due
from sitekit.base.permissions import Actor, Role
from sitekit.base.settings import get_settings
from tests.support.at_once import told_second
from tests.support.factories import add_actor, add_enquiry
from tests.support.staff import statements

FIRST = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
TEXT = "Dear Ann,\n\nYes, we can help.\n\nWei Tan\nNorthstrait"


@pytest.fixture
def mei(session: Session) -> Actor:
    """A colleague, whose address is confirmed."""
    mei = add_actor(session, first_name="Mei", last_name="Lin", email="mei@firm.example")
    session.add(Credential(user_id=mei.user_id, password_hash="", email_confirmed_at=now()))
    session.flush()
    return mei


def view(session: Session, actor: Actor, enquiry: Enquiry) -> desk_view.EnquiryView:
    session.flush()
    return desk_view.view(session, actor, enquiry.id)


def said(session: Session, enquiry: Enquiry) -> list[tuple[str, str]]:
    """Who did what with an enquiry, in order."""
    session.flush()
    read = sa.select(entries.by_name, entries.text).where(entries.enquiry_id == enquiry.id).order_by(entries.id)
    return [(row.by_name, row.text) for row in session.execute(read)]


def mails(session: Session) -> list[OutgoingMail]:
    session.flush()
    return list(session.execute(sa.select(OutgoingMail).order_by(sa.text("id"))).scalars())


@pytest.mark.spec("CON-6")
def test_an_opened_enquiry_has_its_full_message(session: Session, actor: Actor) -> None:
    message = "First line\n\n  'quoted', \U0001f680 " + "x" * 4_900
    enquiry = add_enquiry(session, stage="pmf", message=message, created_at=FIRST)
    view = desk_view.view(session, actor, str(enquiry.id))
    assert (view.message, view.stage, view.received) == (message, "Product-Market Fit", "2026-03-01T09:30:00Z")


@pytest.mark.spec("CON-6")
def test_an_answer_begins_with_a_greeting_and_the_quoted_message(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session, email="ann+x@example.com", message="One & two?\nThree")
    link = urlsplit(desk_view.view(session, actor, enquiry.id).mail_link)
    asked = parse_qs(link.query)
    assert (link.scheme, link.path) == ("mailto", "ann%2Bx@example.com")
    assert asked["subject"] == ["Re: Your message to Northstrait"]
    assert asked["body"] == ["Dear Ann,\r\n\r\n\r\n\r\n> One & two?\r\n> Three\r\n"]


@pytest.mark.spec("CON-6")
def test_a_visitor_cannot_add_recipients_to_the_answer(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session, email="a@x.example?bcc=eve@x.example&body=", first_name="A\r\nBcc: eve@x.example")
    link = urlsplit(desk_view.view(session, actor, enquiry.id).mail_link)
    assert set(parse_qs(link.query)) == {"subject", "body"}


@pytest.mark.spec("CON-6")
@pytest.mark.parametrize(("first_name", "message"), [("Ann", "word " * 1_000), ("王" * 30, "\U0001f680" * 5_000)])
def test_the_mailto_link_for_the_longest_message_fits_a_mail_program(
    session: Session, actor: Actor, first_name: str, message: str
) -> None:
    enquiry = add_enquiry(session, first_name=first_name, message=message)
    assert len(desk_view.view(session, actor, enquiry.id).mail_link) <= 2_000


@pytest.mark.spec("CON-6")
def test_an_enquiry_can_be_marked_as_handled_and_unmarked(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session)
    desk.set_handled(session, actor, enquiry.id, True)
    marked = enquiry.handled_at
    desk.set_handled(session, actor, enquiry.id, True)
    assert marked is not None and enquiry.handled_at == marked
    desk.set_handled(session, actor, enquiry.id, False)
    assert enquiry.handled_at is None


@pytest.mark.spec("CON-6")
def test_opening_a_deleted_enquiry_is_reported(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session)
    desk.delete(session, actor, enquiry.id)
    assert session.get(Enquiry, enquiry.id) is None
    with pytest.raises(NotFound, match="Failed to delete enquiry: it has already been deleted"):
        desk.delete(session, actor, enquiry.id)
    with pytest.raises(NotFound, match="Failed to update enquiry: it has already been deleted"):
        desk.set_handled(session, actor, enquiry.id, True)
    with pytest.raises(NotFound, match="Failed to fetch enquiry"):
        desk_view.view(session, actor, enquiry.id)


@pytest.mark.spec("ENQ-3")
def test_an_enquiry_is_taken_once(session: Session, actor: Actor, mei: Actor) -> None:
    enquiry = add_enquiry(session)
    desk.take(session, mei, enquiry.id, 0)
    with pytest.raises(Conflict, match="Mei Lin took it just now"):
        desk.take(session, actor, enquiry.id, 0)
    assert (enquiry.owner_id, enquiry.state) == (mei.user_id, EnquiryState.OPEN)
    assert said(session, enquiry) == [("Mei Lin", "took it")]
    assert mails(session) == []


@pytest.mark.spec("ENQ-5")
def test_who_has_no_name_signs_nothing_with_their_address(session: Session, mei: Actor) -> None:
    nobody = add_actor(session, first_name=" ", last_name="", email="owner@firm.example")
    enquiry = add_enquiry(session)
    shown = view(session, nobody, enquiry)
    assert (shown.can_sign, "owner@" in shown.suggested_reply) == (False, False)
    assert view(session, mei, enquiry).can_sign
    with pytest.raises(Conflict, match=r"Add your name before you reply\."):
        desk.reply(session, nobody, enquiry.id, TEXT, 0)
    desk.take(session, mei, enquiry.id, 0)
    desk.take(session, nobody, enquiry.id, mei.user_id)
    assert [mail.subject for mail in mails(session)] == ["A colleague has taken over Ann Lee's enquiry"]


@pytest.mark.spec("ENQ-3")
def test_the_former_owner_is_told_who_has_taken_an_enquiry_over(session: Session, actor: Actor, mei: Actor) -> None:
    enquiry = add_enquiry(session, message="Typed by a visitor")
    desk.take(session, mei, enquiry.id, 0)
    desk.take(session, actor, enquiry.id, mei.user_id)
    (mail,) = mails(session)
    assert (mail.recipient, mail.subject) == ("mei@firm.example", "Wei Tan has taken over Ann Lee's enquiry")
    assert "Typed by a visitor" not in mail.text
    assert f"{get_settings().public_url}/admin/enquiries/{enquiry.id}\n" in mail.text
    assert said(session, enquiry)[-1] == ("Wei Tan", "took it over from Mei Lin")
    with pytest.raises(Conflict, match="You took it just now"):
        desk.assign(session, actor, enquiry.id, mei.user_id, mei.user_id)
    assert len(mails(session)) == 1


@pytest.mark.spec("ENQ-3")
def test_the_new_owner_is_told_by_mail_with_the_link(session: Session, actor: Actor, mei: Actor) -> None:
    enquiry = add_enquiry(session)
    desk.assign(session, actor, enquiry.id, mei.user_id, 0)
    (mail,) = mails(session)
    assert (mail.recipient, mail.subject) == ("mei@firm.example", "Ann Lee's enquiry is yours")
    assert "Ann Lee’s enquiry has been assigned to you by Wei Tan." in mail.text
    assert f"Reply at the desk:\n{get_settings().public_url}/admin/enquiries/{enquiry.id}\n" in mail.text
    assert said(session, enquiry) == [("Wei Tan", "assigned it to Mei Lin")]
    desk.assign(session, actor, enquiry.id, 0, mei.user_id)
    assert (enquiry.owner_id, enquiry.state) == (None, EnquiryState.NEW)
    assert said(session, enquiry)[-1] == ("Wei Tan", "gave it back")


@pytest.mark.spec("ENQ-3")
def test_the_mail_to_the_new_owner_has_the_message_as_it_was_typed(session: Session, actor: Actor, mei: Actor) -> None:
    message = "First {line}\n\n<a href='https://evil.example'>Second</a>"
    enquiry = add_enquiry(session, email="ann@example.com", company="{Kelp}", stage="scale", message=message)
    desk.assign(session, actor, enquiry.id, mei.user_id, 0)
    (mail,) = mails(session)
    typed = f"Name: Ann Lee\nEmail: ann@example.com\nCompany: {{Kelp}}\nStage: Scale\n\n{message}\n"
    assert mail.text.index(typed) > mail.text.index("/admin/enquiries/")
    assert "<a href='https" not in mail.html
    assert mail.reply_to == "ann@example.com"  # so that erasing the address deletes the mail


@pytest.mark.spec("ENQ-3")
@pytest.mark.parametrize("owner", [10_000, -1])
def test_nobody_without_an_active_account_can_have_an_enquiry(session: Session, actor: Actor, owner: int) -> None:
    enquiry = add_enquiry(session)
    with pytest.raises(InvalidInput) as refused:
        desk.assign(session, actor, enquiry.id, owner, 0)
    assert refused.value.fields == {"owner": messages.OWNER_CLOSED}
    assert enquiry.owner_id is None


@pytest.mark.spec("ENQ-3")
def test_the_enquiries_of_a_closed_account_have_no_owner(session: Session, mei: Actor) -> None:
    admin = add_actor(session, Role.ADMIN)
    opened, waiting, handled = (add_enquiry(session, owner_id=mei.user_id, state=state) for state in STATES)
    owners.name_for_stages(session, admin, {"scale": str(mei.user_id)})
    people.deactivate(session, admin, mei.user_id)
    for enquiry in (opened, waiting, handled):
        session.refresh(enquiry)
    assert [enquiry.owner_id for enquiry in (opened, waiting, handled)] == [None, None, mei.user_id]
    assert [opened.state, waiting.state] == [EnquiryState.NEW, EnquiryState.WAITING]
    assert said(session, opened) == [("", "No owner now: Mei Lin’s account was closed.")]
    assert said(session, handled) == []
    assert owners.by_stage(session, admin)["scale"] == 0
    with pytest.raises(InvalidInput):
        desk.assign(session, admin, opened.id, mei.user_id, 0)


STATES = (EnquiryState.OPEN, EnquiryState.WAITING, EnquiryState.HANDLED)


@pytest.mark.spec("ENQ-3")
def test_only_admins_name_who_answers_a_stage(session: Session, actor: Actor, mei: Actor) -> None:
    admin = add_actor(session, Role.ADMIN)
    for call in (lambda: owners.by_stage(session, actor), lambda: owners.name_for_stages(session, actor, {})):
        with pytest.raises(Forbidden):
            call()
    with pytest.raises(InvalidInput) as refused:
        owners.name_for_stages(session, admin, {"pmf": str(mei.user_id), "scale": "10000"})
    assert refused.value.fields == {"scale": messages.OWNER_CLOSED}
    owners.name_for_stages(session, admin, {"pmf": str(mei.user_id), "other": "", "nonsense": "1"})
    assert owners.by_stage(session, admin) == {"pmf": mei.user_id, "commercialization": 0, "scale": 0, "other": 0}


@pytest.mark.spec("ENQ-5", "ENQ-7")
def test_who_replies_first_has_the_enquiry(session: Session, actor: Actor, mei: Actor) -> None:
    enquiry = add_enquiry(session, handled_at=now())
    desk.reply(session, actor, enquiry.id, TEXT, 0)
    assert (enquiry.owner_id, enquiry.state, enquiry.handled_at) == (actor.user_id, EnquiryState.WAITING, None)
    assert enquiry.first_replied_at is not None
    first = enquiry.first_replied_at
    seen = view(session, mei, enquiry).newest_entry
    desk.reply(session, mei, enquiry.id, "Dear Ann,\n\nOne more thing.", seen)
    assert (enquiry.owner_id, enquiry.first_replied_at) == (actor.user_id, first)


@pytest.mark.spec("ENQ-7")
def test_a_reply_is_refused_if_a_colleague_has_replied_since(session: Session, actor: Actor, mei: Actor) -> None:
    enquiry = add_enquiry(session)
    desk.reply(session, mei, enquiry.id, "Dear Ann, yes.", 0)
    with pytest.raises(Conflict, match=r"Mei Lin replied just now\. Read it, then send\."):
        desk.reply(session, actor, enquiry.id, TEXT, 0)
    assert len(mails(session)) == 1
    desk.reply(session, actor, enquiry.id, TEXT, view(session, actor, enquiry).newest_entry)
    assert len(mails(session)) == 2


@pytest.mark.spec("ENQ-5")
def test_the_same_reply_sent_twice_is_mailed_once(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session)
    for _ in range(2):
        desk.reply(session, actor, enquiry.id, TEXT, 0)
    assert len(mails(session)) == 1


@pytest.mark.spec("ENQ-5")
def test_the_same_words_in_a_reply_begun_later_are_sent_again(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session)
    desk.reply(session, actor, enquiry.id, TEXT, 0)
    desk.reply(session, actor, enquiry.id, TEXT, view(session, actor, enquiry).newest_entry)
    assert [text for _, text in said(session, enquiry)] == [TEXT, TEXT]
    assert len(mails(session)) == 2


@pytest.mark.spec("ENQ-5")
def test_the_same_words_are_sent_again_once_the_visitor_has_answered(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session)
    desk.reply(session, actor, enquiry.id, TEXT, 0)
    desk.add_answer(session, actor, enquiry.id, "Ask me next week.")
    desk.reply(session, actor, enquiry.id, TEXT, 0)
    assert (len(mails(session)), enquiry.state) == (2, EnquiryState.WAITING)


@pytest.mark.spec("ENQ-3", "ENQ-5")
def test_the_mails_of_one_person_are_limited(
    session: Session, actor: Actor, mei: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "MOST_MAILS", 2)
    enquiry, other = add_enquiry(session), add_enquiry(session)
    replied(session, actor, enquiry)
    desk.assign(session, actor, other.id, mei.user_id, 0)
    with pytest.raises(TooManyAttempts, match=r"Please wait 60 minutes\."):
        replied(session, actor, enquiry)
    with pytest.raises(TooManyAttempts):
        desk.assign(session, actor, enquiry.id, mei.user_id, actor.user_id)
    session.execute(sa.update(OutgoingMail).values(due_at=None, given_up_at=now()))
    with pytest.raises(TooManyAttempts):
        desk.send_again(session, actor, view(session, actor, enquiry).thread[0].id)
    with pytest.raises(TooManyAttempts):
        desk.take(session, actor, other.id, mei.user_id)
    replied(session, mei, enquiry)


@pytest.mark.spec("ENQ-3")
def test_replies_at_the_same_time_are_all_counted(
    database: ModuleType, actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "MOST_MAILS", 1)
    with database.transaction() as session:
        first, second = add_enquiry(session).id, add_enquiry(session).id
    [refused] = told_second(
        lambda session: desk.reply(session, actor, first, TEXT, 0),
        lambda session: desk.reply(session, actor, second, TEXT, 0),
    )
    assert isinstance(refused, TooManyAttempts)


@pytest.mark.spec("ENQ-5")
@pytest.mark.parametrize(
    ("typed", "fields", "message"),
    [
        ("", {}, messages.REPLY_MISSING),
        ("Dear Ann,", {}, messages.REPLY_MISSING),
        ("dear Ann", {}, messages.REPLY_MISSING),
        ("Wei Tan\nNorthstrait", {}, messages.REPLY_MISSING),
        (" \n", {}, messages.REPLY_MISSING),
        ("Dear Ann,\n\n\nWei Tan\n\nNorthstrait", {}, messages.REPLY_MISSING),
        (None, {}, messages.REPLY_MISSING),
        ("x" * 20_001, {}, "Please use at most 20,000 characters."),
        (TEXT, {"email": "mélanie@example.com"}, messages.NOT_MAILABLE),
        (TEXT, {"email": "a@x.example\nBcc: b@x.example"}, messages.NOT_MAILABLE),
    ],
)
def test_a_reply_that_cannot_be_sent_is_refused_beside_its_field(
    session: Session, actor: Actor, typed: object, fields: dict[str, str], message: str
) -> None:
    enquiry = add_enquiry(session, **fields)
    with pytest.raises(InvalidInput) as refused:
        desk.reply(session, actor, enquiry.id, typed, 0)
    assert refused.value.fields == {"reply": message}
    assert mails(session) == []


@pytest.mark.spec("ENQ-6")
def test_all_replies_are_in_one_thread_and_no_text_adds_a_header(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session, first_name="Ann\r\nBcc: eve@x.example", last_name="")
    typed = "Dear Ann,\r\nBcc: eve@x.example\r\n\r\nSubject: None"
    desk.reply(session, actor, enquiry.id, typed, 0)
    desk.reply(session, actor, enquiry.id, "Dear Ann, more.", 0)
    first, second = mails(session)
    sent = [transport.compose(message_of(mail)) for mail in (first, second)]
    assert [mail["Subject"] for mail in sent] == ["Re: Your message to Northstrait"] * 2
    assert [mail["To"] for mail in sent] == [enquiry.email] * 2
    assert [mail["Reply-To"] for mail in sent] == [FIRM.email] * 2
    assert sent[0]["In-Reply-To"] is None
    assert sent[1]["In-Reply-To"] == sent[1]["References"] == sent[0]["Message-ID"] != sent[1]["Message-ID"]
    assert all(mail["Bcc"] is None and mail["Auto-Submitted"] is None for mail in sent)


def message_of(mail: OutgoingMail) -> transport.Message:
    return transport.Message(
        mail.recipient, mail.subject, mail.text, mail.html, mail.reply_to, mail.message_id, mail.thread_id
    )


@pytest.mark.spec("ENQ-5")
def test_a_reply_says_whether_it_was_sent_and_can_be_sent_again(
    database: ModuleType, actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.transaction() as session:
        enquiry = add_enquiry(session)
        desk.reply(session, actor, enquiry.id, TEXT, 0)

    def entry() -> desk_view.EntryView:
        with database.read_session() as session:
            return desk_view.view(session, actor, enquiry.id).thread[0]

    def refuse(_message: transport.Message) -> None:
        raise transport.MailError("refused", reason="The mail server refused the address (550).", is_final=True)

    def fail(_message: transport.Message) -> None:
        raise transport.MailError("away", reason="The mail server could not be reached.")

    assert entry().delivery == "sending"
    with monkeypatch.context() as patch:
        patch.setattr(transport, "send", fail)
        deliver_due()
    assert (entry().delivery, entry().failure) == ("retrying", "The mail server could not be reached.")
    with database.transaction() as session:
        session.execute(sa.update(OutgoingMail).values(due_at=now()))
    with monkeypatch.context() as patch:
        patch.setattr(transport, "send", refuse)
        deliver_due()
    failed = entry()
    assert (failed.delivery, failed.failure) == ("failed", "The mail server refused the address (550).")
    with database.transaction() as session:
        desk.send_again(session, actor, failed.id)
    assert entry().delivery == "sending"
    deliver_due()
    assert (entry().delivery, entry().text) == ("sent", TEXT)
    with pytest.raises(Conflict, match=messages.NOT_FAILED), database.transaction() as session:
        desk.send_again(session, actor, failed.id)
    with database.transaction() as session:
        desk.reply(session, actor, enquiry.id, "Dear Ann, more.", 0)
        outbox.suspend_all(session.connection())  # as restoring a backup does
    with database.transaction() as session:
        held = desk_view.view(session, actor, enquiry.id).thread[-1]
        assert held.delivery == "failed"
        desk.send_again(session, actor, held.id)


def replied(session: Session, actor: Actor, enquiry: Enquiry, text: str = TEXT) -> str:
    """Reply, and return the Message-ID of the mail."""
    desk.reply(session, actor, enquiry.id, text, view(session, actor, enquiry).newest_entry)
    return mails(session)[-1].message_id


@pytest.mark.spec("ENQ-5", "ENQ-12")
@pytest.mark.parametrize("is_handled", [False, True])
def test_a_reply_that_was_not_delivered_is_no_answer(session: Session, actor: Actor, is_handled: bool) -> None:
    enquiry = add_enquiry(session, due_at=FIRST)
    mail = replied(session, actor, enquiry)
    if is_handled:
        desk.set_handled(session, actor, enquiry.id, True)
    desk.note_outcome(session, mail, "refused")
    assert (enquiry.state, enquiry.owner_id, enquiry.handled_at) == (EnquiryState.OPEN, actor.user_id, None)
    assert (enquiry.first_replied_at, view(session, actor, enquiry).is_overdue) == (None, True)


@pytest.mark.spec("ENQ-5")
def test_a_failed_reply_leaves_what_was_delivered_before_it(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session)
    desk.note_outcome(session, replied(session, actor, enquiry), "")
    first = enquiry.first_replied_at
    desk.note_outcome(session, replied(session, actor, enquiry), "refused")
    assert (enquiry.state, enquiry.first_replied_at) == (EnquiryState.OPEN, first)
    assert view(session, actor, enquiry).due.startswith("Open again since ")


@pytest.mark.spec("ENQ-5", "ENQ-12")
def test_the_first_reply_is_the_first_that_did_not_fail(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session)
    failing = replied(session, actor, enquiry)
    desk.note_outcome(session, replied(session, actor, enquiry, "Dear Ann, more."), "")
    desk.note_outcome(session, failing, "refused")
    session.flush()
    second = session.execute(sa.select(entries.at).order_by(entries.id.desc()).limit(1)).scalar_one()
    assert enquiry.first_replied_at == second


@pytest.mark.spec("ENQ-5")
def test_a_failed_reply_changes_nothing_of_spam(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session)
    mail = replied(session, actor, enquiry)
    desk.set_spam(session, actor, enquiry.id, True)
    desk.note_outcome(session, mail, "refused")
    assert enquiry.state == EnquiryState.SPAM
    session.execute(sa.update(OutgoingMail).values(due_at=None, given_up_at=now()))
    with pytest.raises(Conflict, match=messages.REPLY_TO_SPAM):
        desk.send_again(session, actor, view(session, actor, enquiry).thread[0].id)


@pytest.mark.spec("ENQ-5", "ENQ-12")
@pytest.mark.parametrize("is_from_the_list_of_failed_mail", [False, True])
def test_a_failed_reply_that_is_sent_again_is_an_answer(
    session: Session, actor: Actor, is_from_the_list_of_failed_mail: bool
) -> None:
    enquiry = add_enquiry(session)
    mail = replied(session, actor, enquiry)
    desk.note_outcome(session, mail, "refused")
    session.execute(sa.update(OutgoingMail).values(due_at=None, given_up_at=now()))
    if is_from_the_list_of_failed_mail:
        outbox.send_all_again(session, add_actor(session, Role.ADMIN))
    else:
        desk.send_again(session, actor, view(session, actor, enquiry).thread[0].id)
    desk.note_outcome(session, mail, "")
    assert (enquiry.state, enquiry.first_replied_at is None) == (EnquiryState.WAITING, False)
    assert view(session, actor, enquiry).thread[0].delivery == "sent"


@pytest.mark.spec("ENQ-9")
@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (None, "A confirmation is being emailed to the visitor."),
        ("", "Confirmation emailed to the visitor."),
        ("refused", "The confirmation could not be emailed to the visitor."),
    ],
)
def test_an_acknowledgement_says_what_became_of_it(
    session: Session, actor: Actor, outcome: str | None, text: str
) -> None:
    enquiry = add_enquiry(session, due_at=FIRST)
    submission.tell(session, enquiry)
    if outcome is not None:
        desk.note_outcome(session, mails(session)[-1].message_id, outcome)
    (entry,) = view(session, actor, enquiry).thread
    assert (entry.text, enquiry.state, enquiry.first_replied_at) == (text, EnquiryState.NEW, None)


@pytest.mark.spec("ENQ-8")
def test_notes_and_pasted_answers_are_on_record_and_never_mailed(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session)
    desk.reply(session, actor, enquiry.id, TEXT, 0)
    desk.add_note(session, actor, enquiry.id, "Knows Mei.")
    desk.add_answer(session, actor, enquiry.id, "Thank you!\n\nAnn")
    assert [text for _, text in said(session, enquiry)] == [TEXT, "Knows Mei.", "Thank you!\n\nAnn"]
    assert enquiry.state == EnquiryState.OPEN
    assert len(mails(session)) == 1
    for add, name, message in (
        (desk.add_note, "note", messages.NOTE_MISSING),
        (desk.add_answer, "answer", messages.ANSWER_MISSING),
    ):
        with pytest.raises(InvalidInput) as refused:
            add(session, actor, enquiry.id, " ")
        assert refused.value.fields == {name: message}


@pytest.mark.spec("ENQ-8")
def test_an_own_note_can_be_removed_for_ten_minutes(session: Session, actor: Actor, mei: Actor) -> None:
    enquiry = add_enquiry(session)
    desk.reply(session, actor, enquiry.id, TEXT, 0)
    desk.add_note(session, actor, enquiry.id, "Not for the record.")
    reply, note = view(session, actor, enquiry).thread
    assert (reply.may_remove, note.may_remove) == (False, True)
    for who, entry in ((mei, note), (actor, reply)):
        with pytest.raises(Conflict, match=messages.NOT_REMOVABLE):
            desk.remove_entry(session, who, entry.id)
    desk.remove_entry(session, actor, note.id)
    removed = view(session, actor, enquiry).thread[1]
    assert (removed.text, removed.is_removed, removed.who) == ("", True, "Wei Tan")
    desk.add_note(session, actor, enquiry.id, "Another.")
    session.execute(sa.update(EnquiryEntry).values(at=now() - timedelta(minutes=10)))
    with pytest.raises(Conflict):
        desk.remove_entry(session, actor, view(session, actor, enquiry).thread[2].id)


@pytest.mark.spec("ENQ-8")
def test_an_answer_that_is_removed_leaves_nothing_of_its_effect(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session)
    replied(session, actor, enquiry)
    desk.add_answer(session, actor, enquiry.id, "Meant for another one.")
    desk.add_note(session, actor, enquiry.id, "Wrong one.")
    desk.remove_entry(session, actor, view(session, actor, enquiry).thread[1].id)
    assert (enquiry.state, enquiry.waiting_until) == (EnquiryState.WAITING, None)


@pytest.mark.spec("ENQ-8")
@pytest.mark.parametrize("what", ["another answer", "a failed reply", "marked as new", "a note alone"])
def test_an_enquiry_stays_open_for_another_reason_than_a_removed_answer(
    session: Session, actor: Actor, what: str
) -> None:
    enquiry = add_enquiry(session)
    mail = replied(session, actor, enquiry)
    desk.add_answer(session, actor, enquiry.id, "Meant for another one.")
    if what == "another answer":
        desk.add_answer(session, actor, enquiry.id, "Yes, please.")
    if what == "a failed reply":
        desk.note_outcome(session, mail, "refused")
    if what == "marked as new":
        desk.set_handled(session, actor, enquiry.id, True)
        desk.set_handled(session, actor, enquiry.id, False)
    if what == "a note alone":
        desk.add_note(session, actor, enquiry.id, "Yes.")
    removed = 2 if what == "a note alone" else 1
    desk.remove_entry(session, actor, view(session, actor, enquiry).thread[removed].id)
    assert enquiry.state in (EnquiryState.OPEN, EnquiryState.NEW)


@pytest.mark.spec("ENQ-2")
def test_an_answer_before_the_day_of_a_wait_ends_it_now(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session, state=EnquiryState.WAITING, waiting_until=now() + timedelta(days=30))
    desk.add_answer(session, actor, enquiry.id, "Sooner, please.")
    assert enquiry.waiting_until and enquiry.waiting_until <= now()


@pytest.mark.spec("ENQ-2")
def test_a_wait_has_a_day_in_the_future_or_none(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session)
    with pytest.raises(Conflict, match=messages.NOT_WAITING):
        desk.wait_until(session, actor, enquiry.id, "2030-01-01")
    desk.reply(session, actor, enquiry.id, TEXT, 0)
    today = now() + timedelta(hours=8)
    day = f"{today + timedelta(days=30):%Y-%m-%d}"
    desk.wait_until(session, actor, enquiry.id, day)
    assert view(session, actor, enquiry).until == day
    for wrong in (f"{today:%Y-%m-%d}", "2020-01-01", "9999-12-31", "31.12."):
        with pytest.raises(InvalidInput) as refused:
            desk.wait_until(session, actor, enquiry.id, wrong)
        assert refused.value.fields == {"until": messages.DAY_INVALID}
    desk.wait_until(session, actor, enquiry.id, "")
    assert view(session, actor, enquiry).until == ""


@pytest.mark.spec("ENQ-2", "ENQ-10")
def test_marking_sets_the_state_and_not_spam_begins_anew(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session, due_at=FIRST)
    desk.take(session, actor, enquiry.id, 0)
    desk.set_spam(session, actor, enquiry.id, True)
    assert (enquiry.state, enquiry.handled_at is None) == (EnquiryState.SPAM, False)
    with pytest.raises(Conflict, match=messages.REPLY_TO_SPAM):
        desk.reply(session, actor, enquiry.id, TEXT, 0)
    desk.set_spam(session, actor, enquiry.id, False)
    assert (enquiry.state, enquiry.owner_id, enquiry.handled_at) == (EnquiryState.NEW, None, None)
    assert enquiry.due_at and enquiry.due_at > now()
    assert mails(session) == []  # they were sent when it came
    assert [text for _, text in said(session, enquiry)] == ["took it", "marked it as spam", "marked it as not spam"]


@pytest.mark.spec("ENQ-1")
def test_other_enquiries_from_the_address_are_listed(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session, email="Ann@example.com")
    add_enquiry(session, email="ann@Example.com", message="Earlier", created_at=FIRST)
    add_enquiry(session, email="ben@example.com")
    (other,) = view(session, actor, enquiry).others
    assert (other.excerpt, other.state, other.received) == ("Earlier", "New", "2026-03-01T09:30:00Z")


@pytest.mark.spec("ENQ-14")
def test_a_page_takes_as_many_statements_with_many_entries_and_people(
    session: Session, actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    enquiry, other = add_enquiry(session), add_enquiry(session)
    desk.add_note(session, actor, other.id, "The only one.")
    for number in range(20):
        desk.add_note(session, actor, enquiry.id, f"Note {number}")
        add_actor(session)
    session.flush()
    monkeypatch.setattr(owners, "MOST_PEOPLE", 5)
    with statements() as few:
        desk_view.view(session, actor, other.id)
    with statements() as many:
        shown = desk_view.view(session, actor, enquiry.id)
    assert len(few) == len(many) == 5
    assert (len(shown.thread), len(shown.people)) == (20, 5)


CALLS: dict[str, Callable[[Session, Actor, int], object]] = {
    "view": desk_view.view,
    "take": lambda session, who, number: desk.take(session, who, number, 0),
    "assign": lambda session, who, number: desk.assign(session, who, number, 0, 0),
    "set_handled": lambda session, who, number: desk.set_handled(session, who, number, True),
    "set_spam": lambda session, who, number: desk.set_spam(session, who, number, True),
    "wait_until": lambda session, who, number: desk.wait_until(session, who, number, ""),
    "reply": lambda session, who, number: desk.reply(session, who, number, TEXT, 0),
    "add_note": lambda session, who, number: desk.add_note(session, who, number, TEXT),
    "add_answer": lambda session, who, number: desk.add_answer(session, who, number, TEXT),
    "send_again": desk.send_again,
    "remove_entry": desk.remove_entry,
    "delete": desk.delete,
}


@pytest.mark.spec("CON-6", "ROLE-3")
def test_a_visitor_can_do_nothing_with_an_enquiry(session: Session) -> None:
    enquiry = add_enquiry(session)
    refused = []
    for name, call in CALLS.items():
        with pytest.raises(Forbidden):
            call(session, None, enquiry.id or 0)  # type: ignore[arg-type]
        refused.append(name)
    assert refused == list(CALLS)
