"""The public advisor pages as their states serve them, in good days and bad."""

from pathlib import Path
from types import ModuleType

import pytest

from advisory_site.advisors.public import AdvisorListState, AdvisorState
from tests.conftest import on_sqlite
from tests.support.database_faults import no_file
from tests.support.event_client import EventClient, Reply
from tests.support.factories import add_advisor

pytestmark = on_sqlite  # what differs between databases is proved with the services


def open_advisor(tab: EventClient, slug: str) -> Reply:
    return tab.send(AdvisorState.load, path=f"/advisor/{slug}", query={"slug": slug})


@pytest.mark.spec("AD-1")
def test_active_advisors_are_listed_in_display_order(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        for name, order, is_active in (("Ben", 2, True), ("Ann", 3, True), ("Cat", 1, True), ("Dan", 0, False)):
            add_advisor(session, name=name, display_order=order, is_active=is_active)
    advisors = tab.send(AdvisorListState.load).var("advisor_list_state.advisors")
    assert [advisor.name for advisor in advisors] == ["Cat", "Ben", "Ann"]


@pytest.mark.spec("PUB-4")
@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("field=Pricing+%26+Customer+Research", ["Ann", "Ben"]),
        ("field=pricing", ["Ann"]),
        ("field=Market+Entry+%26+Partnerships", ["Cat"]),
        ("field=Intellectual+Property", ["Ann", "Ben", "Cat"]),
        ("field=Rockets", ["Ann", "Ben", "Cat"]),
    ],
)
def test_advisors_are_filtered_by_field_or_tag(
    tab: EventClient, database: ModuleType, query: str, names: list[str]
) -> None:
    with database.transaction() as session:
        add_advisor(session, name="Ann", expertise=["Pricing"])
        add_advisor(session, name="Ben", expertise=["Customer research"])
        add_advisor(session, name="Cat", expertise=["Vietnam market entry"])
        add_advisor(session, name="Dan", expertise=["Rockets"], is_active=False)
    reply = tab.send(AdvisorListState.load, path=f"/advisors?{query}")
    assert [advisor.name for advisor in reply.var("advisor_list_state.advisors")] == names
    (fields,) = reply.var("advisor_list_state.filters")
    assert {one.label: one.count for one in fields.options if one.href} == {
        "Market Entry & Partnerships": 1,
        "Pricing & Customer Research": 2,
        **({"Pricing": 1} if query == "field=pricing" else {}),
    }


@pytest.mark.spec("AD-3")
def test_a_profile_has_its_own_page_title(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        add_advisor(session, slug="ann", name="Ann Lee", title="Chair", bio="Chairs.", detailed_bio="A\n\nB")
    reply = open_advisor(tab, "ann")
    assert reply.var("advisor_state.page_title") == "Ann Lee, Chair | Northstrait"
    assert reply.var("advisor_state.page_description") == "Chairs."
    assert reply.var("advisor_state.story") == ["A", "B"]


@pytest.mark.spec("PUB-4")
def test_a_field_links_to_the_other_advisors_with_it(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        add_advisor(session, slug="ann", expertise=["M&A", "Pricing", "Founders' pay", "Audit"])
        add_advisor(session, slug="ben", expertise=["Founders' Pay", "M&A"])
        add_advisor(session, slug="cat", expertise="nothing that is a list")
        add_advisor(session, slug="dan", expertise=["Pricing"], is_active=False)
    tags = open_advisor(tab, "ann").var("advisor_state.tags")
    assert [(tag.field, tag.href) for tag in tags] == [
        ("M&A", "/advisors?field=M%26A"),
        ("Pricing", ""),
        ("Founders’ pay", "/advisors?field=Founders%E2%80%99+pay"),
        ("Audit", ""),
    ]
    assert open_advisor(tab, "nobody").var("advisor_state.tags") == []


@pytest.mark.spec("AD-3")
def test_testimonials_never_reach_the_browser(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        add_advisor(session, slug="ann", testimonials=[{"quote": "She is splendid", "author": "Ben"}])
    assert "splendid" not in repr(open_advisor(tab, "ann").delta)


@pytest.mark.spec("AD-2")
def test_an_inactive_advisor_is_not_found(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        add_advisor(session, slug="dan", is_active=False)
    reply = open_advisor(tab, "dan")
    assert reply.var("advisor_state.is_missing") is True
    assert reply.var("advisor_state.is_unavailable") is False


@pytest.mark.spec("AD-2", "DATA-4")
def test_a_failed_fetch_is_not_shown_as_a_missing_advisor(
    tab: EventClient, database_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with no_file(database_dir, monkeypatch):
        listed, opened = tab.send(AdvisorListState.load), open_advisor(tab, "ann")
    assert listed.var("advisor_list_state.advisors") == []
    assert opened.var("advisor_state.is_missing") is False
    assert opened.var("advisor_state.is_unavailable") is True
    subjects = [record.getMessage().partition(" could not be read: ")[0] for record in caplog.records]
    assert subjects == ["The list of advisors", "The advisor 'ann'"]
