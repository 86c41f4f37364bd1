"""Lists of addresses as people paste them: from mail programs, spreadsheets and messages."""

import pytest

from sitekit.accounts.invitations.address_list import read_addresses
from tests.support.each import check_each

pytestmark = pytest.mark.spec("INV-1")


def test_addresses_are_read_once_and_in_order() -> None:
    def check(case: tuple[str, list[str]]) -> None:
        text, emails = case
        assert [entry.email for entry in read_addresses(text)] == emails

    cases: list[tuple[str, list[str]]] = [
        ("ann@x.com", ["ann@x.com"]),
        (
            "ann@x.com, bo@x.com; cy@x.com\ndi@x.com ed@x.com",
            [f"{one}@x.com" for one in ("ann", "bo", "cy", "di", "ed")],
        ),
        ("Ann Lim <ann@x.com>, Bo <BO@X.com>", ["ann@x.com", "bo@x.com"]),
        ('"Lim, Ann" <ann@x.com>, <bo@x.com>', ["ann@x.com", "bo@x.com"]),
        ("Lim, Ann <ann@x.com>; O'Neill, Bo <bo@x.com>", ["ann@x.com", "bo@x.com"]),
        ("Ann\tLim\tann@x.com\r\nBo\tTan\tbo@x.com", ["ann@x.com", "bo@x.com"]),
        ("mailto:ann@x.com. (bo@x.com)", ["ann@x.com", "bo@x.com"]),
        ("  ANN@X.com ,, ann@x.com\n;", ["ann@x.com"]),
        (" ,;\n\n ", []),
        ("", []),
    ]
    check_each(cases, check)


def test_invalid_addresses_are_kept_as_typed() -> None:
    def check(typed: str) -> None:
        (entry, good) = read_addresses(f"{typed}\nbo@x.com")
        assert (entry.typed, entry.email) == (typed, "")
        assert good.email == "bo@x.com"

    cases = [
        "Ann",
        "ann@",
        "@x.com",
        "ann@x",
        "ann.x.com",
        "é@x.com",
        "ann@münchen.example",
        "Ann <ann@>",
        "<>",
        'a"b@x.com',
    ]
    check_each(cases, check)


def test_display_names_are_skipped_and_other_text_is_kept() -> None:
    found = read_addresses(
        "ann.x.com, Bo <bo@x.com>; Tan\nLim\nCy <cy@x.com>; 12, Di <di@x.com>; Last, <ed@x.com>; End"
    )
    assert [entry.typed for entry in found if not entry.email] == ["ann.x.com", "Tan", "12", "Last", "End"]
    assert [entry.email for entry in found if entry.email] == ["bo@x.com", "cy@x.com", "di@x.com", "ed@x.com"]


def test_the_name_beside_an_address_is_split_into_first_and_last_name() -> None:
    def check(case: tuple[str, list[tuple[str, str]]]) -> None:
        text, names = case
        assert [(one.names.first_name, one.names.last_name) for one in read_addresses(text)] == names

    cases: list[tuple[str, list[tuple[str, str]]]] = [
        ("mei@x.com, <mei@x.example>", [("", ""), ("", "")]),
        ("Mei Tan <mei@x.com>, Bo <bo@x.com>\nCy Lim <cy@x.com>", [("Mei", "Tan"), ("Bo", ""), ("Cy", "Lim")]),
        ("Mei Tan <mei@x.com> Bo Lim <bo@x.com>", [("Mei", "Tan"), ("Bo", "Lim")]),
        ('"Tan, Mei" <mei@x.com>; Tan, Mei <me@x.com>; "Tan," <t@x.com>', [("Mei", "Tan")] * 2 + [("Tan", "")]),
        ("Team\nMei Tan <mei@x.com>", [("Mei", "Tan")]),
        ("'Mei Tan' <mei@x.com>, \u201cMei Tan\u201d <me@x.com>", [("Mei", "Tan")] * 2),
        (r'"Mei \"MT\" Tan" <mei@x.com>', [("Mei", '"MT" Tan')]),
        ("  Mei \t Tan\u200b  <mei@x.com>", [("Mei", "Tan")]),
        ("Ravi s/o Kumar <ravi@x.com>, Ana de la Cruz <ana@x.com>", [("Ravi", "s/o Kumar"), ("Ana", "de la Cruz")]),
        ("陈伟明 <wei@x.com>, 陈 伟 <chen@x.com>", [("陈伟明", ""), ("陈 伟", "")]),
        ("Mei Tan 陈美 <mei@x.com>, mei@x.com", [("Mei", "Tan 陈美")]),
        ("mei@x.com, Mei Tan <mei@x.com>, May Lim <mei@x.com>", [("Mei", "Tan")]),
        ("김 민수 <kim@x.com>, สมชาย <som@x.com>", [("김 민수", ""), ("สมชาย", "")]),
        ("Mei\tTan\tmei@x.com\nBo Lim (bo@x.com)", [("Mei", "Tan"), ("Bo", "Lim")]),
        ("ann@x.com, and bo@x.com\n1. cy@x.com", [("", "")] * 3),
    ]
    check_each(cases, check)


def test_an_address_whose_name_no_form_would_take_has_no_name() -> None:
    def check(name: str) -> None:
        (entry,) = read_addresses(f"{name} <mei@x.com>")
        assert (entry.email, entry.names.first_name, entry.names.last_name) == ("mei@x.com", "", "")

    cases = [
        "mei@x.com",
        '"mei@x.com"',
        "Mei www.evil.example",
        "Mei https://evil.example",
        "Bcc: Mei",
        "M" * 81,
        "Mei " + "T" * 81,
        '"\u200b"',
        "=?UTF-8?B?6ZmI?=",
        "=?UTF-8?Q?Mei_Tan?=",
    ]
    check_each(cases, check)


def test_hostile_text_is_parsed_quickly() -> None:
    def check(text: str) -> None:
        assert all(not entry.email for entry in read_addresses(text))

    cases = ['"' * 20_000, "<" * 20_000, "a" * 20_000, "a'" * 10_000, '"a,' * 6_000, "a@" * 10_000, "<>" + "a" * 19_000]
    check_each(cases, check)
