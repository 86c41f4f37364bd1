"""The public company pages as their states serve them, in good days and bad."""

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sqlalchemy as sa

from advisory_site.companies.public import CompanyListState, CompanyState
from advisory_site.components.mentions import Partner
from advisory_site.team.models import TeamMember
from tests.conftest import on_sqlite
from tests.support.database_faults import UNREADABLE, Fault, locked
from tests.support.each import check_each
from tests.support.event_client import EventClient, Reply
from tests.support.factories import add_company, add_member
from tests.support.hostile_queries import HOSTILE_QUERIES
from tests.support.hostile_slugs import HOSTILE_SLUGS

pytestmark = on_sqlite  # what differs between databases is proved with the services


def open_company(tab: EventClient, slug: str) -> Reply:
    return tab.send(CompanyState.load, path=f"/companies/{slug}", query={"slug": slug})


@pytest.fixture
def kelp(database: ModuleType) -> None:
    with database.transaction() as session:
        add_company(
            session,
            slug="kelp",
            name="Kelp & Co",
            description="Farms kelp. " * 30,
            detailed_description="One.\r\n\r\n \nTwo,\nstill two.",
        )


@pytest.mark.spec("CO-1")
def test_the_list_shows_active_companies_by_name(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        for name, status in (("Tern", "Active"), ("auk", "Active"), ("Gull", "Inactive")):
            add_company(session, name=name, status=status)
    reply = tab.send(CompanyListState.load)
    assert [card.name for card in reply.var("company_list_state.companies")] == ["auk", "Tern"]
    assert reply.var("company_list_state.is_loading") is False


@pytest.fixture
def parted(database: ModuleType) -> None:
    """A featured company, one that has exited, one that is both, and one that is neither."""
    shared = {"location": "Johor, Malaysia", "industry": "Health"}
    with database.transaction() as session:
        add_company(session, name="Auk", is_featured=True, **shared)
        add_company(session, name="Gull", exit_note="Part of Heron since 2025.", **shared)
        add_company(session, name="Kite", is_featured=True, exit_note="Part of Heron since 2024.", **shared)
        add_company(session, name="Tern", **shared)
        add_company(session, name="Wren", location="Singapore", industry="Food")


def parts(reply: Reply) -> dict[str, list[str]]:
    """The names in each part of the list."""
    names = ("featured", "companies", "exited")
    return {name: [card.name for card in reply.delta.get(f"company_list_state.{name}", [])] for name in names}


@pytest.mark.spec("PUB-2")
def test_the_list_begins_with_featured_and_ends_with_exited_companies(tab: EventClient, parted: None) -> None:
    reply = tab.send(CompanyListState.load, path="/companies")
    assert parts(reply) == {"featured": ["Auk"], "companies": ["Tern", "Wren"], "exited": ["Gull", "Kite"]}
    assert reply.var("company_list_state.count") == "5 companies in 2 countries"
    assert not reply.var("company_list_state.chosen")


@pytest.mark.spec("PUB-2")
def test_a_filtered_list_does_not_separate_featured_companies(tab: EventClient, parted: None) -> None:
    reply = tab.send(CompanyListState.load, path="/companies?sector=Health&country=Malaysia#list")
    assert parts(reply) == {"featured": [], "companies": ["Auk", "Tern"], "exited": ["Gull", "Kite"]}
    assert reply.var("company_list_state.list_title") == "4 companies: Health, Malaysia"
    assert reply.var("company_list_state.chosen") == "Health, Malaysia"
    assert reply.var("company_list_state.total") == 5


@pytest.mark.spec("PUB-2")
def test_an_invalid_query_gives_the_whole_list(tab: EventClient, parted: None) -> None:
    def check(query: str) -> None:
        reply = tab.send(CompanyListState.load, path=f"/companies?{query}")
        assert parts(reply)["companies"] == ["Tern", "Wren"]
        assert (reply.var("company_list_state.total"), reply.errors) == (5, [])

    check_each(HOSTILE_QUERIES, check)


@pytest.mark.spec("CO-2")
def test_a_company_has_its_own_page_title(tab: EventClient, kelp: None) -> None:
    reply = open_company(tab, "kelp")
    assert reply.var("company_state.company").name == "Kelp & Co"
    assert reply.var("company_state.page_title") == "Kelp & Co | Northstrait"
    assert len(reply.var("company_state.page_description")) <= 155


@pytest.mark.spec("CO-2")
@pytest.mark.parametrize("between", ["\n\n", "\r\n", " \n\t", "\n- "])
def test_a_description_for_search_results_is_one_line(tab: EventClient, database: ModuleType, between: str) -> None:
    with database.transaction() as session:
        add_company(session, slug="kelp", name="Kelp", description=f"Farms kelp.{between}Sells it.")
    description = open_company(tab, "kelp").var("company_state.page_description")
    assert description == " ".join(f"Farms kelp.{between}Sells it.".split())


@pytest.mark.spec("CO-2")
def test_a_company_has_the_number_to_dial_beside_the_one_that_is_shown(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        add_company(session, slug="kelp", phone="+65 (0)6123 4567 ext. 12")
    company = open_company(tab, "kelp").var("company_state.company")
    assert (company.phone, company.dialled) == ("+65 (0)6123 4567 ext. 12", "+6561234567;ext=12")


@pytest.mark.spec("CO-2")
def test_blank_lines_separate_the_paragraphs_of_a_story(tab: EventClient, kelp: None) -> None:
    assert open_company(tab, "kelp").var("company_state.story") == ["One.", "Two,\nstill two."]


@pytest.mark.spec("PUB-1")
def test_a_company_shows_its_partner_only_while_the_partner_is_public(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        add_member(session, slug="mei", name="Mei O'Hara", designation="Partner", image_url="/images/mei.svg")
        add_company(session, slug="kelp", partner="mei")
    partner = open_company(tab, "kelp").var("company_state.partner")
    assert (partner.slug, partner.name, partner.designation) == ("mei", "Mei O’Hara", "Partner")
    assert partner.picture.image_url == "/images/mei.svg"
    with database.transaction() as session:
        session.execute(sa.select(TeamMember)).scalar_one().is_active = False
    hidden = open_company(tab, "kelp")
    assert hidden.var("company_state.partner") == Partner()
    assert "mei" not in repr(hidden.delta)


@pytest.mark.spec("PUB-1")
def test_previous_and_next_companies_follow_the_list_and_wrap_around(tab: EventClient, database: ModuleType) -> None:
    def around(slug: str) -> tuple[str, str]:
        reply = open_company(tab, slug)
        return reply.var("company_state.previous").name, reply.var("company_state.following").name

    with database.transaction() as session:
        add_company(session, slug="auk", name="auk")
    assert around("auk") == ("", "")
    with database.transaction() as session:
        add_company(session, slug="tern", name="Tern")
        add_company(session, name="Hidden", status="Inactive")
    assert (around("auk"), around("tern")) == (("", "Tern"), ("", "auk"))
    with database.transaction() as session:
        add_company(session, slug="gull", name="Gull")
    assert [around(slug) for slug in ("auk", "gull", "tern")] == [("Tern", "Gull"), ("auk", "Tern"), ("Gull", "auk")]


@pytest.mark.spec("PUB-1", "PUB-6")
@pytest.mark.parametrize(
    ("filled", "is_sparse"),
    [
        ({}, True),
        ({"services": ["a"], "coverage_areas": ["b"], "target_market": ["c"], "quote": " "}, True),
        ({"our_role": "Helped.", "since": "2024", "quote": "Thanks."}, True),
        ({"support_area": "Gone", "quote": "Thanks.", "services": ["a"]}, False),
        ({"detailed_description": "One.", "founders": "Mei", "key_metrics": ["9 seals"]}, False),
    ],
)
def test_a_company_with_fewer_than_three_parts_is_sparse(
    tab: EventClient, database: ModuleType, filled: dict[str, Any], is_sparse: bool
) -> None:
    with database.transaction() as session:
        add_company(session, slug="kelp", **filled)
    assert open_company(tab, "kelp").delta.get("company_state.is_sparse", False) is is_sparse


@pytest.mark.spec("CO-3")
def test_an_inactive_company_is_not_found(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        add_company(session, slug="gull", status="active")
    assert open_company(tab, "gull").var("company_state.is_missing") is True


@pytest.mark.spec("CO-3")
@pytest.mark.parametrize("slug", HOSTILE_SLUGS)
def test_a_hostile_slug_is_not_found_and_not_logged(
    tab: EventClient, slug: str, caplog: pytest.LogCaptureFixture
) -> None:
    reply = open_company(tab, slug)
    assert reply.var("company_state.is_missing") is True
    assert reply.errors == []
    assert [record for record in caplog.records if record.name.startswith("advisory_site")] == []


@pytest.mark.spec("CO-3", "CO-4")
def test_going_to_another_company_never_shows_the_previous_one(
    tab: EventClient, database: ModuleType, kelp: None
) -> None:
    open_company(tab, "kelp")
    reply = open_company(tab, "nobody")
    assert reply.var("company_state.is_missing") is True
    assert reply.var("company_state.company").name == ""
    assert reply.var("company_state.page_title") == "Company Not Found | Northstrait"


@pytest.mark.spec("CO-3", "CO-4", "DATA-4")
@pytest.mark.parametrize("fault", UNREADABLE)
def test_an_unavailable_database_is_logged_in_one_line_and_pages_stay_empty(
    tab: EventClient,
    kelp: None,
    database_dir: Path,
    fault: Fault,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert tab.send(CompanyListState.load).var("company_list_state.companies")
    with fault(database_dir, monkeypatch):
        listed, opened = tab.send(CompanyListState.load), open_company(tab, "kelp")
    assert listed.var("company_list_state.companies") == []
    assert listed.var("company_list_state.is_unavailable") is True
    assert opened.var("company_state.is_unavailable") is True
    assert listed.errors + opened.errors == []
    for record, subject in zip(caplog.records, ("The list of companies", "The company 'kelp'"), strict=True):
        known = ("OperationalError", "DatabaseFileChanged")
        assert record.getMessage().startswith(tuple(f"{subject} could not be read: {name}: " for name in known))
        assert (record.exc_info, "\n" in record.getMessage()) == (None, False)


@pytest.mark.spec("CO-4")
def test_companies_are_shown_again_once_the_database_is_back(
    tab: EventClient, kelp: None, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with locked(database_dir, monkeypatch):
        tab.send(CompanyListState.load)
    reply = tab.send(CompanyListState.load)
    assert [card.name for card in reply.var("company_list_state.companies")] == ["Kelp & Co"]
    assert reply.var("company_list_state.is_unavailable") is False
