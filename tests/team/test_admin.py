"""The teams tab and its dialog, through the real event processor: what opens, what is saved once, what is forgotten."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import urlencode

import pytest
import sqlalchemy as sa

from advisory_site.core.permissions import Role
from advisory_site.db.database import read_session, transaction
from advisory_site.team.admin_dialog import MemberDialogState
from advisory_site.team.admin_tab import TeamTabState
from advisory_site.team.models import columns
from tests.conftest import on_sqlite
from tests.support import factories
from tests.support.event_client import EventClient, Reply
from tests.support.staff import redirects, sign_in, statements, texts

NEW = {"tab": "teams", "edit": "new"}


def members(count: int = 1, **fields: Any) -> list[int]:
    with transaction() as session:
        return [factories.id_of(factories.add_member(session, **fields)) for _ in range(count)]


def slugs() -> list[str]:
    with read_session() as session:
        return list(session.execute(sa.select(columns.slug).order_by(columns.id)).scalars())


def send(tab: EventClient, handler: Callable[..., object], query: dict[str, str], **payload: Any) -> Reply:
    return tab.send(handler, path=f"/admin?{urlencode(query)}", **payload)


@pytest.mark.spec("ATM-1", "ROLE-3")
@pytest.mark.parametrize("role", list(Role))
def test_staff_of_every_role_list_delete_and_add_members(tab: EventClient, role: Role) -> None:
    (member_id,) = members()
    sign_in(tab, role)
    assert tab.send(TeamTabState.load).var("team_tab_state.total") == 1
    assert texts(tab.send(TeamTabState.delete, record_id=member_id)) == ["Team member deleted successfully"]
    assert slugs() == []
    send(tab, MemberDialogState.open, NEW)
    saved = send(tab, MemberDialogState.save, NEW, form_data=factories.member_form(name="Mei Lin"))
    assert texts(saved)[-1] == "Team member created successfully"
    assert slugs() == ["mei-lin"]


@pytest.mark.spec("ROLE-4", "ADM-2")
@pytest.mark.parametrize(
    ("handler", "payload"),
    [
        (TeamTabState.load, {}),
        (TeamTabState.delete, {"record_id": 1}),
        (TeamTabState.export, {}),
        (MemberDialogState.open, {}),
        (MemberDialogState.save, {"form_data": factories.member_form()}),
    ],
)
def test_a_stranger_is_sent_to_sign_in_and_gets_nothing(
    tab: EventClient, handler: Callable[..., object], payload: dict[str, Any]
) -> None:
    members()
    sign_in(tab, None)
    reply = send(tab, handler, NEW, **payload)
    assert redirects(reply)[0].startswith("/auth")
    assert not [name for name in reply.delta if name.endswith((".rows", ".form"))]
    assert len(slugs()) == 1


@pytest.mark.spec("ATM-2", "ATM-3")
def test_a_new_member_is_saved_once_however_often_it_is_sent(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    send(tab, MemberDialogState.open, NEW)
    first = send(tab, MemberDialogState.save, NEW, form_data=factories.member_form(name="Mei Lin"))
    again = send(tab, MemberDialogState.save, NEW, form_data=factories.member_form(name="Mei Lin"))
    assert texts(first) == ["Team member created successfully"]
    assert first.var("member_dialog_state.destination") == "/admin?tab=teams"
    assert texts(again) == []
    assert slugs() == ["mei-lin"]


@pytest.mark.spec("ATM-3")
def test_a_dialog_opened_again_saves_a_namesake_under_the_next_slug(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    for _ in range(2):
        send(tab, MemberDialogState.open, NEW)
        send(tab, MemberDialogState.save, NEW, form_data=factories.member_form(name="Mei Lin"))
    assert slugs() == ["mei-lin", "mei-lin-2"]


@pytest.mark.spec("ATM-2")
@pytest.mark.parametrize("field", ["name", "designation", "email", "image_url", "bio", "detailed_bio"])
def test_each_required_field_is_required(tab: EventClient, field: str) -> None:
    sign_in(tab, Role.EMPLOYEE)
    send(tab, MemberDialogState.open, NEW)
    reply = send(tab, MemberDialogState.save, NEW, form_data=factories.member_form(**{field: " "}))
    assert texts(reply) == ["Please fill in all required fields"]
    assert reply.var("member_dialog_state.errors") == {field: "Please fill in this field."}
    assert slugs() == []


@pytest.mark.spec("ATM-2")
def test_nothing_of_a_member_stays_when_the_dialog_is_closed(tab: EventClient) -> None:
    (member_id,) = members(name="Private Person")
    sign_in(tab, Role.EMPLOYEE)
    opened = send(tab, TeamTabState.load, {"tab": "teams", "edit": str(member_id)})
    assert opened.var("member_dialog_state.form").texts["name"] == "Private Person"
    closed = send(tab, TeamTabState.load, {"tab": "teams"})
    assert closed.var("member_dialog_state.form").texts == {}
    assert closed.var("member_dialog_state.shown") == ""


@pytest.mark.spec("ATM-4")
@pytest.mark.parametrize("wanted", ["999999", "0", "-1", "nobody", "1 OR 1=1", "\x00", "9" * 400])
def test_what_names_no_member_opens_nothing_and_leads_back(tab: EventClient, wanted: str) -> None:
    sign_in(tab, Role.EMPLOYEE)
    reply = send(tab, MemberDialogState.open, {"tab": "teams", "search": "a b&c", "edit": wanted})
    assert texts(reply) == ["Failed to fetch team members"]
    assert redirects(reply) == ["/admin?tab=teams&search=a+b%26c"]


def test_a_save_goes_to_the_member_the_form_was_drawn_for(tab: EventClient) -> None:
    one, other = members(2)
    sign_in(tab, Role.EMPLOYEE)
    send(tab, MemberDialogState.open, {"edit": str(one)})
    form = factories.member_form(name="Renamed", version="1", record=str(one))
    send(tab, MemberDialogState.save, {"edit": str(other)}, form_data=form)
    assert [slug == "renamed" for slug in slugs()] == [True, False]


@on_sqlite
@pytest.mark.parametrize(
    ("handler", "payload", "sentence"),
    [
        (TeamTabState.load, {}, "Failed to fetch team members"),
        (TeamTabState.delete, {"record_id": 1}, "Failed to delete team member"),
        (TeamTabState.export, {}, "Failed to export team members"),
        (MemberDialogState.open, {}, "Failed to fetch team members"),
        (MemberDialogState.save, {"form_data": factories.member_form()}, "Failed to save team member"),
    ],
)
def test_without_its_database_each_handler_says_what_it_could_not_do(
    tab: EventClient,
    database_away: AbstractContextManager[None],
    handler: Callable[..., object],
    payload: dict[str, Any],
    sentence: str,
) -> None:
    sign_in(tab, Role.EMPLOYEE)
    with database_away:
        reply = send(tab, handler, NEW, **payload)
    assert (texts(reply), reply.errors) == ([sentence], [])


@pytest.mark.parametrize("stored", [3, 60])
def test_the_tab_asks_the_database_the_same_two_things_however_much_it_holds(tab: EventClient, stored: int) -> None:
    members(stored)
    sign_in(tab, Role.EMPLOYEE)
    with statements() as seen:
        reply = send(tab, TeamTabState.load, {"tab": "teams"})
    # One more is the guard's.
    assert len([one for one in seen if one.lstrip().upper().startswith("SELECT")]) == 3
    assert len(reply.var("team_tab_state.rows")) == min(stored, 25)
