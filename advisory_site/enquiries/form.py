"""The fields of the contact form, their rules and error messages."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, ClassVar

from pydantic import ConfigDict
from pydantic.alias_generators import to_camel

from sitekit.base.text import MAX_EMAIL_LENGTH, clean_text, is_blank, is_email, one_line
from sitekit.records.form_fields import LONG, FormData, checked, reader

from . import messages
from .models import STAGES

MISSING = {
    "firstName": messages.FIRST_NAME_MISSING,
    "lastName": messages.LAST_NAME_MISSING,
    "email": messages.CONTACT_EMAIL_MISSING,
    "message": messages.CONTACT_MESSAGE_MISSING,
}
# About a required field, for the browser while the server cannot be reached.
COMPLAINTS = {
    name: {"missing": sentence, "malformed": messages.CONTACT_EMAIL_INVALID} for name, sentence in MISSING.items()
}

_text = partial(reader, takes_null=False)
_line = partial(_text, one_line)


def _trimmed(value: object) -> str:
    return clean_text(value).strip()


class EnquiryData(FormData):
    """An enquiry that may be stored."""

    model_config = ConfigDict(alias_generator=to_camel)

    refusal: ClassVar[str] = messages.ENQUIRY_INCOMPLETE

    first_name: Annotated[str, _line(100)] = ""
    last_name: Annotated[str, _line(100)] = ""
    email: Annotated[str, _line(MAX_EMAIL_LENGTH), checked(is_email, messages.CONTACT_EMAIL_INVALID)] = ""
    company: Annotated[str, _line(200)] = ""
    stage: Annotated[str, _line(LONG), checked(STAGES.__contains__, messages.CONTACT_STAGE_INVALID)] = ""
    message: Annotated[str, _text(_trimmed, 5_000)] = ""

    @classmethod
    def _check_values(cls, values: Mapping[str, Any]) -> dict[str, str]:
        return {name: sentence for name, sentence in MISSING.items() if name in values and is_blank(values[name])}
