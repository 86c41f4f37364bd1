"""Drafts of team members say what does not fit; the dialog shows every field."""

import pytest

from advisory_site.core.errors import InvalidInput
from advisory_site.records.inputs import form_of
from advisory_site.team.models import TeamMember
from advisory_site.team.service import MEMBERS, slug_for
from tests.support.factories import member_form

REQUIRED = ["name", "designation", "email", "image_url", "bio", "detailed_bio"]


@pytest.mark.spec("ATM-2")
@pytest.mark.parametrize("field", REQUIRED)
def test_each_required_field_is_asked_for(field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        MEMBERS.draft.read(member_form(**{field: ""}))
    assert caught.value.message == "Please fill in all required fields"
    assert list(caught.value.fields) == [field]


@pytest.mark.spec("ATM-2")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("email", "mei@firm"),
        ("image_url", "portrait.png"),
        ("image_url", "javascript:alert(1)"),
        ("linkedin_url", "linkedin.com/in/mei"),
        ("linkedin_url", "javascript:alert(1)"),
    ],
)
def test_a_value_of_a_wrong_format_is_refused_beside_its_field(field: str, value: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        MEMBERS.draft.read(member_form(**{field: value}))
    assert list(caught.value.fields) == [field]


@pytest.mark.spec("ATM-2")
@pytest.mark.parametrize("sent", ["", "  ", None])
def test_an_empty_linkedin_address_is_stored_as_null(sent: str | None) -> None:
    assert MEMBERS.draft.read(member_form(linkedin_url=sent)).stored()["linkedin_url"] is None


@pytest.mark.spec("ATM-2")
def test_lists_and_numbers_are_read_from_text() -> None:
    draft = MEMBERS.draft.read(member_form(expertise="a, ,b", achievements=" x ", display_order="first"))
    assert (draft.expertise, draft.achievements, draft.display_order) == (("a", "b"), ("x",), 0)


@pytest.mark.spec("ATM-3")
@pytest.mark.parametrize(
    ("name", "slug"), [("Mei  Lin!", "mei-lin"), ("李明", "member"), ("-", "member"), ("x" * 200, "x" * 190)]
)
def test_every_name_gives_a_slug(name: str, slug: str) -> None:
    assert slug_for(name) == slug


@pytest.mark.spec("ATM-2")
def test_a_new_dialog_is_blank_active_and_last() -> None:
    texts = MEMBERS.blank_form().texts
    assert (texts["name"], texts["is_active"], texts["display_order"]) == ("", "on", "")


@pytest.mark.spec("ATM-2")
def test_the_dialog_has_every_field_of_the_record_but_the_slug() -> None:
    not_filled_in = {"id", "version", "slug", "created_at", "updated_at", "updated_by"}
    assert set(MEMBERS.draft.model_fields) & set(MEMBERS.fields) == set(TeamMember.model_fields) - not_filled_in
    assert set(MEMBERS.blank_form().inputs()) == set(MEMBERS.draft.model_fields)


@pytest.mark.spec("DATA-2")
@pytest.mark.parametrize("junk", [None, 7, True, "a, b", [1, None], {"a": 1}])
def test_the_dialog_shows_a_record_of_any_shape(junk: object) -> None:
    member = TeamMember(id=1, name="Mei", slug="mei", achievements=junk, expertise=junk)
    assert isinstance(form_of(member, MEMBERS.fields).texts["expertise"], str)
