"""Companies on a real database: what visitors read, and what staff list and change."""

from types import ModuleType
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.companies.fields import Metric
from advisory_site.companies.models import Company, Founder
from advisory_site.companies.service import COMPANIES
from sitekit.base.errors import NotFound
from sitekit.base.permissions import Actor
from sitekit.records.listing import ListPage, ListQuery
from tests.support.factories import add_company, company_form, id_of

LONG_TEXT = "\n  “Quoted”, 'single', 🦊 <b>&amp;</b>\n\n" + "Ünïcödé, commas, and more. " * 370 + "\n"


def stored(database: ModuleType, company_id: int) -> dict[str, Any]:
    with database.read_session() as session:
        company: Company = session.get_one(Company, company_id)
        return company.model_dump()


def statements(session: Session) -> list[str]:
    """The statements sent from now on."""
    sent: list[str] = []
    connection = session.connection()
    sa.event.listen(connection, "before_cursor_execute", lambda *call: sent.append(call[2]))
    return sent


@pytest.mark.spec("CO-1", "ROLE-3")
def test_only_companies_whose_status_is_exactly_active_are_listed(session: Session) -> None:
    for status in ("Active", "active", "Active ", "Inactive", ""):
        add_company(session, slug=f"s-{len(status)}-{status.strip()}", name=status or "none", status=status)
    assert [card.name for card in COMPANIES.list_public(session)] == ["Active"]


@pytest.mark.spec("CO-1")
def test_companies_are_listed_by_name_ignoring_case_and_accents(session: Session, actor: Actor) -> None:
    for name in ("beta", "Zest", "Łódź", "Alpha", "Gamma", "alpha", "ÅNGSTRÖM", "Éclair", "éclair", "ﬁne"):
        add_company(session, name=name)
    names = [card.name for card in COMPANIES.list_public(session)]
    assert names == ["Alpha", "alpha", "ÅNGSTRÖM", "beta", "Éclair", "éclair", "ﬁne", "Gamma", "Łódź", "Zest"]
    assert [row.name for row in COMPANIES.list_admin(session, actor, ListQuery(sort="name")).rows] == names


@pytest.mark.spec("CO-5")
def test_a_listed_company_has_a_logo(session: Session) -> None:
    add_company(session, name="Treacle Tech")
    assert COMPANIES.list_public(session)[0].logo_url == "/images/treacle-tech.svg"


@pytest.mark.spec("CO-2")
def test_a_company_page_shows_the_whole_record(session: Session) -> None:
    add_company(
        session,
        name="Kelp",
        slug="kelp",
        website_url="https://kelp.example",
        founders={"name": "Ann", "title": "CEO"},
        services=["Farming"],
        key_metrics="one, two",
        registration_number="2019A",
    )
    page = COMPANIES.get_public(session, "kelp")
    assert (page.name, page.website_url, page.registration_number) == ("Kelp", "https://kelp.example", "2019A")
    assert page.founders == (Founder("Ann", "CEO"),)
    assert (page.services, page.coverage_areas) == (("Farming",), ())
    assert page.key_metrics == (Metric("", "one"), Metric("", "two"))


@pytest.mark.spec("CO-2")
def test_an_unsafe_website_address_is_not_shown(session: Session) -> None:
    add_company(session, slug="kelp", website_url="javascript:alert(1)")
    assert COMPANIES.get_public(session, "kelp").website_url == ""


@pytest.mark.spec("ACO-1")
def test_the_admin_list_has_every_company_newest_first(session: Session, actor: Actor) -> None:
    for slug in ("first", "second", "third"):
        add_company(session, slug=slug, status="Exited")
    assert [row.slug for row in COMPANIES.list_admin(session, actor, ListQuery()).rows] == ["third", "second", "first"]


@pytest.mark.spec("ACO-2")
def test_a_row_names_the_founder_and_is_active_only_when_exactly_so(session: Session, actor: Actor) -> None:
    add_company(session, founders="Ann and Bo", status="active")
    row = COMPANIES.list_admin(session, actor, ListQuery()).rows[0]
    assert (row.founder, row.status, row.is_active) == ("Ann and Bo", "active", False)


