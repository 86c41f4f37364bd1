"""Dangerous acts need a proof of the last 15 minutes: at every event and link, and the refused act is repeated."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import col

from advisory_site.accounts import one_use_links, proof, sessions
from advisory_site.accounts.models import AuthSession, Profile, UserRole
from advisory_site.accounts.proof_dialog import ProofState
from advisory_site.content import messages
from advisory_site.core.errors import Forbidden, InvalidInput, ProofNeeded, TooManyAttempts
from advisory_site.core.permissions import NEEDS_PROOF, POLICY, Action, Actor, Role, require
from advisory_site.dashboard.activity_page import ActivityState
from advisory_site.dashboard.exports import EXPORTS, ExportEndpoint
from advisory_site.db.database import now, read_session
from advisory_site.enquiries.admin_page import EnquiryInboxState
from advisory_site.mail.models import OutgoingMail
from advisory_site.personal_data.state import PersonalDataState
from advisory_site.ui.proof_request import ProofRequestState
from advisory_site.users.admin_tab import UserTabState
from advisory_site.users.invitation_state import InvitationListState, InviteState
from advisory_site.users.passkey_state import AddPasskeyState
from advisory_site.users.person_page import PersonState
from advisory_site.users.profile_page import PasswordState
from advisory_site.users.two_step_state import AddAppState, TwoStepState
from tests.conftest import on_sqlite
from tests.support.asgi_client import ask_endpoint
from tests.support.event_client import EventClient, Reply
from tests.support.people import PASSWORD, age, person, signed_in
from tests.support.staff import keep, texts

pytestmark = pytest.mark.spec("ACC-1")

EMAIL = "ann@northstrait.example"
# What each action is done by; {} stands for the id of a user.
HANDLERS: dict[Action, list[tuple[Callable[..., object], tuple[str, ...]]]] = {
    Action.CHANGE_ROLES: [(UserTabState.change_role, ("user_id", "role"))],
    Action.INVITE_USERS: [
        (InviteState.save, ("form_data",)),
        (InvitationListState.send_again, ("invitation",)),
        (InvitationListState.delete, ("record_id",)),
    ],
    Action.MANAGE_PERSONAL_DATA: [
        (PersonalDataState.save, ("form_data",)),
        (PersonalDataState.download, ("file",)),
        (PersonalDataState.erase, ()),
    ],
    Action.MANAGE_ACCOUNTS: [
        (PersonState.send_reset_link, ("user_id",)),
        (PersonState.sign_out, ("user_id",)),
        (PersonState.deactivate, ("user_id",)),
        (PersonState.reactivate, ("user_id",)),
        (PersonState.delete, ("user_id",)),
    ],
    Action.CHANGE_SIGN_IN: [
        (AddAppState.save, ("form_data",)),
        (AddPasskeyState.save, ("form_data",)),
        (TwoStepState.remove, ("factor",)),
        (TwoStepState.make_codes, ()),
        (PasswordState.show, ()),
    ],
    Action.EXPORT_LISTS: [(UserTabState.export, ()), (ActivityState.export, ()), (EnquiryInboxState.export, ())],
}
EVERY = [(handler, names) for listed in HANDLERS.values() for handler, names in listed]


def state() -> list[tuple[Any, ...]]:
    with read_session() as session:
        people = session.execute(
            sa.select(col(Profile.email), col(Profile.deactivated_at), col(UserRole.role))
            .join(UserRole, col(UserRole.user_id) == col(Profile.id))
            .order_by(col(Profile.id))
        )
        living = session.execute(sa.select(sa.func.count()).where(col(AuthSession.ended_at).is_(None))).one()
        return [*map(tuple, people), tuple(living), *map(tuple, session.execute(sa.select(col(OutgoingMail.id))))]


@pytest.fixture
def ann(database_dir: object) -> int:
    """Somebody whose account is dealt with."""
    user_id = person()
    signed_in(user_id)
    return user_id


@pytest.fixture
def boss(tab: EventClient, ann: int) -> int:
    """An admin on the tab, whose proof is too old."""
    user_id = person("boss@northstrait.example", Role.ADMIN)
    keep(tab, signed_in(user_id).to_json())
    age(16)
    return user_id


def press(tab: EventClient, handler: Callable[..., object], names: tuple[str, ...], ann: int) -> Reply:
    form = {"addresses": "new@northstrait.example", "role": "manager", "email": "nobody@northstrait.example"}
    form["name"] = "Phone"
    payload: dict[str, Any] = {"user_id": ann, "role": "manager", "invitation": 1, "record_id": 1, "form_data": form}
    payload |= {"file": "personal data as JSON", "factor": 1}
    given = {name: payload[name] for name in names}
    return tab.send(handler, path=f"/admin/users/{ann}", query={"id": str(ann)}, **given)


def replies(reply: Reply) -> list[str]:
    """What the act replied: notices, or what its form shows."""
    names = ("invite_state.counted", "personal_data_state.title", "confirm_app_state.secret", "add_passkey_state.name")
    shown = (reply.delta.get(name) for name in (*names, "password_state.is_shown"))
    return [*texts(reply), *filter(None, shown)]


def test_every_action_that_needs_proof_is_tested_here() -> None:
    assert set(HANDLERS) == NEEDS_PROOF


@pytest.mark.parametrize("action", sorted(NEEDS_PROOF))
@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize(("minutes", "is_recent"), [(14.9, True), (15.1, False), (-1, True), (None, False)])
def test_a_proof_lasts_fifteen_minutes(action: Action, role: Role, minutes: float | None, is_recent: bool) -> None:
    actor = Actor(1, role, None if minutes is None else now() - timedelta(minutes=minutes))
    if role in POLICY[action] and is_recent:
        require(actor, action)
        return
    with pytest.raises(ProofNeeded if role in POLICY[action] else Forbidden):
        require(actor, action)


@on_sqlite
@pytest.mark.parametrize(("handler", "names"), EVERY)
def test_with_an_old_proof_an_act_changes_nothing_and_asks(
    tab: EventClient, boss: int, ann: int, handler: Callable[..., object], names: tuple[str, ...]
) -> None:
    before = state()
    reply = press(tab, handler, names, ann)
    assert reply.var("proof_request_state.is_asked") is True
    assert texts(reply) == [] and reply.events == [] and reply.errors == []
    assert state() == before


@on_sqlite
@pytest.mark.parametrize(("handler", "names"), EVERY)
def test_after_the_proof_the_act_is_repeated_once(
    tab: EventClient, boss: int, ann: int, handler: Callable[..., object], names: tuple[str, ...]
) -> None:
    press(tab, handler, names, ann)
    reply = tab.send(ProofState.save, form_data={"proof": PASSWORD})
    assert reply.errors == []
    assert reply.var("proof_request_state.is_asked") is False
    again = tab.send(ProofState.save, form_data={"proof": PASSWORD})
    assert replies(reply) and not replies(again)


@pytest.mark.parametrize("name", list(EXPORTS))
def test_a_link_to_a_file_needs_the_proof_when_it_is_used(database_dir: object, name: str) -> None:
    issued = signed_in(person(role=Role.ADMIN))
    tokens = [one_use_links.issue(issued.access_token, {"list": name}) for _ in range(2)]
    assert ask_endpoint(ExportEndpoint(), query=f"token={tokens[0]}").status == 200
    age(16)
    refused = ask_endpoint(ExportEndpoint(), query=f"token={tokens[1]}")
    assert refused.status == 403 and EMAIL.encode() not in refused.body


def test_the_proof_belongs_to_one_session(ann: int) -> None:
    here, there = signed_in(ann), signed_in(ann)
    age(16)
    with read_session() as session:
        proof.prove(sessions.identify(session, here.access_token), PASSWORD)
    with read_session() as session:
        assert sessions.identify(session, here.access_token).actor.is_proved
        assert not sessions.identify(session, there.access_token).actor.is_proved


def test_renewing_a_session_proves_nothing(ann: int) -> None:
    issued = signed_in(ann)
    age(16)
    renewed = sessions.refresh(issued.refresh_token)
    with read_session() as session:
        assert not sessions.identify(session, renewed.access_token).actor.is_proved


def test_wrong_passwords_are_counted_and_prove_nothing(ann: int) -> None:
    issued = signed_in(ann)
    age(16)
    with read_session() as session:
        identity = sessions.identify(session, issued.access_token)
    for typed in ["a wrong one 99", "", None, 7, {"proof": PASSWORD}, "x" * 5000, *["wrong"] * 4]:
        with pytest.raises(InvalidInput):
            proof.prove(identity, typed)
    with pytest.raises(TooManyAttempts):
        proof.prove(identity, PASSWORD)
    with read_session() as session:
        assert not sessions.identify(session, issued.access_token).actor.is_proved


@on_sqlite
def test_a_wrong_password_keeps_the_dialog_open_and_closing_it_forgets_the_act(
    tab: EventClient, boss: int, ann: int
) -> None:
    before = state()
    press(tab, PersonState.delete, ("user_id",), ann)
    reply = tab.send(ProofState.save, form_data={"proof": "a wrong one 99"})
    assert reply.var("proof_state.errors") == {"proof": messages.PROOF_WRONG}
    assert tab.vars(ProofRequestState)["is_asked"] is True
    assert tab.send(ProofState.close).var("proof_state.errors") == {}
    tab.send(ProofState.save, form_data={"proof": PASSWORD})
    assert state() == before


@on_sqlite
@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("nothing", {}),
        ("reflex___state____state.setvar", {"var_name": "x", "value": 1}),
        (f"{UserTabState.get_full_name()}._load", {}),
        (f"{UserTabState.get_full_name()}.change_role", {"user_id": 1}),
        (f"{UserTabState.get_full_name()}.change_role", {"user_id": 1, "role": "admin", "actor": {"role": "admin"}}),
        (f"{UserTabState.get_full_name()}.change_role", {"user_id": 1, "role": "admin"}),
    ],
)
def test_whatever_the_browser_asks_to_repeat_it_may_no_more_than_before(
    tab: EventClient, ann: int, name: str, payload: dict[str, Any]
) -> None:
    employee = person("bob@northstrait.example")
    keep(tab, signed_in(employee).to_json())
    before = state()
    tab.send(ProofRequestState.ask, name=name, payload=payload)
    reply = tab.send(ProofState.save, form_data={"proof": PASSWORD})
    assert reply.errors == []
    assert state() == before


@on_sqlite
def test_signing_out_forgets_what_waited(tab: EventClient, boss: int, ann: int) -> None:
    press(tab, PersonState.delete, ("user_id",), ann)
    keep(tab, "")
    tab.send(UserTabState.load)
    assert tab.vars(ProofRequestState) == {"is_asked": False, "_name": "", "_payload": {}}
