"""The session of a tab and the access marks of handlers, through the real event processor."""

import asyncio
import dataclasses
import inspect
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sqlalchemy as sa
import sqlalchemy.exc
from reflex.state import BaseState
from reflex_base.registry import RegistrationContext
from sqlmodel import Session

from sitekit.accounts import tokens
from sitekit.accounts.account_errors import InvalidToken
from sitekit.accounts.models import RefreshToken, UserRole
from sitekit.accounts.sessions import auth_events, session_state, sessions
from sitekit.accounts.sessions.auth_events import AuthEvent
from sitekit.accounts.sessions.session_state import AuthState
from sitekit.accounts.sessions.sessions import IssuedSession
from sitekit.admin.current_user import has_role
from sitekit.admin.guard import ADMIN_ACCESS, STAFF_ACCESS, is_allowed, staff_event
from sitekit.base import settings
from sitekit.base.db.database import read_session, transaction
from sitekit.base.errors import Unavailable
from sitekit.base.identity import Identity
from sitekit.base.permissions import Role
from sitekit.server.framework.event_marks import PUBLIC, access_of
from sitekit.server.framework.events import handlers
from tests.e2e.attack import plausible
from tests.support.event_client import ON_LOAD, EventClient, Reply
from tests.support.example_state import DeskState
from tests.support.people import person, signed_in
from tests.support.staff import HYDRATE, STORED, destinations, keep, kept_texts, statements, texts

UPDATE = "reflex___state____state.reflex___state____update_vars_internal_state.update_vars_internal"


@pytest.fixture
def heard() -> Iterator[list[tuple[AuthEvent, int | None]]]:
    """What subscribers are told."""
    events: list[tuple[AuthEvent, int | None]] = []
    stop = auth_events.subscribe(lambda event, user_id: events.append((event, user_id)))
    yield events
    stop()


@pytest.fixture
def expired(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], IssuedSession]:
    """Makes a session whose access token has expired."""

    def make(user_id: int) -> IssuedSession:
        with monkeypatch.context() as patch:
            patch.setattr(time, "time", lambda: 1_000_000)
            return signed_in(user_id)

    return make


@pytest.mark.spec("SES-2")
def test_the_first_check_ends_loading_with_nobody_signed_in(tab: EventClient) -> None:
    assert keep(tab, "").var("current_user.is_loading") is True
    reply = tab.send(AuthState.check_session)
    assert reply.var("current_user.is_loading") is False
    assert "current_user.role" not in reply.delta


@pytest.mark.spec("SES-1", "SES-2")
def test_a_returning_client_is_recognised_with_profile_and_role(tab: EventClient) -> None:
    keep(tab, signed_in(person(role=Role.MANAGER)).to_json())
    reply = tab.send(AuthState.check_session)
    assert (reply.var("current_user.email"), reply.var("current_user.role")) == ("ann@northstrait.example", "manager")
    assert (reply.var("current_user.first_name"), reply.var("current_user.last_name")) == ("Ann", "Lim")


@pytest.mark.spec("ADM-2")
def test_visitors_are_redirected_to_sign_in_and_back(tab: EventClient) -> None:
    reply = tab.send(AuthState.require_staff, path="/admin/companies/new")
    assert destinations(reply) == ["/auth?next=/admin/companies/new"]
    assert texts(reply) == []
    assert destinations(tab.send(AuthState.require_staff, path="/admin")) == ["/auth"]


@pytest.mark.spec("ADM-2", "SES-6")
def test_an_ended_session_is_reported_and_cleared(tab: EventClient) -> None:
    user_id = person()
    keep(tab, signed_in(user_id).to_json())
    tab.send(AuthState.require_staff, path="/admin")
    with transaction() as session:
        sessions.end_all(session, user_id)
    reply = tab.send(AuthState.require_staff, path="/admin")
    assert destinations(reply) == ["/auth"]
    assert texts(reply) == ["Your session has ended. Please sign in again."]
    assert reply.var("auth_state.stored_session") == ""
    assert reply.var("current_user.role") == ""