SEARCHES = [
    ("kelp", ["kelp"]),
    ("KELP", ["kelp"]),
    ("kelp sing", ["kelp"]),
    ("100%", ["hundred"]),
    ("%", ["hundred"]),
    ("_", []),
    ("\\", []),
    ("'; DROP TABLE companies; --", []),
    ("\x00kelp", ["kelp"]),
    ("x" * 10_000, []),
    (" ", ["hundred", "kelp"]),
]


def test_a_search_treats_wildcards_as_text(session: Session, actor: Actor) -> None:
    add_company(session, slug="kelp", name="Kelp", location="Singapore")
    add_company(session, slug="hundred", name="100% Tea")
    for search, found in SEARCHES:
        assert [row.slug for row in COMPANIES.list_admin(session, actor, ListQuery(search=search)).rows] == found


FOUND = {
    "\u00c9lan": ("\u00e9lan", "elan", "ELAN", "E\u0301lan"),
    "Cafe\u0301": ("caf\u00e9", "cafe"),
    "O\u2019Brien & M\u00fcller": ("o'brien", "obrien", "M\u00dcLLER", "muller o\u2019brien"),
    "\u0141\u00f3d\u017a \u0130kizce": ("lodz", "\u0141\u00d3D\u0179 ikizce"),
    "Acme\u200bLabs": ("acmelabs", "AcmeLabs"),
}


@pytest.mark.spec("DATA-3")
def test_a_search_finds_a_name_in_any_spelling(session: Session, actor: Actor) -> None:
    for name in FOUND:
        add_company(session, name=name)
    for name, searches in FOUND.items():
        for search in searches:
            rows = COMPANIES.list_admin(session, actor, ListQuery(search=search)).rows
            assert [row.name for row in rows] == [name], search


@pytest.mark.spec("LIST-3")
@pytest.mark.parametrize("wish", [{}, {"sort": "name"}, {"sort": "name", "descending": True}, {"search": "tea"}])
def test_the_list_page_of_a_record_is_computed_correctly(session: Session, actor: Actor, wish: dict[str, Any]) -> None:
    for number in range(60):
        add_company(session, name=f"Tea {number % 7}")
    for page in (1, 2, 3):
        shown = COMPANIES.list_admin(session, actor, ListQuery(**wish, page=page)).rows
        assert {COMPANIES.page_of(session, actor, ListQuery(**wish), row.id) for row in shown} == {page}


@pytest.mark.spec("LIST-3")
@pytest.mark.parametrize("wish", [{"search": "coffee"}, {"filter": "inactive"}])
def test_a_record_outside_a_filtered_list_is_on_no_page(session: Session, actor: Actor, wish: dict[str, Any]) -> None:
    tea = id_of(add_company(session, name="Tea"))
    assert COMPANIES.page_of(session, actor, ListQuery(**wish), tea) == 0


def test_a_list_is_sorted_by_known_columns_only(session: Session, actor: Actor) -> None:
    for name in ("b", "C", "a"):
        add_company(session, name=name)

    def names(**wish: Any) -> list[str]:
        return [row.name for row in COMPANIES.list_admin(session, actor, ListQuery(**wish)).rows]

    assert names(sort="name") == ["a", "b", "C"]
    assert names(sort="name", descending=True) == ["C", "b", "a"]
    assert names(sort="password; --") == ["a", "C", "b"]


def test_a_list_is_filtered_by_status(session: Session, actor: Actor) -> None:
    add_company(session, slug="on")
    add_company(session, slug="off", status="Exited")

    def slugs(wish: str) -> list[str]:
        return [row.slug for row in COMPANIES.list_admin(session, actor, ListQuery(filter=wish)).rows]

    assert (slugs("active"), slugs("inactive"), slugs("else")) == (["on"], ["off"], ["off", "on"])


