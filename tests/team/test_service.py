"""Team members on a real database: what visitors read, and what staff list and change."""

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.core.errors import Conflict, Forbidden, NotFound
from advisory_site.core.permissions import Actor
from advisory_site.records.listing import ListQuery
from advisory_site.team.models import TeamMember
from advisory_site.team.service import MEMBERS
from tests.conftest import on_postgresql
from tests.support.factories import add_actor, add_member, member_form
from tests.support.hostile_slugs import HOSTILE_SLUGS


@pytest.fixture
def actor(database: ModuleType) -> Actor:
    with database.transaction() as session:
        return add_actor(session)


@pytest.fixture
def session(database: ModuleType) -> Iterator[Session]:
    with database.transaction() as session:
        yield session


def slug_of(session: Session, member_id: int) -> str:
    return session.get_one(TeamMember, member_id).slug


@pytest.mark.spec("TM-1", "ROLE-3")
def test_active_members_are_listed_by_display_order_then_name(session: Session) -> None:
    for name, order, is_active in (
        ("Cy", 1, True),
        ("bo", 1, True),
        ("Ann", 2, True),
        ("Dee", 0, False),
        ("Eve", -1, True),
    ):
        add_member(session, name=name, display_order=order, is_active=is_active)
    assert [card.name for card in MEMBERS.list_public(session)] == ["Eve", "bo", "Cy", "Ann"]


@pytest.mark.spec("TM-2")
def test_a_member_page_shows_what_there_is(session: Session) -> None:
    add_member(session, slug="mei", linkedin_url=None, achievements="one, two", expertise=["a", 7, None])
    page = MEMBERS.get_public(session, "mei")
    assert (page.linkedin_url, page.achievements, page.expertise) == ("", ("one", "two"), ("a", "7"))


@pytest.mark.spec("TM-2")
def test_an_inactive_member_is_not_found(session: Session) -> None:
    add_member(session, slug="mei", is_active=False)
    with pytest.raises(NotFound, match="Team Member Not Found"):
        MEMBERS.get_public(session, "mei")


@pytest.mark.spec("TM-2")
def test_a_hostile_slug_is_not_found(session: Session) -> None:
    for slug in HOSTILE_SLUGS:
        with pytest.raises(NotFound):
            MEMBERS.get_public(session, slug)


@pytest.mark.spec("TM-2")
def test_links_and_images_that_are_none_are_not_shown(session: Session) -> None:
    add_member(session, slug="mei", linkedin_url="javascript:alert(1)", image_url="data:text/html,x")
    page = MEMBERS.get_public(session, "mei")
    assert (page.linkedin_url, page.image_url) == ("", "")


def test_slugs_of_active_members_are_listed(session: Session) -> None:
    add_member(session, slug="b")
    add_member(session, slug="a")
    add_member(session, slug="c", is_active=False)
    assert [slug for slug, _ in MEMBERS.list_slugs_public(session)] == ["a", "b"]


@pytest.mark.spec("ATM-1")
def test_staff_list_every_member_by_display_order(session: Session, actor: Actor) -> None:
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
def test_a_taken_slug_gets_a_number(session: Session, actor: Actor) -> None:
    made = [MEMBERS.create(session, actor, MEMBERS.draft.read(member_form(name="Mei Lin"))) for _ in range(3)]
    assert [slug_of(session, member_id) for member_id in made] == ["mei-lin", "mei-lin-2", "mei-lin-3"]


@pytest.mark.spec("ATM-3")
def test_the_slug_stays_until_the_name_changes(session: Session, actor: Actor) -> None:
    MEMBERS.create(session, actor, MEMBERS.draft.read(member_form(name="Mei Lin")))
    second = MEMBERS.create(session, actor, MEMBERS.draft.read(member_form(name="Mei Lin")))
    MEMBERS.update(session, actor, second, MEMBERS.draft.read(member_form(name="Mei Lin", bio="New")), 1)
    assert slug_of(session, second) == "mei-lin-2"
    MEMBERS.update(session, actor, second, MEMBERS.draft.read(member_form(name="Mei Tan")), 2)
    assert slug_of(session, second) == "mei-tan"


@pytest.mark.spec("ATM-3")
def test_a_name_without_usable_characters_gets_a_slug(session: Session, actor: Actor) -> None:
    assert slug_of(session, MEMBERS.create(session, actor, MEMBERS.draft.read(member_form(name="李明")))) == "member"


