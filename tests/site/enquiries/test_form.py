"""What the contact form must hold."""

from itertools import product
from typing import Any

import pytest

from advisory_site.enquiries import messages as enquiry_messages
from advisory_site.enquiries.form import EnquiryData
from sitekit.base import messages
from sitekit.base.errors import InvalidInput
from tests.support.each import check_each

FILLED = {"firstName": "Ann", "lastName": "Lee", "email": "ann@example.com", "message": "Hello"}


def complaints(**changes: Any) -> dict[str, str]:
    """What is said beside the fields of a form that is filled in well but for these changes."""
    with pytest.raises(InvalidInput) as refused:
        EnquiryData.read(FILLED | changes)
    return refused.value.fields


@pytest.mark.spec("CON-4")
def test_an_empty_form_is_refused_with_all_missing_fields() -> None:
    with pytest.raises(InvalidInput) as refused:
        EnquiryData.read({})
    assert refused.value.fields == {
        "firstName": enquiry_messages.FIRST_NAME_MISSING,
        "lastName": enquiry_messages.LAST_NAME_MISSING,
        "email": enquiry_messages.CONTACT_EMAIL_MISSING,
        "message": enquiry_messages.CONTACT_MESSAGE_MISSING,
    }
    assert refused.value.message == enquiry_messages.ENQUIRY_INCOMPLETE


@pytest.mark.spec("CON-4")
def test_an_enquiry_is_stored_without_invisible_characters() -> None:
    typed = {"email": "\u200bann@example.com\u2060", "firstName": "Mei\vLin", "message": "One\u2028two\u200b"}
    data = EnquiryData.read(FILLED | typed)
    assert (data.email, data.first_name, data.message) == ("ann@example.com", "Mei Lin", "One\ntwo")


@pytest.mark.spec("CON-4")
def test_company_and_stage_may_be_empty() -> None:
    assert EnquiryData.read(FILLED).company == ""


@pytest.mark.spec("CON-4")
@pytest.mark.parametrize("address", ["ann", "ann@", "ann@example", "a b@example.com", "a@b.co, c@d.co"])
def test_an_invalid_email_is_refused_beside_its_field(address: str) -> None:
    assert complaints(email=address) == {"email": enquiry_messages.CONTACT_EMAIL_INVALID}


@pytest.mark.spec("CON-4")
def test_whitespace_does_not_fill_a_required_field() -> None:
    assert complaints(message=" \n\t ") == {"message": enquiry_messages.CONTACT_MESSAGE_MISSING}


@pytest.mark.spec("CON-4")
@pytest.mark.parametrize(
    ("field", "limit"), [("firstName", 100), ("lastName", 100), ("company", 200), ("message", 5_000)]
)
def test_texts_longer_than_their_limit_are_refused(field: str, limit: int) -> None:
    EnquiryData.read(FILLED | {field: "x" * limit})
    assert complaints(**{field: "x" * (limit + 1)}) == {field: messages.TOO_LONG.format(limit=f"{limit:,}")}


@pytest.mark.spec("CON-2")
@pytest.mark.parametrize("stage", ["pmf", "commercialization", "scale", "other", ""])
def test_each_listed_stage_is_accepted(stage: str) -> None:
    assert EnquiryData.read(FILLED | {"stage": stage}).stage == stage


@pytest.mark.spec("CON-2")
def test_an_unlisted_stage_is_refused() -> None:
    assert complaints(stage="unicorn") == {"stage": enquiry_messages.CONTACT_STAGE_INVALID}


@pytest.mark.spec("CON-4")
def test_values_that_are_not_text_are_refused_beside_their_field() -> None:
    def check(case: tuple[object, str]) -> None:
        hostile, field = case
        assert set(complaints(**{field: hostile})) == {field}

    check_each(
        product([None, 7, True, ["a"], {"$ne": ""}], ["firstName", "email", "company", "stage", "message"]), check
    )


@pytest.mark.spec("CON-4")
@pytest.mark.parametrize("hostile", [None, "text", 7, ["firstName"]])
def test_malformed_form_data_is_refused(hostile: object) -> None:
    with pytest.raises(InvalidInput):
        EnquiryData.read(hostile)


@pytest.mark.spec("CON-4")
def test_unknown_fields_are_ignored() -> None:
    assert not hasattr(EnquiryData.read(FILLED | {"id": "1", "handled_at": "now"}), "id")


@pytest.mark.spec("CON-4")
def test_a_name_is_one_line_and_a_message_keeps_its_line_breaks() -> None:
    data = EnquiryData.read(FILLED | {"firstName": " Ann\nMarie ", "message": "One\r\n\r\nTwo\0 "})
    assert (data.first_name, data.message) == ("Ann Marie", "One\n\nTwo")
