"""Drafts of team members say what does not fit; the dialog shows every field."""

import pytest

from advisory_site.team.service import MEMBERS, slug_for
from tests.support.factories import member_form

REQUIRED = ["name", "designation", "email", "image_url", "bio", "detailed_bio"]


@pytest.mark.spec("ATM-2")
@pytest.mark.parametrize("sent", ["", "  ", None])
def test_an_empty_linkedin_url_is_stored_as_null(sent: str | None) -> None:
    assert MEMBERS.data_class.read(member_form(linkedin_url=sent)).stored()["linkedin_url"] is None


@pytest.mark.spec("ATM-3")
@pytest.mark.parametrize(
    ("name", "slug"), [("Mei  Lin!", "mei-lin"), ("李明", "member"), ("-", "member"), ("x" * 200, "x" * 190)]
)
def test_every_name_produces_a_slug(name: str, slug: str) -> None:
    assert slug_for(name) == slug


@pytest.mark.spec("ATM-2")
def test_a_new_member_form_is_blank_active_and_ordered_last() -> None:
    texts = MEMBERS.blank_form().texts
    assert (texts["name"], texts["is_active"], texts["display_order"]) == ("", "on", "")
