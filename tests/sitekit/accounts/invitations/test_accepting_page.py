"""The page that the link of an invitation opens, through the real event processor."""

from collections.abc import Callable
from email.message import EmailMessage

import pytest
import sqlalchemy as sa
from sqlmodel import col

from sitekit.accounts.email.link_state import InvitationState
from sitekit.accounts.factors.recovery_codes_state import RecoveryCodesState
from sitekit.accounts.factors.state import TwoStepState
from sitekit.accounts.invitations.state import InviteState
from sitekit.accounts.models import Profile, UserRole
from sitekit.accounts.sessions.auth_state import BrowserState
from sitekit.base.db.database import read_session, transaction
from sitekit.base.permissions import Role
from tests.sitekit.accounts.conftest import token_in
from tests.support.authenticator import Authenticator
from tests.support.event_client import EventClient
from tests.support.people import PASSWORD
from tests.support.staff import destinations, redirects, sign_in, texts

pytestmark = pytest.mark.spec("INV-1")
MEI = "mei@northstrait.example"
FORM = {"first_name": "Mei", "last_name": "Tan", "password": PASSWORD, "confirm_password": PASSWORD}


@pytest.fixture
def path(tab: EventClient, mails: Callable[[], list[EmailMessage]]) -> str:
    boss = EventClient(tab.app)
    sign_in(boss, Role.ADMIN)
    typed = {"addresses": f"May Lim <{MEI}>", "role": "manager"}
    boss.send(InviteState.save, path="/admin/invitations", form_data=typed)
    return f"/auth/invitation?token={token_in(mails()[0])}"


def names(tab: EventClient) -> tuple[str, str]:
    shown = tab.vars(InvitationState)
    return shown["first_name"], shown["last_name"]


def test_accepting_an_invitation_signs_in_with_its_role_and_redirects_to_the_back_office(
    tab: EventClient, path: str
) -> None:
    for _ in range(3):
        reply = tab.send(InvitationState.load, path=path)
    assert tab.vars(InvitationState)["email"] == MEI
    reply = tab.send(InvitationState.accept, path=path, form_data=FORM | {"email": "eve@evil.example"})
    assert destinations(reply) == ["/admin"]
    assert texts(reply) == ["Welcome! Your account is ready."]
    assert (reply.var("current_user.email"), reply.var("current_user.role")) == (MEI, "manager")
    assert tab.vars(BrowserState)["known"] != ""
    late = tab.send(InvitationState.accept, path=path, form_data=FORM)
    assert late.var("invitation_state.is_spent") is True


def test_the_name_fields_begin_with_the_names_of_the_invitation(tab: EventClient, path: str) -> None:
    tab.send(InvitationState.load, path=path)
    assert names(tab) == ("May", "Lim")
    tab.send(InvitationState.use_passkey, path=path)
    assert names(tab) == ("May", "Lim")
    tab.send(InvitationState.load, path="/auth/invitation?token=another")
    assert names(tab) == ("", "")


def test_opening_an_invalid_link_clears_the_previous_invitation(tab: EventClient, path: str) -> None:
    tab.send(InvitationState.load, path=path)
    reply = tab.send(InvitationState.load, path="/auth/invitation?token=another")
    assert (reply.var("invitation_state.email"), reply.var("invitation_state.is_spent")) == ("", True)


def test_errors_are_shown_beside_their_fields(tab: EventClient, path: str) -> None:
    tab.send(InvitationState.load, path=path)
    reply = tab.send(InvitationState.accept, path=path, form_data=FORM | {"confirm_password": "other"})
    assert reply.var("invitation_state.errors")["confirm_password"] == "Passwords do not match"
    reply = tab.send(InvitationState.accept, path=path, form_data=FORM | {"first_name": "www.evil.example"})
    assert reply.var("invitation_state.errors")["first_name"].startswith("Please enter a name")
    with read_session() as session:
        assert MEI not in session.execute(sa.select(col(Profile.email))).scalars().all()


def test_accepting_replaces_the_session_of_another_person(tab: EventClient, path: str) -> None:
    sign_in(tab, Role.EMPLOYEE)
    tab.send(InvitationState.load, path=path)
    reply = tab.send(InvitationState.accept, path=path, form_data=FORM)
    assert reply.var("current_user.email") == MEI


def test_an_invitation_of_a_demoted_sender_cannot_be_accepted(tab: EventClient, path: str) -> None:
    with transaction() as session:
        session.execute(sa.update(UserRole).values(role=Role.MANAGER))
    reply = tab.send(InvitationState.load, path=path)
    assert reply.var("invitation_state.is_spent") is True
    reply = tab.send(InvitationState.accept, path=path, form_data=FORM)
    assert (redirects(reply), "current_user.role" in reply.delta) == ([], False)


def test_choosing_the_other_way_withdraws_what_was_wrong(tab: EventClient, path: str) -> None:
    tab.send(InvitationState.load, path=path)
    for choose in (InvitationState.use_passkey, InvitationState.use_password):
        reply = tab.send(InvitationState.accept, path=path, form_data={})
        assert reply.var("notice_state.notices")[-1]["text"] == "Please fill in all required fields"
        assert tab.send(choose, path=path).var("notice_state.notices")[-1]["text"] == ""


@pytest.mark.spec("MFA-2", "MFA-3")
def test_accepting_by_passkey_shows_the_recovery_codes_once(tab: EventClient, path: str) -> None:
    tab.send(InvitationState.load, path=path)
    tab.send(InvitationState.use_passkey, path=path)
    assert "invitation_state.offer" not in tab.send(InvitationState.begin, path=path, request="early").delta
    reply = tab.send(InvitationState.accept, path=path, form_data={"first_name": "Mei", "last_name": ""})
    assert reply.var("invitation_state.errors")["last_name"]
    tab.send(InvitationState.accept, path=path, form_data=FORM)
    options = tab.send(InvitationState.begin, path=path, request="a request").var("invitation_state.offer").options
    foreign = Authenticator(origin="https://evil.example").create(options)
    assert tab.send(InvitationState.finish, path=path, response=foreign).var("invitation_state.answers") == 1
    options = tab.send(InvitationState.begin, path=path, request="another").var("invitation_state.offer").options
    reply = tab.send(InvitationState.finish, path=path, response=Authenticator().create(options))
    assert (destinations(reply), texts(reply)[-1:]) == (["/admin/two-step"], ["Welcome! Your account is ready."])
    assert (reply.var("current_user.role"), reply.var("auth_state.has_password")) == ("manager", False)
    tab.send(TwoStepState.open, path="/admin/two-step")
    assert len(tab.vars(RecoveryCodesState)["codes"]) == 10
    tab.send(TwoStepState.open, path="/admin/two-step")
    assert tab.vars(RecoveryCodesState)["codes"] == []
