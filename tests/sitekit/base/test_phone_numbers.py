"""The number that a link dials, out of a telephone number as people write it."""

import pytest

from sitekit.base.phone_numbers import dialable
from tests.support.each import check_each


@pytest.mark.spec("CO-2")
def test_a_link_dials_the_first_number_alone() -> None:
    def check(case: tuple[str, str]) -> None:
        written, dialled = case
        assert dialable(written) == dialled

    cases = [
        ("+65 6123 4567", "+6561234567"),
        ("61234567", "61234567"),
        ("995", "995"),
        ("+65-6123-4567 (Office)", "+6561234567"),
        ("(021) 555.1234", "0215551234"),
        ("+1 (415) 555–0123", "+14155550123"),
        ("(+65) 6123 4567", "+6561234567"),
        # Prefixes that are not dialled, or not so.
        ("+65 (0)6123 4567", "+6561234567"),
        ("0044 ( 0 ) 20 7946 0000", "+442079460000"),
        ("00 65 6123 4567", "+6561234567"),
        ("(0)20 7946 0000", "02079460000"),
        ("+39 06 1234 5678", "+390612345678"),
        # Several numbers, and what stands beside one.
        ("6123 4567 / 6123 4568", "61234567"),
        ("+65 6123 4567 | +65 6123 4568", "+6561234567"),
        ("6123 4567 or 6123 4568", "61234567"),
        ("6123 4567, 6123 4568", "61234567"),
        ("6123 4567/68", "61234567"),
        ("1) 6123 4567; 2) 6123 4568", "61234567"),
        ("6123 4567 (24 hours)", "61234567"),
        ("24/7: 1800 123 4567", "18001234567"),
        ("030/123456", "030123456"),
        ("+49 (0)6221 / 123456", "+496221123456"),
        # Extensions.
        ("+65 6123 4567 ext. 12", "+6561234567;ext=12"),
        ("6123 4567 X12", "61234567;ext=12"),
        ("6123 4567, extension 12", "61234567;ext=12"),
        ("6123 4567 (ext 12)", "61234567;ext=12"),
        ("+65 6123 4567;ext=12", "+6561234567;ext=12"),
        # Labels before.
        ("tel: +65 6123 4567", "+6561234567"),
        ("Tel. +65 6123 4567", "+6561234567"),
        ("电话61234567", "61234567"),
        # Other signs and digits.
        ("＋６５ （０） ６１２３ ４５６７", "+6561234567"),
        ("+65\u20116123\u20114567", "+6561234567"),
        ("\u202a+65\u00a06123\u200b4567\u202c", "+6561234567"),
        ("+٩٧١ ٤ ١٢٣ ٤٥٦٧", "+97141234567"),
        ("०२ ६१२३ ४५६७", "0261234567"),
    ]
    check_each(cases, check)


@pytest.mark.spec("CO-2")
def test_what_is_no_single_number_is_not_dialled() -> None:
    def check(written: str) -> None:
        assert dialable(written) == ""

    written = ["", "n/a", "12", "00 65", "+", "(0)", "1-800-FLOWERS", "6123 4567 6123 4568", "6" * 16]
    check_each(written, check)
