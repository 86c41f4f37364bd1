"""Who finds what in the state of a tab that has left: its own person everything, anybody else nothing."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy.exc

from advisory_site.enquiries.contact.state import ContactState
from sitekit.accounts.sessions import sessions
from sitekit.accounts.sessions.connections import connections
from sitekit.accounts.sessions.session_state import AuthState
from sitekit.accounts.sessions.sessions import IssuedSession
from sitekit.admin.current_user import CurrentUser
from sitekit.base.db.database import transaction
from sitekit.base.permissions import Role
from sitekit.ui.feedback import NoticeState
from tests.support.event_client import ON_LOAD, EventClient, Reply
from tests.support.example_state import DeskState
from tests.support.people import person, signed_in
from tests.support.staff import HYDRATE, STORED, destinations, keep

ROOT = "reflex___state____state"
UPDATE = f"{ROOT}.reflex___state____update_vars_internal_state.update_vars_internal"
EMAIL = "ann@northstrait.example"
SECRET = "What only staff may read"

# What a stranger may begin with; a browser always begins with the first.
BEGINNINGS: dict[str, Callable[[EventClient], Reply]] = {
    "hydrate and load": lambda tab: tab.send(HYDRATE, path="/admin", vars={}),
    "hydrate": lambda tab: tab.send(f"{ROOT}.hydrate"),
    "on load": lambda tab: tab.send(ON_LOAD, path="/admin"),
    "a notice": lambda tab: tab.send(NoticeState.show, level="success", text="hello"),
    "staff": lambda tab: tab.send(DeskState.load, path="/admin"),
    "a check": lambda tab: tab.send(AuthState.check_session),
    "storage": lambda tab: tab.send(UPDATE, vars={}),
    "forged storage": lambda tab: keep(tab, '{"access_token": "x", "refresh_token": "y", "expires_at": 9e9}'),
}


@pytest.fixture
def issued(database_dir: Path, quick_accounts: None) -> IssuedSession:
    """The session of an admin."""
    return signed_in(person(role=Role.ADMIN))


@pytest.fixture
def left(tab: EventClient, issued: IssuedSession) -> EventClient:
    """That admin's tab, with rows and a notice in its state, whose socket has closed."""
    keep(tab, issued.to_json())
    tab.send(DeskState.load)
    tab.send(NoticeState.show, level="success", text=SECRET)
    tab.reconnect()
    return tab


def all_said(reply: Reply) -> str:
    return json.dumps([reply.delta, reply.events], default=str)


@pytest.mark.spec("ROLE-4", "SES-1")
@pytest.mark.parametrize("begin", BEGINNINGS.values(), ids=BEGINNINGS)
def test_a_stranger_with_a_client_token_gets_none_of_its_state(
    left: EventClient, issued: IssuedSession, begin: Callable[[EventClient], Reply]
) -> None:
    said = all_said(begin(left)) + "".join(all_said(again(left)) for again in BEGINNINGS.values())
    for kept in (EMAIL, "for admin", SECRET, issued.access_token, issued.refresh_token):
        assert kept not in said


@pytest.mark.spec("SES-1")
def test_the_same_person_continues_after_a_reconnect(tab: EventClient) -> None:
    issued = signed_in(person())
    keep(tab, issued.to_json())
    tab.send(DeskState.load)
    tab.reconnect()
    reply = keep(tab, issued.to_json())
    assert reply.var("desk_state.rows") == ["for employee"]
    assert reply.var("current_user.email") == EMAIL
    assert "desk_state.rows" in tab.send(DeskState.load).delta


