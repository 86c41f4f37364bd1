"""The page for two-step sign-in through the real event processor, and those who must set it up first."""

import inspect
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from advisory_site.dashboard.overview import DashboardState
from sitekit.accounts import one_use_links, tokens
from sitekit.accounts.account_errors import InvalidToken
from sitekit.accounts.factors import passkey_setup as passkey_state
from sitekit.accounts.factors import recovery_codes_state
from sitekit.accounts.factors import state as two_step_state
from sitekit.accounts.factors.passkey_setup import AddPasskeyState
from sitekit.accounts.factors.recovery_codes_state import RecoveryCodesState
from sitekit.accounts.factors.state import AddAppState, ConfirmAppState, TwoStepState
from sitekit.accounts.models import AuthFactor, AuthSession, RecoveryCode
from sitekit.accounts.sessions import auth_events, reauthentication_dialog
from sitekit.accounts.sessions.auth_state import AuthPageState
from sitekit.accounts.sessions.reauthentication_dialog import ReauthenticationState
from sitekit.accounts.sessions.session_state import AuthState
from sitekit.accounts.sessions.settings_page import DeviceState
from sitekit.base import paths, settings
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.errors import Unavailable
from sitekit.base.permissions import Role
from sitekit.server.framework.event_marks import PUBLIC, access_of
from sitekit.server.framework.events import handlers
from tests.e2e.attack import plausible
from tests.support.event_client import EventClient, Reply
from tests.support.people import PASSWORD, age, person, signed_in
from tests.support.second_factors import add_app, code_of, wrong_code
from tests.support.staff import destinations, keep, sign_in, texts

pytestmark = pytest.mark.usefixtures("database")
HERE = paths.ADMIN_TWO_STEP


def begin(tab: EventClient, name: str = "Phone") -> Reply:
    return tab.send(AddAppState.save, path=HERE, form_data={"name": name})


def confirm(tab: EventClient, code: str) -> Reply:
    return tab.send(ConfirmAppState.save, path=HERE, form_data={"code": code})


def secret_of(tab: EventClient) -> str:
    return str(tab.vars(ConfirmAppState)["secret"]).replace(" ", "")


def set_up(tab: EventClient) -> Reply:
    begin(tab)
    return confirm(tab, code_of(secret_of(tab)))


