"""The session of a tab and the access marks of handlers, through the real event processor."""

import asyncio
import dataclasses
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sqlalchemy as sa
import sqlalchemy.exc
from reflex_base.registry import RegistrationContext

from advisory_site.accounts import auth_events, session_state, sessions, tokens
from advisory_site.accounts.auth_events import AuthEvent
from advisory_site.accounts.errors import InvalidToken, Unavailable
from advisory_site.accounts.guard import is_allowed, staff_event
from advisory_site.accounts.models import RefreshToken, UserRole
from advisory_site.accounts.session_state import AuthState
from advisory_site.accounts.sessions import IssuedSession
from advisory_site.core import settings
from advisory_site.core.permissions import Role
from advisory_site.db.database import read_session, transaction
from advisory_site.ui.feedback import NoticeState
from tests.support.event_client import ON_LOAD, EventClient
from tests.support.example_state import DeskState
from tests.support.people import person, signed_in
from tests.support.staff import HYDRATE, STORED, destinations, keep, texts

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
def test_loading_ends_with_the_first_check_and_nobody_is_signed_in(tab: EventClient) -> None:
    assert keep(tab, "").var("auth_state.is_loading") is True
    reply = tab.send(AuthState.check_session)
    assert reply.var("auth_state.is_loading") is False
    assert "auth_state.role" not in reply.delta


@pytest.mark.spec("SES-1", "SES-2")
def test_a_tab_that_comes_back_is_recognised_with_profile_and_role(tab: EventClient) -> None:
    keep(tab, signed_in(person(role=Role.MANAGER)).to_json())
    reply = tab.send(AuthState.check_session)
    assert (reply.var("auth_state.email"), reply.var("auth_state.role")) == ("ann@northstrait.example", "manager")
    assert (reply.var("auth_state.first_name"), reply.var("auth_state.last_name")) == ("Ann", "Lim")


@pytest.mark.spec("ADM-2")
def test_the_gate_sends_strangers_to_sign_in_and_back(tab: EventClient) -> None:
    reply = tab.send(AuthState.require_staff, path="/admin/companies/new")
    assert destinations(reply) == ["/auth?next=/admin/companies/new"]
    assert texts(reply) == []
    assert destinations(tab.send(AuthState.require_staff, path="/admin")) == ["/auth"]


@pytest.mark.spec("ADM-2", "SES-6")
def test_the_gate_says_when_a_session_has_ended_and_clears_it(tab: EventClient) -> None:
    user_id = person()
    keep(tab, signed_in(user_id).to_json())
    tab.send(AuthState.require_staff, path="/admin")
    with transaction() as session:
        sessions.end_all(session, user_id)
    reply = tab.send(AuthState.require_staff, path="/admin")
    assert destinations(reply) == ["/auth"]
    assert texts(reply) == ["Your session has ended. Please sign in again."]
    assert reply.var("auth_state.stored_session") == ""
    assert reply.var("auth_state.role") == ""


@pytest.mark.spec("ADM-2", "SES-6")
def test_that_a_session_has_ended_is_shown_however_soon_the_next_page_is_opened(tab: EventClient) -> None:
    user_id = person()
    keep(tab, signed_in(user_id).to_json())
    with transaction() as session:
        sessions.end_all(session, user_id)
    tab.opens_redirects = True
    tab.send(ON_LOAD, path="/admin")
    assert [one["text"] for one in tab.vars(NoticeState)["notices"]] == [
        "Your session has ended. Please sign in again."
    ]


@pytest.mark.spec("SES-6", "ADM-2")
def test_after_signing_out_nothing_leads_back_to_the_page_that_was_open(tab: EventClient) -> None:
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
def test_who_signs_out_in_one_tab_is_led_back_to_no_page_of_another(tab: EventClient, first: Any) -> None:
    keep(tab, signed_in(person()).to_json())
    tab.send(AuthState.require_staff, path="/admin/companies/new")
    # What the browser tells this tab when another has signed out.
    tab.send(UPDATE, vars={STORED: ""})
    assert destinations(tab.send(first, path="/admin/companies/new")) == ["/auth"]
    assert destinations(tab.send(AuthState.keep_watch, path="/admin/companies/new")) == []


@pytest.mark.spec("ADM-2")
def test_who_is_turned_away_is_told_once_and_led_back_once(tab: EventClient) -> None:
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
def test_the_tab_asks_every_30_seconds(tab: EventClient) -> None:
    keep(tab, "")
    assert AuthState.__fields__["tick_ms"].default == 30_000
    assert "auth_state.tick_ms" not in tab.send(AuthState.check_session).delta


