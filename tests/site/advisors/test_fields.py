"""Advisors read whatever their age, drafts say what does not fit, and a form's words become the public page's."""

import pytest

from advisory_site.advisors.groups import AdvisorService, AdvisorStat, Position, positions_of, services_of, stats_of
from advisory_site.advisors.models import Advisor
from advisory_site.advisors.passages import DescriptionPart, passages_of
from advisory_site.advisors.service import ADVISORS, slug_for
from sitekit.records.inputs import form_of
from tests.support.each import check_each
from tests.support.factories import advisor_form

NOT_LISTS = [None, 7, True, "", "plain text", {"label": "x", "role": "x", "title": "x"}]


@pytest.mark.spec("AD-4")
@pytest.mark.parametrize("stored", NOT_LISTS)
def test_values_that_are_no_list_are_read_as_empty(stored: object) -> None:
    assert (stats_of(stored), positions_of(stored), services_of(stored)) == ((), (), ())


@pytest.mark.spec("AD-4")
def test_malformed_items_become_texts_or_are_left_out() -> None:
    assert stats_of([{"label": "Exits", "value": 3}, "Years", None, [], {}, 7]) == (
        AdvisorStat("Exits", "3"),
        AdvisorStat("Years"),
        AdvisorStat("7"),
    )
    assert services_of([{"title": {"a": 1}, "duration": None, "description": "x"}]) == (
        AdvisorService(description="x"),
    )
    assert positions_of([{"role": "Chair", "achievements": "one, two"}, {"role": "CEO", "achievements": 7}]) == (
        Position(role="Chair", description=(DescriptionPart(points=("one", "two")),)),
        Position(role="CEO"),
    )


@pytest.mark.spec("AAD-3")
@pytest.mark.parametrize(
    ("name", "slug"), [("Dr. Omar  Aziz", "dr-omar-aziz"), ("李明", "advisor"), (" - ", "advisor")]
)
def test_every_name_produces_a_slug(name: str, slug: str) -> None:
    assert slug_for(name) == slug


@pytest.mark.spec("AAD-4")
def test_the_form_labels_stored_fields_as_position_duration_and_price() -> None:
    advisor = Advisor(
        id=1,
        name="Omar",
        slug="omar",
        stats=[{"label": "Exits", "value": "3"}],
        experience=[{"role": "Chair", "company": "Kelp", "period": "2019-2024", "description": "d"}],
        services=[{"title": "Review", "description": "d", "duration": "2 hours", "price": "old"}],
    )
    form = form_of(advisor, ADVISORS.fields)
    assert form.rows["stats"] == [{"label": "Exits", "value": "3"}]
    assert form.rows["experience"] == [
        {"position": "Chair", "company": "Kelp", "duration": "2019-2024", "description": "d"}
    ]
    assert form.rows["services"] == [{"title": "Review", "price": "2 hours", "description": "d"}]


@pytest.mark.spec("AAD-4")
def test_the_draft_stores_the_fields_the_public_page_reads() -> None:
    data = ADVISORS.data_class.read(
        advisor_form(
            stats=[{"label": "Exits", "value": "3"}],
            experience=[{"position": "Chair", "company": "Kelp", "duration": "2019", "description": "d"}],
            services=[{"title": "Review", "description": "d", "price": "2 hours"}],
        )
    )
    stored = data.stored()
    assert stored["stats"] == [{"label": "Exits", "value": "3"}]
    assert stored["experience"] == [
        {"role": "Chair", "company": "Kelp", "period": "2019", "description": "d", "achievements": []}
    ]
    assert stored["services"] == [{"title": "Review", "description": "d", "price": "2 hours", "duration": "2 hours"}]


@pytest.mark.spec("AAD-4", "AD-3")
def test_lines_that_begin_with_a_hyphen_become_list_items() -> None:
    def check(case: tuple[str, tuple[DescriptionPart, ...]]) -> None:
        text, passages = case
        assert passages_of(text) == passages
        assert positions_of([{"description": text, "role": "Chair"}])[0].description == passages

    cases: list[tuple[str, tuple[DescriptionPart, ...]]] = [
        ("", ()),
        (" \n\n", ()),
        ("One line.", (DescriptionPart("One line."),)),
        ("One line,\nand another.\n\nNext.", (DescriptionPart("One line,\nand another."), DescriptionPart("Next."))),
        ("- a\n-  b\n\n- c", (DescriptionPart(points=("a", "b", "c")),)),
        (
            "Led it:\n- a\n  - b\nThen left.",
            (DescriptionPart("Led it:"), DescriptionPart(points=("a", "b")), DescriptionPart("Then left.")),
        ),
        ("-no point\n-", (DescriptionPart("-no point\n-"),)),
        ("In 2019 - or so", (DescriptionPart("In 2019 - or so"),)),
    ]
    check_each(cases, check)


@pytest.mark.spec("AAD-4")
def test_the_form_shows_stored_achievements_as_lines_of_the_description() -> None:
    held = [
        {"role": "Chair", "description": "Led it.", "achievements": ["Listed, twice", "Won\nback"]},
        {"role": "CFO", "description": " ", "achievements": ["Saved it"]},
        {"role": "Clerk", "description": "Filed.\n", "achievements": []},
    ]
    form = form_of(Advisor(id=1, name="Omar", slug="omar", experience=held), ADVISORS.fields)
    assert [position["description"] for position in form.rows["experience"]] == [
        "Led it.\n- Listed, twice\n- Won back",
        "- Saved it",
        "Filed.\n",
    ]
    assert form.noted["experience"]
    saved = ADVISORS.data_class.read(form.inputs() | advisor_form(experience=form.rows["experience"])).stored()[
        "experience"
    ]
    assert positions_of(saved) == positions_of(held)
    assert [position["achievements"] for position in saved] == [[], [], []]
