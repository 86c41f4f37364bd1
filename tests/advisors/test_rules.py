"""Advisors read whatever their age, drafts say what does not fit, and a form's words become the public page's."""

import pytest

from advisory_site.advisors.models import Advisor
from advisory_site.advisors.rules import (
    AdvisorDraft,
    AdvisorForm,
    Experience,
    Offer,
    Position,
    Service,
    Stat,
    experience_of,
    form_of,
    services_of,
    slug_for,
    stats_of,
)
from advisory_site.errors import InvalidInput
from tests.factories import advisor_form

NOT_LISTS = [None, 7, True, "", "plain text", {"label": "x", "role": "x", "title": "x"}]


@pytest.mark.spec("AD-4")
@pytest.mark.parametrize("stored", NOT_LISTS)
def test_what_is_not_a_list_counts_as_an_empty_one(stored: object) -> None:
    assert (stats_of(stored), experience_of(stored), services_of(stored)) == ((), (), ())


@pytest.mark.spec("AD-4")
def test_items_of_a_wrong_shape_become_texts_or_are_left_out() -> None:
    assert stats_of([{"label": "Exits", "value": 3}, "Years", None, [], {}, 7]) == (
        Stat("Exits", "3"),
        Stat("Years"),
        Stat("7"),
    )
    assert services_of([{"title": {"a": 1}, "duration": None, "description": "x"}]) == (Service(description="x"),)
    assert experience_of([{"role": "Chair", "achievements": "one, two"}, {"role": "CEO", "achievements": 7}]) == (
        Experience(role="Chair", achievements=("one", "two")),
        Experience(role="CEO"),
    )


@pytest.mark.spec("AAD-3")
@pytest.mark.parametrize("field", ["name", "title", "bio", "image_url"])
def test_each_required_field_is_asked_for(field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        AdvisorDraft.read(advisor_form(**{field: "  "}))
    assert caught.value.message == "Please fill in all required fields"
    assert list(caught.value.fields) == [field]


@pytest.mark.spec("AAD-3")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("email", "omar"),
        ("slug", "Omar Aziz"),
        ("image_url", "omar.png"),
        ("cover_image_url", "javascript:x"),
        ("linkedin_url", "linkedin"),
        ("experience.0.position", "x" * 20_001),
    ],
)
def test_a_value_of_a_wrong_format_is_refused_beside_its_field(field: str, value: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        AdvisorDraft.read(advisor_form(**{field: value}))
    assert list(caught.value.fields) == [field]


@pytest.mark.spec("AAD-3")
def test_lists_and_numbers_are_read_from_text() -> None:
    draft = AdvisorDraft.read(advisor_form(expertise="a, ,b", display_order="1.5"))
    assert (draft.expertise, draft.display_order) == (("a", "b"), 0)


@pytest.mark.spec("AAD-3")
@pytest.mark.parametrize(
    ("name", "slug"), [("Dr. Omar  Aziz", "dr-omar-aziz"), ("李明", "advisor"), (" - ", "advisor")]
)
def test_every_name_gives_a_slug(name: str, slug: str) -> None:
    assert slug_for(name) == slug


@pytest.mark.spec("AAD-4")
def test_the_form_shows_role_as_position_period_as_duration_and_duration_as_price() -> None:
    advisor = Advisor(
        id=1,
        name="Omar",
        slug="omar",
        stats=[{"label": "Exits", "value": "3"}],
        experience=[{"role": "Chair", "company": "Kelp", "period": "2019-2024", "description": "d"}],
        services=[{"title": "Review", "description": "d", "duration": "2 hours", "price": "old"}],
    )
    form = form_of(advisor)
    assert form.stats == (Stat("Exits", "3"),)
    assert form.experience == (Position("Chair", "Kelp", "2019-2024", "d"),)
    assert form.services == (Offer("Review", "d", "2 hours"),)


@pytest.mark.spec("AAD-4")
def test_the_draft_stores_what_the_public_page_reads() -> None:
    draft = AdvisorDraft.read(
        advisor_form(
            stats=[{"label": "Exits", "value": "3"}],
            experience=[{"position": "Chair", "company": "Kelp", "duration": "2019", "description": "d"}],
            services=[{"title": "Review", "description": "d", "price": "2 hours"}],
        )
    )
    stored = draft.stored()
    assert stored["stats"] == [{"label": "Exits", "value": "3"}]
    assert stored["experience"] == [
        {"role": "Chair", "company": "Kelp", "period": "2019", "description": "d", "achievements": []}
    ]
    assert stored["services"] == [{"title": "Review", "description": "d", "price": "2 hours", "duration": "2 hours"}]


@pytest.mark.spec("AAD-2", "AAD-4")
def test_the_form_has_every_field_of_the_record_but_testimonials() -> None:
    not_filled_in = {"testimonials", "created_at", "updated_at", "updated_by"}
    assert set(vars(AdvisorForm())) == set(Advisor.model_fields) - not_filled_in
    assert set(AdvisorDraft.model_fields) == set(vars(AdvisorForm())) - {"id", "version"}
