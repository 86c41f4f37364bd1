"""Raw text becomes values: lists, slugs, numbers, addresses."""

import pytest

from sitekit.base import text
from tests.support.each import check_each
from tests.support.hostile_slugs import HOSTILE_SLUGS


@pytest.mark.spec("ACO-5", "ATM-2", "AAD-3")
def test_lists_are_split_on_line_breaks_or_commas_and_trimmed() -> None:
    def check(case: tuple[object, list[str]]) -> None:
        typed, read = case
        assert text.comma_list(typed) == read

    cases: list[tuple[object, list[str]]] = [
        ("a, b ,c", ["a", "b", "c"]),
        (" , ,, ", []),
        ("", []),
        ("one", ["one"]),
        ("a\nb, c", ["a", "b, c"]),
        ("60,000 tonnes a year\r\nS$1,200 per head", ["60,000 tonnes a year", "S$1,200 per head"]),
        ("60,000 tonnes\n", ["60,000 tonnes"]),
        ("\n a \n\n b,\n", ["a", "b,"]),
        ("“quoted”, 🦊", ["“quoted”", "🦊"]),
        ("Market  entry, Market\tentry,Market\u00a0entry", ["Market entry"]),
        ("Market entry, Pricing, market ENTRY, Économie, economie", ["Market entry", "Pricing", "Économie"]),
        ("60,000  tonnes\n60,000 Tonnes\n", ["60,000 tonnes"]),
        ("C, C#, C++", ["C", "C#", "C++"]),
        (None, []),
        ({"a": 1}, []),
    ]
    check_each(cases, check)


@pytest.mark.spec("ATM-2", "AAD-3")
def test_a_display_order_is_a_whole_number_or_0() -> None:
    def check(case: tuple[object, int]) -> None:
        typed, read = case
        assert text.display_order(typed) == read

    cases: list[tuple[object, int]] = [
        ("7", 7),
        (" -3 ", -3),
        (12, 12),
        ("", 0),
        ("1.5", 0),
        ("1_000", 0),
        ("１２", 0),
        ("first", 0),
        (None, 0),
        (True, 0),
        ({"a": 1}, 0),
        ("9" * 5000, 0),
        ("2147483647", 2_147_483_647),
        ("2147483648", 0),
        (float("nan"), 0),
    ]
    check_each(cases, check)


@pytest.mark.parametrize(("given", "read"), [("12", 12), (12, 12), ("0", 0), ("-1", 0), ("x", 0), (None, 0)])
def test_an_invalid_id_becomes_0(given: object, read: int) -> None:
    assert text.record_id(given) == read


@pytest.mark.spec("ATM-3")
def test_a_member_slug_replaces_each_run_of_other_characters_by_a_hyphen() -> None:
    def check(case: tuple[str, str]) -> None:
        name, slug = case
        assert text.slugify_hyphenated(name) == slug

    cases = [
        ("Adeline Koh", "adeline-koh"),
        ("  Dr. O'Brien -- Lee! ", "dr-o-brien-lee"),
        ("José", "jose"),
        ("Zoë Ørsted", "zoe-orsted"),
        ("Đặng Thị Hoà", "dang-thi-hoa"),
        ("GROẞ & Sæther-Œuvre", "gross-saether-oeuvre"),
        ("Łukasz İnce ı", "lukasz-ince-i"),
        ("Strøm Sønn Åsia Pte Ltd", "strom-sonn-asia-pte-ltd"),
        ("Ħal-Tarxien Ŧuoŋa Ŋaŋa", "hal-tarxien-tuonga-nganga"),
        ("Əliyev Ɓala", "eliyev-bala"),
        ("ﬁne ＡＢＣ ²", "fine-abc-2"),
        ("李明", ""),
        ("Tan Wei Ming 陈伟明 Иван", "tan-wei-ming"),
        ("A1 & B2", "a1-b2"),
    ]
    check_each(cases, check)


@pytest.mark.spec("AAD-3")
@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Kavitha Raman", "kavitha-raman"),
        ("Dr. O'Brien\t Lee", "dr-obrien-lee"),
        ("Jean-Luc  Roy", "jean-luc-roy"),
        ("Zoë\u00a0Ørsted", "zoe-orsted"),
        ("Nguyễn Văn Đức", "nguyen-van-duc"),
        ("Ħal Ŧ Ŋ Ə Ɓ", "hal-t-ng-e-b"),
        ("李明", ""),
    ],
)
def test_an_advisor_slug_replaces_spaces_by_hyphens_and_drops_the_rest(name: str, slug: str) -> None:
    assert text.slugify_plain(name) == slug


