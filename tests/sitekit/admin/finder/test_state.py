"""The finder: what is found, for whom, in which order, and what hostile calls get."""

import itertools
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from advisory_site.companies.admin import CompanyFormState
from advisory_site.content import home
from advisory_site.enquiries import texts as contact
from advisory_site.enquiries.desk.state import EnquiryDeskState
from sitekit.accounts.people.person_page import PersonState
from sitekit.admin.finder.state import FinderState, find_all
from sitekit.base.db.database import read_session, transaction
from sitekit.base.permissions import Role
from sitekit.base.text import text_name
from sitekit.base.text_pages import note_page
from sitekit.records.finding import Hit
from tests.conftest import on_sqlite
from tests.support import factories
from tests.support.changed_texts import change_text
from tests.support.event_client import EventClient, Reply
from tests.support.people import person
from tests.support.staff import sign_in

pytestmark = pytest.mark.usefixtures("app")
_numbers = itertools.count(1)
ACTS = ["Add company", "Add team member", "Add advisor", "Add article", "Invite people", "View the site", "Log out"]


def find(text: str = "", role: Role = Role.ADMIN, opened: tuple[str, ...] = ()) -> list[Hit]:
    with transaction() as session:
        actor = factories.add_actor(session, role, email=f"finder{next(_numbers)}@firm.example", first_name="Zz")
    with read_session() as session:
        return find_all(session, actor, text, opened)


def names(hits: list[Hit]) -> list[str]:
    return [hit.name for hit in hits]


@pytest.fixture
def one_of_each(database: object) -> dict[str, int]:
    """A record of each table that is called Kelp, by the name of the table; returns the ids."""
    with transaction() as session:
        records: dict[str, Any] = {
            "companies": factories.add_company(session, name="Kelp Ltd", slug="kelp", industry="Food"),
            "team_members": factories.add_member(session, name="Mei Kelp", designation="Partner"),
            "advisors": factories.add_advisor(session, name="Kelp Tan", title="Chair"),
            "enquiries": factories.add_enquiry(session, first_name="Kelp", last_name="Ong", company="Reef"),
            "media": factories.add_picture(session, name="kelp.jpg", alt="A forest of kelp"),
        }
        ids = {table: factories.id_of(record) for table, record in records.items()}
        ids["profiles"] = factories.add_actor(session, email="kelp@firm.example", first_name="Kelp").user_id
        return ids


@pytest.mark.spec("FIND-1")
def test_records_of_all_types_are_found_with_their_type_and_link(one_of_each: dict[str, int]) -> None:
    ids = one_of_each
    assert set(find("kelp")) == {
        Hit("Kelp Ltd", "Food", "Company", "/admin/companies/kelp/edit"),
        Hit("Mei Kelp", "Partner", "Team member", f"/admin?tab=teams&edit={ids['team_members']}"),
        Hit("Kelp Tan", "Chair", "Advisor", f"/admin/advisors/{ids['advisors']}/edit"),
        Hit("Kelp Ong", "Reef", "Enquiry", f"/admin/enquiries/{ids['enquiries']}"),
        Hit("kelp.jpg", "A forest of kelp", "Picture", f"/admin/media?open={ids['media']}"),
        Hit("Kelp Tan", "kelp@firm.example", "Person", f"/admin/users/{ids['profiles']}"),
    }


@pytest.mark.spec("FIND-1", "ROLE-1")
@pytest.mark.parametrize("role", [Role.MANAGER, Role.EMPLOYEE])
def test_only_admins_find_people_and_admin_pages(one_of_each: dict[str, int], role: Role) -> None:
    hidden = {"Person"}
    assert {hit.title for hit in find("kelp")} - {hit.title for hit in find("kelp", role)} == hidden
    every_key = tuple(f"{table}.{number}" for table, number in one_of_each.items())
    assert {hit.title for hit in find("", role, every_key)} & hidden == set()
    for text, name in (("personal", "Personal data"), ("invit", "Invitations"), ("invite", "Invite people")):
        assert name in names(find(text))
        assert name not in names(find(text, role))


@pytest.mark.spec("FIND-1")
def test_names_that_begin_with_the_text_are_listed_first(database: object) -> None:
    with transaction() as session:
        factories.add_company(session, name="Far Away", location="Kelp Harbour")
        factories.add_company(session, name="Skelp House")
        factories.add_company(session, name="The Kelp House")
        factories.add_advisor(session, name="Kelp Ong")
        factories.add_company(session, name="kelp and Co")
    assert names(find("Kelp")) == ["kelp and Co", "Kelp Ong", "The Kelp House", "Skelp House", "Far Away"]


@pytest.mark.spec("FIND-1")
def test_texts_of_pages_come_last_from_four_letters_on_with_their_page(database: object) -> None:
    originals = [str(home.STATS_TITLE), *map(str, (home.STATS_SOURCE, contact.PANEL_TITLE, contact.CALL_TEXT))]
    note_page("/contact", "Contact", [text_name(original) for original in originals])
    with transaction() as session:
        factories.add_company(session, name="Moss", location="Kelp Harbour")
        for original in originals:
            change_text(session, original, f"Kelp in {original}")
    assert [(hit.title, hit.name) for hit in find("kel")] == [("Company", "Moss")]
    company, *found = find("kelp")
    assert (company.name, len(found), {hit.title for hit in found}) == ("Moss", 3, {"Text"})
    assert all("Contact" in hit.note for hit in found)


