"""How the team directory groups people and filters them."""

from typing import Any
from urllib.parse import urlsplit

import pytest
import reflex as rx

from advisory_site.team.directory import INDEXED_FROM, DirectoryGroup, DirectoryMember, DirectoryState, _row, grouped
from advisory_site.team.fields import MemberCard
from advisory_site.team.sort_names import sort_name
from sitekit.base.list_filters import ListFilters
from tests.support.each import check_each


def outline(groups: list[DirectoryGroup]) -> dict[str, list[str]]:
    return {group.title: [person.name for person in group.people] for group in groups}


def card(name: str, *expertise: str) -> MemberCard:
    return MemberCard(slug=name.lower().replace(" ", "-"), name=name, expertise=expertise)


CROWD = [card(f"Zoe Zimmer{number}") for number in range(INDEXED_FROM)]


@pytest.mark.spec("TM-3")
def test_a_short_directory_is_one_list_by_family_name() -> None:
    people = grouped([card("Siti Rahman"), card("adeline Koh"), card("Le Thi Chau"), card("Øystein Berg")])
    assert outline(people) == {"": ["Øystein Berg", "adeline Koh", "Le Thi Chau", "Siti Rahman"]}


@pytest.mark.spec("TM-3")
def test_a_long_directory_has_an_index_of_letters() -> None:
    names = outline(grouped([card("Siti Rahman"), card("adeline Koh"), card("Đặng Văn Lâm"), *CROWD]))
    assert names.pop("Z")
    assert names == {"D": ["Đặng Văn Lâm"], "K": ["adeline Koh"], "R": ["Siti Rahman"]}


@pytest.mark.spec("TM-3")
def test_people_are_sorted_by_family_name_in_any_position() -> None:
    def check(case: tuple[str, str]) -> None:
        name, sorted_as = case
        assert sort_name(name) == sorted_as

    cases = [
        ("Adeline Koh", "koh adeline"),
        ("Harpreet Singh Gill", "gill harpreet singh"),
        ("Le Thi Minh Chau", "le thi minh chau"),
        ("Nguyễn Hoàng Long", "nguyen hoang long"),
        ("Tan Wei Ming", "tan wei ming"),
        ("Lee Wei Ling", "lee wei ling"),
        ("Lee Harper", "harper lee"),
        ("Siti Aisyah binte Rahman", "siti aisyah binte rahman"),
        ("Rajan s/o Muthu", "rajan s/o muthu"),
        ("Zoë Ørsted", "orsted zoe"),
        ("Dr Tan Wei Ming", "tan wei ming"),
        ("Prof Lim Siew", "lim siew"),
        ("Assoc. Prof. Dr. Mei Koh, PhD, MBA", "koh mei"),
        ("John Smith Jr.", "smith john"),
        ("Mary Ann Evans III", "evans mary ann"),
        ("Dato’ Lee Chong", "lee chong"),
        ("Tan Sri Lee Loy", "lee loy"),
        ("Haji Ahmad bin Ali", "ahmad bin ali"),
        ("Dr Lee Harper", "harper lee"),
        ("Tan Sri", "tan sri"),
        ("Dr", "dr"),
        ("李雷", "李雷"),
        ("Cher", "cher"),
        ("", ""),
    ]
    check_each(cases, check)


@pytest.mark.spec("TM-3")
def test_each_field_links_to_all_people_with_it_in_any_spelling() -> None:
    members = [card("Ben", "Pricing & Sales"), card("Ann", "pricing & sales"), card("Cat", "Sales")]
    filters = ListFilters(DirectoryState.filtered_by, members)
    (group,) = grouped(members)
    found = {}
    for person in group.people:
        address = urlsplit(person.expertise[0].href)
        assert address.path == "/team-profiles"
        found[person.name] = filters.selected(filters.choice(address.query))
    assert found == {"Ann": [0, 1], "Ben": [0, 1], "Cat": [2]}


@pytest.mark.spec("TM-3")
def test_every_letter_of_the_directory_has_an_anchor() -> None:
    anchors = [group.anchor for group in grouped([card("Ann"), card("李雷"), *CROWD])]
    assert len(set(anchors)) == len(anchors) == 3
    assert all(anchor.isascii() for anchor in anchors)


def test_on_a_phone_only_people_with_expertise_have_its_label() -> None:
    person: Any = rx.Var("person")
    row = str(_row(person.to(DirectoryMember)))
    assert '"data-label":((person?.["expertise"].length > 0) ? "Expertise" : "")' in row