@pytest.mark.spec("ATM-3", "AAD-3")
def test_a_taken_slug_is_numbered_from_2() -> None:
    assert text.unused_slug("mei", []) == "mei"
    assert text.unused_slug("mei", ["mei"]) == "mei-2"
    assert text.unused_slug("mei", ["mei", "mei-2", "mei-4"]) == "mei-3"


@pytest.mark.parametrize(("wanted", "slug"), [("", "advisor"), ("---", "advisor"), ("-wei-", "wei")])
def test_a_name_without_usable_characters_still_gets_a_slug(wanted: str, slug: str) -> None:
    assert text.usable_slug(wanted, "advisor") == slug


def test_a_slug_made_from_a_long_name_can_still_be_numbered() -> None:
    assert text.may_be_slug(text.usable_slug("x" * 5000, "advisor") + "-1000")


@pytest.mark.spec("CO-3")
def test_hostile_slugs_are_recognised() -> None:
    def check(slug: object) -> None:
        assert not text.may_be_slug(slug)
        assert not text.is_slug(slug)

    check_each(HOSTILE_SLUGS, check)


@pytest.mark.parametrize("slug", ["acme", "a-1", "Acme_Corp", "acme.io"])
def test_slugs_in_older_formats_can_still_be_looked_up(slug: str) -> None:
    assert text.may_be_slug(slug)


@pytest.mark.spec("ACO-8")
def test_a_new_slug_has_only_lower_case_letters_digits_and_inner_hyphens() -> None:
    def check(slug: str) -> None:
        assert not text.is_slug(slug)

    check_each(["Acme", "acme corp", "acme_corp", "-acme", "acme-", "acme/x", "ac.me", "é"], check)


def test_an_email_is_one_ordinary_address() -> None:
    def check(case: tuple[str, bool]) -> None:
        address, fits = case
        assert text.is_email(address) is fits

    cases = [
        ("mei@firm.example", True),
        ("mei.lin+site@mail.firm.example", True),
        ("mei..lin@firm.example", False),
        (".mei@firm.example", False),
        ("mei.@firm.example", False),
        ("mei@firm", False),
        ("mei firm.example", False),
        ("mei@firm.example, b@c.example", False),
        ("<mei@firm.example>", False),
        ("mei@-firm.example", False),
        ("a" * 65 + "@firm.example", False),
        ("a@" + "b" * 300 + ".example", False),
        ("mei@firm.example\n", False),
    ]
    check_each(cases, check)


@pytest.mark.parametrize(
    ("address", "fits"), [("mei@firm.example", True), ("mélanie@firm.example", False), ("mei@firm", False)]
)
def test_mail_recipients_are_ascii_addresses(address: str, fits: bool) -> None:
    assert text.is_mailable(address) is fits


def test_only_web_addresses_become_links() -> None:
    def check(address: str) -> None:
        assert text.web_url(address) == ""

    cases = [
        "javascript:alert(1)",
        "data:text/html,x",
        "//evil.example",
        "http://",
        "https://a b.example",
        "http://[",
        "x",
    ]
    check_each(cases, check)


@pytest.mark.parametrize("address", ["https://firm.example/a?b=c#d", "http://firm.example"])
def test_web_addresses_are_left_unchanged(address: str) -> None:
    assert text.web_url(address) == address
    assert text.image_url(address) == address


@pytest.mark.parametrize("address", ["//evil.example/a.png", "/\\evil.example", "javascript:x", "a.png", None, ""])
def test_an_image_address_is_local_or_on_the_web(address: str | None) -> None:
    assert text.image_url(address) == ""
    assert text.image_url("/images/a.svg") == "/images/a.svg"


@pytest.mark.spec("DATA-2")
def test_a_stored_list_of_any_shape_can_be_read() -> None:
    def check(case: tuple[object, tuple[str, ...]]) -> None:
        stored, read = case
        assert text.text_list(stored) == read

    cases: list[tuple[object, tuple[str, ...]]] = [
        (["a", "b"], ("a", "b")),
        (["a", 7, None, {"x": 1}, "", "  ", ["b"], True], ("a", "7")),
        ("a, b", ("a", "b")),
        ("", ()),
        (None, ()),
        ({"a": "b"}, ()),
        (7, ()),
    ]
    check_each(cases, check)


