"""The enquiries of the back office, through the real event processor: who reads them, and what failure says."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import sqlalchemy as sa

from advisory_site.accounts import one_use_links
from advisory_site.accounts.session_state import AuthState
from advisory_site.accounts.sessions import Identity
from advisory_site.backoffice.shell import HeaderState
from advisory_site.content import messages
from advisory_site.core.permissions import Role
from advisory_site.db.database import now, read_session, transaction
from advisory_site.enquiries import inbox
from advisory_site.enquiries.admin_page import EnquiryInboxState
from advisory_site.enquiries.models import columns
from advisory_site.enquiries.new_count import NewEnquiriesState
from tests.conftest import on_each_database, on_sqlite
from tests.support import factories
from tests.support.event_client import EventClient, Reply
from tests.support.staff import redirects, sign_in, statements, texts

PATH = "/admin/enquiries"
EVERY_HANDLER: list[tuple[Callable[..., object], dict[str, Any], str]] = [
    (EnquiryInboxState.load, {}, messages.ENQUIRIES_FETCH_FAILED),
    (EnquiryInboxState.delete, {"record_id": 1}, messages.ENQUIRY_DELETE_FAILED),
    (EnquiryInboxState.set_handled, {"enquiry_id": 1, "is_handled": True}, messages.ENQUIRY_UPDATE_FAILED),
    (EnquiryInboxState.export, {}, messages.ENQUIRIES_EXPORT_FAILED),
]
COUNT = "header_state.new_enquiries"


def enquiries(count: int = 1, **fields: Any) -> list[int]:
    with transaction() as session:
        return [factories.id_of(factories.add_enquiry(session, **fields)) for _ in range(count)]


def ids() -> list[int]:
    with read_session() as session:
        return list(session.execute(sa.select(columns.id).order_by(columns.id)).scalars())


def send(
    tab: EventClient, handler: Callable[..., object], query: dict[str, str] | None = None, **payload: Any
) -> Reply:
    return tab.send(handler, path=f"{PATH}?{urlencode(query or {})}", **payload)


@pytest.mark.spec("CON-6", "ROLE-4", "ADM-2")
@pytest.mark.parametrize(("handler", "payload", "_sentence"), EVERY_HANDLER)
def test_a_stranger_is_sent_to_sign_in_and_reads_nothing(
    tab: EventClient, handler: Callable[..., object], payload: dict[str, Any], _sentence: str
) -> None:
    stored = enquiries(message="A private matter")
    sign_in(tab, None)
    reply = send(tab, handler, {"open": str(stored[0])}, **payload)
    assert redirects(reply)[0].startswith("/auth")
    assert "A private matter" not in repr((reply.delta, reply.events))
    assert ids() == stored


@pytest.mark.spec("CON-6", "ROLE-3")
@pytest.mark.parametrize("role", list(Role))
def test_staff_of_every_role_read_mark_and_delete(tab: EventClient, role: Role) -> None:
    (enquiry_id,) = enquiries(message="Hello there")
    sign_in(tab, role)
    opened = send(tab, EnquiryInboxState.load, {"open": str(enquiry_id)})
    assert opened.var("enquiry_inbox_state.opened").message == "Hello there"
    marked = send(tab, EnquiryInboxState.set_handled, enquiry_id=enquiry_id, is_handled=True)
    assert texts(marked) == [messages.ENQUIRY_UPDATED]
    assert marked.var("enquiry_inbox_state.rows")[0].is_new is False
    assert send(tab, EnquiryInboxState.delete, record_id=enquiry_id).var("enquiry_inbox_state.total") == 0
    assert ids() == []


@pytest.mark.spec("CON-6")
def test_a_deleted_enquiry_closes_its_dialog_without_a_complaint(tab: EventClient) -> None:
    (enquiry_id,) = enquiries()
    sign_in(tab, Role.EMPLOYEE)
    reply = send(tab, EnquiryInboxState.delete, {"open": str(enquiry_id), "search": "x"}, record_id=enquiry_id)
    assert texts(reply) == [messages.ENQUIRY_DELETED]
    assert redirects(reply) == [f"{PATH}?search=x"]


@pytest.mark.spec("CON-6")
def test_nothing_of_an_enquiry_stays_when_it_is_closed(tab: EventClient) -> None:
    (enquiry_id,) = enquiries(message="A private matter")
    sign_in(tab, Role.EMPLOYEE)
    send(tab, EnquiryInboxState.load, {"open": str(enquiry_id)})
    assert send(tab, EnquiryInboxState.load).var("enquiry_inbox_state.opened").message == ""


@pytest.mark.spec("CON-6")
def test_the_file_is_of_the_search_in_the_address(tab: EventClient) -> None:
    enquiries(company="Kelp")
    enquiries(company="Reef")
    sign_in(tab, Role.EMPLOYEE)
    reply = send(tab, EnquiryInboxState.export, {"search": "kelp"})
    (file,) = [payload for name, payload in reply.events if name == "_download"]
    assert file["filename"] == f"enquiries-{now():%Y-%m-%d}.csv"
    _, wanted = use(file["url"])
    assert wanted == {"list": "enquiries", "search": "kelp"}
    assert texts(reply) == ["Enquiries exported: 1"]


def use(url: str) -> tuple[Identity, dict[str, str]]:
    (token,) = parse_qs(urlsplit(url).query)["token"]
    with transaction() as session:
        return one_use_links.use(session, token)


@pytest.mark.spec("CON-6")
def test_a_file_that_was_cut_says_so(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "MOST_EXPORTED", 2)
    enquiries(3)
    sign_in(tab, Role.EMPLOYEE)
    assert texts(send(tab, EnquiryInboxState.export)) == [
        "Enquiries exported: the newest 2 of 3. Search or filter for the others."
    ]


@on_sqlite
@pytest.mark.spec("CON-6")
@pytest.mark.parametrize(("handler", "payload", "sentence"), EVERY_HANDLER)
def test_without_its_database_each_handler_says_what_it_could_not_do(
    tab: EventClient,
    database_away: AbstractContextManager[None],
    handler: Callable[..., object],
    payload: dict[str, Any],
    sentence: str,
) -> None:
    sign_in(tab, Role.EMPLOYEE)
    with database_away:
        reply = send(tab, handler, **payload)
    assert (texts(reply), reply.errors) == ([sentence], [])


@pytest.mark.parametrize("stored", [3, 60])
def test_the_page_asks_the_database_the_same_few_things_however_much_it_holds(tab: EventClient, stored: int) -> None:
    enquiries(stored)
    sign_in(tab, Role.EMPLOYEE)
    with statements() as seen:
        reply = send(tab, EnquiryInboxState.load)
    # Three more are the header's count, and the guards of both events.
    assert len([one for one in seen if one.lstrip().upper().startswith("SELECT")]) == 5
    assert len(reply.var("enquiry_inbox_state.rows")) == min(stored, 25)


@pytest.mark.spec("CON-6", "ROLE-3")
@pytest.mark.parametrize("role", list(Role))
def test_the_header_counts_new_enquiries_for_every_role(tab: EventClient, role: Role) -> None:
    enquiries(2)
    enquiries(handled_at=sa.func.now())
    sign_in(tab, role)
    assert tab.send(NewEnquiriesState.load, path="/admin").var(COUNT) == 2


@pytest.mark.spec("CON-6", "ROLE-4", "ADM-2")
def test_a_stranger_gets_no_count_of_enquiries(tab: EventClient) -> None:
    enquiries()
    sign_in(tab, None)
    reply = tab.send(NewEnquiriesState.load, path="/admin")
    assert redirects(reply)[0].startswith("/auth")
    assert COUNT not in reply.delta


@pytest.mark.spec("CON-6")
def test_the_header_counts_again_when_an_enquiry_is_handled_or_deleted(tab: EventClient) -> None:
    first, second, _ = enquiries(3)
    sign_in(tab, Role.EMPLOYEE)
    assert send(tab, EnquiryInboxState.load).var(COUNT) == 3
    assert send(tab, EnquiryInboxState.set_handled, enquiry_id=first, is_handled=True).var(COUNT) == 2
    assert send(tab, EnquiryInboxState.delete, record_id=second).var(COUNT) == 1
    assert send(tab, EnquiryInboxState.set_handled, enquiry_id=first, is_handled=False).var(COUNT) == 2


@pytest.mark.spec("CON-6", "ADM-3")
@on_each_database
def test_no_count_stays_in_a_tab_that_is_signed_out(tab: EventClient) -> None:
    enquiries()
    sign_in(tab, Role.EMPLOYEE)
    tab.send(NewEnquiriesState.load, path="/admin")
    tab.send(AuthState.sign_out)
    assert tab.vars(HeaderState) == {"new_enquiries": 0}


@on_sqlite
@pytest.mark.spec("CON-6")
def test_a_count_that_fails_is_hidden_and_only_logged(
    tab: EventClient, database_away: AbstractContextManager[None], caplog: pytest.LogCaptureFixture
) -> None:
    enquiries()
    sign_in(tab, Role.EMPLOYEE)
    tab.send(NewEnquiriesState.load, path="/admin")
    with database_away:
        reply = tab.send(NewEnquiriesState.load, path="/admin")
    assert (reply.var(COUNT), texts(reply), reply.errors) == (0, [], [])
    assert "New enquiries could not be counted" in caplog.text