@pytest.mark.spec("FIND-1")
def test_at_most_eight_of_a_type_are_shown_with_matching_names_first(database: object) -> None:
    with transaction() as session:
        for number in range(10):
            factories.add_company(session, name=f"Apple {number}", industry="Kelp")
            factories.add_advisor(session, name=f"Kelp {number}")
        factories.add_company(session, name="Kelp Ltd")
    titles = [hit.title for hit in find("kelp")]
    assert (titles.count("Company"), titles.count("Advisor")) == (8, 8)
    assert "Kelp Ltd" in names(find("kelp"))


@pytest.mark.spec("FIND-1")
@pytest.mark.parametrize(
    ("name", "text"),
    [("Zoë Åberg", "zoë"), ("新加坡海洋", "海洋"), ("100% Kelp_Co", "0% kelp_"), ("Kelp Tan Ong", "ong kelp")],
)
def test_accents_chinese_and_punctuation_match_as_in_the_lists(database: object, name: str, text: str) -> None:
    with transaction() as session:
        factories.add_company(session, name=name)
        factories.add_company(session, name="Moss")
    assert names(find(text)) == [name]


@pytest.mark.spec("FIND-1")
def test_pages_and_actions_are_found_by_any_of_their_words(database: object) -> None:
    assert names(find("comp")) == ["Companies", "Add company", "Add a company, team member, advisor or article"]
    assert names(find("inv")) == ["Invite people", "Invitations", "Invite a colleague"]
    assert find("log out")[0] == Hit("Log out", "", "Action", "")
    assert find("data pers")[0].href == "/admin/personal-data"


@pytest.mark.spec("FIND-1", "HELP-1")
def test_tasks_of_the_handbook_are_found_by_those_who_may_do_them(database: object) -> None:
    assert find("someone leaves") == [Hit("Someone leaves", "", "Help", "/admin/help#someone-leaves")]
    assert find("someone leaves", Role.EMPLOYEE) == []


@pytest.mark.spec("FIND-1")
def test_an_empty_search_shows_recently_opened_records_and_actions(one_of_each: dict[str, int]) -> None:
    opened = [f"{table}.{one_of_each[table]}" for table in ("advisors", "companies")]
    asked = (*opened, "companies.999", "passwords.1", "companies", "companies.x", opened[0])
    assert names(find("  ", opened=asked)) == ["Kelp Tan", "Kelp Ltd", *ACTS]


@on_sqlite
@pytest.mark.spec("FIND-1")
@pytest.mark.parametrize(
    ("handler", "path", "query", "table"),
    [
        (CompanyFormState.open, "/admin/companies/kelp/edit", {"slug": "kelp"}, "companies"),
        (EnquiryDeskState.open, "/admin/enquiries/1", {"id": ""}, "enquiries"),
        (PersonState.open, "/admin/users/1", {"id": ""}, "profiles"),
    ],
)
def test_an_opened_record_is_remembered_only_by_table_and_id(
    tab: EventClient,
    one_of_each: dict[str, int],
    handler: Callable[..., object],
    path: str,
    query: dict[str, str],
    table: str,
) -> None:
    sign_in(tab, Role.ADMIN)
    number = one_of_each[table]
    query = {name: value or str(number) for name, value in query.items()}
    tab.send(handler, path=path.format(number), query=query)
    assert tab.vars(FinderState)["opened"] == f"{table}.{number}"


def asked(tab: EventClient, number: int = 1, text: str = "kelp", opened: object = ()) -> Reply:
    return tab.send(FinderState.find, number=number, text=text, opened=list(opened) if opened == () else opened)


@pytest.mark.spec("FIND-1")
def test_an_answer_has_the_number_of_its_query(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    assert asked(tab, 7).var("finder_state.number") == 7


@pytest.mark.spec("FIND-1")
@pytest.mark.parametrize("opened", [[1, None, {"a": 1}, ["companies.1"]], ["companies.1"] * 10_000, ["." * 9999]])
def test_a_forged_list_of_opened_records_does_no_harm(tab: EventClient, opened: list[Any]) -> None:
    sign_in(tab, Role.EMPLOYEE)
    reply = asked(tab, text="", opened=opened)
    assert reply.errors == []
    assert reply.var("finder_state.has_failed") is False
    assert len(reply.var("finder_state.hits")) <= len(ACTS)


@on_sqlite
@pytest.mark.spec("FIND-1")
def test_the_finder_reports_an_unavailable_database(
    tab: EventClient, database_away: AbstractContextManager[None]
) -> None:
    sign_in(tab, Role.ADMIN)
    with database_away:
        reply = asked(tab)
    assert reply.var("finder_state.has_failed") is True
    assert reply.errors == []


@pytest.mark.spec("FIND-1")
def test_search_results_are_cleared_for_the_next_person(tab: EventClient) -> None:
    person("kelp@firm.example")
    sign_in(tab, Role.ADMIN)
    assert asked(tab).var("finder_state.hits")
    sign_in(tab, Role.EMPLOYEE)
    assert tab.vars(FinderState)["hits"] == []
