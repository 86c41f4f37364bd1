"""Advisors on a real database: what visitors read, and what staff list and change."""

from types import ModuleType
from typing import Any

import pytest
from sqlmodel import Session

from advisory_site.advisors.groups import AdvisorStat
from advisory_site.advisors.models import Advisor
from advisory_site.advisors.service import ADVISORS
from sitekit.base.permissions import Actor
from sitekit.records.listing import ListQuery
from tests.support.factories import add_advisor, advisor_form, id_of

TESTIMONIALS = [{"quote": "“He was right, twice.”", "author": "Ann"}]


def row(session: Session, advisor_id: int) -> Advisor:
    return session.get_one(Advisor, advisor_id)


@pytest.mark.spec("AD-3")
def test_a_profile_shows_the_record_and_never_its_testimonials(session: Session) -> None:
    add_advisor(session, slug="omar", stats=[{"label": "Exits", "value": 3}], testimonials=TESTIMONIALS)
    page = ADVISORS.get_public(session, "omar")
    assert page.stats == (AdvisorStat("Exits", "3"),)
    assert "He was right" not in repr(page)


@pytest.mark.spec("AAD-1")
def test_a_card_shows_three_tags_and_the_number_of_others(session: Session, actor: Actor) -> None:
    add_advisor(session, name="Five", expertise=["a", "b", "c", "d", "e"], display_order=1)
    add_advisor(session, name="Two", expertise="a, b", display_order=2)
    five, two = ADVISORS.list_admin(session, actor, ListQuery()).rows
    assert (five.tags, five.more_tags) == (("a", "b", "c"), 2)
    assert (two.tags, two.more_tags) == (("a", "b"), 0)


@pytest.mark.spec("AAD-1")
def test_advisors_are_searched_sorted_and_filtered(session: Session, actor: Actor) -> None:
    add_advisor(session, name="Ann", company="Kelp & Co", is_active=False, display_order=2)
    add_advisor(session, name="bo", title="Chair", display_order=1)

    def names(**wish: Any) -> list[str]:
        return [found.name for found in ADVISORS.list_admin(session, actor, ListQuery(**wish)).rows]

    assert names() == ["bo", "Ann"]
    assert names(search="kelp") == ["Ann"]
    assert names(filter="active") == ["bo"]
    assert names(sort="name") == ["Ann", "bo"]


@pytest.mark.spec("AAD-3")
def test_a_slug_cleared_on_edit_is_regenerated_from_the_name(session: Session, actor: Actor) -> None:
    advisor_id = ADVISORS.create(session, actor, ADVISORS.data_class.read(advisor_form(name="Omar Aziz", slug="chair")))
    ADVISORS.update(session, actor, advisor_id, ADVISORS.data_class.read(advisor_form(name="Omar Aziz")), 1)
    assert row(session, advisor_id).slug == "omar-aziz"
    ADVISORS.update(session, actor, advisor_id, ADVISORS.data_class.read(advisor_form(name="Omar Aziz")), 2)
    assert row(session, advisor_id).slug == "omar-aziz"


@pytest.mark.spec("AAD-4")
def test_testimonials_are_empty_on_create_and_kept_on_edit(session: Session, actor: Actor) -> None:
    sneaked = ADVISORS.data_class.read(advisor_form(testimonials=TESTIMONIALS))
    assert row(session, ADVISORS.create(session, actor, sneaked)).testimonials == []
    advisor = add_advisor(session, testimonials=TESTIMONIALS)
    ADVISORS.update(
        session, actor, advisor.id, ADVISORS.data_class.read(advisor_form(testimonials=[])), advisor.version
    )
    assert advisor.testimonials == TESTIMONIALS


@pytest.mark.spec("AAD-4")
def test_every_save_empties_achievements_and_stores_price_and_duration(session: Session, actor: Actor) -> None:
    advisor = add_advisor(
        session,
        **advisor_form(slug="omar"),
        experience=[{"role": "Chair", "company": "K", "period": "2019", "description": "d", "achievements": ["x"]}],
        services=[{"title": "Review", "description": "d", "duration": "2 hours"}],
    )
    form = ADVISORS.get_for_edit(session, actor, str(advisor.id))
    ADVISORS.update(session, actor, advisor.id, ADVISORS.data_class.read(form.inputs()), form.version)
    session.expire_all()
    assert advisor.experience == [
        {"role": "Chair", "company": "K", "period": "2019", "description": "d\n- x", "achievements": []}
    ]
    assert advisor.services == [{"title": "Review", "description": "d", "price": "2 hours", "duration": "2 hours"}]
    assert ADVISORS.get_public(session, "omar").services[0].duration == "2 hours"


@pytest.mark.spec("AAD-2", "AAD-4")
@pytest.mark.parametrize("old", ["plain text", {"label": "x"}, 7, ["Years, and more", {"label": "Exits", "value": 3}]])
def test_unchanged_values_in_old_formats_survive_an_edit(database: ModuleType, actor: Actor, old: Any) -> None:
    groups = {} if isinstance(old, list) else {"experience": old, "services": old}
    bio = "\n  “Quoted”, 🦊\r\n" + "Long, with commas. " * 600
    fields = {"stats": old, "testimonials": old, "expertise": ["Two, in one"], "bio": bio, **groups}
    with database.transaction() as session:
        advisor_id = id_of(add_advisor(session, **{**advisor_form(), **fields}))
    with database.transaction() as session:
        form = ADVISORS.get_for_edit(session, actor, advisor_id)
        data = ADVISORS.data_class.read({**form.inputs(), "tagline": "New"})
        ADVISORS.update(session, actor, advisor_id, data, form.version)
    with database.read_session() as session:
        after = row(session, advisor_id).model_dump()
    assert {name: after[name] for name in fields} == fields
    assert after["tagline"] == "New"
