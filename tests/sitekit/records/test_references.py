"""Fields that name a record of another type: what they offer, what they accept, and who finds whom."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from sqlmodel import Session

from advisory_site.advisors.service import ADVISORS
from advisory_site.articles.models import AUTHOR, COMPANY
from advisory_site.articles.service import ARTICLES, get_shown, list_for_feed
from advisory_site.companies.models import MEMBER, Company
from advisory_site.companies.service import COMPANIES
from advisory_site.components.mentions import Mention
from advisory_site.team.models import TeamMember
from advisory_site.team.service import MEMBERS
from sitekit.base import messages
from sitekit.base.errors import InvalidInput
from sitekit.base.permissions import Actor, Role
from sitekit.records import drafts, history, slug_redirects, trash, undo
from sitekit.records.comparison import compare
from sitekit.records.fields.changes import VALUE
from sitekit.records.fields.reference import ReferenceField
from sitekit.records.inputs import form_of
from sitekit.records.listing import ListQuery
from sitekit.records.record_type import AnyRecordType
from sitekit.records.references import find_named, list_naming
from sitekit.records.revisions import batch_of
from tests.support.factories import (
    add_actor,
    add_advisor,
    add_article,
    add_company,
    add_member,
    advisor_form,
    article_form,
    company_form,
    id_of,
    member_form,
)

pytestmark = pytest.mark.spec("PUB-1")


def rename(session: Session, actor: Actor, member: TeamMember, name: str) -> None:
    MEMBERS.change(session, actor, member, MEMBERS.data_class.read(member_form(name=name)))


def save(session: Session, actor: Actor, company: Company, **typed: str) -> None:
    inputs = form_of(company, COMPANIES.fields).inputs()
    COMPANIES.change(session, actor, company, COMPANIES.data_class.read(inputs | typed, inputs))


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
        COMPANIES.create(session, actor, COMPANIES.data_class.read(company_form(partner=slug)))
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
        assert find_named(session, MEMBER, slug, Mention) == Mention("mei-lin", "Mei Lin")
    mei.is_active = False
    session.flush()
    assert [find_named(session, MEMBER, slug, Mention) for slug in ("mei", "mei-lin", "", "nobody")] == [None] * 4


def test_what_names_a_record_in_a_field_or_a_row_is_found_by_all_its_slugs(session: Session, actor: Actor) -> None:
    mei, kelp = add_member(session, slug="mei", name="Mei"), add_company(session, slug="kelp", name="Kelp")
    add_company(session, slug="auk")
    add_article(session, slug="by", author="mei")
    add_article(session, slug="case", case_of="kelp", written_on="2026-01-02")
    add_article(session, slug="row", companies=[{"company": "auk"}, {"company": "kelp"}], written_on="2026-01-01")
    add_article(session, slug="hidden", author="mei", case_of="kelp", is_active=False)
    rename(session, actor, mei, "Mei Lin")
    kelp.slug = "sea-kelp"
    session.flush()
    slug_redirects.note(session, (kelp, "kelp", "sea-kelp"))

    def naming(to: ReferenceField, slug: str) -> list[str]:
        return [one.slug for one in list_naming(session, ARTICLES, to, to.slugs_of(session, slug), Mention)]

    assert naming(AUTHOR, "mei-lin") == ["by"]
    assert (naming(COMPANY, "sea-kelp"), naming(COMPANY, "auk")) == (["case", "row"], ["row"])
    assert naming(AUTHOR, "nobody") == naming(COMPANY, "kelp") == []


def test_the_history_compares_whole_slugs_and_restores_a_deleted_reference(database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        member = id_of(add_member(session, slug="mei-lin"))
        add_member(session, slug="mei-tan")
        record = COMPANIES.create(session, actor, COMPANIES.data_class.read(company_form(partner="mei-lin")))
    with database.transaction() as session:
        save(session, actor, session.get_one(Company, record), partner="mei-tan")
        MEMBERS.delete(session, actor, member)
    with database.transaction() as session:
        versions = [history.get_snapshot(session, actor, COMPANIES, record, number) for number in (1, 2)]
        (change,) = compare(COMPANIES.fields, *versions)
        assert (change.category, change.old, change.new) == (VALUE, "mei-lin", "mei-tan")
        history.restore_revision(session, actor, COMPANIES, record, 1)
        assert session.get_one(Company, record).partner == "mei-lin"


def add_omar(session: Session, actor: Actor) -> int:
    return MEMBERS.create(session, actor, MEMBERS.data_class.read(member_form(name="Omar Deen")))


def slug_of(session: Session, member: int) -> str:
    return session.get_one(TeamMember, member).slug


def name_in_article(session: Session, actor: Actor) -> None:
    ARTICLES.create(session, actor, ARTICLES.data_class.read(article_form(author="omar-deen")))


def name_in_draft(session: Session, actor: Actor) -> None:
    drafts.save(session, actor, ARTICLES, 0, article_form(author="omar-deen"))


def name_in_trash(session: Session, actor: Actor) -> None:
    article = ARTICLES.create(session, actor, ARTICLES.data_class.read(article_form(author="omar-deen")))
    ARTICLES.delete(session, actor, article)


def name_in_older_version(session: Session, actor: Actor) -> None:
    add_member(session, slug="mei")
    article = ARTICLES.create(session, actor, ARTICLES.data_class.read(article_form(author="omar-deen")))
    ARTICLES.update(session, actor, article, ARTICLES.data_class.read(article_form(author="mei")), 1)


def name_as_partner(session: Session, actor: Actor) -> None:
    COMPANIES.create(session, actor, COMPANIES.data_class.read(company_form(partner="omar-deen")))


NAMED = [name_in_article, name_in_draft, name_in_trash, name_in_older_version, name_as_partner]


@pytest.mark.spec("NEWS-7")
@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("goes", ["is deleted", "is renamed", "is erased"])
def test_a_namesake_does_not_get_the_slug_that_something_names(
    session: Session, actor: Actor, name: Callable[[Session, Actor], None], goes: str
) -> None:
    omar = add_omar(session, actor)
    name(session, actor)
    if goes == "is renamed":
        rename(session, actor, session.get_one(TeamMember, omar), "Omar Haddad")
    else:
        MEMBERS.delete(session, actor, omar)
    if goes == "is erased":
        trash.erase(session, add_actor(session, Role.ADMIN), MEMBERS, omar)
    assert not MEMBERS.is_slug_free(session, actor, "omar-deen")
    assert [slug_of(session, add_omar(session, actor)) for _ in range(2)] == ["omar-deen-2", "omar-deen-3"]


@pytest.mark.spec("NEWS-7")
def test_a_slug_that_nothing_names_is_free_at_once(session: Session, actor: Actor) -> None:
    MEMBERS.delete(session, actor, add_omar(session, actor))
    assert slug_of(session, add_omar(session, actor)) == "omar-deen"


@pytest.mark.spec("NEWS-7")
def test_who_is_named_gets_the_slug_back_when_restored_or_renamed_again(session: Session, actor: Actor) -> None:
    omar = add_omar(session, actor)
    name_in_article(session, actor)
    MEMBERS.delete(session, actor, omar)
    add_omar(session, actor)
    assert trash.restore(session, actor, MEMBERS, omar).slug == "omar-deen"
    member = session.get_one(TeamMember, omar)
    for each in ("Omar Haddad", "Omar Deen"):
        rename(session, actor, member, each)
    assert member.slug == "omar-deen"


@pytest.mark.spec("NEWS-7")
def test_of_two_in_the_trash_the_one_that_is_named_gets_the_slug(session: Session, actor: Actor) -> None:
    first = add_omar(session, actor)
    MEMBERS.delete(session, actor, first)
    second = add_omar(session, actor)
    name_in_article(session, actor)
    MEMBERS.delete(session, actor, second)
    slugs = [trash.restore(session, actor, MEMBERS, member).slug for member in (first, second)]
    assert slugs == ["omar-deen-2", "omar-deen"]


@pytest.mark.spec("NEWS-7")
def test_undoing_a_rename_does_not_take_the_slug_of_one_who_is_named(database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        first = add_omar(session, actor)
    with database.transaction() as session:
        rename(session, actor, session.get_one(TeamMember, first), "Omar Haddad")
        renamed = batch_of(session)
    with database.transaction() as session:
        second = add_omar(session, actor)
        name_in_article(session, actor)
        MEMBERS.delete(session, actor, second)
    with database.transaction() as session:
        undo.undo(
            session, actor, {"team_members": MEMBERS}, undo.prepare(session, actor, {"team_members": MEMBERS}, renamed)
        )
        assert (session.get_one(TeamMember, first).name, slug_of(session, first)) == ("Omar Deen", "omar-haddad")


@pytest.mark.spec("NEWS-7")
def test_an_article_stays_with_its_author_and_company_whoever_comes_with_their_names(
    session: Session, actor: Actor
) -> None:
    omar, kelp = add_omar(session, actor), add_company(session, slug="kelp", name="Kelp")
    article = add_article(session, slug="a", author="omar-deen", author_name="Omar Deen", case_of="kelp")
    add_article(session, companies=[{"company": "moss"}])
    MEMBERS.delete(session, actor, omar)
    COMPANIES.delete(session, actor, kelp.id)
    add_omar(session, actor)
    for slug in ("kelp", "moss"):
        with pytest.raises(InvalidInput) as refused:
            COMPANIES.create(session, actor, COMPANIES.data_class.read(company_form(slug=slug)))
        assert refused.value.fields == {"slug": messages.SLUG_TAKEN}
    shown = get_shown(session, article.slug)
    assert (shown.author.name, shown.author.slug) == ("Omar Deen", "")


@pytest.mark.spec("NEWS-7")
def test_a_member_does_not_get_the_slug_of_an_advisor_who_is_named(session: Session, actor: Actor) -> None:
    add_advisor(session, slug="omar-deen", name="Omar Deen")
    name_in_article(session, actor)
    assert slug_of(session, add_omar(session, actor)) == "omar-deen-2"


@pytest.mark.spec("NEWS-6")
@pytest.mark.parametrize(
    ("add", "record_type", "form"), [(add_member, MEMBERS, member_form), (add_advisor, ADVISORS, advisor_form)]
)
def test_an_author_has_the_present_name_wherever_articles_are_named(
    session: Session, actor: Actor, add: Callable[..., Any], record_type: AnyRecordType, form: Callable[..., Any]
) -> None:
    author = add(session, slug="jane-tan", name="Jane Tan")
    add_article(session, slug="z", author_name="Zoe Ng", written_on="2026-10-01")
    ARTICLES.create(session, actor, ARTICLES.data_class.read(article_form(slug="a", author="jane-tan")))
    record_type.change(session, actor, author, record_type.data_class.read(form(name="Ann Lim")))
    ARTICLES.create(session, actor, ARTICLES.data_class.read(article_form(slug="b", author="ann-lim")))
    assert [card.author_name for card in ARTICLES.list_public(session)] == ["Ann Lim", "Ann Lim", "Zoe Ng"]
    assert [entry.author_name for entry in list_for_feed(session, 1, "")] == ["Ann Lim"]
    found = ARTICLES.list_admin(session, actor, ListQuery(search="ann lim", sort="author")).rows
    assert [row.author_name for row in found] == ["Ann Lim", "Ann Lim"]
    by_author = ARTICLES.list_admin(session, actor, ListQuery(sort="author")).rows
    assert [row.author_name for row in by_author] == ["Ann Lim", "Ann Lim", "Zoe Ng"]
    for slug, other in (("a", "b"), ("b", "a")):
        shown = get_shown(session, slug)
        assert (shown.author.name, [each.slug for each in shown.others]) == ("Ann Lim", [other])
