"""A record is found under every slug it had, until another record takes it."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

from advisory_site.advisors import service as advisors
from advisory_site.advisors.fields import AdvisorDraft
from advisory_site.companies import service as companies
from advisory_site.companies.fields import CompanyDraft
from advisory_site.core.errors import Moved, NotFound
from advisory_site.core.permissions import Actor
from advisory_site.team import service as team
from advisory_site.team.fields import MemberDraft
from tests.support.factories import add_actor, advisor_form, company_form, member_form
from tests.support.hostile_slugs import HOSTILE_SLUGS


@dataclass(frozen=True)
class Feature:
    """One kind of record, with what its forms send for a record of a slug."""

    service: ModuleType
    draft: Callable[[str], Any]
    hidden: Callable[[str], Any]


FEATURES = {
    "companies": Feature(
        companies,
        lambda slug: CompanyDraft.read(company_form(slug=slug)),
        lambda slug: CompanyDraft.read(company_form(slug=slug, status="Inactive")),
    ),
    "team": Feature(
        team,
        lambda slug: MemberDraft.read(member_form(name=slug)),
        lambda slug: MemberDraft.read(member_form(name=slug, is_active=False)),
    ),
    "advisors": Feature(
        advisors,
        lambda slug: AdvisorDraft.read(advisor_form(slug=slug)),
        lambda slug: AdvisorDraft.read(advisor_form(slug=slug, is_active=False)),
    ),
}


@pytest.fixture
def actor(database: ModuleType) -> Actor:
    with database.transaction() as session:
        return add_actor(session)


@dataclass
class Desk:
    """Staff at work on records of one kind, each step a transaction of its own."""

    database: ModuleType
    actor: Actor
    feature: Feature

    def create(self, slug: str) -> int:
        with self.database.transaction() as session:
            return int(self.feature.service.create(session, self.actor, self.feature.draft(slug)))

    def rename(self, record: int, slug: str, *, hide: bool = False) -> None:
        with self.database.transaction() as session:
            draft = (self.feature.hidden if hide else self.feature.draft)(slug)
            self.feature.service.update(session, self.actor, record, draft, 0, overwrite=True)

    def delete(self, record: int) -> None:
        with self.database.transaction() as session:
            self.feature.service.delete(session, self.actor, record)

    def locate(self, slug: object) -> str | None:
        with self.database.read_session() as session:
            found: str | None = self.feature.service.locate(session, slug)
            return found


@pytest.fixture(params=FEATURES)
def desk(request: pytest.FixtureRequest, database: ModuleType, actor: Actor) -> Desk:
    return Desk(database, actor, FEATURES[request.param])


@pytest.mark.spec("CO-2", "TM-2", "AD-3")
def test_a_record_is_found_under_its_slug_and_under_every_one_it_had(desk: Desk) -> None:
    kelp = desk.create("kelp")
    for slug in ("sea-kelp", "deep-kelp", "kelp-and-co"):
        desk.rename(kelp, slug)
    assert {desk.locate(slug) for slug in ("kelp", "sea-kelp", "deep-kelp", "kelp-and-co")} == {"kelp-and-co"}
    assert desk.locate("tern") is None


def test_who_reads_it_under_an_old_slug_is_told_the_new_one(desk: Desk) -> None:
    kelp = desk.create("kelp")
    desk.rename(kelp, "sea-kelp")
    with pytest.raises(Moved) as caught, desk.database.read_session() as session:
        desk.feature.service.get_public(session, "kelp")
    assert caught.value.slug == "sea-kelp"


def test_a_slug_taken_back_is_the_records_own_again(desk: Desk) -> None:
    kelp = desk.create("kelp")
    desk.rename(kelp, "sea-kelp")
    desk.rename(kelp, "kelp")
    assert (desk.locate("kelp"), desk.locate("sea-kelp")) == ("kelp", "kelp")


def test_an_old_slug_that_another_record_takes_is_that_ones_alone(desk: Desk) -> None:
    first = desk.create("kelp")
    desk.rename(first, "sea-kelp")
    second = desk.create("kelp")
    assert desk.locate("kelp") == "kelp"
    desk.rename(second, "tern")
    assert desk.locate("kelp") == "tern"
    desk.delete(second)
    assert (desk.locate("kelp"), desk.locate("sea-kelp")) == (None, "sea-kelp")


def test_an_old_slug_that_another_record_moves_to_is_that_ones_alone(desk: Desk) -> None:
    first, second = desk.create("kelp"), desk.create("tern")
    desk.rename(first, "sea-kelp")
    desk.rename(second, "kelp")
    assert (desk.locate("kelp"), desk.locate("tern"), desk.locate("sea-kelp")) == ("kelp", "kelp", "sea-kelp")


def test_what_is_hidden_or_gone_is_nowhere(desk: Desk) -> None:
    kelp, tern = desk.create("kelp"), desk.create("tern")
    desk.rename(kelp, "sea-kelp", hide=True)
    desk.rename(tern, "arctic-tern")
    desk.delete(tern)
    assert [desk.locate(slug) for slug in ("kelp", "sea-kelp", "tern", "arctic-tern")] == [None] * 4


def test_a_hidden_record_keeps_its_slug_from_leading_elsewhere(desk: Desk) -> None:
    first, second = desk.create("kelp"), desk.create("tern")
    desk.rename(first, "sea-kelp")
    desk.rename(second, "kelp", hide=True)
    assert desk.locate("kelp") is None


def test_a_rename_that_is_rolled_back_leaves_no_trace(desk: Desk) -> None:
    kelp = desk.create("kelp")
    with pytest.raises(ZeroDivisionError), desk.database.transaction() as session:
        desk.feature.service.update(session, desk.actor, kelp, desk.feature.draft("tern"), 0, overwrite=True)
        _ = 1 / 0
    assert (desk.locate("kelp"), desk.locate("tern")) == ("kelp", None)


def test_hostile_slugs_are_nowhere(desk: Desk) -> None:
    desk.create("kelp")
    for slug in (*HOSTILE_SLUGS, {"slug": "kelp"}):
        assert desk.locate(slug) is None
        with pytest.raises(NotFound), desk.database.read_session() as session:
            desk.feature.service.get_public(session, slug)


def test_kinds_of_records_do_not_meet(database: ModuleType, actor: Actor) -> None:
    people, firms = (Desk(database, actor, FEATURES[name]) for name in ("team", "companies"))
    person, firm = people.create("kelp"), firms.create("kelp")
    people.rename(person, "sea-kelp")
    assert (people.locate("kelp"), firms.locate("kelp")) == ("sea-kelp", "kelp")
    firms.delete(firm)
    assert people.locate("kelp") == "sea-kelp"
