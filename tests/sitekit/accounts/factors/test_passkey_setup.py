"""Adding a passkey and renaming a factor through the real event processor, by every role."""

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import col

from sitekit.accounts.factors.passkey_setup import AddPasskeyState, RenameFactorState
from sitekit.accounts.models import AuthFactor
from sitekit.accounts.sessions.reauthentication_dialog import ReauthenticationState
from sitekit.admin.components.passkey_button import PasskeyOffer
from sitekit.base.db.database import read_session
from sitekit.base.permissions import Role
from sitekit.base.settings import get_settings
from tests.conftest import on_each_database
from tests.support.authenticator import Authenticator
from tests.support.event_client import EventClient, Reply
from tests.support.people import PASSWORD, age
from tests.support.staff import destinations, sign_in, texts

PAGE = "/admin/two-step"
FORM = {"name": "Laptop"}
# What a page that is open could send.
EVERY_HANDLER: list[tuple[Callable[..., object], dict[str, Any]]] = [
    (AddPasskeyState.open, {}),
    (AddPasskeyState.cancel, {}),
    (AddPasskeyState.save, {"form_data": FORM}),
    (AddPasskeyState.begin, {"request": "a request"}),
    (AddPasskeyState.finish, {"response": "{}"}),
    (AddPasskeyState.check, {"name": "name", "edit": 1, "typed": FORM}),
    (RenameFactorState.open, {}),
    (RenameFactorState.ask, {"factor": 1}),
    (RenameFactorState.cancel, {}),
    (RenameFactorState.save, {"form_data": {"name": "Mine"}}),
    (RenameFactorState.check, {"name": "name", "edit": 1, "typed": {"name": ""}}),
]


def stored() -> list[tuple[str, str]]:
    with read_session() as session:
        return [tuple(row) for row in session.execute(sa.select(col(AuthFactor.name), col(AuthFactor.kind)))]


def send(tab: EventClient, handler: Any, **payload: Any) -> Reply:
    return tab.send(handler, path=PAGE, **payload)


def begin(tab: EventClient) -> PasskeyOffer:
    """The options after the form with the name."""
    send(tab, AddPasskeyState.save, form_data=FORM)
    offer = send(tab, AddPasskeyState.begin, request="a request").var("add_passkey_state.offer")
    assert isinstance(offer, PasskeyOffer)
    return offer


@pytest.mark.spec("MFA-2", "ROLE-4")
@pytest.mark.parametrize("role", Role)
def test_passkey_handlers_admit_every_role(tab: EventClient, role: Role) -> None:
    sign_in(tab, role)
    wrong = []
    for handler, payload in EVERY_HANDLER:
        reply = send(tab, handler, **payload)
        if destinations(reply) or reply.errors or stored():
            wrong.append(f"{handler}: {destinations(reply)}, {reply.errors}, {stored()}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.spec("MFA-2")
@pytest.mark.parametrize("role", Role)
def test_a_passkey_is_added_with_recovery_codes(tab: EventClient, role: Role) -> None:
    sign_in(tab, role)
    send(tab, AddPasskeyState.open)
    reply = send(tab, AddPasskeyState.finish, response=Authenticator().create(begin(tab).options))
    assert texts(reply) == ["Laptop added"]
    assert len(reply.var("recovery_codes_state.codes")) == 10
    assert [row.name for row in reply.var("two_step_state.factors")] == ["Laptop"]
    assert reply.var("add_passkey_state.name") == ""
    assert stored() == [("Laptop", "passkey")]
    reply = send(tab, AddPasskeyState.finish, response=Authenticator().create(begin(tab).options))
    assert "recovery_codes_state.codes" not in reply.delta


@pytest.mark.spec("MFA-2")
def test_adding_a_passkey_needs_a_recent_reauthentication(tab: EventClient) -> None:
    sign_in(tab, Role.ADMIN)
    age(16)
    assert send(tab, AddPasskeyState.save, form_data=FORM).var("reauthentication_request_state.is_asked") is True
    assert "add_passkey_state.offer" not in send(tab, AddPasskeyState.begin, request="a request").delta
    send(tab, ReauthenticationState.save, form_data={"proof": PASSWORD})
    options = begin(tab).options
    send(tab, AddPasskeyState.cancel)
    assert "add_passkey_state.offer" not in send(tab, AddPasskeyState.begin, request="another").delta
    reply = send(tab, AddPasskeyState.finish, response=Authenticator().create(options))
    assert stored() == []
    assert texts(reply) == ["This setup was ended, or finished in another tab. Please begin again."]


@pytest.mark.spec("MFA-2", "ACC-1")
def test_a_passkey_created_too_late_is_added_after_reauthentication(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    made = Authenticator().create(begin(tab).options)
    age(16)
    assert send(tab, AddPasskeyState.finish, response=made).var("reauthentication_request_state.is_asked") is True
    assert stored() == []
    assert texts(send(tab, ReauthenticationState.save, form_data={"proof": PASSWORD}))[-1] == "Laptop added"


@pytest.mark.spec("MFA-2")
def test_a_refused_passkey_is_reported_and_lets_the_browser_start_again(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    made = Authenticator(origin="https://evil.example").create(begin(tab).options)
    reply = send(tab, AddPasskeyState.finish, response=made)
    assert reply.var("add_passkey_state.answers") == 1
    assert (len(texts(reply)), stored()) == (1, [])


@pytest.mark.spec("MFA-2")
def test_the_page_says_if_browsers_accept_no_passkeys_at_its_address(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in(tab, Role.EMPLOYEE)
    monkeypatch.setenv("ADVISORY_PUBLIC_URL", "http://127.0.0.1:3000")
    get_settings.cache_clear()
    assert send(tab, AddPasskeyState.open).var("add_passkey_state.is_available") is False


@pytest.mark.spec("MFA-2")
@on_each_database
def test_people_rename_only_their_own_factors(tab: EventClient) -> None:
    other = EventClient(tab.app)
    sign_in(other, Role.ADMIN)
    send(other, AddPasskeyState.finish, response=Authenticator().create(begin(other).options))
    sign_in(tab, Role.ADMIN)
    for sender, told, name in (
        (tab, "This second step has already been removed.", "Laptop"),
        (other, "Renamed to Mine", "Mine"),
    ):
        send(sender, RenameFactorState.ask, factor=1)
        reply = send(sender, RenameFactorState.save, form_data={"name": "Mine"})
        assert texts(reply)[-1:] == [told]
        assert stored() == [(name, "passkey")]