@on_postgresql  # SQLite's writers take turns
@pytest.mark.spec("ATM-3")
def test_of_two_members_of_one_name_at_the_same_moment_one_is_refused(database: ModuleType, actor: Actor) -> None:
    def take_it_first(*_: Any) -> None:
        with database.transaction() as other:
            add_member(other, slug="mei-lin")

    with pytest.raises(Conflict), database.transaction() as session:
        sa.event.listen(database.engine(), "after_cursor_execute", take_it_first, once=True)
        MEMBERS.create(session, actor, MEMBERS.draft.read(member_form(name="Mei Lin")))


@pytest.mark.spec("ATM-2")
def test_a_dialog_saved_untouched_changes_nothing(database: ModuleType, actor: Actor) -> None:
    old = {"achievements": ["Two, in one", " b "], "expertise": {"a": 1}, "bio": "\r\n padded \n", "detailed_bio": "x"}
    with database.transaction() as session:
        member_id = add_member(session, **{**member_form(), **old}).id
    with database.read_session() as session:
        before = session.get_one(TeamMember, member_id).model_dump()
        form = MEMBERS.get_for_edit(session, actor, member_id)
    with database.transaction() as session:
        MEMBERS.update(session, actor, member_id, MEMBERS.draft.read(form.inputs()), form.version)
    with database.read_session() as session:
        assert session.get_one(TeamMember, member_id).model_dump() == before


@pytest.mark.spec("ATM-2")
def test_a_deactivated_member_leaves_the_site(session: Session, actor: Actor) -> None:
    member_id = MEMBERS.create(session, actor, MEMBERS.draft.read(member_form(name="Mei")))
    assert MEMBERS.get_public(session, "mei").linkedin_url == ""
    MEMBERS.update(session, actor, member_id, MEMBERS.draft.read(member_form(name="Mei", is_active=False)), 1)
    assert MEMBERS.list_public(session) == []


def test_saving_over_a_newer_change_is_refused_unless_overwritten(session: Session, actor: Actor) -> None:
    member_id = MEMBERS.create(session, actor, MEMBERS.draft.read(member_form(name="Mei")))
    MEMBERS.update(session, actor, member_id, MEMBERS.draft.read(member_form(name="Mei", bio="Theirs")), 1)
    mine = MEMBERS.draft.read(member_form(name="Mei", bio="Mine"))
    with pytest.raises(Conflict, match=r"^Wei Tan saved this after you opened it"):
        MEMBERS.update(session, actor, member_id, mine, 1)
    MEMBERS.update(session, actor, member_id, mine, 1, overwrite=True)
    assert session.get_one(TeamMember, member_id).bio == "Mine"


@pytest.mark.spec("ATM-4")
def test_a_deleted_member_is_gone_for_everybody(session: Session, actor: Actor) -> None:
    member_id = add_member(session).id
    MEMBERS.delete(session, actor, member_id)
    with pytest.raises(NotFound, match="Failed to delete team member"):
        MEMBERS.delete(session, actor, member_id)
    with pytest.raises(NotFound, match="Failed to save team member"):
        MEMBERS.update(session, actor, member_id, MEMBERS.draft.read(member_form()), 1)


@pytest.mark.spec("ROLE-4")
def test_nobody_manages_the_team_without_a_role(session: Session) -> None:
    nobody: Any = None
    draft = MEMBERS.draft.read(member_form())
    for attempt in (
        lambda: MEMBERS.list_admin(session, nobody, ListQuery()),
        lambda: MEMBERS.get_for_edit(session, nobody, 1),
        lambda: MEMBERS.create(session, nobody, draft),
        lambda: MEMBERS.update(session, nobody, 1, draft, 1),
        lambda: MEMBERS.delete(session, nobody, 1),
    ):
        with pytest.raises(Forbidden):
            attempt()


def test_every_change_makes_rendered_pages_stale(database: ModuleType, actor: Actor) -> None:
    versions = [database.content_version()]
    with database.transaction() as session:
        member_id = MEMBERS.create(session, actor, MEMBERS.draft.read(member_form()))
    versions.append(database.content_version())
    with database.transaction() as session:
        MEMBERS.update(session, actor, member_id, MEMBERS.draft.read(member_form(bio="New")), 1)
    versions.append(database.content_version())
    with database.transaction() as session:
        MEMBERS.delete(session, actor, member_id)
    versions.append(database.content_version())
    assert versions == sorted(set(versions))
