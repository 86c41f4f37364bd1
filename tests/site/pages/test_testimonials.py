"""What Home, Why Us, What We Do and How We Work show of the records, in good days and bad."""

from pathlib import Path
from types import ModuleType

import pytest

from advisory_site.components.mentions import Partner
from advisory_site.content.support import SUPPORT_AREAS
from advisory_site.content.what_we_do import PARTNER_FIELD
from advisory_site.pages.home import HomeState
from advisory_site.pages.how_we_work import HowWeWorkState
from advisory_site.pages.testimonials import MOST_LETTERS, MOST_MARKS, AreaCases, Quotation
from advisory_site.pages.what_we_do import WhatWeDoState
from advisory_site.pages.why_us import WhyUsState
from tests.conftest import on_sqlite
from tests.support.database_faults import missing
from tests.support.event_client import EventClient
from tests.support.factories import add_article, add_company, add_member

pytestmark = on_sqlite  # what differs between databases is proved with the services

MARK = "/images/companies/musim.svg"


def on_home(tab: EventClient) -> Quotation:
    said: Quotation = tab.send(HomeState.load).var("home_state.said")
    return said


def on_why_us(tab: EventClient) -> list[str]:
    return [one.company for one in tab.send(WhyUsState.load).var("why_us_state.said")]


def cases(tab: EventClient, area: int) -> tuple[str, int]:
    """The companies of a support area as the page reads, and how many others there are."""
    of_area: AreaCases = tab.send(WhatWeDoState.load).var("what_we_do_state.cases")[area]
    return "".join(case.comma + case.name for case in of_area.shown), of_area.others


@pytest.mark.spec("PUB-3")
def test_home_and_why_us_quote_different_founders_featured_and_late_work_first(
    tab: EventClient, database: ModuleType
) -> None:
    with database.transaction() as session:
        for name, since, is_featured in (("Old", "2020", True), ("Plain", "2025", False), ("New", "2024", True)):
            add_company(session, name=name, since=since, is_featured=is_featured, quote=f"{name} says")
        add_company(session, name="Silent", is_featured=True, since="2026")
        add_company(session, name="Hidden", is_featured=True, since="2026", quote="Psst", status="Inactive")
        for number in range(9):
            add_company(session, name=f"Zoe {number}", quote="Also")
    assert (on_home(tab).company, on_home(tab).words) == ("New", "New says")
    assert on_why_us(tab) == ["Old", "Plain"]


@pytest.mark.spec("PUB-3")
def test_pages_show_no_quotes_logos_or_portraits_without_records(tab: EventClient, database: ModuleType) -> None:
    """After a visit while there were some: the tab's state is right again."""
    with database.transaction() as session:
        company = add_company(session, quote="We grew.", logo_url=MARK, support_area=SUPPORT_AREAS[0].title)
        partner = add_member(session, designation="Partner", expertise=[PARTNER_FIELD, "Financial modelling"])
    assert on_home(tab).words
    assert cases(tab, 0) == (company.name, 0)
    with database.transaction() as session:
        session.delete(session.merge(company))
        session.delete(session.merge(partner))
    home = tab.send(HomeState.load)
    assert home.var("home_state.said") == Quotation()
    assert home.var("home_state.marks") == home.var("home_state.faces") == on_why_us(tab) == []
    assert tab.send(WhatWeDoState.load).var("what_we_do_state.cases") == [AreaCases()] * len(SUPPORT_AREAS)
    assert tab.send(HowWeWorkState.load).var("how_we_work_state.partner") == Partner()


@pytest.mark.spec("PUB-3")
def test_long_quotes_are_cut_after_a_sentence(tab: EventClient, database: ModuleType) -> None:
    sentence = "They read our numbers before they read our deck. "
    with database.transaction() as session:
        company = add_company(session, quote=sentence * 24, name="N" * 80, quoted_name="M" * 80)
    said = on_home(tab)
    assert said.words.endswith("deck. […]")
    assert len(said.words) <= MOST_LETTERS + 4
    with database.transaction() as session:
        session.merge(company).quote = "“It worked.”\n\n"
    assert on_home(tab).words == "It worked."


@pytest.mark.spec("NEWS-11")
def test_home_has_the_cases_of_public_companies_until_they_are_gone(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        add_company(session, name="Auk", slug="auk", status="Inactive")
        add_company(session, name="Kelp", slug="kelp")
        case = add_article(session, slug="how-kelp-grew", case_of="kelp")
        add_article(session, slug="how-auk-grew", case_of="auk")
    assert tab.send(HomeState.load).var("home_state.told") == [("Kelp", "/insights/how-kelp-grew")]
    with database.transaction() as session:
        session.merge(case).is_active = False
    assert tab.send(HomeState.load).var("home_state.told") == []


@pytest.mark.spec("PUB-6")
def test_home_shows_a_row_of_logos_without_placeholders(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        for number in range(10):
            add_company(session, name=f"Marked {number}", logo_url=MARK)
        add_company(session, name="Amark", logo_url="")
    marks = [mark.name for mark in tab.send(HomeState.load).var("home_state.marks")]
    assert marks == [f"Marked {number}" for number in range(MOST_MARKS)]


@pytest.mark.spec("PUB-6")
def test_partners_are_recognised_by_their_designation(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        for order, (name, designation) in enumerate(
            (("Ann", "Director, Partnerships"), ("Ben", "Founder & Managing Partner"), ("Cat", "Partner, Growth"))
        ):
            add_member(session, name=name, designation=designation, display_order=order, expertise=["market ENTRY"])
    assert [face.name for face in tab.send(HomeState.load).var("home_state.faces")] == ["Ben", "Cat"]
    assert tab.send(WhatWeDoState.load).var("what_we_do_state.partner").name == "Ben"
    assert tab.send(HowWeWorkState.load).var("how_we_work_state.partner") == Partner()


@pytest.mark.spec("PUB-1")
def test_a_support_area_names_four_companies_and_counts_the_others(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        for area, count in ((0, 1), (1, 2), (2, 4), (3, 6)):
            for number in range(count):
                add_company(session, name=f"C{number}", support_area=SUPPORT_AREAS[area].title)
    expected = [("C0", 0), ("C0 and C1", 0), ("C0, C1, C2 and C3", 0), ("C0, C1, C2, C3", 2), ("", 0)]
    assert [cases(tab, area) for area in range(5)] == expected


@pytest.mark.spec("PUB-3", "DATA-4")
def test_an_unavailable_database_is_logged_in_one_line_per_page(
    tab: EventClient, database_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    loads = (HomeState.load, WhyUsState.load, WhatWeDoState.load, HowWeWorkState.load)
    with missing(database_dir, monkeypatch):
        replies = [tab.send(load) for load in loads]
    assert [error for reply in replies for error in reply.errors] == []
    assert replies[0].var("home_state.marks") == []
    assert len([record for record in caplog.records if " could not be read: " in record.getMessage()]) == len(loads)