def test_cleaning_text_removes_only_characters_invalid_in_pages() -> None:
    assert text.clean_text("a\x00b\r\nc\ud800 🦊\t ") == "ab\nc 🦊\t "


def test_characters_that_unicode_keeps_for_no_text_are_removed() -> None:
    def check(number: int) -> None:
        assert text.clean_text(f"co{chr(number)}op\U00020000{chr(number)}") == "coop\U00020000"

    last_two = (plane + end for plane in range(0, 0x110000, 0x10000) for end in (0xFFFE, 0xFFFF))
    check_each([*range(0xFDD0, 0xFDF0), *last_two], check)


def test_separators_of_other_programs_are_line_breaks_or_spaces() -> None:
    def check(break_: str) -> None:
        assert text.clean_text(f"First{break_}Second") == "First\nSecond"
        assert text.one_line(f"Mei{break_}Lin") == "Mei Lin"
        assert text.comma_list(f"Advice{break_}Capital, People") == ["Advice", "Capital, People"]
        assert text.one_line("a\x1fb\u2800c") == "a b c"

    check_each(["\v", "\f", "\x1c", "\x1e", "\x85", "\u2028", "\u2029", "\r"], check)


def test_invisible_characters_are_removed_and_letters_composed() -> None:
    def check(case: tuple[str, str]) -> None:
        typed, read = case
        assert text.one_line(typed) == read
        assert text.clean_text(read) == read

    cases = [
        ("\u200bmei@firm.example", "mei@firm.example"),
        ("\u202amei@firm.example\u202c\u2060", "mei@firm.example"),
        ("mei\u00ad@firm\u200d.example\ufe0f", "mei@firm.example"),
        ("https://paste.example\u200b", "https://paste.example"),
        ("\ufeff\ufeffID", "ID"),
        ("Acme\u200bLabs\u2066\u061c", "AcmeLabs"),
        ("Energy\ufe0f \U000e0041\u3164", "Energy"),
        ("Cafe\u0301s", "Caf\u00e9s"),
        ("a\x80b\x1bc", "abc"),
    ]
    check_each(cases, check)


@pytest.mark.parametrize(
    "typed",
    [
        "\U0001f469\U0001f3fd\u200d\U0001f680 to \u2764\ufe0f\u200d\U0001f525",  # a woman in a rocket, a heart on fire
        "1\ufe0f\u20e3 \U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  # a key, a flag
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3 \u0dbd\u0d82\u0d9a\u0dcf",  # Sri Lanka
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian
        "\u0b95\u0bcd\u200c\u0bb7 \u0915\u094d\u200d\u0937",  # Tamil, Hindi
        "\u845b\U000e0100\u57ce",  # a variant of an ideograph
    ],
)
def test_joiners_and_variants_stay_where_they_change_what_is_seen(typed: str) -> None:
    assert text.clean_text(typed) == text.one_line(typed) == typed
    assert text.clean_text(f"\u200d{typed}\u200c") == typed


def test_spellings_of_a_word_fold_to_the_same() -> None:
    def check(case: tuple[str, str]) -> None:
        typed, same = case
        assert text.fold(typed) == text.fold(same)
        assert text.fold(f"{typed} " * 40) == f"{text.fold(same)} " * 40

    cases = [
        ("\u00c9lan", "elan"),
        ("E\u0301LAN", "\u00e9lan"),
        ("M\u00dcLLER", "m\u00fcller"),
        ("\u0141\u00d3D\u0179", "\u0142\u00f3d\u017a"),
        ("\u0130kizce", "ikizce"),
        ("O\u2019Brien", "obrien"),
        ("O\u00b4Brien", "O'Brien"),
        ("\u00c5ngstr\u00f6m", "angstrom"),
        ("\ufb01ne", "FINE"),
        ("Acme\u200bLabs", "acmelabs"),
        ("\u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2", "\u03a3\u0399\u03a3\u03a5\u03a6\u039f\u03a3"),
        ("Jean\u2011Luc\u2013Marie", "jean-luc-marie"),
        ("\u0645\u064f\u062d\u064e\u0645\u0651\u062f", "\u0645\u062d\u0645\u062f"),
    ]
    check_each(cases, check)


@pytest.mark.parametrize(
    ("one", "other"), [("\u30ab", "\u30ac"), ("\u0e19\u0e49\u0e32", "\u0e19\u0e32"), ("\ud55c", "\ud558")]
)
def test_marks_that_make_another_word_are_not_folded(one: str, other: str) -> None:
    assert text.fold(one) != text.fold(other)


