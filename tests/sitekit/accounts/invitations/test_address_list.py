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


def test_hostile_text_is_parsed_quickly() -> None:
    def check(text: str) -> None:
        assert all(not entry.email for entry in read_addresses(text))

    check_each(['"' * 20_000, "<" * 20_000, "a" * 20_000, "a'" * 10_000, '"a,' * 6_000, "a@" * 10_000], check)