@pytest.mark.spec("SES-1", "SES-4")
@pytest.mark.parametrize("is_ended", [False, True])
def test_the_refresh_token_restores_the_state_after_a_long_pause(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch, is_ended: bool
) -> None:
    user_id = person()
    keep(tab, signed_in(user_id).to_json())
    tab.send(DeskState.load)
    with monkeypatch.context() as patch:
        patch.setattr(time, "time", lambda: 1_000_000)
        expired = signed_in(user_id).to_json()
    if is_ended:
        with transaction() as session:
            sessions.end_all(session, user_id)
    tab.reconnect()
    reply = keep(tab, expired)
    assert reply.var("desk_state.rows") == ([] if is_ended else ["for employee"])
    assert (json.loads(expired)["refresh_token"] in all_said(reply)) is True, "a browser keeps what it has"
    assert destinations(tab.send(DeskState.load, path="/admin")) == (["/auth"] if is_ended else [])


@pytest.mark.spec("ROLE-4", "SES-6")
def test_another_person_gets_no_state_of_the_first(left: EventClient) -> None:
    reply = keep(left, signed_in(person("bob@northstrait.example")).to_json())
    assert reply.var("desk_state.rows") == []
    assert EMAIL not in all_said(reply)
    assert left.send(DeskState.load).var("desk_state.rows") == ["for employee"]


@pytest.mark.spec("SES-1", "DATA-4")
def test_state_survives_a_reconnect_while_the_database_is_unavailable(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    issued = signed_in(person())
    keep(tab, issued.to_json())
    tab.send(DeskState.load)

    def away(*_: object) -> None:
        raise sqlalchemy.exc.OperationalError("SELECT secret", {}, Exception("unable to open"))

    monkeypatch.setattr(sessions, "identify", away)
    tab.reconnect()
    assert keep(tab, issued.to_json()).var("desk_state.rows") == ["for employee"]
    tab.reconnect()
    forged = json.loads(issued.to_json()) | {"access_token": issued.access_token + "x"}
    assert keep(tab, json.dumps(forged)).var("desk_state.rows") == []


@pytest.mark.spec("SES-6")
def test_stored_client_state_holds_no_token(tab: EventClient) -> None:
    issued = signed_in(person())
    keep(tab, issued.to_json())
    tab.send(DeskState.load)
    root = tab._manager.states[tab.token]
    user = root.get_substate(CurrentUser.get_full_name().split("."))
    stored = user._serialize() + user.get_substate(AuthState.get_full_name().split(".")[-1:])._serialize()
    assert EMAIL.encode() in stored
    assert issued.refresh_token.encode() not in stored and issued.access_token.encode() not in stored


@pytest.mark.spec("SES-1", "SES-2")
def test_a_connected_client_whose_state_was_lost_is_still_signed_in(tab: EventClient) -> None:
    issued = signed_in(person())
    keep(tab, issued.to_json())
    tab._manager.states.clear()
    reply = tab.send(AuthState.require_staff, path="/admin")
    assert destinations(reply) == []
    assert reply.var("current_user.email") == EMAIL


@pytest.mark.spec("CON-4")
def test_a_visitors_form_survives_a_reconnect(tab: EventClient) -> None:
    form = keep(tab, "") and tab.send(ContactState.load).var("contact_state.submission_id")
    tab.reconnect()
    assert keep(tab, "").var("contact_state.submission_id") == form != ""


@pytest.mark.spec("ROLE-4")
def test_an_oversized_session_is_not_kept(tab: EventClient) -> None:
    reply = keep(tab, "x" * 60_000)
    assert reply.var("auth_state.stored_session") == ""
    assert connections.stored(tab.socket) == ""


@pytest.mark.spec("SES-6")
def test_a_sign_out_in_another_browser_tab_ends_the_session_here(tab: EventClient) -> None:
    keep(tab, signed_in(person()).to_json())
    tab.send(DeskState.load)
    assert connections.is_signed_in(tab.socket)
    tab.send(UPDATE, vars={STORED: ""})
    assert not connections.is_signed_in(tab.socket)
    reply: Any = tab.send(AuthState.require_staff, path="/admin")
    assert destinations(reply) == ["/auth"]
    assert reply.var("desk_state.rows") == []
