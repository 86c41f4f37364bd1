"""Time-based codes: the arithmetic of RFC 6238, and what people type."""

import base64
import re
from dataclasses import replace

import pytest

from sitekit.accounts.factors import codes
from tests.conftest import on_sqlite
from tests.support.each import check_each

pytestmark = [on_sqlite, pytest.mark.spec("MFA-1")]
SECRET = base64.b32encode(b"12345678901234567890").decode()
# RFC 4226, appendix D.
COUNTED = ("755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489")
# RFC 6238, appendix B, for SHA-1: the last six of its eight digits, by seconds.
TIMED = {
    59: "287082",
    1111111109: "081804",
    1111111111: "050471",
    1234567890: "005924",
    2000000000: "279037",
    20000000000: "353130",
}


def test_codes_match_the_test_vectors_of_the_standards() -> None:
    assert tuple(codes.code_at(SECRET, counter) for counter in range(10)) == COUNTED
    assert {at: codes.code_at(SECRET, at // 30) for at in TIMED} == TIMED


@pytest.mark.parametrize(("steps", "is_taken"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_codes_one_step_early_or_late_are_accepted(monkeypatch: pytest.MonkeyPatch, steps: int, is_taken: bool) -> None:
    monkeypatch.setattr("time.time", lambda: 1234567890 - 30 * steps)
    assert codes.matching_steps(SECRET, "005924") == ((41152263,) if is_taken else ())


def test_codes_are_read_in_the_spellings_people_type() -> None:
    def check(case: tuple[object, str]) -> None:
        typed, code = case
        assert codes.read_code(typed) == code

    cases: list[tuple[object, str]] = [
        ("123456", "123456"),
        (" 123 456 ", "123456"),
        ("123-456", "123456"),
        ("123\N{NO-BREAK SPACE}456", "123456"),
        ("\N{RIGHT-TO-LEFT MARK}١٢٣٤٥٦", "123456"),
        ("۱۲۳۴۵۶", "123456"),
        ("１２３４５６", "123456"),
        ("12345", ""),
        ("1234567", ""),
        ("12345a", ""),
        ("12345²", ""),
        ("", ""),
        ("1" * 100_000, ""),
        ("\ud800" * 6, ""),
        (123456, ""),
        (None, ""),
        (["1"] * 6, ""),
    ]
    check_each(cases, check)


def test_the_setup_address_names_the_site_and_the_account(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes, "BRAND", replace(codes.BRAND, name="Ship & Sons: Oslo"))
    assert codes.setup_address(SECRET, "o'neil+a/b@northstrait.example") == (
        "otpauth://totp/Ship%20%26%20Sons%3A%20Oslo:o%27neil%2Ba%2Fb%40northstrait.example"
        f"?secret={SECRET}&issuer=Ship%20%26%20Sons%3A%20Oslo"
    )


def test_each_secret_is_new_and_has_160_bits() -> None:
    assert len(base64.b32decode(codes.new_secret())) == 20
    assert codes.new_secret() != codes.new_secret()


def test_a_qr_code_is_square_with_a_quiet_zone() -> None:
    path, size = codes.qr_path(codes.setup_address(codes.new_secret(), "ann@northstrait.example"))
    places = [(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", path)]
    assert {min(x for x, _ in places), min(y for _, y in places)} == {4}
    assert {max(x for x, _ in places), max(y for _, y in places)} == {size - 5}


def test_a_secret_is_shown_in_groups_of_four_characters() -> None:
    assert codes.in_groups("ABCDEFGHIJ") == "ABCD EFGH IJ"