@pytest.mark.spec("ADM-2", "SES-6")
def test_the_message_about_an_ended_session_survives_a_redirect(tab: EventClient) -> None:
    user_id = person()
    keep(tab, signed_in(user_id).to_json())
    with transaction() as session:
        sessions.end_all(session, user_id)
    tab.opens_redirects = True
    tab.send(ON_LOAD, path="/admin")
    assert kept_texts(tab) == ["Your session has ended. Please sign in again."]


@pytest.mark.spec("SES-6", "ADM-2")
def test_late_events_after_signing_out_do_not_redirect_to_the_open_page(tab: EventClient) -> None:
    keep(tab, signed_in(person()).to_json())
    tab.send(AuthState.require_staff, path="/admin/companies/new")
    assert destinations(tab.send(AuthState.sign_out, path="/admin/companies/new")) == ["/auth"]
    # What the page sends before it is left: the clock, which sees the stored session go, and its own events.
    for late in (AuthState.keep_watch, DeskState.load):
        reply = tab.send(late, path="/admin/companies/new")
        assert (destinations(reply), texts(reply)) == ([], [])
    reply = tab.send(AuthState.require_staff, path="/admin/companies/new")
    assert destinations(reply) == ["/auth?next=/admin/companies/new"]


@pytest.mark.spec("SES-6", "ADM-2")
@pytest.mark.parametrize("first", [AuthState.keep_watch, DeskState.load])
def test_signing_out_in_one_browser_tab_keeps_no_return_page_in_another(tab: EventClient, first: Any) -> None:
    keep(tab, signed_in(person()).to_json())
    tab.send(AuthState.require_staff, path="/admin/companies/new")
    # What the browser tells this tab when another has signed out.
    tab.send(UPDATE, vars={STORED: ""})
    assert destinations(tab.send(first, path="/admin/companies/new")) == ["/auth"]
    assert destinations(tab.send(AuthState.keep_watch, path="/admin/companies/new")) == []


@pytest.mark.spec("ADM-2")
def test_an_ended_session_is_reported_once_and_redirected_once(tab: EventClient) -> None:
    user_id = person()
    keep(tab, signed_in(user_id).to_json())
    tab.send(AuthState.require_staff, path="/admin/companies/new")
    with transaction() as session:
        sessions.end_all(session, user_id)
    reply = tab.send(DeskState.load, path="/admin/companies/new")
    assert destinations(reply) == ["/auth?next=/admin/companies/new"]
    assert texts(reply) == ["Your session has ended. Please sign in again."]
    reply = tab.send(AuthState.keep_watch, path="/admin/companies/new")
    assert (destinations(reply), texts(reply)) == ([], [])