@pytest.mark.parametrize(
    ("given", "least"),
    [
        ("DBS " + "\u94f6\u884c" * 100, 150),
        ("Halia \u306f" + "\u6771\u4eac\u3067\u50cd\u304f\u3002" * 40, 150),
        ("\u0e18\u0e19\u0e32\u0e04\u0e32\u0e23 DBS " + "\u0e40\u0e02\u0e49\u0e32\u0e43\u0e08" * 40, 145),
        ("See https://firm.example/" + "a" * 300, 150),
        ("word " * 80, 145),
    ],
)
def test_a_text_in_brief_is_about_as_long_as_a_search_result(given: str, least: int) -> None:
    assert least <= len(text.in_brief(given)) <= 155
    assert text.in_brief(given[:155]) == given[:155]


def test_a_text_in_brief_ends_with_a_whole_word() -> None:
    assert text.in_brief("one two three four", 12) == "one two\u2026"


@pytest.mark.parametrize(
    "cluster",
    [
        "\U0001f469\U0001f3fd\u200d\U0001f680",
        "\U0001f1f8\U0001f1ec",
        "x\u0301\u0323",
        "\u0915\u094d\u0937\u093f",
        "\u0e40\u0e01\u0e49",
        "\u1112\u1161\u11ab",
    ],
)
def test_no_text_is_cut_within_a_character(cluster: str) -> None:
    for limit in range(40, 60):
        shown = text.in_brief(cluster * 40, limit).removesuffix("\u2026")
        assert shown == cluster * (len(shown) // len(cluster))


def test_one_line_texts_have_no_line_breaks_and_no_outer_spaces() -> None:
    assert text.one_line("  a\r\n b\t c ") == "a b c"


@pytest.mark.parametrize(
    ("given", "blank"), [("", True), (" \n\u00a0", True), ("\u200b\u2060", True), ("\u3164\ufe0f", True), ("x", False)]
)
def test_invisible_text_counts_as_blank(given: str, blank: bool) -> None:
    assert text.is_blank(given) is blank


@pytest.mark.spec("NF-1")
def test_a_logged_path_is_one_line_without_direction_marks() -> None:
    logged = text.escape_controls("/a\r\nERROR fake\x1b[31m\u202e" + "x" * 1000)
    assert logged.isprintable()
    assert len(logged) < 300


@pytest.mark.spec("ACO-5", "ATM-2", "AAD-3")
def test_a_stored_list_is_displayed_as_it_is_read() -> None:
    def check(case: tuple[object, str]) -> None:
        stored, shown = case
        assert text.shown_list(stored) == shown
        assert text.comma_list(shown) == [text.one_line(entry) for entry in text.text_list(stored)]

    cases: list[tuple[object, str]] = [
        (["a", "b"], "a, b"),
        (["60,000 tonnes", "b"], "60,000 tonnes\nb"),
        (["60,000 tonnes"], "60,000 tonnes\n"),
        (["line\nbreak, comma"], "line break, comma\n"),
        (["Market  entry"], "Market entry"),
        ("an, old, text", "an, old, text"),
        ([], ""),
        (None, ""),
    ]
    check_each(cases, check)


@pytest.mark.spec("SAY-4")
def test_a_year_has_four_digits() -> None:
    def check(case: tuple[str, bool]) -> None:
        typed, fits = case
        assert text.is_year(typed) is fits

    cases = [
        ("2021", True),
        ("1899", True),
        ("twenty", False),
        ("21", False),
        ("20211", False),
        ("c. 1990", False),
        ("２０２１", False),
    ]
    check_each(cases, check)


@pytest.mark.spec("SAY-4")
def test_a_head_count_is_a_number_or_a_range() -> None:
    def check(typed: str) -> None:
        assert text.is_head_count(typed)

    check_each(["7", "40", "1,200", "1200", "11-50", "11 - 50", "11–50", "1,001-5,000", "11 to 50", "10,000+"], check)


@pytest.mark.spec("SAY-4")
def test_other_text_is_not_a_head_count() -> None:
    def check(typed: str) -> None:
        assert not text.is_head_count(typed)

    check_each(["lots", "11-", "-50", "11-50-90", "1,2", "11/50", "about 40", "４０", "", "9" * 10, "40 people"], check)


def test_names_are_joined_in_words() -> None:
    assert text.listed(["articles"]) == "articles"
    assert text.listed(["articles", "books", "pictures"]) == "articles, books and pictures"
    assert text.listed(list(map(text.with_article, ("book", "article"))), "or") == "a book or an article"
