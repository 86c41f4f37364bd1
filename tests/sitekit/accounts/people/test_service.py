"""People and their roles: who lists them, who changes them, and the last admin."""

import threading
from typing import Any

import pytest
from sqlmodel import Session

from sitekit.accounts.form_data import NamesData
from sitekit.accounts.models import Profile, UserRole
from sitekit.accounts.people import service
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.errors import Conflict, Forbidden, InvalidInput, NotFound
from sitekit.base.permissions import Actor, Role
from sitekit.records.listing import ListPage, ListQuery
from tests.support.people import PASSWORD, person, signed_in


def listed(session: Session, seen_by: Actor, **query: Any) -> ListPage[service.UserRow]:
    return service.list_users(session, seen_by, ListQuery(**query))


def actor(role: Role) -> Actor:
    return Actor(person(f"{role}-actor@northstrait.example", role), role, now())


def role_of(user_id: int) -> str:
    with read_session() as session:
        role = session.get(UserRole, user_id)
        assert role is not None
        return role.role


@pytest.mark.spec("ROLE-1", "USR-3")
@pytest.mark.parametrize("role", list(Role))
def test_an_admin_can_give_any_role_to_anybody(role: Role) -> None:
    admin, user = actor(Role.ADMIN), person()
    with transaction() as session:
        service.change_role(session, admin, user, role)
    assert role_of(user) == role


@pytest.mark.spec("USR-3", "ROLE-3")
@pytest.mark.parametrize("role", [Role.MANAGER, Role.EMPLOYEE, None])
def test_only_admins_change_roles(role: Role | None) -> None:
    user = person()
    asking = actor(role) if role else None
    with transaction() as session, pytest.raises(Forbidden, match=r"^Only admins can change user roles$"):
        service.change_role(session, asking, user, Role.ADMIN)
    assert role_of(user) == Role.EMPLOYEE


@pytest.mark.spec("USR-4")
def test_the_last_admin_cannot_be_demoted_but_one_of_two_can() -> None:
    admin = actor(Role.ADMIN)
    with transaction() as session, pytest.raises(Conflict, match="last admin"):
        service.change_role(session, admin, admin.user_id, Role.EMPLOYEE)
    other = person(role=Role.ADMIN)
    with transaction() as session:
        service.change_role(session, admin, admin.user_id, Role.EMPLOYEE)
    assert (role_of(admin.user_id), role_of(other)) == (Role.EMPLOYEE, Role.ADMIN)


