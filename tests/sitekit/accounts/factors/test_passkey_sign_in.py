"""Signing in with a passkey through the real event processor: alone, and after the password."""

from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import col

from sitekit.accounts import throttling
from sitekit.accounts.factors import passkeys
from sitekit.accounts.factors.passkey_sign_in import PasskeySignInState, PasskeyStepState
from sitekit.accounts.models import AuthSession
from sitekit.accounts.sessions import auth_events
from sitekit.accounts.sessions.auth_events import AuthEvent
from sitekit.accounts.sessions.auth_state import AuthPageState, ChallengeState
from sitekit.admin.components.passkey_button import PasskeyOffer
from sitekit.base.db.database import read_session
from tests.sitekit.accounts.steps import EMAIL, use
from tests.support.authenticator import Authenticator
from tests.support.event_client import EventClient, Reply
from tests.support.people import PASSWORD, person
from tests.support.second_factors import identity_with_factor
from tests.support.staff import destinations, texts

ALONE, STEP = "passkey_sign_in_state", "passkey_step_state"


@pytest.fixture
def heard() -> Iterator[list[AuthEvent]]:
    """What subscribers are told."""
    events: list[AuthEvent] = []
    stop = auth_events.subscribe(lambda event, _user_id: events.append(event))
    yield events
    stop()


def device_of_ann(**device: Any) -> Authenticator:
    identity, made = identity_with_factor(person(EMAIL)), Authenticator(**device)
    options = passkeys.begin_registration(identity)
    passkeys.register(identity, made.create(options), "Laptop")
    return made


def begin(tab: EventClient, state: Any = PasskeySignInState, request: str = "a request") -> PasskeyOffer:
    name = ALONE if state is PasskeySignInState else STEP
    offer = tab.send(state.begin, path="/auth", request=request).var(f"{name}.offer")
    assert isinstance(offer, PasskeyOffer)
    return offer


def enter(tab: EventClient, response: str, state: Any = PasskeySignInState) -> Reply:
    return tab.send(state.finish, path="/auth?next=/admin/profile", query={"next": "/admin/profile"}, response=response)


def after_password(tab: EventClient) -> None:
    tab.send(AuthPageState.sign_in, path="/auth", form_data={"email": EMAIL, "password": PASSWORD})


@pytest.mark.spec("MFA-2", "AUTH-3")
def test_passkey_sign_in_redirects_to_the_requested_page(tab: EventClient, heard: list[AuthEvent]) -> None:
    device = device_of_ann()
    reply = enter(tab, device.get(begin(tab).options))
    assert texts(reply) == ["Welcome back!"]
    assert destinations(reply) == ["/admin/profile"]
    assert reply.var("browser_state.known")
    assert heard[-2:] == [AuthEvent.SIGNED_IN, AuthEvent.MFA_VERIFIED]


@pytest.mark.spec("MFA-2")
def test_a_refused_passkey_is_reported_and_lets_the_browser_start_again(tab: EventClient) -> None:
    device = device_of_ann(verifies=False)
    reply = enter(tab, device.get(begin(tab).options))
    assert reply.var(f"{ALONE}.answers") == 1
    assert texts(reply) == [
        "This passkey did not check that it is you, so it can only be a second step. Please sign in with your "
        "password first."
    ]
    assert (destinations(reply), "current_user.role" in reply.delta) == ([], False)


@pytest.mark.spec("MFA-2")
def test_passkey_options_of_one_client_do_not_work_in_another(tab: EventClient) -> None:
    device = device_of_ann()
    reply = enter(EventClient(tab.app), device.get(begin(tab).options))
    assert texts(reply) == ["That took too long. Please try again."]


@pytest.mark.spec("MFA-2", "MFA-4")
def test_a_passkey_works_as_the_second_factor(tab: EventClient, heard: list[AuthEvent]) -> None:
    device = device_of_ann(verifies=False)
    after_password(tab)
    assert tab.vars(ChallengeState)["has_passkey"] is True
    reply = enter(tab, device.get(begin(tab, PasskeyStepState).options), PasskeyStepState)
    assert destinations(reply) == ["/admin/profile"]
    assert heard[-2:] == [AuthEvent.SIGNED_IN, AuthEvent.MFA_VERIFIED]
    with read_session() as session:
        assert session.execute(sa.select(col(AuthSession.has_factor))).scalars().all() == [True, True]


@pytest.mark.spec("MFA-2", "MFA-4")
def test_too_many_refused_passkeys_end_the_challenge(tab: EventClient) -> None:
    device_of_ann()
    after_password(tab)
    for _ in range(5):
        assert "challenge_state.is_open" not in enter(tab, "{}", PasskeyStepState).delta
    reply = enter(tab, "{}", PasskeyStepState)
    assert reply.var("challenge_state.is_open") is False
    assert texts(reply) == ["That took too long, or too many codes were wrong. Please sign in again."]


@pytest.mark.spec("MFA-2")
def test_the_second_factor_is_refused_without_a_password_first(tab: EventClient) -> None:
    device_of_ann()
    assert begin(tab, PasskeyStepState).options == {}
    assert destinations(enter(tab, "{}", PasskeyStepState)) == []


@pytest.mark.spec("MFA-2")
def test_passkeys_are_not_offered_where_they_cannot_work(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, "PUBLIC_URL", "http://127.0.0.1:3000")
    assert begin(tab) == PasskeyOffer("a request")
    assert texts(enter(tab, "{}")) == ["This passkey was not accepted. Please try another way."]


@pytest.mark.spec("MFA-2", "AUTH-10")
def test_requests_for_options_are_limited_per_network(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = throttling.Limit("passkey challenge address", 1, throttling.PASSKEY_CHALLENGE_BY_ADDRESS.within)
    monkeypatch.setattr(throttling, "PASSKEY_CHALLENGE_BY_ADDRESS", limit)
    assert begin(tab).options
    offer = begin(tab)
    assert (offer.options, offer.error) == ({}, "Too many attempts. Please wait 15 minutes and try again.")


@pytest.mark.spec("MFA-2")
def test_a_request_id_is_cut_to_forty_characters(tab: EventClient) -> None:
    assert begin(tab, request="x" * 60_000).request == "x" * 40