def count(table: type) -> int:
    with read_session() as session:
        return int(session.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


@pytest.mark.spec("MFA-1", "MFA-3", "SES-3")
def test_an_app_is_added_and_recovery_codes_are_shown_once(tab: EventClient) -> None:
    ann = sign_in(tab, Role.EMPLOYEE)
    assert begin(tab).var("confirm_app_state.qr_size") > 20
    assert confirm(tab, wrong_code(secret_of(tab))).var("confirm_app_state.errors")["code"]
    heard: list[tuple[str, int | None]] = []
    stop = auth_events.subscribe(lambda event, user_id: heard.append((event.value, user_id)))
    reply = confirm(tab, code_of(secret_of(tab)))
    stop()
    assert texts(reply) == ["Phone added"]
    assert heard == [("MFA verified", ann)]
    assert len(reply.var("recovery_codes_state.codes")) == 10
    assert secret_of(tab) == ""
    reply = tab.send(TwoStepState.open, path=HERE)
    shown = tab.vars(TwoStepState)
    assert (tab.vars(RecoveryCodesState)["codes"], shown["codes_left"]) == ([], 10)
    assert [row.name for row in shown["factors"]] == ["Phone"]
    set_up(tab)
    assert tab.vars(RecoveryCodesState)["codes"] == []


@pytest.mark.spec("MFA-1", "MFA-3", "ACC-1")
def test_a_factor_is_removed_after_a_code_and_only_once(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    begin(tab)
    secret = secret_of(tab)
    confirm(tab, code_of(secret))
    [row] = tab.vars(TwoStepState)["factors"]
    age(16)
    assert (
        tab.send(TwoStepState.remove, path=HERE, factor=row.id).var("reauthentication_request_state.is_asked") is True
    )
    assert count(AuthFactor) == 1
    reply = tab.send(ReauthenticationState.save, path=HERE, form_data={"proof": code_of(secret, 1)})
    assert texts(reply)[-1] == "Phone removed"
    assert tab.vars(TwoStepState)["factors"] == []
    assert tab.vars(RecoveryCodesState)["codes"] == []
    reply = tab.send(TwoStepState.remove, path=HERE, factor=row.id)
    assert texts(reply)[-1] == "This second step has already been removed."


@pytest.mark.spec("MFA-1", "ACC-1")
def test_an_app_confirmed_too_late_is_added_after_reauthentication(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    begin(tab)
    secret = secret_of(tab)
    age(16)
    assert confirm(tab, code_of(secret)).var("reauthentication_request_state.is_asked") is True
    assert tab.vars(TwoStepState)["factors"] == []
    reply = tab.send(ReauthenticationState.save, path=HERE, form_data={"proof": PASSWORD})
    assert texts(reply)[-1] == "Phone added"


@pytest.mark.spec("MFA-1")
def test_nobody_can_remove_the_factor_of_another_person(tab: EventClient) -> None:
    add_app(person("mei@northstrait.example"))
    sign_in(tab, Role.ADMIN)
    tab.send(TwoStepState.remove, path=HERE, factor=1)
    assert count(AuthFactor) == 1


@pytest.mark.spec("MFA-3")
def test_new_recovery_codes_replace_the_old(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    old = set_up(tab).var("recovery_codes_state.codes")
    new = tab.send(TwoStepState.make_codes, path=HERE).var("recovery_codes_state.codes")
    assert (len(new), set(old) & set(new), count(RecoveryCode)) == (10, set(), 10)
    assert tab.send(RecoveryCodesState.hide, path=HERE).var("recovery_codes_state.codes") == []


@pytest.mark.parametrize(
    ("handler", "payload", "shown"),
    [
        (TwoStepState.open, {}, {"two_step_state.has_failed": True, "two_step_state.is_loading": False}),
        (DeviceState.load, {}, {"device_state.has_failed": True, "device_state.is_loading": False}),
        (AddPasskeyState.finish, {"response": "{}"}, {"add_passkey_state.answers": 1}),
        (ReauthenticationState.finish, {"response": "{}"}, {"reauthentication_state.answers": 1}),
    ],
)
def test_an_outage_is_named_and_leaves_nothing_waiting(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch, handler: Any, payload: dict[str, Any], shown: dict[str, object]
) -> None:
    def away(*_: object) -> None:
        raise Unavailable

    sign_in(tab, Role.EMPLOYEE)
    monkeypatch.setattr(AuthState, "_identity", away)
    reply = tab.send(handler, path=HERE, **payload)
    assert texts(reply) == ["The service cannot be reached at the moment. Please try again."]
    assert {name: reply.var(name) for name in shown} == shown


def overdue(tab: EventClient, monkeypatch: pytest.MonkeyPatch, role: Role = Role.ADMIN) -> int:
    """Sign somebody in whose days of grace are over."""
    monkeypatch.setenv("ADVISORY_FACTOR_REQUIRED", "all")
    settings.get_settings.cache_clear()
    user_id = person("late@northstrait.example", role)
    stored = signed_in(user_id).to_json()
    with transaction() as session:
        session.execute(
            sa.update(sa.table("profiles", sa.column("factor_asked_at", sa.DateTime))).values(
                factor_asked_at=now() - timedelta(days=15)
            )
        )
    keep(tab, stored)
    return user_id


def guarded() -> list[tuple[Any, Any]]:
    """Every handler that is for staff or for admins."""
    from advisory_site import advisory_site  # noqa: F401  registers them all

    return [
        (state, handler)
        for state, handler in handlers()
        if access_of(handler) not in (None, PUBLIC) and state.__module__.startswith(("advisory_site.", "sitekit."))
    ]


@pytest.mark.spec("MFA-5")
def test_only_the_factor_setup_works_after_the_grace_period(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    overdue(tab, monkeypatch)
    allowed = set()
    found = guarded()
    assert len(found) > 100
    for state, handler in found:
        arguments = [one for one in inspect.signature(handler).parameters.values() if one.name != "self"]
        payload = {one.name: plausible(one, 1) for one in arguments}
        reply = tab.send(f"{state.get_full_name()}.{handler.__name__}", path="/admin", **payload)
        assert not reply.errors
        if destinations(reply) != [HERE]:
            allowed.add((state.__module__, handler.__name__))
    own = {one.__name__ for one in (two_step_state, passkey_state, recovery_codes_state, reauthentication_dialog)}
    forms = {"ask", "begin", "cancel", "check", "finish", "hide", "make_codes", "open", "remove", "save"}
    others = {(module, name) for module, name in allowed if module not in own}
    assert {name for module, name in allowed if module in own} == forms
    assert {name for _, name in others} <= {"check"}


@pytest.mark.spec("MFA-5")
def test_every_page_redirects_to_the_factor_setup_until_it_is_done(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    overdue(tab, monkeypatch)
    assert destinations(tab.send(AuthState.require_staff, path="/admin/companies/new")) == [HERE]
    assert destinations(tab.send(AuthState.keep_watch, path="/admin")) == [HERE]
    assert destinations(tab.send(AuthPageState.open, path="/auth")) == ["/admin"]
    reply = tab.send(AuthState.require_staff, path=HERE)
    assert destinations(reply) == []
    assert tab.vars(AuthState)["must_add_factor"] is True
    assert destinations(tab.send(DashboardState.load, path=HERE)) == []
    set_up(tab)
    assert tab.vars(AuthState)["must_add_factor"] is False
    assert destinations(tab.send(AuthState.require_staff, path="/admin")) == []
    reply = tab.send(TwoStepState.remove, path=HERE, factor=tab.vars(TwoStepState)["factors"][0].id)
    assert texts(reply)[-1].startswith("You need a second step to work here.")


@pytest.mark.spec("MFA-5")
def test_a_file_link_is_refused_until_the_factor_setup_is_done(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = overdue(tab, monkeypatch)
    with read_session() as session:
        [session_id] = session.execute(sa.select(AuthSession.id)).scalars()  # type: ignore[call-overload]
    access_token, _ = tokens.sign(late, session_id)
    link = one_use_links.issue(access_token, {"list": "users"})
    with transaction() as session, pytest.raises(InvalidToken):
        one_use_links.use(session, link)


@pytest.mark.spec("MFA-5")
@pytest.mark.parametrize(("asked", "is_asked"), [("nobody", False), ("admins", False), ("all", True)])
def test_the_dashboard_shows_the_day_from_which_a_factor_is_needed(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch, asked: str, is_asked: bool
) -> None:
    monkeypatch.setenv("ADVISORY_FACTOR_REQUIRED", asked)
    settings.get_settings.cache_clear()
    sign_in(tab, Role.EMPLOYEE)
    tab.send(DashboardState.load, path="/admin")
    day = f"{now() + timedelta(days=14):%Y-%m-%d}" if is_asked else ""
    assert tab.vars(DashboardState)["factor_due"][:10] == day
    settings.get_settings.cache_clear()
    monkeypatch.setattr("sitekit.accounts.factors.policy.now", lambda: now() + timedelta(days=12))
    tab.send(DashboardState.load, path="/admin")
    assert tab.vars(DashboardState)["factor_due"][:10] == day


@pytest.mark.spec("MFA-1")
def test_signing_out_clears_the_app_secret(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    begin(tab)
    assert secret_of(tab)
    tab.send(AuthState.sign_out)
    assert secret_of(tab) == ""
