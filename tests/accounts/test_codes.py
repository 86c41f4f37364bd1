"""Time-based codes: the arithmetic of RFC 6238, and what people type."""

import base64
import re
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from advisory_site.accounts import codes
from advisory_site.content.firm import FIRM
from tests.conftest import on_sqlite

pytestmark = [on_sqlite, pytest.mark.spec("MFA-1")]
# RFC 6238, appendix B, for SHA-1: the last six of its eight digits.
SECRET = base64.b32encode(b"12345678901234567890").decode()
VECTORS = {
    59: "94287082",
    1111111109: "07081804",
    1111111111: "14050471",
    1234567890: "89005924",
    2000000000: "69279037",
    20000000000: "65353130",
}


@pytest.mark.parametrize(("at", "code"), VECTORS.items())
def test_the_vectors_of_the_rfc(monkeypatch: pytest.MonkeyPatch, at: int, code: str) -> None:
    monkeypatch.setattr("time.time", lambda: at)
    assert codes.matching_steps(SECRET, code[-6:]) == (at // 30,)


@pytest.mark.parametrize(("steps", "is_taken"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_one_step_of_tolerance(monkeypatch: pytest.MonkeyPatch, steps: int, is_taken: bool) -> None:
    monkeypatch.setattr("time.time", lambda: 1234567890 - 30 * steps)
    assert codes.matching_steps(SECRET, "005924") == ((41152263,) if is_taken else ())


@pytest.mark.parametrize(
    ("typed", "code"),
    [
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
    ],
)
def test_a_code_is_read_as_people_type_it(typed: object, code: str) -> None:
    assert codes.read_code(typed) == code


def test_an_app_learns_the_firm_and_the_account() -> None:
    address = urlsplit(codes.setup_address(SECRET, "ann+x@northstrait.example"))
    assert (address.scheme, address.netloc) == ("otpauth", "totp")
    assert unquote(address.path) == f"/{FIRM.name}:ann+x@northstrait.example"
    assert parse_qs(address.query) == {"secret": [SECRET], "issuer": [FIRM.name]}
    assert len(codes.new_secret()) == 32
    assert codes.new_secret() != codes.new_secret()


def test_a_qr_code_is_square_with_a_quiet_zone() -> None:
    path, size = codes.qr_path(codes.setup_address(codes.new_secret(), "ann@northstrait.example"))
    places = [(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", path)]
    assert {min(x for x, _ in places), min(y for _, y in places)} == {4}
    assert {max(x for x, _ in places), max(y for _, y in places)} == {size - 5}


def test_a_secret_is_typed_in_groups_of_four() -> None:
    assert codes.in_groups("ABCDEFGHIJ") == "ABCD EFGH IJ"
