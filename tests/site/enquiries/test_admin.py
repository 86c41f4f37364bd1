"""The list of enquiries, through the real event processor: who reads it, and what failure says."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from advisory_site.enquiries.desk import inbox
from advisory_site.enquiries.desk.list_page import EnquiryInboxState
from advisory_site.enquiries.desk.new_count import NewEnquiriesState
from sitekit.accounts import one_use_links
from sitekit.accounts.sessions.session_state import AuthState
from sitekit.base.db.database import now, transaction
from sitekit.base.identity import Identity
from sitekit.base.permissions import Role
from sitekit.base.times import date_text
from tests.conftest import on_each_database, on_sqlite
from tests.support import factories
from tests.support.event_client import EventClient, Reply
from tests.support.staff import redirects, sign_in, statements, texts

PATH = "/admin/enquiries"
COUNT = "new_enquiries_state.count"


def enquiries(count: int = 1, **fields: Any) -> list[int]:
    with transaction() as session:
        return [factories.id_of(factories.add_enquiry(session, **fields)) for _ in range(count)]


def send(
    tab: EventClient, handler: Callable[..., object], query: dict[str, str] | None = None, **payload: Any
) -> Reply:
    return tab.send(handler, path=f"{PATH}?{urlencode(query or {})}", **payload)


@pytest.mark.spec("ENQ-1")
@pytest.mark.parametrize(("typed", "leads"), [("12", [f"{PATH}/12"]), ("nobody", []), ("-1", []), ("", [])])
def test_an_old_address_leads_to_the_page(tab: EventClient, typed: str, leads: list[str]) -> None:
    sign_in(tab, Role.EMPLOYEE)
    assert redirects(send(tab, EnquiryInboxState.load, {"open": typed})) == leads


@pytest.mark.spec("ENQ-1", "ENQ-4")
def test_a_row_says_who_has_an_enquiry_and_since_when_it_is_overdue(tab: EventClient) -> None:
    owner = sign_in(tab, Role.EMPLOYEE)
    enquiries(state="open", owner_id=owner, due_at=now() - timedelta(hours=3, minutes=5))
    (row,) = send(tab, EnquiryInboxState.load).var("enquiry_inbox_state.rows")
    assert (row.state, row.due, row.is_overdue) == ("open", "Overdue by 3 h", True)
    assert row.owner == "Ann Lim"


@pytest.mark.spec("CON-6")
def test_the_export_uses_the_search_in_the_address(tab: EventClient) -> None:
    enquiries(company="Kelp")
    enquiries(company="Reef")
    sign_in(tab, Role.EMPLOYEE)
    reply = send(tab, EnquiryInboxState.export, {"search": "kelp"})
    (file,) = [payload for name, payload in reply.events if name == "_download"]
    assert file["filename"] == f"enquiries-{date_text(now())}.csv"
    _, wanted = use(file["url"])
    assert wanted == {"list": "enquiries", "search": "kelp"}
    assert texts(reply) == ["Enquiries exported: 1"]


def use(url: str) -> tuple[Identity, dict[str, str]]:
    (token,) = parse_qs(urlsplit(url).query)["token"]
    with transaction() as session:
        return one_use_links.use(session, token)


@pytest.mark.spec("CON-6")
def test_a_truncated_export_is_reported(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "MOST_EXPORTED", 2)
    enquiries(3)
    sign_in(tab, Role.EMPLOYEE)
    assert texts(send(tab, EnquiryInboxState.export)) == [
        "Enquiries exported: the newest 2 of 3. Search or filter for the others."
    ]


@pytest.mark.parametrize("stored", [3, 60])
def test_the_page_takes_the_same_number_of_queries_for_any_number_of_rows(tab: EventClient, stored: int) -> None:
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
    enquiries(handled_at=now())
    sign_in(tab, role)
    assert tab.send(NewEnquiriesState.load, path="/admin").var(COUNT) == 2


@pytest.mark.spec("CON-6", "ADM-3")
@on_each_database
def test_signing_out_clears_the_count_of_enquiries(tab: EventClient) -> None:
    enquiries()
    sign_in(tab, Role.EMPLOYEE)
    tab.send(NewEnquiriesState.load, path="/admin")
    tab.send(AuthState.sign_out)
    assert tab.vars(NewEnquiriesState) == {"count": 0}


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
