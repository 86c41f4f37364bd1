"""Dangerous acts need a reauthentication in the last 15 minutes; the refused act is repeated after it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import col

from advisory_site.enquiries.desk.list_page import EnquiryInboxState
from advisory_site.exports import EXPORTS, LISTS
from sitekit.accounts import one_use_links
from sitekit.accounts.factors.passkey_setup import AddPasskeyState
from sitekit.accounts.factors.state import AddAppState, TwoStepState
from sitekit.accounts.invitations.state import InvitationListState, InviteState
from sitekit.accounts.models import AuthSession, Profile, UserRole
from sitekit.accounts.people.person_page import PersonState
from sitekit.accounts.people.profile_page import PasswordState
from sitekit.accounts.people.tab import UserTabState
from sitekit.accounts.personal_data.state import PersonalDataState
from sitekit.accounts.sessions import reauthentication, sessions
from sitekit.accounts.sessions.reauthentication_dialog import ReauthenticationState
from sitekit.admin.activity.page import ActivityState
from sitekit.admin.csv.exports import ExportEndpoint
from sitekit.admin.history.state import HistoryState
from sitekit.admin.trash.page import TrashState
from sitekit.base import messages
from sitekit.base.db.database import now, read_session
from sitekit.base.errors import Forbidden, InvalidInput, ReauthenticationNeeded, TooManyAttempts
from sitekit.base.mail.models import OutgoingMail
from sitekit.base.permissions import NEEDS_REAUTHENTICATION, POLICY, Action, Actor, Role, require
from sitekit.ui.reauthentication_request import ReauthenticationRequestState
from tests.conftest import on_sqlite
from tests.support.asgi_client import ask_endpoint
from tests.support.each import check_each
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
        (PersonalDataState.erase, ("typed",)),
    ],
    Action.MANAGE_ACCOUNTS: [
        (PersonState.send_reset_link, ("user_id",)),
        (PersonState.sign_out, ("user_id",)),
        (PersonState.deactivate, ("user_id",)),
        (PersonState.reactivate, ("user_id",)),
        (PersonState.delete, ("user_id",)),
        (UserTabState.send_reset_link, ("user_id",)),
        (UserTabState.sign_out, ("user_id",)),
        (UserTabState.deactivate, ("user_id",)),
        (UserTabState.reactivate, ("user_id",)),
    ],
    Action.CHANGE_SIGN_IN: [
        (AddAppState.save, ("form_data",)),
        (AddPasskeyState.save, ("form_data",)),
        (TwoStepState.remove, ("factor",)),
        (TwoStepState.make_codes, ()),
        (PasswordState.show, ()),
    ],
    Action.ERASE_RECORDS: [(TrashState.delete, ("record_id",)), (HistoryState.erase_older, ())],
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
    """An admin on the tab, whose reauthentication is too old."""
    user_id = person("boss@northstrait.example", Role.ADMIN)
    keep(tab, signed_in(user_id).to_json())
    age(16)
    return user_id


def press(tab: EventClient, handler: Callable[..., object], names: tuple[str, ...], ann: int) -> Reply:
    form = {"addresses": "new@northstrait.example", "role": "manager", "email": "nobody@northstrait.example"}
    form["name"] = "Phone"
    payload: dict[str, Any] = {"user_id": ann, "role": "manager", "invitation": 1, "record_id": 1, "form_data": form}
    payload |= {"file": "personal data as JSON", "factor": 1, "typed": ""}
    given = {name: payload[name] for name in names}
    return tab.send(handler, path=f"/admin/users/{ann}", query={"id": str(ann)}, **given)


def replies(reply: Reply) -> list[str]:
    """What the act replied: notices, or what its form shows."""
    names = ("invite_state.counted", "personal_data_state.title", "confirm_app_state.secret", "add_passkey_state.name")
    shown = (reply.delta.get(name) for name in (*names, "password_state.is_shown"))
    return [*texts(reply), *filter(None, shown)]


def test_every_action_that_needs_reauthentication_is_tested_here() -> None:
    assert set(HANDLERS) == NEEDS_REAUTHENTICATION


def test_a_reauthentication_lasts_fifteen_minutes() -> None:
    def check(case: tuple[float | None, bool]) -> None:
        minutes, is_recent = case
        wrong = []
        for action in sorted(NEEDS_REAUTHENTICATION):
            for role in Role:
                actor = Actor(1, role, None if minutes is None else now() - timedelta(minutes=minutes))
                expected = (None if is_recent else ReauthenticationNeeded) if role in POLICY[action] else Forbidden
                try:
                    require(actor, action)
                    raised = None
                except (ReauthenticationNeeded, Forbidden) as error:
                    raised = type(error)
                if raised is not expected:
                    wrong.append(f"{role}: {action}: {raised}")
        assert not wrong, "\n".join(wrong)

    check_each([(14.9, True), (15.1, False), (-1, True), (None, False)], check)


@on_sqlite
def test_an_action_with_an_expired_reauthentication_only_asks_for_a_new_one(
    tab: EventClient, boss: int, ann: int
) -> None:
    before, wrong = state(), []
    for handler, names in EVERY:
        reply = press(tab, handler, names, ann)
        is_asked = reply.delta.get("reauthentication_request_state.is_asked")
        if not is_asked or texts(reply) or reply.events or reply.errors or state() != before:
            wrong.append(f"{handler}: {is_asked}, {texts(reply)}, {reply.events}, {reply.errors}, {state()}")
        tab.send(ReauthenticationState.close)
    assert not wrong, "\n".join(wrong)


@on_sqlite
@pytest.mark.parametrize(("handler", "names"), EVERY)
def test_an_action_is_repeated_once_after_reauthentication(
    tab: EventClient, boss: int, ann: int, handler: Callable[..., object], names: tuple[str, ...]
) -> None:
    press(tab, handler, names, ann)
    reply = tab.send(ReauthenticationState.save, form_data={"proof": PASSWORD})
    assert reply.errors == []
    assert reply.var("reauthentication_request_state.is_asked") is False
    again = tab.send(ReauthenticationState.save, form_data={"proof": PASSWORD})
    assert replies(reply) and not replies(again)


def test_a_file_link_needs_a_recent_reauthentication_when_it_is_used(app: object, database_dir: object) -> None:
    issued = signed_in(person(role=Role.ADMIN))
    early, late = (
        {one.name: one_use_links.issue(issued.access_token, {"list": one.name}) for one in LISTS} for _ in "12"
    )
    answers = [ask_endpoint(ExportEndpoint(EXPORTS), query=f"token={token}").status for token in early.values()]
    assert answers == [200] * len(LISTS)
    age(16)
    for name, token in late.items():
        refused = ask_endpoint(ExportEndpoint(EXPORTS), query=f"token={token}")
        assert refused.status == 403 and EMAIL.encode() not in refused.body, name


def test_a_reauthentication_belongs_to_one_session(ann: int) -> None:
    here, there = signed_in(ann), signed_in(ann)
    age(16)
    with read_session() as session:
        reauthentication.reauthenticate(sessions.identify(session, here.access_token), PASSWORD)
    with read_session() as session:
        assert sessions.identify(session, here.access_token).actor.is_proved
        assert not sessions.identify(session, there.access_token).actor.is_proved


def test_refreshing_a_session_does_not_reauthenticate(ann: int) -> None:
    issued = signed_in(ann)
    age(16)
    renewed = sessions.refresh(issued.refresh_token)
    with read_session() as session:
        assert not sessions.identify(session, renewed.access_token).actor.is_proved


def test_wrong_passwords_are_counted_and_do_not_reauthenticate(ann: int) -> None:
    issued = signed_in(ann)
    age(16)
    with read_session() as session:
        identity = sessions.identify(session, issued.access_token)
    for typed in ["a wrong one 99", "", None, 7, {"proof": PASSWORD}, "x" * 5000, *["wrong"] * 4]:
        with pytest.raises(InvalidInput):
            reauthentication.reauthenticate(identity, typed)
    with pytest.raises(TooManyAttempts):
        reauthentication.reauthenticate(identity, PASSWORD)
    with read_session() as session:
        assert not sessions.identify(session, issued.access_token).actor.is_proved


@on_sqlite
def test_closing_the_dialog_discards_the_action_and_a_wrong_password_keeps_it_open(
    tab: EventClient, boss: int, ann: int
) -> None:
    before = state()
    press(tab, PersonState.delete, ("user_id",), ann)
    reply = tab.send(ReauthenticationState.save, form_data={"proof": "a wrong one 99"})
    assert reply.var("reauthentication_state.errors") == {"proof": messages.REAUTHENTICATION_WRONG}
    assert tab.vars(ReauthenticationRequestState)["is_asked"] is True
    assert tab.send(ReauthenticationState.close).var("reauthentication_state.errors") == {}
    tab.send(ReauthenticationState.save, form_data={"proof": PASSWORD})
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
def test_a_repeated_action_is_still_checked_for_permission(
    tab: EventClient, ann: int, name: str, payload: dict[str, Any]
) -> None:
    employee = person("bob@northstrait.example")
    keep(tab, signed_in(employee).to_json())
    before = state()
    tab.send(ReauthenticationRequestState.ask, name=name, payload=payload)
    reply = tab.send(ReauthenticationState.save, form_data={"proof": PASSWORD})
    assert reply.errors == []
    assert state() == before


@on_sqlite
def test_signing_out_discards_the_pending_action(tab: EventClient, boss: int, ann: int) -> None:
    press(tab, PersonState.delete, ("user_id",), ann)
    keep(tab, "")
    tab.send(UserTabState.load)
    assert tab.vars(ReauthenticationRequestState) == {"is_asked": False, "_name": "", "_payload": {}}
