"""The page of one enquiry, through the real event processor: who may, what two colleagues do, what failure says."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
import sqlalchemy as sa

from advisory_site.enquiries import messages
from advisory_site.enquiries.desk import service as desk
from advisory_site.enquiries.desk.new_count import NewEnquiriesState
from advisory_site.enquiries.desk.owners_page import StageOwnersState
from advisory_site.enquiries.desk.state import (
    AddAnswerState,
    AddNoteState,
    EnquiryDeskState,
    EntryForm,
    ReplyState,
    WaitState,
)
from advisory_site.enquiries.desk.view import EnquiryView
from advisory_site.enquiries.models import Enquiry, EnquiryEntry, columns, entries
from sitekit.accounts.models import Profile
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.mail.models import columns as mails
from sitekit.base.permissions import Actor, Role
from sitekit.ui.feedback import NoticeState
from tests.conftest import on_each_database, on_sqlite
from tests.support import factories
from tests.support.event_client import EventClient, Reply
from tests.support.people import person
from tests.support.staff import redirects, sign_in, texts

COUNT = "new_enquiries_state.count"
REPLY = "Dear Ann,\n\nTuesday at ten.\n\nWei"


def enquiry(**fields: Any) -> int:
    with transaction() as session:
        return factories.id_of(factories.add_enquiry(session, **fields))


def stored(number: int) -> Enquiry:
    with read_session() as session:
        return session.get_one(Enquiry, number)


def written(category: str) -> list[str]:
    with read_session() as session:
        read = sa.select(entries.text).where(entries.category == category).order_by(entries.id)
        return list(session.execute(read).scalars())


def colleague(first_name: str = "Mei") -> Actor:
    """Somebody else of the staff."""
    user_id = person(f"{first_name.lower()}@firm.example", Role.EMPLOYEE)
    with transaction() as session:
        session.get_one(Profile, user_id).first_name = first_name
    return Actor(user_id, Role.EMPLOYEE, now())


def send(tab: EventClient, number: object, handler: Callable[..., object], **payload: Any) -> Reply:
    return tab.send(handler, path=f"/admin/enquiries/{number}", query={"id": str(number)}, **payload)


def open_page(tab: EventClient, number: object) -> Reply:
    reply = send(tab, number, EnquiryDeskState.open)
    send(tab, number, ReplyState.open)
    return reply


def shown(reply: Reply) -> EnquiryView:
    view = reply.var("enquiry_desk_state.enquiry")
    assert isinstance(view, EnquiryView)
    return view


def reply_to(tab: EventClient, number: int, text: str = REPLY, **form: str) -> Reply:
    """Send the form for a reply as the browser has it."""
    begun = tab.vars(ReplyState)["form"]
    data = {"record": str(begun.id), "version": str(begun.version), "reply": text, **form}
    return send(tab, number, ReplyState.save, form_data=data)


@on_sqlite
@pytest.mark.spec("ENQ-5")
def test_without_a_database_the_page_stays_with_what_is_typed(
    tab: EventClient, database_away: AbstractContextManager[None]
) -> None:
    number = enquiry(message="Hello there")
    sign_in(tab, Role.EMPLOYEE)
    open_page(tab, number)
    with database_away:
        assert texts(reply_to(tab, number))[-1] == messages.REPLY_FAILED
        send(tab, number, EnquiryDeskState.refresh)
    page = tab.vars(EnquiryDeskState)
    assert (page["problem"], page["enquiry"].message) == ("", "Hello there")


@pytest.mark.spec("CON-6", "ENQ-1", "ROLE-3")
@pytest.mark.parametrize("role", list(Role))
def test_staff_of_every_role_read_mark_and_delete(tab: EventClient, role: Role) -> None:
    number = enquiry(message="Hello there", company="Kelp")
    sign_in(tab, role)
    assert shown(open_page(tab, number)).message == "Hello there"
    marked = send(tab, number, EnquiryDeskState.set_handled, enquiry_id=number, is_handled=True)
    assert (texts(marked), shown(marked).state) == ([messages.MARKED_HANDLED], "handled")
    deleted = send(tab, number, EnquiryDeskState.delete, enquiry_id=number)
    assert redirects(deleted) == ["/admin/enquiries"]
    with read_session() as session:
        assert session.execute(sa.select(columns.id)).all() == []


@pytest.mark.spec("ENQ-2", "ENQ-3")
def test_each_act_says_what_was_done(tab: EventClient) -> None:
    number, mei = enquiry(), colleague().user_id
    sign_in(tab, Role.EMPLOYEE)
    me = next(int(person.id) for person in shown(open_page(tab, number)).people if person.id != str(mei))
    acts = (
        (EnquiryDeskState.take, {"seen_owner": 0}, "It is yours"),
        (EnquiryDeskState.assign, {"seen_owner": me, "form_data": {"owner": str(mei)}}, "Assigned to Mei Lim"),
        (EnquiryDeskState.assign, {"seen_owner": mei, "form_data": {"owner": ""}}, "No owner now"),
        (EnquiryDeskState.set_spam, {"is_spam": True}, "Marked as spam"),
        (EnquiryDeskState.set_spam, {"is_spam": False}, "Back in New"),
    )
    for act, facts, sentence in acts:
        assert texts(send(tab, number, act, enquiry_id=number, **facts)) == [sentence]


@pytest.mark.spec("ENQ-1")
def test_the_way_back_has_the_search_of_the_list(tab: EventClient) -> None:
    number = enquiry()
    sign_in(tab, Role.EMPLOYEE)
    query = {"id": str(number), "filter": "mine", "open": "7"}
    reply = tab.send(EnquiryDeskState.open, path=f"/admin/enquiries/{number}?filter=mine&open=7", query=query)
    assert reply.var("enquiry_desk_state.back") == "/admin/enquiries?filter=mine"


@pytest.mark.spec("ENQ-1")
@pytest.mark.parametrize("number", ["999999", "0", "nobody", "-1", "1; DROP TABLE", "9" * 30])
def test_an_unknown_enquiry_is_a_sentence_in_place_of_the_page(tab: EventClient, number: str) -> None:
    enquiry(message="Another one")
    sign_in(tab, Role.EMPLOYEE)
    reply = open_page(tab, number)
    assert reply.var("enquiry_desk_state.problem").startswith(messages.ENQUIRY_FETCH_FAILED)
    assert shown(reply) == EnquiryView()


@pytest.mark.spec("CON-6", "ENQ-1")
def test_an_enquiry_deleted_by_a_colleague_is_reported_in_place_of_the_page(tab: EventClient) -> None:
    number = enquiry()
    sign_in(tab, Role.EMPLOYEE)
    open_page(tab, number)
    with transaction() as session:
        session.delete(session.get_one(Enquiry, number))
    reply = send(tab, number, EnquiryDeskState.set_handled, enquiry_id=number, is_handled=True)
    assert texts(reply) == ["Failed to update enquiry: it has already been deleted"]
    assert shown(reply) == EnquiryView()


@pytest.mark.spec("ENQ-3")
def test_what_a_colleague_took_meanwhile_is_said_and_shown(tab: EventClient) -> None:
    number, mei = enquiry(), colleague()
    sign_in(tab, Role.EMPLOYEE)
    seen = shown(open_page(tab, number)).owner
    with transaction() as session:
        desk.take(session, mei, number, 0)
    reply = send(tab, number, EnquiryDeskState.take, enquiry_id=number, seen_owner=seen)
    assert texts(reply) == ["Mei Lim took it just now"]
    assert (shown(reply).owner_name, stored(number).owner_id) == ("Mei Lim", mei.user_id)


@pytest.mark.spec("ENQ-3")
@pytest.mark.parametrize("typed", [{"owner": "999"}, {"owner": "nobody"}, {"owner": ["1"]}, {}])
def test_only_staff_are_assigned(tab: EventClient, typed: dict[str, Any]) -> None:
    number = enquiry()
    sign_in(tab, Role.EMPLOYEE)
    send(tab, number, EnquiryDeskState.assign, enquiry_id=number, seen_owner=0, form_data=typed)
    assert stored(number).owner_id is None


@pytest.mark.spec("ENQ-3")
def test_an_enquiry_is_assigned_and_given_back(tab: EventClient) -> None:
    number, mei = enquiry(), colleague()
    sign_in(tab, Role.EMPLOYEE)
    form = {"owner": str(mei.user_id)}
    given = send(tab, number, EnquiryDeskState.assign, enquiry_id=number, seen_owner=0, form_data=form)
    assert (shown(given).owner_name, shown(given).state) == ("Mei Lim", "open")
    back = send(
        tab, number, EnquiryDeskState.assign, enquiry_id=number, seen_owner=mei.user_id, form_data={"owner": ""}
    )
    assert (shown(back).owner_name, shown(back).state) == ("", "new")


@on_each_database
@pytest.mark.spec("ENQ-5", "ENQ-7")
def test_a_reply_is_sent_and_the_form_begins_anew(tab: EventClient) -> None:
    number = enquiry(first_name="Ann")
    me = sign_in(tab, Role.EMPLOYEE)
    open_page(tab, number)
    sent = reply_to(tab, number)
    assert texts(sent) == [messages.REPLY_SENT]
    (entry,) = shown(sent).thread
    assert (entry.text, entry.delivery) == (REPLY, "sending")
    assert (shown(sent).state, stored(number).owner_id) == ("waiting", me)
    form = sent.var("reply_state.form")
    assert (form.version, form.texts["reply"].startswith("Dear Ann,\n\n")) == (entry.id, True)
    with read_session() as session:
        assert session.execute(sa.select(sa.func.count()).where(mails.id.is_not(None))).scalar_one() == 1


@pytest.mark.spec("ENQ-7")
def test_a_reply_after_a_colleague_s_is_refused_once_and_shows_theirs(tab: EventClient) -> None:
    number, mei = enquiry(first_name="Ann"), colleague()
    sign_in(tab, Role.EMPLOYEE)
    open_page(tab, number)
    with transaction() as session:
        desk.reply(session, mei, number, "Dear Ann,\n\nFrom Mei", 0)
    # What is read again by itself is not taken for read.
    send(tab, number, EnquiryDeskState.refresh)
    refused = reply_to(tab, number)
    assert texts(refused) == ["Mei Lim replied just now. Read it, then send."]
    assert [entry.text for entry in shown(refused).thread] == ["Dear Ann,\n\nFrom Mei"]
    assert texts(reply_to(tab, number))[-1] == messages.REPLY_SENT
    assert len(written("reply")) == 2


@pytest.mark.spec("ENQ-5")
def test_an_empty_reply_is_marked_beside_its_field(tab: EventClient) -> None:
    number = enquiry()
    sign_in(tab, Role.EMPLOYEE)
    open_page(tab, number)
    refused = reply_to(tab, number, tab.vars(ReplyState)["form"].texts["reply"])
    assert refused.var("reply_state.errors") == {"reply": messages.REPLY_MISSING}
    assert (texts(refused), written("reply")) == ([], [])


@pytest.mark.spec("ENQ-5")
@pytest.mark.parametrize("state", [ReplyState, AddNoteState, AddAnswerState])
def test_the_keys_that_save_other_forms_store_nothing(tab: EventClient, state: type[EntryForm]) -> None:
    number = enquiry()
    sign_in(tab, Role.EMPLOYEE)
    open_page(tab, number)
    times, form = tab.vars(state)["times_refused"], {"record": str(number), "then": "stay", state.name: "A thought"}
    send(tab, number, state.save, form_data=form)
    assert (tab.vars(state)["times_refused"], written(state.name)) == (times + 1, [])


@pytest.mark.spec("ENQ-8")
@pytest.mark.parametrize("state", [AddNoteState, AddAnswerState])
def test_what_was_typed_is_restored_in_the_form_of_its_enquiry_only(tab: EventClient, state: type[EntryForm]) -> None:
    number, other = enquiry(), enquiry()
    sign_in(tab, Role.EMPLOYEE)
    for one in (other, number):
        send(tab, one, EnquiryDeskState.open)
        send(tab, one, state.open)
        send(tab, one, state.restore, typed={"record": str(number), "version": "0", state.name: "Half a thought"})
        form = tab.vars(state)["form"]
        assert (form.id, form.texts) == (one, {state.name: "Half a thought" if one == number else ""})


@pytest.mark.spec("ENQ-5")
def test_a_failed_reply_is_sent_again(tab: EventClient) -> None:
    number = enquiry()
    sign_in(tab, Role.EMPLOYEE)
    open_page(tab, number)
    (entry,) = shown(reply_to(tab, number)).thread
    assert texts(send(tab, number, EnquiryDeskState.send_again, entry_id=entry.id))[-1] == messages.NOT_FAILED
    with transaction() as session:
        session.get_one(EnquiryEntry, entry.id).failure = "refused"
        session.execute(sa.update(mails.id.table).values(due_at=None, given_up_at=now()))
    again = send(tab, number, EnquiryDeskState.send_again, entry_id=entry.id)
    assert (texts(again)[-1], shown(again).thread[0].delivery) == (messages.REPLY_SENT, "sending")


@pytest.mark.spec("ENQ-8")
def test_a_note_and_an_answer_are_added_and_removed(tab: EventClient) -> None:
    number = enquiry(state="waiting")
    sign_in(tab, Role.EMPLOYEE)
    send(tab, number, EnquiryDeskState.open)
    noted = send(tab, number, AddNoteState.save, form_data={"record": str(number), "note": "Call her"})
    assert texts(noted) == [messages.NOTE_ADDED]
    answered = send(tab, number, AddAnswerState.save, form_data={"record": str(number), "answer": "Tuesday"})
    note, answer = shown(answered).thread
    assert (note.category, note.may_remove, answer.text, shown(answered).state) == ("note", True, "Tuesday", "new")
    removed = shown(send(tab, number, EnquiryDeskState.remove, entry_id=note.id)).thread[0]
    assert (removed.is_removed, removed.text) == (True, "")


@pytest.mark.spec("ENQ-8")
@pytest.mark.parametrize(
    ("state", "field", "typed", "sentence"),
    [
        (AddNoteState, "note", " ", messages.NOTE_MISSING),
        (AddAnswerState, "answer", "", messages.ANSWER_MISSING),
        (AddNoteState, "note", "x" * 20_001, messages.ENTRY_TOO_LONG.format(limit="20,000")),
        (WaitState, "until", "2001-01-01", messages.DAY_INVALID),
        (WaitState, "until", "soon", messages.DAY_INVALID),
    ],
)
def test_what_cannot_be_stored_is_marked_beside_its_field(
    tab: EventClient, state: type[AddNoteState], field: str, typed: str, sentence: str
) -> None:
    number = enquiry(state="waiting")
    sign_in(tab, Role.EMPLOYEE)
    send(tab, number, EnquiryDeskState.open)
    refused = send(tab, number, state.save, form_data={"record": str(number), field: typed})
    assert refused.var(f"{state.get_name().split('____')[-1]}.errors") == {field: sentence}


@pytest.mark.spec("ENQ-2")
def test_the_day_of_a_wait_is_set_and_cleared(tab: EventClient) -> None:
    number, day = enquiry(state="waiting"), (now().date().replace(day=1).replace(year=now().year + 1)).isoformat()
    sign_in(tab, Role.EMPLOYEE)
    send(tab, number, EnquiryDeskState.open)
    assert shown(send(tab, number, WaitState.save, form_data={"record": str(number), "until": day})).until == day
    assert shown(send(tab, number, WaitState.save, form_data={"record": str(number), "until": ""})).until == ""


@pytest.mark.spec("CON-6", "ENQ-10")
def test_the_header_counts_again_when_an_enquiry_changes(tab: EventClient) -> None:
    first, second, _ = enquiry(), enquiry(), enquiry()
    sign_in(tab, Role.EMPLOYEE)
    assert tab.send(NewEnquiriesState.load, path="/admin").var(COUNT) == 3
    assert send(tab, first, EnquiryDeskState.set_handled, enquiry_id=first, is_handled=True).var(COUNT) == 2
    assert send(tab, first, EnquiryDeskState.set_handled, enquiry_id=first, is_handled=False).var(COUNT) == 3
    assert send(tab, second, EnquiryDeskState.set_spam, enquiry_id=second, is_spam=True).var(COUNT) == 2


@pytest.mark.spec("ENQ-3")
def test_admins_name_who_answers_a_stage(tab: EventClient) -> None:
    mei = colleague()
    sign_in(tab, Role.ADMIN)
    assert ["", "Nobody"] in tab.send(StageOwnersState.open).var("stage_owners_state.people")
    saved = tab.send(StageOwnersState.save, form_data={"pmf": str(mei.user_id), "scale": ""})
    assert texts(saved) == [messages.STAGE_OWNERS_SAVED]
    assert saved.var("stage_owners_state.chosen")["pmf"] == str(mei.user_id)
    wrong = tab.send(StageOwnersState.save, form_data={"scale": "999"})
    assert wrong.var("stage_owners_state.errors") == {"scale": messages.OWNER_CLOSED}


@pytest.mark.spec("ENQ-3", "ROLE-3")
@pytest.mark.parametrize("role", [Role.MANAGER, Role.EMPLOYEE])
def test_only_admins_see_or_name_who_answers(tab: EventClient, role: Role) -> None:
    mei = colleague()
    sign_in(tab, role)
    opened = tab.send(StageOwnersState.open)
    assert (opened.var("stage_owners_state.problem") != "", opened.var("stage_owners_state.people")) == (True, [])
    tab.send(StageOwnersState.save, form_data={"pmf": str(mei.user_id)})
    with read_session() as session:
        assert session.execute(sa.text("SELECT count(*) FROM stage_owners")).scalar_one() == 0


def test_a_notice_is_about_its_form(tab: EventClient) -> None:
    number = enquiry()
    sign_in(tab, Role.EMPLOYEE)
    send(tab, number, AddNoteState.save, form_data={"record": str(number), "note": "Call her"})
    subjects = [entry["subject"] for entry in tab.vars(NoticeState)["notices"]]
    assert subjects == [f"{AddNoteState.get_full_name()}:"]
