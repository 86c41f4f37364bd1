"""The public team pages as their states serve them, in good days and bad."""

from pathlib import Path
from types import ModuleType

import pytest

from advisory_site.team.directory import DirectoryGroup, DirectoryState
from advisory_site.team.meet_page import MOST_FACES, MeetTeamState
from advisory_site.team.public import MemberState, TeamState
from tests.conftest import on_sqlite
from tests.support.database_faults import missing
from tests.support.event_client import EventClient, Reply
from tests.support.factories import add_member

pytestmark = on_sqlite  # what differs between databases is proved with the services


def open_member(tab: EventClient, slug: str) -> Reply:
    return tab.send(MemberState.load, path=f"/team-profile/{slug}", query={"slug": slug})


def outline(groups: list[DirectoryGroup]) -> dict[str, list[str]]:
    return {group.title: [person.name for person in group.people] for group in groups}


@pytest.mark.spec("TM-1")
def test_active_members_are_listed_in_display_order(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        for name, order, is_active in (("Ben", 2, True), ("Ann", 3, True), ("Cat", 1, True), ("Dan", 0, False)):
            add_member(session, name=name, display_order=order, is_active=is_active)
    members = tab.send(TeamState.load).var("team_state.members")
    assert [member.name for member in members] == ["Cat", "Ben", "Ann"]


@pytest.mark.spec("TM-4", "PUB-6")
def test_meet_our_team_shows_the_first_active_members(tab: EventClient, database: ModuleType) -> None:
    assert tab.send(MeetTeamState.load).var("meet_team_state.is_loading") is False  # nobody is not a failure
    with database.transaction() as session:
        add_member(session, name="Dan", display_order=0, is_active=False)
        for number in range(MOST_FACES + 1):
            add_member(session, name=f"Ann {number}", slug=f"ann-{number}", display_order=number + 1)
    faces = tab.send(MeetTeamState.load).var("meet_team_state.faces")
    assert [face.name for face in faces] == [f"Ann {number}" for number in range(MOST_FACES)]


@pytest.mark.spec("TM-2")
def test_a_profile_has_its_own_page_title(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        add_member(session, slug="ann", name="Ann Lee", designation="Partner", bio="Builds.", detailed_bio="A\n\nB")
    reply = open_member(tab, "ann")
    assert reply.var("member_state.page_title") == "Ann Lee, Partner | Northstrait"
    assert reply.var("member_state.page_description") == "Builds."
    assert reply.var("member_state.story") == ["A", "B"]


@pytest.mark.spec("TM-2")
def test_an_inactive_member_is_not_found(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        add_member(session, slug="dan", is_active=False)
    reply = open_member(tab, "dan")
    assert reply.var("member_state.is_missing") is True
    assert reply.var("member_state.page_title") == "Team Member Not Found | Northstrait"


@pytest.mark.spec("TM-1", "TM-2", "TM-3", "DATA-4")
def test_an_unavailable_database_is_logged_in_one_line_per_page(
    tab: EventClient, database_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with missing(database_dir, monkeypatch):
        team, directory, profile = tab.send(TeamState.load), tab.send(DirectoryState.load), open_member(tab, "ann")
    assert team.var("team_state.members") == directory.var("directory_state.groups") == []
    assert profile.var("member_state.is_unavailable") is True
    subjects = [record.getMessage().partition(" could not be read: ")[0] for record in caplog.records]
    assert subjects == ["The list of team members", "The list of team members", "The team member 'ann'"]


@pytest.mark.spec("TM-3")
def test_every_active_member_is_in_the_directory(tab: EventClient, database: ModuleType) -> None:
    with database.transaction() as session:
        add_member(session, name="Ann", expertise=["Sales"])
        add_member(session, name="Ben", expertise=[])
        add_member(session, name="Dan", is_active=False, expertise=["Sales"])
    reply = tab.send(DirectoryState.load)
    assert outline(reply.var("directory_state.groups")) == {"": ["Ann", "Ben"]}
    assert reply.var("directory_state.list_title") == "2 people, by family name"
    reply = tab.send(DirectoryState.load, path="/team-profiles?field=SALES#list")
    assert outline(reply.var("directory_state.groups")) == {"": ["Ann"]}
    assert reply.var("directory_state.list_title") == "1 person: Sales"
