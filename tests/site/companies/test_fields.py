"""Companies read whatever their age, and drafts of them say what does not fit."""

from typing import Any

import pytest

from advisory_site.companies.fields import area_url, founder_label, logo_of, mark_picture, unquoted
from advisory_site.companies.models import Company, Founder, founders_of
from advisory_site.companies.service import COMPANIES
from sitekit.records.inputs import form_of
from tests.support.each import check_each
from tests.support.factories import company_form

REQUIRED = ["name", "slug", "description", "industry", "founded", "employees", "location"]
JUNK: list[object] = [None, 7, True, "", "  ", [], {}, [None], [[]], [{}], [{"name": None}], {"nom": "x"}]
JUNK += [[{"name": {"a": 1}}]]


@pytest.mark.spec("CO-6")
@pytest.mark.parametrize(
    ("stored", "founders"),
    [
        (
            [{"name": "Ann", "title": "CEO", "bio": "a, b"}, {"name": "Bo"}],
            [Founder("Ann", "CEO", "a, b"), Founder("Bo")],
        ),
        ({"name": "Ann", "title": "CEO"}, [Founder("Ann", "CEO")]),
        ("Ann and Bo", [Founder("Ann and Bo")]),
        (["Ann", {"name": "Bo"}, None, 7], [Founder("Ann"), Founder("Bo"), Founder("7")]),
        ([{"bio": "Nameless"}], [Founder(bio="Nameless")]),
    ],
)
def test_founders_are_read_from_a_list_an_object_or_a_text(stored: object, founders: list[Founder]) -> None:
    assert list(founders_of(stored)) == founders


@pytest.mark.spec("CO-6", "DATA-2")
def test_malformed_founders_are_left_out_or_shown_as_text() -> None:
    def check(stored: object) -> None:
        assert founders_of(stored) in ((), (Founder("7"),))

    check_each(JUNK, check)


@pytest.mark.spec("ACO-2")
def test_the_founder_column_names_the_first_founder() -> None:
    def check(case: tuple[object, str]) -> None:
        stored, label = case
        assert founder_label(stored) == label

    cases: list[tuple[object, str]] = [
        ([{"name": "Ann"}, {"name": "Bo"}], "Ann"),
        ({"name": "Ann"}, "Ann"),
        ("Ann and Bo", "Ann and Bo"),
        ([], "N/A"),
        ("", "N/A"),
        (None, "N/A"),
        ([{"title": "CEO"}], "N/A"),
    ]
    check_each(cases, check)


@pytest.mark.spec("CO-5")
def test_a_company_without_a_logo_gets_a_fallback() -> None:
    assert logo_of("Treacle Tech", "") == "/images/treacle-tech.svg"
    assert logo_of("Musim", "") == "/images/placeholder-company.svg"
    assert logo_of("Treacle Tech", "/images/own.svg") == "/images/own.svg"


@pytest.mark.spec("CO-5")
@pytest.mark.parametrize(
    ("logo_url", "mark_url", "shown"),
    [
        ("/images/logo.svg", "/images/mark.svg", "/images/mark.svg"),
        ("/images/logo.svg", "", "/images/logo.svg"),
        ("/images/logo.svg", "javascript:alert(1)", "/images/logo.svg"),
        ("", "", "/images/placeholder-company.svg"),
    ],
)
def test_lists_show_the_square_mark_in_place_of_the_logo(logo_url: str, mark_url: str, shown: str) -> None:
    assert mark_picture("Musim", logo_url, mark_url).image_url == shown


def test_a_logo_with_an_invalid_address_is_not_shown() -> None:
    assert logo_of("Musim", "javascript:alert(1)") == "/images/placeholder-company.svg"


@pytest.mark.spec("PUB-1")
def test_only_current_support_areas_have_a_link() -> None:
    assert area_url("Supportive Mentoring Advice") == "/what-we-do#supportive-mentoring-advice"
    assert [area_url(title) for title in ("", "Mentoring", "supportive mentoring advice")] == ["", "", ""]


@pytest.mark.spec("PUB-1")
@pytest.mark.parametrize(
    ("typed", "shown"),
    [(' "We grew." ', "We grew."), ("“We grew.”", "We grew."), ('He said "no"', 'He said "no"'), ('"', '"'), ("", "")],
)
def test_typed_quotation_marks_around_a_quote_are_removed(typed: str, shown: str) -> None:
    assert unquoted(typed) == shown


@pytest.mark.spec("ACO-7", "DATA-1")
def test_the_status_is_active_unless_another_is_typed() -> None:
    assert COMPANIES.data_class.read(company_form()).status == "Active"
    assert COMPANIES.data_class.read(company_form(status=" ")).status == "Active"
    assert COMPANIES.data_class.read(company_form(status="Exited")).status == "Exited"


def test_the_form_shows_records_with_malformed_lists() -> None:
    def check(junk: Any) -> None:
        company = Company(
            id=1, name="Old", slug="old", founders=junk, services=junk, coverage_areas=junk, target_market=junk
        )
        form = form_of(company, COMPANIES.fields)
        assert all(isinstance(text, str) for text in form.texts.values())
        assert form.rows["founders"] == [vars(founder) for founder in founders_of(junk)]

    check_each([*JUNK, "a, b", [1, "x"], {"a": ["b"]}], check)
