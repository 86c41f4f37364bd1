"""The page about one person through the real event processor: who may, what is shown, and what each act replies."""

from collections.abc import Callable
from typing import Any

import pytest

from sitekit.accounts.people.person_page import PersonState
from sitekit.accounts.people.tab import UserTabState
from sitekit.accounts.sessions.session_state import AuthState
from sitekit.base.permissions import Role
from tests.support.event_client import EventClient, Reply
from tests.support.people import person, signed_in
from tests.support.staff import keep, redirects, sign_in, texts

pytestmark = pytest.mark.spec("ACC-2")

ANN = "ann@northstrait.example"
ACTS: list[tuple[Callable[..., object], str]] = [
    (PersonState.send_reset_link, f"A link to choose a new password is on its way to {ANN}"),
    (PersonState.sign_out, "Signed out on 1 device"),
    (PersonState.deactivate, "The account is deactivated"),
    (PersonState.reactivate, "This account is not deactivated."),
    (PersonState.delete, f"The account of {ANN} is deleted"),
]
# Without its deletion, which only the page has.
IN_THE_LIST = (UserTabState.send_reset_link, UserTabState.sign_out, UserTabState.deactivate, UserTabState.reactivate)


def at(user_id: object) -> dict[str, Any]:
    return {"path": f"/admin/users/{user_id}", "query": {"id": str(user_id)}}


def opened(tab: EventClient, user_id: object) -> Reply:
    return tab.send(PersonState.open, **at(user_id))


@pytest.mark.spec("ROLE-3")
@pytest.mark.parametrize("role", [Role.MANAGER, Role.EMPLOYEE])
def test_other_roles_see_why_the_page_is_empty(tab: EventClient, role: Role) -> None:
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
    assert [row.name for row in seen.devices] == ["An unknown device"]


@pytest.mark.parametrize("named", ["0", "99", "x", "1;", "999999999999999999999", ""])
def test_a_wrong_page_address_shows_no_person(tab: EventClient, named: str) -> None:
    sign_in(tab, Role.ADMIN)
    reply = opened(tab, named)
    assert reply.var("person_state.problem") == "There is no such person. Their account may have been deleted."
    assert reply.errors == []


@pytest.mark.parametrize(("handler", "sentence"), ACTS)
def test_each_action_says_what_it_did(tab: EventClient, handler: Callable[..., object], sentence: str) -> None:
    ann = person()
    signed_in(ann)
    sign_in(tab, Role.ADMIN)
    opened(tab, ann)
    reply = tab.send(handler, user_id=ann, **at(ann))
    assert texts(reply) == [sentence]
    assert redirects(reply) == (["/admin?tab=users"] if handler is PersonState.delete else [])


@pytest.mark.parametrize(
    ("handler", "sentence"), list(zip(IN_THE_LIST, (sentence for _, sentence in ACTS), strict=False))
)
def test_each_list_action_says_what_it_did_and_refreshes_the_list(
    tab: EventClient, handler: Callable[..., object], sentence: str
) -> None:
    ann = person()
    signed_in(ann)
    sign_in(tab, Role.ADMIN)
    tab.send(UserTabState.load, path="/admin?tab=users")
    reply = tab.send(handler, path="/admin?tab=users", user_id=ann)
    assert texts(reply) == [sentence]
    rows = {row.email: row.is_deactivated for row in tab.vars(UserTabState)["rows"]}
    assert rows[ANN] is (handler is UserTabState.deactivate)


def test_a_deactivated_person_is_signed_out_at_their_next_event(tab: EventClient, app: Any) -> None:
    ann = person()
    theirs = EventClient(app)
    keep(theirs, signed_in(ann).to_json())
    assert theirs.send(AuthState.keep_watch, path="/admin").var("current_user.role") == "employee"
    sign_in(tab, Role.ADMIN)
    tab.send(PersonState.deactivate, user_id=ann, **at(ann))
    reply = theirs.send(AuthState.keep_watch, path="/admin")
    assert redirects(reply) == ["/auth"]
    assert "Your session has ended. Please sign in again." in texts(reply)
    assert reply.var("current_user.role") == ""


def test_only_admins_see_in_the_list_who_is_deactivated(tab: EventClient) -> None:
    ann = person()
    sign_in(tab, Role.ADMIN)
    tab.send(PersonState.deactivate, user_id=ann, **at(ann))
    rows = {row.email: row.is_deactivated for row in tab.send(UserTabState.load).var("user_tab_state.rows")}
    assert rows.pop(ANN) is True and set(rows.values()) == {False}
    sign_in(tab, Role.EMPLOYEE)
    assert {row.is_deactivated for row in tab.send(UserTabState.load).var("user_tab_state.rows")} == {False}