@pytest.mark.spec("USR-4")
def test_concurrent_demotions_of_two_admins_by_each_other_leave_one() -> None:
    pair = [actor(Role.ADMIN), Actor(person(role=Role.ADMIN), Role.ADMIN, now())]
    barrier = threading.Barrier(2)

    def demote(asking: Actor, target: Actor) -> None:
        barrier.wait()
        try:
            with transaction() as session:
                service.change_role(session, asking, target.user_id, Role.EMPLOYEE)
        except Conflict:
            pass

    threads = [threading.Thread(target=demote, args=args) for args in (pair, pair[::-1])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(role_of(a.user_id) for a in pair) == [Role.ADMIN, Role.EMPLOYEE]


@pytest.mark.spec("USR-3")
def test_an_unknown_role_or_person_changes_nothing() -> None:
    admin = actor(Role.ADMIN)
    with transaction() as session, pytest.raises(InvalidInput):
        service.change_role(session, admin, admin.user_id, "owner")
    with transaction() as session, pytest.raises(NotFound):
        service.change_role(session, admin, 999, Role.ADMIN)


@pytest.mark.spec("USR-1")
def test_people_without_a_role_are_not_listed() -> None:
    admin = actor(Role.ADMIN)
    person("norole@northstrait.example", role=None)
    with read_session() as session:
        assert [row.email for row in listed(session, admin).rows] == ["admin-actor@northstrait.example"]
        assert service.count_profiles(session, admin) == 2


@pytest.mark.spec("USR-1")
def test_the_database_searches_sorts_and_pages_the_list() -> None:
    admin = actor(Role.ADMIN)
    for number in range(30):
        person(f"person{number:02}@northstrait.example")
    with read_session() as session:
        first = listed(session, admin, search="PERSON northstrait", sort="email", descending=False)
        second = listed(session, admin, search="person", sort="email", descending=False, page=2)
        none = listed(session, admin, search="%")
        strange = listed(session, admin, sort="password", page=-5)
    assert (first.total, len(first.rows), len(second.rows)) == (30, 25, 5)
    assert first.rows[0].email < first.rows[1].email < second.rows[0].email
    assert none.total == 0
    assert strange.total == 31


@pytest.mark.spec("USR-1", "ROLE-3")
def test_only_admins_see_who_has_confirmed_and_when_somebody_signed_in() -> None:
    admin, employee = actor(Role.ADMIN), actor(Role.EMPLOYEE)
    for name, confirmed in (("ann", True), ("bob", False)):
        signed_in(person(f"{name}@northstrait.example", confirmed=confirmed))
    person("idle@northstrait.example")
    with read_session() as session:
        for descending, first in ((False, "idle@northstrait.example"), (True, "bob@northstrait.example")):
            seen = listed(session, admin, search="northstrait", sort="signed_in", descending=descending)
            assert next(row.email for row in seen.rows if "actor" not in row.email) == first
        rows = {row.email.partition("@")[0]: row for row in seen.rows}
        hidden = listed(session, employee, search="idle").rows[0]
        shuffled = listed(session, employee, sort="signed_in", descending=False).rows
    assert (rows["ann"].is_confirmed, rows["bob"].is_confirmed) == (True, False)
    assert rows["ann"].signed_in and not rows["idle"].signed_in
    assert (hidden.is_confirmed, hidden.signed_in) == (False, "")
    assert [row.since for row in shuffled] == sorted((row.since for row in shuffled), reverse=True)


@pytest.mark.spec("DASH-3")
def test_people_are_counted_by_role() -> None:
    admin = actor(Role.ADMIN)
    person()
    with read_session() as session:
        assert service.count_by_role(session, admin) == {Role.ADMIN: 1, Role.MANAGER: 0, Role.EMPLOYEE: 1}


@pytest.mark.spec("ADM-4")
def test_people_change_their_own_names() -> None:
    employee = actor(Role.EMPLOYEE)
    with transaction() as session:
        service.change_names(session, employee, NamesData.read({"first_name": " Anne ", "last_name": "Tan"}))
    with read_session() as session:
        row = listed(session, employee, search="anne tan").rows[0]
    assert row.name == "Anne Tan"


@pytest.mark.spec("ADM-4")
def test_a_stored_name_can_be_kept_whatever_the_rule() -> None:
    employee = actor(Role.EMPLOYEE)
    with transaction() as session:
        session.get_one(Profile, employee.user_id).first_name = "Ann (ann@northstrait.example)"
        shown = service.names(session, employee)
        data = NamesData.read(shown | {"last_name": "Tan"}, shown)
        service.change_names(session, employee, data)
        assert service.names(session, employee) == shown | {"last_name": "Tan"}
    with pytest.raises(InvalidInput):
        NamesData.read({"first_name": "Bo (bo@northstrait.example)", "last_name": "Tan"}, shown)


@pytest.mark.spec("AUTH-6")
def test_the_first_admin_is_created_by_command_and_only_once() -> None:
    with transaction() as session:
        service.create_admin(session, " Boss@Northstrait.example", PASSWORD)
        assert service.has_admin(session)
    with transaction() as session, pytest.raises(Conflict):
        service.create_admin(session, "boss@northstrait.example", PASSWORD)
    with transaction() as session, pytest.raises(InvalidInput):
        service.create_admin(session, "boss2@northstrait.example", "password")
    with transaction() as session, pytest.raises(InvalidInput):
        service.create_admin(session, "bóss@northstrait.example", PASSWORD)