@pytest.mark.spec("SES-4")
def test_a_session_with_90_seconds_left_is_refreshed_and_one_with_more_is_not(
    tab: EventClient, heard: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    issued = signed_in(person())
    moment = int(time.time())
    monkeypatch.setattr(time, "time", lambda: moment)
    keep(tab, dataclasses.replace(issued, expires_at=moment + 91).to_json())
    assert "auth_state.stored_session" not in tab.send(AuthState.check_session).delta
    keep(tab, dataclasses.replace(issued, expires_at=moment + 90).to_json())
    reply = tab.send(AuthState.check_session)
    assert json.loads(reply.var("auth_state.stored_session"))["refresh_token"] != issued.refresh_token
    assert heard[-1] == (AuthEvent.TOKEN_REFRESHED, 1)


@pytest.mark.spec("SES-4")
def test_the_client_checks_its_session_every_30_seconds(tab: EventClient) -> None:
    keep(tab, "")
    assert AuthState.__fields__["tick_ms"].default == 30_000
    assert "auth_state.tick_ms" not in tab.send(AuthState.check_session).delta


@pytest.mark.spec("SES-4")
def test_an_expired_access_token_is_refreshed_during_an_event(
    tab: EventClient, expired: Callable[[int], IssuedSession]
) -> None:
    keep(tab, expired(person()).to_json())
    reply = tab.send(DeskState.load)
    assert reply.var("desk_state.rows") == ["for employee"]
    assert json.loads(reply.var("auth_state.stored_session"))["token_type"] == "bearer"


@pytest.mark.spec("SES-1")
@pytest.mark.parametrize("seconds", [2, 3600])
def test_a_clock_set_back_signs_nobody_out(tab: EventClient, monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    moment = time.time() + seconds
    with monkeypatch.context() as patch:
        patch.setattr(time, "time", lambda: moment)
        issued = signed_in(person())
    keep(tab, issued.to_json())
    reply = tab.send(DeskState.load)
    assert reply.var("desk_state.rows") == ["for employee"]
    assert "auth_state.stored_session" not in reply.delta


@pytest.mark.spec("SES-4", "SES-6")
def test_an_unusable_token_with_a_valid_signature_is_refreshed_without_losing_state(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(tokens, "AUDIENCE", "what it was called before")
        issued = signed_in(person())
    keep(tab, issued.to_json())
    reply = tab.send(DeskState.load)
    assert reply.var("desk_state.rows") == ["for employee"]
    assert json.loads(reply.var("auth_state.stored_session"))["access_token"] != issued.access_token


@pytest.mark.spec("SES-4", "SES-5")
def test_a_permanently_failing_refresh_removes_the_session(
    tab: EventClient, expired: Callable[[int], IssuedSession]
) -> None:
    keep(tab, expired(person()).to_json())
    with transaction() as session:
        session.execute(sa.delete(RefreshToken))
    reply = tab.send(AuthState.check_session)
    assert reply.var("auth_state.stored_session") == ""


@pytest.mark.spec("SES-4", "SES-5")
def test_temporary_failures_are_retried_after_doubling_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    tries: list[int] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    def fails() -> None:
        tries.append(1)
        raise Unavailable

    monkeypatch.setattr(asyncio, "sleep", sleep)
    with pytest.raises(Unavailable):
        asyncio.run(session_state.retrying(fails))
    assert pauses == pytest.approx([0.2, 0.4, 0.8, 1.6])
    assert len(tries) == 5


@pytest.mark.spec("SES-4", "SES-5")
def test_permanent_failures_are_not_retried() -> None:
    tries: list[int] = []

    def fails() -> None:
        tries.append(1)
        raise InvalidToken

    with pytest.raises(InvalidToken):
        asyncio.run(session_state.retrying(fails))
    assert len(tries) == 1


@pytest.mark.spec("SES-2", "SES-4")
def test_an_unavailable_database_is_logged_and_signs_nobody_out(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    keep(tab, signed_in(person()).to_json())
    tab.send(AuthState.require_staff)

    def away(*_: object) -> None:
        raise sqlalchemy.exc.OperationalError("SELECT secret", {}, Exception("unable to open"))

    with monkeypatch.context() as patch:
        patch.setattr(sessions, "identify", away)
        reply = tab.send(AuthState.require_staff)
        assert destinations(reply) == [] and texts(reply) == []
        assert "A session could not be checked" in caplog.text
        assert texts(tab.send(DeskState.load)) == ["The service cannot be reached at the moment. Please try again."]
    assert tab.send(DeskState.load).var("desk_state.rows") == ["for employee"]


@pytest.mark.spec("SES-6", "SES-2")
def test_sign_out_revokes_and_clears_the_session_and_confirms_it(tab: EventClient, heard: list[Any]) -> None:
    issued = signed_in(person())
    keep(tab, issued.to_json())
    tab.send(DeskState.load)
    reply = tab.send(AuthState.sign_out)
    assert texts(reply) == ["You are signed out"]
    assert destinations(reply) == ["/auth"]
    assert reply.var("auth_state.stored_session") == ""
    assert reply.var("desk_state.rows") == []
    assert heard[-1] == (AuthEvent.SIGNED_OUT, 1)
    with read_session() as session, pytest.raises(InvalidToken):
        sessions.identify(session, issued.access_token)


@pytest.mark.spec("ADM-4")
def test_sign_out_everywhere_ends_the_other_devices_too(tab: EventClient) -> None:
    user_id = person()
    other = signed_in(user_id)
    keep(tab, signed_in(user_id).to_json())
    assert texts(tab.send(AuthState.sign_out_everywhere)) == ["You are signed out on every device"]
    with read_session() as session, pytest.raises(InvalidToken):
        sessions.identify(session, other.access_token)


@pytest.mark.spec("SES-6")
def test_another_person_in_the_same_client_gets_no_rows_of_the_first(tab: EventClient) -> None:
    keep(tab, signed_in(person(role=Role.ADMIN)).to_json())
    tab.send(DeskState.load)
    tab.send(
        "reflex___state____state.reflex___state____update_vars_internal_state.update_vars_internal",
        vars={STORED: signed_in(person("bob@northstrait.example")).to_json()},
    )
    reply = tab.send(AuthState.require_staff)
    assert reply.var("desk_state.rows") == []
    assert reply.var("current_user.email") == "bob@northstrait.example"


@pytest.mark.spec("SES-3")
def test_all_seven_auth_events_reach_subscribers_until_they_unsubscribe() -> None:
    heard: list[AuthEvent] = []
    stop = auth_events.subscribe(lambda event, _: heard.append(event))
    for event in AuthEvent:
        auth_events.announce(event, 1)
    stop()
    auth_events.announce(AuthEvent.SIGNED_IN, 1)
    assert heard == list(AuthEvent)
    assert len(heard) == 7


@pytest.mark.spec("SES-3")
def test_a_failing_subscriber_does_not_stop_the_others(heard: list[Any], caplog: pytest.LogCaptureFixture) -> None:
    def fails(*_: object) -> None:
        raise ValueError("mine")

    stop = auth_events.subscribe(fails)
    stop_after = auth_events.subscribe(lambda event, _: heard.append(("after", event)))
    auth_events.announce(AuthEvent.SIGNED_IN, 1)
    stop(), stop_after()
    assert ("after", AuthEvent.SIGNED_IN) in heard
    assert "A subscriber failed" in caplog.text


@pytest.mark.spec("SES-3")
def test_the_first_check_of_a_client_is_announced_once(tab: EventClient, heard: list[Any]) -> None:
    keep(tab, signed_in(person()).to_json())
    tab.send(AuthState.check_session)
    tab.send(AuthState.check_session)
    assert heard == [(AuthEvent.INITIAL_SESSION, 1)]


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("role", list(Role))
def test_staff_can_call_every_kind_of_guarded_handler(tab: EventClient, role: Role) -> None:
    keep(tab, signed_in(person(role=role)).to_json())
    assert tab.send(DeskState.load).var("desk_state.rows") == [f"for {role}"]
    reply = tab.send(DeskState.load_plainly, amount="7")
    assert reply.var("desk_state.amount") == 7
    assert destinations(reply) == ["/done"]
    assert tab.send(DeskState.load_in_steps).var("desk_state.rows") == ["first", "second"]
    assert destinations(tab.send(DeskState.load_in_plain_steps)) == ["/first", "/second"]


def handlers_of(*marks: str) -> list[tuple[type[BaseState], str, dict[str, Any]]]:
    """The site's handlers with one of these marks: the state, the event, and arguments that its page could send."""
    found = []
    for state, handler in handlers():
        if access_of(handler) in marks:
            arguments = [one for one in inspect.signature(handler).parameters.values() if one.name != "self"]
            event = f"{state.get_full_name()}.{handler.__name__}"
            found.append((state, event, {one.name: plausible(one, 1) for one in arguments}))
    return found


def refused(tab: EventClient, event: str, payload: dict[str, Any]) -> tuple[Reply, list[object]]:
    """The reply to an event that has to be refused, and what was done or told nevertheless."""
    with statements() as executed:
        reply = tab.send(event, path="/admin", **payload)
    state = event.split(".")[-2].split("____")[-1]
    told = [name for name, value in reply.delta.items() if value and name.startswith(f"{state}.")]
    by_guard = ("BEGIN", "times_refused", "auth_sessions")
    return reply, [one for one in (*reply.errors, *executed, *told) if not any(name in str(one) for name in by_guard)]


@pytest.mark.spec("ROLE-4", "ADM-2")
def test_visitors_are_redirected_to_sign_in_by_each_guarded_handler(tab: EventClient) -> None:
    keep(tab, "")
    (root,) = tab._manager.states.values()
    auth: Any = root.get_substate(AuthState.get_full_name().split("."))
    guarded, wrong = handlers_of(STAFF_ACCESS, ADMIN_ACCESS), []
    assert len(guarded) > 250
    for _, event, payload in guarded:
        auth._is_leaving = False  # as in another tab, which takes much longer
        reply, faults = refused(tab, event, payload)
        if faults or destinations(reply) != ["/auth"]:
            wrong.append(f"{event}: {faults}, {destinations(reply)}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.spec("ROLE-4", "ADM-2")
def test_the_unguarded_handlers_of_back_office_states_are_listed(app: object) -> None:
    states = {state for state, _, _ in handlers_of(STAFF_ACCESS, ADMIN_ACCESS)}
    unguarded = {event.rpartition("____")[2] for state, event, _ in handlers_of(PUBLIC) if state in states}
    assert unguarded == {
        *(f"{name}.open" for name in ("add_app_state", "add_passkey_state", "confirm_app_state", "names_state")),
        *(f"{name}.open" for name in ("password_state", "personal_data_state", "rename_factor_state", "wait_state")),
        *("reauthentication_state.open", "reauthentication_state.close"),
    }


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("role", list(Role))
def test_only_admins_can_call_admin_handlers(tab: EventClient, role: Role) -> None:
    keep(tab, signed_in(person(role=role)).to_json())
    reply = tab.send(DeskState.erase)
    if role is Role.ADMIN:
        assert reply.var("desk_state.rows") == ["erased"]
    else:
        assert texts(reply) == ["Your role does not allow this"]
        assert "desk_state.rows" not in reply.delta or not reply.var("desk_state.rows")


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("role", [Role.MANAGER, Role.EMPLOYEE])
def test_other_roles_get_nothing_from_any_admin_handler(tab: EventClient, role: Role) -> None:
    keep(tab, signed_in(person(role=role)).to_json())
    for_admins, wrong = handlers_of(ADMIN_ACCESS), []
    assert len(for_admins) > 15
    for _, event, payload in for_admins:
        reply, faults = refused(tab, event, payload)
        if faults or texts(reply) != ["Your role does not allow this"]:
            wrong.append(f"{event}: {faults}, {texts(reply)}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.spec("ROLE-4")
def test_a_demoted_admin_is_stopped_at_the_next_event(tab: EventClient) -> None:
    keep(tab, signed_in(person(role=Role.ADMIN)).to_json())
    tab.send(DeskState.erase)
    with transaction() as session:
        session.execute(sa.update(UserRole).values(role=Role.EMPLOYEE))
    reply = tab.send(DeskState.erase)
    assert texts(reply) == ["Your role does not allow this"]
    assert reply.var("current_user.role") == "employee"


@pytest.mark.spec("ROLE-4", "SES-5")
@pytest.mark.parametrize(
    "kept", [{}, {"access_token": 1}, [], None, 7, "x" * 100_000, "{}"], ids=lambda kept: repr(kept)[:20]
)
def test_invalid_stored_sessions_are_redirected_to_sign_in(tab: EventClient, kept: object) -> None:
    keep(tab, kept)
    reply = tab.send(DeskState.load, path="/admin")
    assert reply.errors == []
    assert destinations(reply) == ["/auth"]


@pytest.mark.spec("ROLE-4")
def test_an_unmarked_handler_never_runs(tab: EventClient, caplog: pytest.LogCaptureFixture) -> None:
    name = f"{DeskState.get_full_name()}.unmarked"
    reply = tab.send(name, payload="a secret")
    assert "desk_state.rows" not in reply.delta or reply.var("desk_state.rows") == []
    assert "Refused the event" in caplog.text
    assert "a secret" not in caplog.text


@pytest.mark.spec("ROLE-4")
def test_a_client_cannot_set_state_vars_by_name(tab: EventClient) -> None:
    keep(tab, "")
    reply = tab.send(f"{AuthState.get_full_name()}.setvar", var_name="role", value="admin")
    assert "current_user.role" not in reply.delta


@pytest.mark.spec("ROLE-4")
def test_a_guarded_handler_has_to_take_the_actor() -> None:
    with pytest.raises(TypeError, match="actor"):

        @staff_event  # type: ignore[arg-type]  # mypy refuses it as well
        async def forgets(self: object) -> None: ...


@pytest.mark.spec("ROLE-4")
def test_a_guarded_handler_receives_the_session_that_was_read(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = signed_in(person())
    keep(tab, stored.to_json())
    tab.send(AuthState.check_session)
    identify, read = sessions.identify, []

    def counted(session: Session, token: object) -> Identity:
        read.append(token)
        return identify(session, token)

    monkeypatch.setattr(sessions, "identify", counted)
    reply = tab.send(DeskState.load_by_session, amount=3)
    assert reply.var("desk_state.rows") == [tokens.read(stored.access_token).session_id]
    assert len(read) == 1
    forged = {"session_id": "another"}
    reply = tab.send(f"{DeskState.get_full_name()}.load_by_session", amount=3, identity=forged)
    assert (reply.delta, reply.errors) == ({}, [])


@pytest.mark.spec("ROLE-4")
def test_every_event_handler_declares_who_may_call_it(app: object) -> None:
    names = [
        name
        for name in RegistrationContext.get().event_handlers
        if ("advisory_site___" in name or "sitekit___" in name)
    ]
    assert names
    assert [name for name in names if not is_allowed(name) and not name.endswith(".setvar")] == []


@pytest.mark.spec("SES-7")
def test_reading_the_authentication_state_outside_its_provider_raises() -> None:
    with pytest.raises(
        session_state.OutsideProvider, match=r"^The authentication state must be used within its provider$"
    ):
        asyncio.run(session_state.auth_of(object()))  # type: ignore[arg-type]


@pytest.mark.spec("SES-7")
def test_a_role_condition_checks_each_of_its_roles() -> None:
    asked = str(has_role(Role.MANAGER, Role.ADMIN))
    assert "manager" in asked
    assert "admin" in asked
    assert "employee" not in asked
    assert asked == str(has_role(Role.ADMIN, Role.MANAGER))  # so that each build makes the same scripts


@pytest.mark.spec("SES-4")
def test_short_lived_tokens_are_checked_more_often(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVISORY_ACCESS_TOKEN_SECONDS", "6")
    settings.get_settings.cache_clear()
    keep(tab, "")
    assert tab.send(AuthState.check_session).var("auth_state.tick_ms") == 2000


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"amount": 1, "actor": {"user_id": 1, "role": "admin"}},
        {"amount": 1, "more": 2},
        {"self": 1, "amount": 1},
        {"amount": {"a": 1}},
        {"amount": "many"},
        {"amount": None},
    ],
    ids=str,
)
def test_an_event_with_an_invalid_payload_never_runs(
    tab: EventClient, payload: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    keep(tab, signed_in(person()).to_json())
    reply = tab.send(f"{DeskState.get_full_name()}.load_plainly", **payload)
    assert reply.errors == []
    assert destinations(reply) == []
    assert "does not fit" in caplog.text


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("stored", [{STORED: {}}, {"": ""}, {"no.such.var": ""}, [], "x"], ids=str)
def test_unknown_values_in_browser_storage_are_ignored(tab: EventClient, stored: Any) -> None:
    reply = tab.send(HYDRATE, vars=stored)
    assert reply.errors == []
    assert reply.delta == {}