def test_a_list_comes_in_pages_of_25(session: Session, actor: Actor) -> None:
    for _ in range(52):
        add_company(session)
    for wished, page, first, last in (
        (1, 1, 1, 25),
        (3, 3, 51, 52),
        (99, 3, 51, 52),
        (-5, 1, 1, 25),
        (10**30, 3, 51, 52),
    ):
        for search in ("", "company"):
            got = COMPANIES.list_admin(session, actor, ListQuery(search=search, page=wished))
            assert (got.page, got.pages, got.total) == (page, 3, 52)
            assert (got.first, got.last, len(got.rows)) == (first, last, last - first + 1)
    assert COMPANIES.list_admin(session, actor, ListQuery(search="kelp", page=2)) == ListPage()


@pytest.mark.spec("LIST-2")
def test_a_list_can_have_larger_pages(session: Session, actor: Actor) -> None:
    for _ in range(102):
        add_company(session)
    for size, page, first, last in ((50, 3, 101, 102), (100, 2, 101, 102), (100, 1, 1, 100)):
        got = COMPANIES.list_admin(session, actor, ListQuery(page=page, size=size))
        assert (got.first, got.last, len(got.rows)) == (first, last, last - first + 1)
        assert COMPANIES.page_of(session, actor, ListQuery(size=size), got.rows[-1].id) == page


@pytest.mark.spec("LIST-2")
def test_a_list_is_filtered_by_industry_and_country(session: Session, actor: Actor) -> None:
    for industry, location in (
        ("Tea", "Tuas, Singapore"),
        ("Tea", "Singapore"),
        ("Tea", "Singapore, Johor, Malaysia "),
        ("Maritime", "Tuas,Singapore"),
        ("Maritime", "Singapore,"),
    ):
        add_company(session, name=f"{industry} {location}", industry=industry, location=location)

    def locations(**facets: str) -> list[str]:
        rows = COMPANIES.list_admin(session, actor, ListQuery(facets=facets)).rows
        return sorted(row.location for row in rows)

    assert locations(country="Singapore") == ["Singapore", "Tuas, Singapore", "Tuas,Singapore"]
    assert locations(country="Malaysia") == ["Singapore, Johor, Malaysia "]
    assert locations(industry="Maritime") == ["Singapore,", "Tuas,Singapore"]
    assert locations(industry="Tea", country="Singapore") == ["Singapore", "Tuas, Singapore"]
    assert locations(industry="t\u00e9a") == locations(industry="Tea")
    assert locations(industry="te") == locations(country="%") == []


@pytest.mark.spec("LIST-2")
def test_a_fully_filtered_list_takes_two_statements(session: Session, actor: Actor) -> None:
    add_company(session, industry="Tea", location="Tuas, Singapore")
    sent = statements(session)
    everything = ListQuery(search="company", filter="active", facets={"industry": "Tea", "country": "Singapore"})
    assert COMPANIES.list_admin(session, actor, everything).total == 1
    assert len(sent) == 2


@pytest.mark.spec("LIST-2")
def test_the_filter_choices_are_the_industries_and_countries_in_use(session: Session, actor: Actor) -> None:
    for industry, location in (("tea", "Tuas, Singapore"), ("Rice", "Singapore"), ("", ""), ("Rice", "Laos,")):
        add_company(session, industry=industry, location=location)
    sent = statements(session)
    assert COMPANIES.list_choices(session, actor) == {"industry": ["Rice", "tea"], "country": ["Singapore"]}
    assert len(sent) == 1


@pytest.mark.spec("LIST-2")
def test_the_filter_offers_only_the_most_frequent_industries(session: Session, actor: Actor) -> None:
    for number in range(101):
        add_company(session, industry=f"Industry {number:03}")
    add_company(session, industry="Industry 100")
    industries = COMPANIES.list_choices(session, actor)["industry"]
    assert len(industries) == 100
    assert industries[-1] == "Industry 100"


def test_a_list_of_any_length_takes_two_statements(session: Session, actor: Actor) -> None:
    sent = statements(session)
    for companies in (0, 1, 60):
        for _ in range(companies):
            add_company(session)
        sent.clear()
        COMPANIES.list_admin(session, actor, ListQuery(search="company", sort="name"))
        assert len(sent) == (2 if companies else 1)