@pytest.mark.spec("SES-4")
def test_an_expired_access_token_is_renewed_in_the_middle_of_an_event(
    tab: EventClient, expired: Callable[[int], IssuedSession]
) -> None:
    keep(tab, expired(person()).to_json())
    reply = tab.send(DeskState.load)
    assert reply.var("desk_state.rows") == ["for employee"]
    assert json.loads(reply.var("auth_state.stored_session"))["token_type"] == "bearer"


@pytest.mark.spec("SES-1")
@pytest.mark.parametrize("seconds", [2, 3600])
def test_a_clock_that_is_put_back_signs_nobody_out(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    moment = time.time() + seconds
    with monkeypatch.context() as patch:
        patch.setattr(time, "time", lambda: moment)
        issued = signed_in(person())
    keep(tab, issued.to_json())
    reply = tab.send(DeskState.load)
    assert reply.var("desk_state.rows") == ["for employee"]
    assert "auth_state.stored_session" not in reply.delta


@pytest.mark.spec("SES-4", "SES-6")
def test_a_token_of_ours_that_is_not_understood_is_exchanged_and_erases_nothing(
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
def test_a_refresh_that_fails_for_good_removes_the_session(
    tab: EventClient, expired: Callable[[int], IssuedSession]
) -> None:
    keep(tab, expired(person()).to_json())
    with transaction() as session:
        session.execute(sa.delete(RefreshToken))
    reply = tab.send(AuthState.check_session)
    assert reply.var("auth_state.stored_session") == ""


@pytest.mark.spec("SES-4", "SES-5")
def test_what_may_pass_is_tried_again_after_pauses_that_double(monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_what_fails_for_good_is_not_tried_again() -> None:
    tries: list[int] = []

    def fails() -> None:
        tries.append(1)
        raise InvalidToken

    with pytest.raises(InvalidToken):
        asyncio.run(session_state.retrying(fails))
    assert len(tries) == 1


@pytest.mark.spec("SES-2", "SES-4")
def test_a_database_that_is_away_signs_nobody_out_and_is_only_logged(
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
def test_sign_out_revokes_clears_and_says_so(tab: EventClient, heard: list[Any]) -> None:
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
def test_another_persons_session_in_the_same_tab_finds_no_rows_of_the_first(tab: EventClient) -> None:
    keep(tab, signed_in(person(role=Role.ADMIN)).to_json())
    tab.send(DeskState.load)
    tab.send(
        "reflex___state____state.reflex___state____update_vars_internal_state.update_vars_internal",
        vars={STORED: signed_in(person("bob@northstrait.example")).to_json()},
    )
    reply = tab.send(AuthState.require_staff)
    assert reply.var("desk_state.rows") == []
    assert reply.var("auth_state.email") == "bob@northstrait.example"


@pytest.mark.spec("SES-3")
def test_all_seven_events_reach_subscribers_until_they_stop() -> None:
    heard: list[AuthEvent] = []
    stop = auth_events.subscribe(lambda event, _: heard.append(event))
    for event in AuthEvent:
        auth_events.announce(event, 1)
    stop()
    auth_events.announce(AuthEvent.SIGNED_IN, 1)
    assert heard == list(AuthEvent)
    assert len(heard) == 7


@pytest.mark.spec("SES-3")
def test_a_subscriber_that_fails_keeps_nobody_from_hearing(heard: list[Any], caplog: pytest.LogCaptureFixture) -> None:
    def fails(*_: object) -> None:
        raise ValueError("mine")

    stop = auth_events.subscribe(fails)
    stop_after = auth_events.subscribe(lambda event, _: heard.append(("after", event)))
    auth_events.announce(AuthEvent.SIGNED_IN, 1)
    stop(), stop_after()
    assert ("after", AuthEvent.SIGNED_IN) in heard
    assert "A subscriber failed" in caplog.text


@pytest.mark.spec("SES-3")
def test_the_first_check_of_a_tab_is_announced_once(tab: EventClient, heard: list[Any]) -> None:
    keep(tab, signed_in(person()).to_json())
    tab.send(AuthState.check_session)
    tab.send(AuthState.check_session)
    assert heard == [(AuthEvent.INITIAL_SESSION, 1)]


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("role", list(Role))
def test_staff_pass_the_door_in_every_kind_of_handler(tab: EventClient, role: Role) -> None:
    keep(tab, signed_in(person(role=role)).to_json())
    assert tab.send(DeskState.load).var("desk_state.rows") == [f"for {role}"]
    reply = tab.send(DeskState.load_plainly, amount="7")
    assert reply.var("desk_state.amount") == 7
    assert destinations(reply) == ["/done"]
    assert tab.send(DeskState.load_in_steps).var("desk_state.rows") == ["first", "second"]
    assert destinations(tab.send(DeskState.load_in_plain_steps)) == ["/first", "/second"]


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("handler", ["load", "load_plainly", "load_in_steps", "load_in_plain_steps", "erase"])
def test_strangers_do_not_pass_the_door(tab: EventClient, handler: str) -> None:
    payload: dict[str, Any] = {"amount": 7} if handler == "load_plainly" else {}
    reply = tab.send(getattr(DeskState, handler), path="/admin", **payload)
    assert destinations(reply) == ["/auth"]
    assert not {name for name in reply.delta if name.startswith("desk_state.") and reply.delta[name]}


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("role", list(Role))
def test_only_admins_pass_the_admins_door(tab: EventClient, role: Role) -> None:
    keep(tab, signed_in(person(role=role)).to_json())
    reply = tab.send(DeskState.erase)
    if role is Role.ADMIN:
        assert reply.var("desk_state.rows") == ["erased"]
    else:
        assert texts(reply) == ["Your role does not allow this"]
        assert "desk_state.rows" not in reply.delta or not reply.var("desk_state.rows")


@pytest.mark.spec("ROLE-4")
def test_a_demoted_admin_is_stopped_at_the_next_event(tab: EventClient) -> None:
    keep(tab, signed_in(person(role=Role.ADMIN)).to_json())
    tab.send(DeskState.erase)
    with transaction() as session:
        session.execute(sa.update(UserRole).values(role=Role.EMPLOYEE))
    reply = tab.send(DeskState.erase)
    assert texts(reply) == ["Your role does not allow this"]
    assert reply.var("auth_state.role") == "employee"


@pytest.mark.spec("ROLE-4", "SES-5")
@pytest.mark.parametrize(
    "kept", [{}, {"access_token": 1}, [], None, 7, "x" * 100_000, "{}"], ids=lambda kept: repr(kept)[:20]
)
def test_what_a_browser_keeps_instead_of_a_session_opens_nothing(tab: EventClient, kept: object) -> None:
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
def test_no_var_can_be_set_by_name(tab: EventClient) -> None:
    keep(tab, "")
    reply = tab.send(f"{AuthState.get_full_name()}.setvar", var_name="role", value="admin")
    assert "auth_state.role" not in reply.delta


@pytest.mark.spec("ROLE-4")
def test_a_guarded_handler_has_to_take_the_actor() -> None:
    with pytest.raises(TypeError, match="actor"):

        @staff_event  # type: ignore[arg-type]  # mypy refuses it as well
        async def forgets(self: object) -> None: ...


@pytest.mark.spec("ROLE-4")
def test_every_handler_of_the_site_wears_a_mark(app: object) -> None:
    names = [name for name in RegistrationContext.get().event_handlers if "advisory_site___" in name]
    assert names
    assert [name for name in names if not is_allowed(name) and not name.endswith(".setvar")] == []


@pytest.mark.spec("SES-7")
def test_asking_for_the_authentication_state_outside_its_provider_says_so() -> None:
    with pytest.raises(
        session_state.OutsideProvider, match=r"^The authentication state must be used within its provider$"
    ):
        asyncio.run(session_state.auth_of(object()))  # type: ignore[arg-type]


@pytest.mark.spec("SES-7")
def test_a_screen_asks_for_each_of_the_roles_that_may_see_something() -> None:
    asked = str(session_state.has_role(Role.MANAGER, Role.ADMIN))
    assert "manager" in asked
    assert "admin" in asked
    assert "employee" not in asked


@pytest.mark.spec("SES-4")
def test_short_lives_are_looked_after_more_often(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_an_event_whose_payload_does_not_fit_never_runs(
    tab: EventClient, payload: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    keep(tab, signed_in(person()).to_json())
    reply = tab.send(f"{DeskState.get_full_name()}.load_plainly", **payload)
    assert reply.errors == []
    assert destinations(reply) == []
    assert "does not fit" in caplog.text


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("stored", [{STORED: {}}, {"": ""}, {"no.such.var": ""}, [], "x"], ids=str)
def test_only_texts_that_we_store_are_taken_from_a_browsers_storage(tab: EventClient, stored: Any) -> None:
    reply = tab.send(HYDRATE, vars=stored)
    assert reply.errors == []
    assert reply.delta == {}
