"""An address in texts: found in any case and beside any mark, but not inside a longer address."""

import pytest

from sitekit.accounts.personal_data.addresses import AROUND, ERASED, is_address, passages, without_address
from tests.support.each import check_each

pytestmark = pytest.mark.spec("ACC-4")

ANN = "ann@x.com"


def test_an_address_is_found_and_removed() -> None:
    def check(text: str) -> None:
        assert len(passages(text, ANN)) == 1
        changed = without_address(text, ANN)
        assert ERASED in changed and passages(changed, ANN) == []

    cases = [
        "ann@x.com",
        "Write to Ann@X.com.",
        "ann@x.com, bob@x.com",
        "<ann@x.com>",
        "mailto:ann@x.com?subject=hi",
        "'ann@x.com'",
        "...ann@x.com",
        "_ann@x.com_",
        "- ann@x.com- and others",
        "email=ann@x.com",
        "line\nann@x.com\nline",
        "请写信给ann@x.com谢谢",
    ]
    check_each(cases, check)


def test_a_longer_address_does_not_match() -> None:
    def check(text: str) -> None:
        assert passages(text, ANN) == []
        assert without_address(text, ANN) == text

    cases = [
        "joann@x.com",
        "jo.ann@x.com",
        "jo-ann@x.com",
        "jo+ann@x.com",
        "jo_ann@x.com",
        "o'ann@x.com",
        "éann@x.com",
        "ann+news@x.com",
        "ann@x.com.sg",
        "ann@x.community",
        "ann@x.com-pany.sg",
        "ann@x.com@y.com",
        "ann@x",
        "annx.com",
    ]
    check_each(cases, check)


def test_a_plus_address_matches_only_itself() -> None:
    text = "ann+news@x.com and ann@x.com"
    assert without_address(text, "ann+news@x.com") == f"{ERASED} and ann@x.com"
    assert without_address(text, ANN) == f"ann+news@x.com and {ERASED}"


def test_texts_inside_json_values_are_searched_and_changed() -> None:
    value = {"bio": "a\nann@x.com", "stats": [{"label": "ANN@X.COM", "n": 1}], "is_active": True}
    assert len(passages(value, ANN)) == 2
    erased = {"bio": f"a\n{ERASED}", "stats": [{"label": ERASED, "n": 1}], "is_active": True}
    assert without_address(value, ANN) == erased


def test_accented_letters_match_in_any_case_and_unicode_form() -> None:
    email = "jos\u00e9@x.com"
    for text in ("JOS\u00c9@x.com", "Jose\u0301@X.com"):
        assert is_address(text, email)
        assert without_address(f"({text})", email) == f"({ERASED})"


def test_an_address_is_found_with_invisible_characters_in_it() -> None:
    assert is_address("\u200bmei@firm.example\u202c", "mei@firm.example")
    assert without_address("From m\u00adei@firm\u200b.example", "mei@firm.example") == "From [erased]"


def test_an_excerpt_is_cut_around_the_address() -> None:
    (passage,) = passages("a" * 500 + f" {ANN} " + "b" * 500, ANN)
    assert ANN in passage and len(passage) < 300


def test_nearby_mentions_share_one_excerpt() -> None:
    near, far = f"{ANN} {ANN}", " x" * 150 + " "
    assert passages(near + far + ANN, ANN) == [near + far[:AROUND] + "...", "..." + far[-AROUND:] + ANN]


def test_a_long_text_without_word_breaks_is_searched_quickly() -> None:
    assert passages("a." * 100_000 + ANN, ANN) == []
