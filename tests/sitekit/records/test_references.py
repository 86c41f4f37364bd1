"""Fields that name a record of another type: what they offer, what they accept, and who finds whom."""

from types import ModuleType

import pytest
from sqlmodel import Session

from advisory_site.companies.models import MEMBER, Company
from advisory_site.companies.service import COMPANIES
from advisory_site.team.models import TeamMember
from advisory_site.team.service import MEMBERS
from sitekit.base import messages
from sitekit.base.errors import InvalidInput
from sitekit.base.permissions import Actor
from sitekit.records import history
from sitekit.records.comparison import compare
from sitekit.records.fields.changes import VALUE
from sitekit.records.inputs import form_of
from tests.support.factories import add_company, add_member, company_form, id_of, member_form

pytestmark = pytest.mark.spec("PUB-1")


def rename(session: Session, actor: Actor, member: TeamMember, name: str) -> None:
    MEMBERS.change(session, actor, member, MEMBERS.draft.read(member_form(name=name)))


def save(session: Session, actor: Actor, company: Company, **typed: str) -> None:
    inputs = form_of(company, COMPANIES.fields).inputs()
    COMPANIES.change(session, actor, company, COMPANIES.draft.read(inputs | typed, inputs))


def offered(session: Session, actor: Actor, partner: str) -> list[list[str]]:
    form = form_of(Company(name="Kelp", slug="kelp", partner=partner), COMPANIES.fields)
    return COMPANIES.list_options(session, actor, form)["partner"][1:]


def test_all_members_and_the_stored_value_are_offered_by_name(session: Session, actor: Actor) -> None:
    mei = add_member(session, slug="mei", name="mei")
    add_member(session, slug="bo", name="Bo", is_active=False)
    add_member(session, slug="ann", name="Ann")
    all_of_them = [["ann", "Ann"], ["bo", "Bo (hidden from visitors)"], ["mei", "mei"]]
    assert offered(session, actor, "") == offered(session, actor, "ann") == all_of_them
    rename(session, actor, mei, "Mei Lin")
    assert offered(session, actor, "mei")[-1] == ["mei", "Mei Lin"]
    assert offered(session, actor, "")[-1] == ["mei-lin", "Mei Lin"]
    assert offered(session, actor, "zoe")[-1] == ["zoe", "zoe (deleted)"]


@pytest.mark.parametrize("slug", ["nobody", "Mei", "../mei", "x" * 200, "' or '1'='1"])
def test_an_unknown_member_is_refused_beside_the_field(session: Session, actor: Actor, slug: str) -> None:
    add_member(session, slug="mei")
    company = add_company(session, **company_form())
    with pytest.raises(InvalidInput) as created:
        COMPANIES.create(session, actor, COMPANIES.draft.read(company_form(partner=slug)))
    with pytest.raises(InvalidInput) as updated:
        save(session, actor, company, partner=slug)
    assert created.value.fields == updated.value.fields == {"partner": messages.REFERENCE_UNKNOWN}


def test_a_deleted_partner_is_kept_and_a_former_slug_is_accepted(session: Session, actor: Actor) -> None:
    mei = add_member(session, slug="mei", name="Mei")
    company = add_company(session, **company_form())
    rename(session, actor, mei, "Mei Lin")
    save(session, actor, company, partner="mei")
    MEMBERS.delete(session, actor, mei.id)
    save(session, actor, company, tagline="Farms kelp")
    assert (company.partner, company.tagline) == ("mei", "Farms kelp")


def test_a_public_member_is_found_under_each_slug(session: Session, actor: Actor) -> None:
    mei = add_member(session, slug="mei", name="Mei")
    rename(session, actor, mei, "Mei Lin")
    for slug in ("mei", "mei-lin"):
        assert MEMBER.find_public(session, slug, "slug", "name") == ("mei-lin", "Mei Lin")
    mei.is_active = False
    session.flush()
    assert [MEMBER.find_public(session, slug, "slug") for slug in ("mei", "mei-lin", "", "nobody")] == [None] * 4


def test_the_history_compares_whole_slugs_and_restores_a_deleted_reference(database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        member = id_of(add_member(session, slug="mei-lin"))
        add_member(session, slug="mei-tan")
        record = COMPANIES.create(session, actor, COMPANIES.draft.read(company_form(partner="mei-lin")))
    with database.transaction() as session:
        save(session, actor, session.get_one(Company, record), partner="mei-tan")
        MEMBERS.delete(session, actor, member)
    with database.transaction() as session:
        versions = [history.get_snapshot(session, actor, COMPANIES, record, number) for number in (1, 2)]
        (change,) = compare(COMPANIES.fields, *versions)
        assert (change.category, change.old, change.new) == (VALUE, "mei-lin", "mei-tan")
        history.restore_revision(session, actor, COMPANIES, record, 1)
        assert session.get_one(Company, record).partner == "mei-lin"
