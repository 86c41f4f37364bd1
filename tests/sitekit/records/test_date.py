"""Dates: what a form may send, what visitors, files and the history show of them."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

import pytest

from sitekit.base import messages
from sitekit.base.errors import InvalidInput
from sitekit.base.times import date_text
from sitekit.records.comparison import compare
from sitekit.records.fields.changes import VALUE
from sitekit.records.fields.date import Date, PastDate, short_date
from sitekit.records.fields.field_type import Input, form_fields
from sitekit.records.form_fields import FormData
from tests.support.each import check_each


class Talk(FormData):
    held_on: Annotated[Date, Input("Held on")] = ""


class Letter(FormData):
    written_on: Annotated[PastDate, Input("Written on")] = ""


FIELDS = form_fields(Talk)
DATE = FIELDS["held_on"].field_type


@pytest.mark.parametrize("typed", ["2026-11-25", " 2024-02-29 ", "", None])
def test_a_date_or_nothing_is_read(typed: str | None) -> None:
    assert Talk.read({"held_on": typed}).held_on == (typed or "").strip()


def test_what_is_no_date_is_refused_beside_its_field() -> None:
    def check(typed: str) -> None:
        with pytest.raises(InvalidInput) as refused:
            Talk.read({"held_on": typed})
        assert refused.value.fields == {"held_on": messages.DATE_INVALID}

    cases = ["25.11.2026", "25/11/2026", "2026-11", "2026-02-29", "20261125", "2026-W48-3", "12026-01-01", "today"]
    check_each(cases, check)


def test_a_past_date_is_from_1990_to_today_where_the_firm_is() -> None:
    def check(typed: str) -> None:
        with pytest.raises(InvalidInput) as refused:
            Letter.read({"written_on": typed})
        assert refused.value.fields == {"written_on": messages.DATE_NOT_PAST}

    today, tomorrow = (date_text(datetime.now(UTC) + timedelta(days=days)) for days in (0, 1))
    check_each(["soon", "0202-11-27", "1989-12-31", "9999-12-31", tomorrow], check)
    for typed in ("1990-01-01", "2024-02-29", today, ""):
        assert Letter.read({"written_on": typed}).written_on == typed


def test_a_date_that_was_stored_before_the_rule_stands_in_the_way_of_no_other_change() -> None:
    stored = {"written_on": "0202-11-27"}
    assert Letter.read(stored, original=stored).written_on == "0202-11-27"


def test_visitors_read_a_date_in_words_and_nothing_of_a_stored_text_that_is_none() -> None:
    assert [DATE.public(stored) for stored in ("2026-11-25", "2026-03-02", "", None, "soon")] == [
        "25 November 2026",
        "2 March 2026",
        "",
        "",
        "",
    ]


def test_the_back_office_writes_months_in_short() -> None:
    assert [short_date(stored) for stored in ("2026-11-28", "", None, "soon")] == ["28 Nov 2026", "", "", ""]


def test_a_file_and_the_form_have_the_date_as_it_is_stored() -> None:
    assert DATE.form_text("2026-11-25") == "2026-11-25"
    assert DATE.from_cell(DATE.cell("2026-11-25")) == "2026-11-25"


def test_the_history_shows_both_dates_whole() -> None:
    (change,) = compare(FIELDS, {"held_on": "2026-11-25"}, {"held_on": "2026-11-26"})[:1]
    assert (change.category, change.old, change.new) == (VALUE, "2026-11-25", "2026-11-26")
    assert compare(FIELDS, {"held_on": "2026-11-25"}, {"held_on": "2026-11-25"}) == ()
