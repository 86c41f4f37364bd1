"""The companies on a member's page: those whose work the member led."""

from pathlib import Path
from types import ModuleType

import pytest
from sqlmodel import Session

from advisory_site.pages.member_companies import MemberCompaniesState, companies_led_by
from sitekit.records import slug_redirects
from tests.conftest import on_sqlite
from tests.support.database_faults import missing
from tests.support.event_client import EventClient, Reply
from tests.support.factories import add_company, add_member


def open_member(tab: EventClient, slug: str) -> Reply:
    return tab.send(MemberCompaniesState.load, path=f"/team-profile/{slug}", query={"slug": slug})


def shown(tab: EventClient, slug: str) -> list[tuple[str, str, str]]:
    companies = open_member(tab, slug).var("member_companies_state.companies")
    return [(company.slug, company.name, company.our_role) for company in companies]


@pytest.mark.spec("PUB-1")
def test_a_member_has_the_public_companies_that_reference_any_of_their_slugs(session: Session) -> None:
    ann = add_member(session, slug="ann-lee")
    slug_redirects.note(session, (ann, "ann", "ann-lee"))
    slug_redirects.note(session, (ann, "ann-tan", "ann-lee"))
    add_member(session, slug="ben")
    for name, partner, status in (
        ("Tern", "ann", "Active"),
        ("gull", "ann-lee", "Active"),
        ("Kelp", "ann-tan", "Active"),
        ("Auk", "ann-lee", "Exited"),
        ("Ray", "ben", "Active"),
        ("Eel", "", "Active"),
    ):
        add_company(session, name=name, partner=partner, status=status)
    led = {slug: [one.name for one in companies_led_by(session, slug)] for slug in ("ann-lee", "ben")}
    assert led == {"ann-lee": ["gull", "Kelp", "Tern"], "ben": ["Ray"]}


@pytest.mark.spec("PUB-1")
def test_a_former_slug_taken_by_another_member_belongs_to_the_new_one(session: Session) -> None:
    ann, another = add_member(session, slug="ann-lee"), add_member(session, slug="ann-2")
    slug_redirects.note(session, (ann, "ann", "ann-lee"))
    another.slug = "ann"
    session.flush()
    slug_redirects.note(session, (another, "ann-2", "ann"))
    add_company(session, name="Kelp", partner="ann")
    assert companies_led_by(session, "ann-lee") == []
    assert len(companies_led_by(session, "ann")) == 1


@on_sqlite
@pytest.mark.spec("PUB-1")
def test_a_company_is_shown_with_the_contribution_of_the_firm_or_its_tagline(
    tab: EventClient, database: ModuleType
) -> None:
    with database.transaction() as session:
        add_member(session, slug="ann")
        add_company(session, slug="gull", name="Gull", partner="ann", tagline="Grows the founders' kelp")
        work = "They came to us early. We raised the round. Then came a sentence " + "about much more " * 20 + "."
        kelp = add_company(session, slug="sea-kelp", name="Kelp", partner="ann", our_role=work, tagline="Grows kelp")
        slug_redirects.note(session, (kelp, "kelp", "sea-kelp"))
    assert shown(tab, "ann") == [
        ("gull", "Gull", "Grows the founders’ kelp"),
        ("sea-kelp", "Kelp", "They came to us early. We raised the round."),
    ]


@on_sqlite
@pytest.mark.spec("PUB-1")
def test_the_companies_shown_belong_to_the_open_member(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        for slug in ("ann", "ben"):
            add_member(session, slug=slug)
        add_member(session, slug="dan", is_active=False)
        for number in range(12):
            add_company(session, partner="ann" if number else "dan")
        add_company(session, partner="ann")
    assert len(shown(tab, "ann")) == 12
    for slug in ("ben", "dan", "nobody", "../ann"):
        reply = open_member(tab, slug)
        assert reply.delta.get("member_companies_state.companies", []) == []
        assert reply.var("member_companies_state.of_slug") == slug


@on_sqlite
@pytest.mark.spec("DATA-4")
def test_an_unavailable_database_marks_the_companies_as_unavailable(
    tab: EventClient, database_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with missing(database_dir, monkeypatch):
        reply = open_member(tab, "ann")
    assert reply.var("member_companies_state.is_unavailable") is True
    assert "The companies of 'ann' could not be read: " in caplog.text
