"""How the team directory groups people."""

import pytest

from advisory_site.team.directory import INDEXED_FROM, DirectoryGroup, grouped
from advisory_site.team.fields import MemberCard
from advisory_site.team.sort_names import sort_name


def outline(groups: list[DirectoryGroup]) -> dict[str, list[str]]:
    return {group.title: [person.name for person in group.people] for group in groups}


def card(name: str, *expertise: str) -> MemberCard:
    return MemberCard(slug=name.lower().replace(" ", "-"), name=name, expertise=expertise)


CROWD = [card(f"Zoe Zimmer{number}") for number in range(INDEXED_FROM)]


@pytest.mark.spec("TM-3")
def test_a_few_people_are_one_list_by_family_name() -> None:
    letters, _ = grouped([card("Siti Rahman"), card("adeline Koh"), card("Le Thi Chau"), card("Øystein Berg")])
    assert outline(letters) == {"": ["Øystein Berg", "adeline Koh", "Le Thi Chau", "Siti Rahman"]}


@pytest.mark.spec("TM-3")
def test_many_people_have_an_index_of_letters() -> None:
    letters, _ = grouped([card("Siti Rahman"), card("adeline Koh"), card("Đặng Văn Lâm"), *CROWD])
    names = outline(letters)
    assert names.pop("Z")
    assert names == {"D": ["Đặng Văn Lâm"], "K": ["adeline Koh"], "R": ["Siti Rahman"]}


@pytest.mark.spec("TM-3")
@pytest.mark.parametrize(
    ("name", "sorted_as"),
    [
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
        ("李雷", "李雷"),
        ("Cher", "cher"),
        ("", ""),
    ],
)
def test_a_person_is_sorted_by_family_name_wherever_it_stands(name: str, sorted_as: str) -> None:
    assert sort_name(name) == sorted_as


@pytest.mark.spec("TM-3")
def test_the_directory_finds_people_by_what_they_know_however_it_is_spelt() -> None:
    _, fields = grouped([card("Ben", "Pricing", "Sales"), card("Ann", "pricing"), card("Cat", "Sales", "sales")])
    assert outline(fields) == {"pricing": ["Ann", "Ben"], "Sales": ["Ben", "Cat"]}


@pytest.mark.spec("TM-3")
def test_every_group_of_the_directory_can_be_jumped_to() -> None:
    letters, fields = grouped([card("Ann", "Sales", "销售"), card("李雷", "C++"), *CROWD])
    anchors = [group.anchor for group in letters + fields]
    assert len(set(anchors)) == len(anchors) == 6
    assert all(anchor.isascii() for anchor in anchors)
