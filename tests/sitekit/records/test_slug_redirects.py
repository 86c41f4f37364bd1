"""A record is found under every slug it had, until another record takes it."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

from advisory_site.advisors.service import ADVISORS
from advisory_site.companies.service import COMPANIES
from advisory_site.team.service import MEMBERS
from sitekit.base.errors import NotFound, RecordMoved
from sitekit.base.permissions import Actor
from sitekit.records.record_type import AnyRecordType
from tests.support.factories import advisor_form, company_form, member_form
from tests.support.hostile_slugs import HOSTILE_SLUGS


@dataclass(frozen=True)
class Feature:
    """One kind of record, with what its forms send for a record of a slug."""

    service: AnyRecordType
    shown: Callable[[str], Any]
    hidden: Callable[[str], Any]


FEATURES = {
    "companies": Feature(
        COMPANIES,
        lambda slug: COMPANIES.data_class.read(company_form(slug=slug)),
        lambda slug: COMPANIES.data_class.read(company_form(slug=slug, status="Inactive")),
    ),
    "team": Feature(
        MEMBERS,
        lambda slug: MEMBERS.data_class.read(member_form(name=slug)),
        lambda slug: MEMBERS.data_class.read(member_form(name=slug, is_active=False)),
    ),
    "advisors": Feature(
        ADVISORS,
        lambda slug: ADVISORS.data_class.read(advisor_form(slug=slug)),
        lambda slug: ADVISORS.data_class.read(advisor_form(slug=slug, is_active=False)),
    ),
}


@dataclass
class Case:
    """Staff at work on records of one kind, each step a transaction of its own."""

    database: ModuleType
    actor: Actor
    feature: Feature

    def create(self, slug: str) -> int:
        with self.database.transaction() as session:
            return self.feature.service.create(session, self.actor, self.feature.shown(slug))

    def rename(self, record: int, slug: str, *, hide: bool = False) -> None:
        with self.database.transaction() as session:
            draft = (self.feature.hidden if hide else self.feature.shown)(slug)
            self.feature.service.update(session, self.actor, record, draft, 0, overwrite=True)

    def delete(self, record: int) -> None:
        with self.database.transaction() as session:
            self.feature.service.delete(session, self.actor, record)

    def resolve_slug(self, slug: object) -> str | None:
        with self.database.read_session() as session:
            found: str | None = self.feature.service.resolve_slug(session, slug)
            return found


@pytest.fixture(params=FEATURES)
def case(request: pytest.FixtureRequest, database: ModuleType, actor: Actor) -> Case:
    return Case(database, actor, FEATURES[request.param])


@pytest.mark.spec("CO-2", "TM-2", "AD-3")
def test_a_record_is_found_under_its_present_and_former_slugs(case: Case) -> None:
    kelp = case.create("kelp")
    for slug in ("sea-kelp", "deep-kelp", "kelp-and-co"):
        case.rename(kelp, slug)
    assert {case.resolve_slug(slug) for slug in ("kelp", "sea-kelp", "deep-kelp", "kelp-and-co")} == {"kelp-and-co"}
    assert case.resolve_slug("tern") is None


def test_reading_a_record_under_an_old_slug_redirects_to_the_new_one(case: Case) -> None:
    kelp = case.create("kelp")
    case.rename(kelp, "sea-kelp")
    with pytest.raises(RecordMoved) as caught, case.database.read_session() as session:
        case.feature.service.get_public(session, "kelp")
    assert caught.value.slug == "sea-kelp"


def test_a_record_can_take_its_former_slug_back(case: Case) -> None:
    kelp = case.create("kelp")
    case.rename(kelp, "sea-kelp")
    case.rename(kelp, "kelp")
    assert (case.resolve_slug("kelp"), case.resolve_slug("sea-kelp")) == ("kelp", "kelp")


def test_an_old_slug_used_by_a_new_record_no_longer_redirects(case: Case) -> None:
    first = case.create("kelp")
    case.rename(first, "sea-kelp")
    second = case.create("kelp")
    assert case.resolve_slug("kelp") == "kelp"
    case.rename(second, "tern")
    assert case.resolve_slug("kelp") == "tern"
    case.delete(second)
    assert (case.resolve_slug("kelp"), case.resolve_slug("sea-kelp")) == (None, "sea-kelp")


def test_a_slug_that_is_taken_keeps_the_redirects_of_other_record_types(database: ModuleType, actor: Actor) -> None:
    companies, members = (Case(database, actor, FEATURES[name]) for name in ("companies", "team"))
    companies.rename(companies.create("kelp"), "sea-kelp")
    members.create("kelp")
    assert companies.resolve_slug("kelp") == "sea-kelp"


def test_an_old_slug_taken_by_a_renamed_record_no_longer_redirects(case: Case) -> None:
    first, second = case.create("kelp"), case.create("tern")
    case.rename(first, "sea-kelp")
    case.rename(second, "kelp")
    assert (case.resolve_slug("kelp"), case.resolve_slug("tern"), case.resolve_slug("sea-kelp")) == (
        "kelp",
        "kelp",
        "sea-kelp",
    )


def test_hidden_or_deleted_records_are_not_found(case: Case) -> None:
    kelp, tern = case.create("kelp"), case.create("tern")
    case.rename(kelp, "sea-kelp", hide=True)
    case.rename(tern, "arctic-tern")
    case.delete(tern)
    assert [case.resolve_slug(slug) for slug in ("kelp", "sea-kelp", "tern", "arctic-tern")] == [None] * 4


def test_the_slug_of_a_hidden_record_does_not_redirect_to_another(case: Case) -> None:
    first, second = case.create("kelp"), case.create("tern")
    case.rename(first, "sea-kelp")
    case.rename(second, "kelp", hide=True)
    assert case.resolve_slug("kelp") is None


def test_a_rename_that_is_rolled_back_leaves_no_trace(case: Case) -> None:
    kelp = case.create("kelp")
    with pytest.raises(ZeroDivisionError), case.database.transaction() as session:
        case.feature.service.update(session, case.actor, kelp, case.feature.shown("tern"), 0, overwrite=True)
        _ = 1 / 0
    assert (case.resolve_slug("kelp"), case.resolve_slug("tern")) == ("kelp", None)


def test_hostile_slugs_are_not_found(case: Case) -> None:
    case.create("kelp")
    for slug in (*HOSTILE_SLUGS, {"slug": "kelp"}):
        assert case.resolve_slug(slug) is None
        with pytest.raises(NotFound), case.database.read_session() as session:
            case.feature.service.get_public(session, slug)


def test_record_types_do_not_share_slugs(database: ModuleType, actor: Actor) -> None:
    people, firms = (Case(database, actor, FEATURES[name]) for name in ("team", "companies"))
    person, firm = people.create("kelp"), firms.create("kelp")
    people.rename(person, "sea-kelp")
    assert (people.resolve_slug("kelp"), firms.resolve_slug("kelp")) == ("sea-kelp", "kelp")
    firms.delete(firm)
    assert people.resolve_slug("kelp") == "sea-kelp"
