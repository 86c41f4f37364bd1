"""The page about one person through the real event processor: who may, what is shown, and what each act replies."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import col

from advisory_site.accounts.models import Profile
from advisory_site.accounts.session_state import AuthState
from advisory_site.core.permissions import Role
from advisory_site.db.database import read_session
from advisory_site.mail.models import OutgoingMail
from advisory_site.users.admin_tab import UserTabState
from advisory_site.users.person_page import PersonState
from advisory_site.users.profile_page import EmailState
from tests.conftest import on_sqlite
from tests.support.event_client import EventClient, Reply
from tests.support.people import PASSWORD, person, signed_in
from tests.support.staff import keep, redirects, sign_in, texts

pytestmark = pytest.mark.spec("ACC-2")

ANN = "ann@northstrait.example"
ACTS: list[tuple[Callable[..., object], str, str]] = [
    (PersonState.send_reset_link, f"A link to choose a new password is on its way to {ANN}", "Failed to send the link"),
    (PersonState.sign_out, "Signed out on 1 device", "Failed to sign them out"),
    (PersonState.deactivate, "The account is deactivated", "Failed to deactivate the account"),
    (PersonState.reactivate, "This account is not deactivated.", "Failed to reactivate the account"),
    (PersonState.delete, f"The account of {ANN} is deleted", "Failed to delete the account"),
]
EVERY_HANDLER: list[tuple[Callable[..., object], dict[str, Any]]] = [
    (PersonState.open, {}),
    (EmailState.open, {}),
    (EmailState.check, {"name": "email", "edit": 1, "typed": {"email": ""}}),
    (EmailState.save, {"form_data": {"email": "new@northstrait.example", "current_password": PASSWORD}}),
    *((handler, {"user_id": 1}) for handler, _, _ in ACTS),
]


def at(user_id: object) -> dict[str, Any]:
    return {"path": f"/admin/users/{user_id}", "query": {"id": str(user_id)}}


def stored() -> list[tuple[Any, ...]]:
    with read_session() as session:
        mails = session.execute(sa.select(col(OutgoingMail.id))).all()
        people = session.execute(sa.select(col(Profile.email), col(Profile.deactivated_at)).order_by(col(Profile.id)))
        return [*map(tuple, people), *map(tuple, mails)]


def opened(tab: EventClient, user_id: object) -> Reply:
    return tab.send(PersonState.open, **at(user_id))


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize(("handler", "payload"), EVERY_HANDLER)
def test_a_stranger_is_sent_to_sign_in_and_gets_nothing(
    tab: EventClient, handler: Callable[..., object], payload: dict[str, Any]
) -> None:
    ann = person()
    sign_in(tab, None)
    before = stored()
    reply = tab.send(handler, **payload, **at(ann))
    assert redirects(reply) == [f"/auth?next=/admin/users/{ann}"]
    assert "person_state.person" not in reply.delta
    assert stored() == before


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("role", [Role.MANAGER, Role.EMPLOYEE])
@pytest.mark.parametrize("handler", [handler for handler, _, _ in ACTS])
def test_only_admins_may_do_anything(tab: EventClient, role: Role, handler: Callable[..., object]) -> None:
    ann = person()
    sign_in(tab, role)
    before = stored()
    assert texts(tab.send(handler, user_id=ann, **at(ann))) == ["Your role does not allow this"]
    assert stored() == before


@pytest.mark.spec("ROLE-3")
@pytest.mark.parametrize("role", [Role.MANAGER, Role.EMPLOYEE])
def test_others_see_why_they_see_nothing(tab: EventClient, role: Role) -> None:
    ann = person()
    sign_in(tab, role)
    reply = opened(tab, ann)
    assert reply.var("person_state.problem") == "You may not do this."
    assert ANN not in repr(reply.delta)


def test_an_admin_sees_the_person(tab: EventClient) -> None:
    ann = person()
    signed_in(ann)
    sign_in(tab, Role.ADMIN)
    seen = opened(tab, ann).var("person_state.person")
    assert (seen.name, seen.email, seen.role, seen.deactivated) == ("Ann Lim", ANN, "employee", "")
    assert seen.confirmed and seen.signed_in
    assert [row.name for row in tab.vars(PersonState)["devices"]] == ["An unknown device"]


@pytest.mark.parametrize("named", ["0", "99", "x", "1;", "999999999999999999999", ""])
def test_nobody_is_found_by_a_wrong_address(tab: EventClient, named: str) -> None:
    sign_in(tab, Role.ADMIN)
    reply = opened(tab, named)
    assert reply.var("person_state.problem") == "There is no such person. Their account may have been deleted."
    assert reply.errors == []


@pytest.mark.parametrize(("handler", "sentence", "_failed"), ACTS)
def test_each_act_says_what_it_did(
    tab: EventClient, handler: Callable[..., object], sentence: str, _failed: str
) -> None:
    ann = person()
    signed_in(ann)
    sign_in(tab, Role.ADMIN)
    opened(tab, ann)
    reply = tab.send(handler, user_id=ann, **at(ann))
    assert texts(reply) == [sentence]
    assert redirects(reply) == (["/admin?tab=users"] if handler is PersonState.delete else [])


@on_sqlite
@pytest.mark.parametrize(("handler", "_sentence", "failed"), ACTS)
def test_without_its_database_each_act_says_what_it_could_not_do(
    tab: EventClient,
    database_away: AbstractContextManager[None],
    handler: Callable[..., object],
    _sentence: str,
    failed: str,
) -> None:
    ann = person()
    sign_in(tab, Role.ADMIN)
    with database_away:
        reply = tab.send(handler, user_id=ann, **at(ann))
        assert opened(tab, ann).var("person_state.problem")
    assert texts(reply) == [failed]
    assert reply.errors == []


def test_a_deactivated_person_leaves_at_their_next_event(tab: EventClient, app: Any) -> None:
    ann = person()
    theirs = EventClient(app)
    keep(theirs, signed_in(ann).to_json())
    assert theirs.send(AuthState.keep_watch, path="/admin").var("auth_state.role") == "employee"
    sign_in(tab, Role.ADMIN)
    tab.send(PersonState.deactivate, user_id=ann, **at(ann))
    reply = theirs.send(AuthState.keep_watch, path="/admin")
    assert redirects(reply) == ["/auth"]
    assert "Your session has ended. Please sign in again." in texts(reply)
    assert reply.var("auth_state.role") == ""


def test_the_list_shows_admins_alone_who_is_deactivated(tab: EventClient) -> None:
    ann = person()
    sign_in(tab, Role.ADMIN)
    tab.send(PersonState.deactivate, user_id=ann, **at(ann))
    rows = {row.email: row.is_deactivated for row in tab.send(UserTabState.load).var("user_tab_state.rows")}
    assert rows.pop(ANN) is True and set(rows.values()) == {False}
    sign_in(tab, Role.EMPLOYEE)
    assert {row.is_deactivated for row in tab.send(UserTabState.load).var("user_tab_state.rows")} == {False}
