"""Two texts compared by word, in any script: what is kept, removed and added, and how much it may cost."""

import random

import pytest

from sitekit.records.text_diff import ADDED, FOLDED, KEPT, REMOVED, Part, compare_texts, fold, in_order, tokens
from tests.support.each import check_each

pytestmark = pytest.mark.spec("HIST-2")

SIGNS = {KEPT: "{}", REMOVED: "[-{}-]", ADDED: "[+{}+]", FOLDED: "<{}>"}


def drawn(old: str, new: str) -> str:
    return "".join(SIGNS[part.mark].format(part.text) for part in compare_texts(old, new))


def both(parts: tuple[Part, ...]) -> tuple[str, str]:
    old = "".join(part.text for part in parts if part.mark != ADDED)
    return old, "".join(part.text for part in parts if part.mark != REMOVED)


READ = {
    "english": (
        "We help founders grow across Asia with advice.",
        "We help founders scale in Asia with patient capital and advice.",
        "We help founders [-grow across-][+scale in+] Asia with[+ patient capital and+] advice.",
    ),
    "malay": (
        "Kami membantu usahawan berkembang di Asia Tenggara.",
        "Kami membantu para usahawan berkembang di seluruh Asia Tenggara.",
        "Kami membantu [+para +]usahawan berkembang di[+ seluruh+] Asia Tenggara.",
    ),
    "tamil": (
        "நாங்கள் தொழில்முனைவோருக்கு உதவுகிறோம்.",
        "நாங்கள் புதிய தொழில்முனைவோருக்கு உதவுவோம்.",
        "நாங்கள் [+புதிய +]தொழில்முனைவோருக்கு [-உதவுகிறோம்-][+உதவுவோம்+].",
    ),
    "chinese": (
        "我们帮助创始人成长。公司成立于2019年。",
        "我们帮助创始人快速成长。公司成立于2020年。",
        "我们帮助创始人[+快速+]成长。公司成立于[-2019-][+2020+]年。",
    ),
    "thai": ("เราช่วยผู้ก่อตั้ง", "เราช่วยทีมผู้ก่อตั้ง", "เราช่วย[+ทีม+]ผู้ก่อตั้ง"),
    "punctuation": ("Ready, set, go.", "Ready, set: go!", "Ready, set[-,-][+:+] go[-.-][+!+]"),
    "lines": ("One\nTwo\nThree", "One\nThree", "One\n[-Two\n-]Three"),
    "nothing before": ("", "Brand new", "[+Brand new+]"),
    "nothing left": ("All gone", "", "[-All gone-]"),
    "another text": (
        "It was dark outside",
        "Nobody came home then",
        "[-It was dark outside-][+Nobody came home then+]",
    ),
}


def test_a_change_is_marked_by_word_or_character() -> None:
    def check(case: tuple[str, tuple[str, str, str]]) -> None:
        _, (old, new, expected) = case
        assert drawn(old, new) == expected

    check_each(READ.items(), check)


def test_a_single_common_word_in_rewritten_text_is_not_kept() -> None:
    old = "Our first fund closed and every partner stayed on board"
    new = "Two new markets opened and nobody from headquarters left us"
    assert drawn(old, new) == f"[-{old}-][+{new}+]"


def test_combining_marks_stay_with_their_letter() -> None:
    assert tokens("e\u0301te\u0301 கொ 한국 👩\u200d🚀!") == [
        "e\u0301te\u0301",
        " ",
        "கொ",
        " ",
        "한",
        "국",
        " ",
        "👩\u200d",
        "🚀",
        "!",
    ]


ALPHABETS = (
    ["a", "b", " "],
    ["the", "a", "fund", " ", " ", ".", "\n"],
    list("我们帮助东南亚的创始人。"),
    ["க", "ி", "ொ", "ழ", " ", "\u200d", "\u0301"],
    ["\u0000", "\ud83d", "👩", "\u200d", "🚀", "<b>", "&"],
)


@pytest.mark.parametrize("alphabet", ALPHABETS, ids=["two", "prose", "chinese", "tamil", "odd"])
def test_the_parts_add_up_to_both_texts(alphabet: list[str]) -> None:
    chance = random.Random(7)
    for _ in range(300):
        old = "".join(chance.choices(alphabet, k=chance.randrange(60)))
        pieces = chance.choices([old[:20], old[10:], *alphabet], k=chance.randrange(12))
        new = "".join(pieces)
        parts = compare_texts(old, new)
        assert both(parts) == (old, new)
        assert both(fold(parts)) == (old, new)
        assert all(part.text for part in parts)
        if old == new:
            assert {part.mark for part in parts} <= {KEPT}


def test_a_few_changes_in_a_long_text_are_found() -> None:
    chance = random.Random(3)
    words = chance.choices(["market", "fund", "the", "and", "growth", "team", "of", "capital"], k=3_000)
    changed = list(words)
    for place in range(50, 3_000, 300):
        changed[place] = "Singapore"
    parts = compare_texts(" ".join(words), " ".join(changed))
    assert both(parts) == (" ".join(words), " ".join(changed))
    assert [part.text for part in parts if part.mark == ADDED] == ["Singapore"] * 10


def test_long_unchanged_parts_are_folded_except_their_ends() -> None:
    kept = " ".join(map(str, range(300))) + " "
    old, new = f"One {kept}two.", f"Uno {kept}dos."
    parts = fold(compare_texts(old, new))
    assert [part.mark for part in parts] == [REMOVED, ADDED, KEPT, FOLDED, KEPT, REMOVED, ADDED, KEPT]
    assert both(parts) == (old, new)
    assert len(parts[2].text) <= 130
    assert len(parts[4].text) <= 160


def test_the_longest_ordered_subsequence_counts_as_unmoved() -> None:
    assert in_order([]) == set()
    assert in_order([3, 0, 1, 2]) == {1, 2, 3}
    assert len(in_order([5, 1, 4, 2, 3])) == 3
