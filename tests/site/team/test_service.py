"""Team members on a real database: what visitors read, and what staff list and change."""

from types import ModuleType
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.team.models import TeamMember
from advisory_site.team.service import MEMBERS
from sitekit.base.errors import Conflict
from sitekit.base.permissions import Actor
from sitekit.records.listing import ListQuery
from tests.conftest import on_postgresql
from tests.support.factories import add_member, member_form


def slug_of(session: Session, member_id: int) -> str:
    return session.get_one(TeamMember, member_id).slug


@pytest.mark.spec("TM-2")
def test_a_member_page_shows_only_filled_fields(session: Session) -> None:
    add_member(session, slug="mei", linkedin_url=None, achievements="one, two", expertise=["a", 7, None])
    page = MEMBERS.get_public(session, "mei")
    assert (page.linkedin_url, page.achievements, page.expertise) == ("", ("one", "two"), ("a", "7"))


@pytest.mark.spec("TM-2")
def test_invalid_links_and_images_are_not_shown(session: Session) -> None:
    add_member(session, slug="mei", linkedin_url="javascript:alert(1)", image_url="data:text/html,x")
    page = MEMBERS.get_public(session, "mei")
    assert (page.linkedin_url, page.image_url) == ("", "")


@pytest.mark.spec("ATM-1")
def test_the_admin_list_has_every_member_by_display_order(session: Session, actor: Actor) -> None:
    for name, order, is_active in (("Ann", 2, True), ("bo", 1, False), ("Cy", 1, True)):
        add_member(session, name=name, display_order=order, is_active=is_active)
    rows = MEMBERS.list_admin(session, actor, ListQuery()).rows
    assert [(row.name, row.display_order, row.is_active) for row in rows] == [
        ("bo", 1, False),
        ("Cy", 1, True),
        ("Ann", 2, True),
    ]


def test_members_are_searched_sorted_and_filtered(session: Session, actor: Actor) -> None:
    add_member(session, name="Ann", email="ann@firm.example", is_active=False)
    add_member(session, name="bo", designation="Partner")

    def names(**wish: Any) -> list[str]:
        return [row.name for row in MEMBERS.list_admin(session, actor, ListQuery(**wish)).rows]

    assert names(search="partner") == ["bo"]
    assert names(search="ann@") == ["Ann"]
    assert names(filter="inactive") == ["Ann"]
    assert names(sort="name", descending=True) == ["bo", "Ann"]


@pytest.mark.spec("ATM-3")
def test_the_slug_stays_until_the_name_changes(session: Session, actor: Actor) -> None:
    MEMBERS.create(session, actor, MEMBERS.data_class.read(member_form(name="Mei Lin")))
    second = MEMBERS.create(session, actor, MEMBERS.data_class.read(member_form(name="Mei Lin")))
    MEMBERS.update(session, actor, second, MEMBERS.data_class.read(member_form(name="Mei Lin", bio="New")), 1)
    assert slug_of(session, second) == "mei-lin-2"
    MEMBERS.update(session, actor, second, MEMBERS.data_class.read(member_form(name="Mei Tan")), 2)
    assert slug_of(session, second) == "mei-tan"


@on_postgresql  # SQLite's writers take turns
@pytest.mark.spec("ATM-3")
def test_one_of_two_concurrent_members_of_the_same_name_is_refused(database: ModuleType, actor: Actor) -> None:
    def take_it_first(*_: Any) -> None:
        with database.transaction() as other:
            add_member(other, slug="mei-lin")

    with pytest.raises(Conflict), database.transaction() as session:
        sa.event.listen(database.engine(), "after_cursor_execute", take_it_first, once=True)
        MEMBERS.create(session, actor, MEMBERS.data_class.read(member_form(name="Mei Lin")))


@pytest.mark.spec("ATM-2")
def test_saving_an_unchanged_dialog_changes_nothing(database: ModuleType, actor: Actor) -> None:
    old = {"achievements": ["Two, in one", " b "], "expertise": {"a": 1}, "bio": "\r\n padded \n", "detailed_bio": "x"}
    with database.transaction() as session:
        member_id = add_member(session, **{**member_form(), **old}).id
    with database.read_session() as session:
        before = session.get_one(TeamMember, member_id).model_dump()
        form = MEMBERS.get_for_edit(session, actor, member_id)
    with database.transaction() as session:
        MEMBERS.update(session, actor, member_id, MEMBERS.data_class.read(form.inputs()), form.version)
    with database.read_session() as session:
        assert session.get_one(TeamMember, member_id).model_dump() == before


@pytest.mark.spec("ATM-2")
def test_a_deactivated_member_is_not_shown_on_the_site(session: Session, actor: Actor) -> None:
    member_id = MEMBERS.create(session, actor, MEMBERS.data_class.read(member_form(name="Mei")))
    assert MEMBERS.get_public(session, "mei").linkedin_url == ""
    MEMBERS.update(session, actor, member_id, MEMBERS.data_class.read(member_form(name="Mei", is_active=False)), 1)
    assert MEMBERS.list_public(session) == []