@pytest.mark.spec("ACO-4", "ACO-7")
def test_a_created_company_is_public_at_once(database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        COMPANIES.create(session, actor, COMPANIES.data_class.read(company_form(slug="kelp")))
    with database.read_session() as session:
        assert COMPANIES.get_public(session, "kelp").name == "Kelp & Co"


OLD_SHAPES = [
    "Ann, Bo\nand Cy",
    "x" * 5_000,
    {"name": "Ann", "since": 1999},
    ["Ann", {"name": "Bo", "bio": "One, two,\nthree “four” 🦊"}, None],
    [{"name": " padded ", "title": "a\tb", "bio": LONG_TEXT}],
    7,
    "",
    {},
]


@pytest.mark.spec("ACO-4", "CO-6", "DATA-2")
@pytest.mark.parametrize("old", OLD_SHAPES)
def test_unchanged_values_in_old_formats_survive_an_edit_of_another_field(
    database: ModuleType, actor: Actor, old: Any
) -> None:
    lists = {
        "services": ["Design, build", " Run "],
        "coverage_areas": "SG, MY",
        "target_market": {"a": 1},
        "key_metrics": 7,
    }
    with database.transaction() as session:
        company = add_company(
            session,
            **{**company_form(slug="old"), "description": LONG_TEXT, "name": "Two  spaces"},
            founders=old,
            phone="12\r\n34",
            **lists,
        )
        company_id = id_of(company)
    with database.transaction() as session:
        form = COMPANIES.get_for_edit(session, actor, "old")
        data = COMPANIES.data_class.read({**form.inputs(), "tagline": "New"})
        COMPANIES.update(session, actor, company_id, data, form.version)
    after = stored(database, company_id)
    assert after["tagline"] == "New"
    assert after["founders"] == old
    assert {name: after[name] for name in lists} == lists
    assert (after["description"], after["name"], after["phone"]) == (LONG_TEXT, "Two  spaces", "12\r\n34")


@pytest.mark.spec("ACO-4")
def test_typed_text_is_stored_unchanged(database: ModuleType, actor: Actor) -> None:
    founders = [{"name": "O'Hara, “Al”", "title": "CEO, CTO", "bio": LONG_TEXT}]
    typed = company_form(slug="kelp", description=LONG_TEXT, detailed_description=LONG_TEXT, founders=founders)
    with database.transaction() as session:
        company_id = COMPANIES.create(session, actor, COMPANIES.data_class.read(typed))
    after = stored(database, company_id)
    assert (after["description"], after["detailed_description"], after["founders"]) == (LONG_TEXT, LONG_TEXT, founders)
    with database.read_session() as session:
        assert COMPANIES.get_for_edit(session, actor, "kelp").rows["founders"] == founders


@pytest.mark.spec("ACO-4")
def test_an_old_slug_opens_the_form_of_the_current_company(database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        company_id = COMPANIES.create(
            session, actor, COMPANIES.data_class.read(company_form(slug="kelp", status="inactive"))
        )
        form = COMPANIES.get_for_edit(session, actor, "kelp")
    with database.transaction() as session:
        COMPANIES.update(
            session, actor, company_id, COMPANIES.data_class.read({**form.inputs(), "slug": "algae"}), form.version
        )
    with database.read_session() as session:
        assert COMPANIES.get_for_edit(session, actor, "kelp") == COMPANIES.get_for_edit(session, actor, "algae")
        with pytest.raises(NotFound):
            COMPANIES.get_for_edit(session, actor, "moss")


def test_an_invalid_old_value_can_be_cleared(database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        company = add_company(session, **company_form(slug="old"), email="n/a")
        form = COMPANIES.get_for_edit(session, actor, "old")
        assert form.texts["email"] == "n/a"
        COMPANIES.update(
            session, actor, company.id, COMPANIES.data_class.read({**form.inputs(), "email": ""}), form.version
        )
        assert company.email == ""
