"""How the team directory groups people."""

import pytest

from advisory_site.team.directory import Group, grouped
from advisory_site.team.rules import MemberCard


def outline(groups: list[Group]) -> dict[str, list[str]]:
    return {group.title: [person.name for person in group.people] for group in groups}


def card(name: str, *expertise: str) -> MemberCard:
    return MemberCard(slug=name.lower().replace(" ", "-"), name=name, expertise=expertise)


@pytest.mark.spec("TM-3")
def test_the_directory_finds_people_by_the_first_letter_of_their_name() -> None:
    letters, _ = grouped([card("Siti Rahman"), card("adeline Koh"), card("Ann Lee"), card("Øystein Berg")])
    assert outline(letters) == {"A": ["adeline Koh", "Ann Lee"], "S": ["Siti Rahman"], "Ø": ["Øystein Berg"]}


@pytest.mark.spec("TM-3")
def test_the_directory_finds_people_by_what_they_know_however_it_is_spelt() -> None:
    _, fields = grouped([card("Ben", "Pricing", "Sales"), card("Ann", "pricing"), card("Cat", "Sales", "sales")])
    assert outline(fields) == {"pricing": ["Ann", "Ben"], "Sales": ["Ben", "Cat"]}


@pytest.mark.spec("TM-3")
def test_every_group_of_the_directory_can_be_jumped_to() -> None:
    letters, fields = grouped([card("Ann", "Sales", "销售"), card("李雷", "C++")])
    anchors = [group.anchor for group in letters + fields]
    assert len(set(anchors)) == len(anchors) == 5
    assert all(anchor.isascii() for anchor in anchors)
