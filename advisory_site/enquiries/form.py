"""What the contact form must hold, and the sentence beside each field that does not."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from ..content import messages
from ..core.errors import InvalidInput
from ..core.text import clean_text, is_blank, is_email, one_line
from .models import STAGES

LIMITS = {"first_name": 100, "last_name": 100, "email": 254, "company": 200, "message": 5_000}
MISSING = {
    "first_name": messages.FIRST_NAME_MISSING,
    "last_name": messages.LAST_NAME_MISSING,
    "email": messages.CONTACT_EMAIL_MISSING,
    "message": messages.CONTACT_MESSAGE_MISSING,
}
_NAMES_IN_THE_FORM = {"first_name": "firstName", "last_name": "lastName"}


class EnquiryDraft(BaseModel):
    """An enquiry that may be stored; `read` is the way to make one from what a browser sent."""

    model_config = ConfigDict(frozen=True, extra="ignore", validate_default=True, hide_input_in_errors=True)

    first_name: str = Field(default="", alias="firstName")
    last_name: str = Field(default="", alias="lastName")
    email: str = ""
    company: str = ""
    stage: str = ""
    message: str = ""

    @classmethod
    def read(cls, raw: object) -> Self:
        """The draft, or `InvalidInput` whose `fields` are named as in the form."""
        try:
            return cls.model_validate(raw)
        except ValidationError as error:
            raise InvalidInput(messages.ENQUIRY_INCOMPLETE, _complaints(error)) from None

    @field_validator("first_name", "last_name", "email", "company", "stage", mode="before")
    @classmethod
    def _on_one_line(cls, value: object) -> object:
        return one_line(value) if isinstance(value, str) else value

    @field_validator("message", mode="before")
    @classmethod
    def _on_several_lines(cls, value: object) -> object:
        return clean_text(value).strip() if isinstance(value, str) else value

    @field_validator("first_name", "last_name", "email", "company", "message")
    @classmethod
    def _there_and_not_too_long(cls, value: str, info: ValidationInfo) -> str:
        field = str(info.field_name)
        if is_blank(value) and field in MISSING:
            raise ValueError(MISSING[field])
        if len(value) > LIMITS[field]:
            raise ValueError(messages.TOO_LONG.format(limit=f"{LIMITS[field]:,}"))
        return value

    @field_validator("email")
    @classmethod
    def _an_address(cls, value: str) -> str:
        if not is_email(value):
            raise ValueError(messages.CONTACT_EMAIL_INVALID)
        return value

    @field_validator("stage")
    @classmethod
    def _a_known_stage(cls, value: str) -> str:
        if value and value not in STAGES:
            raise ValueError(messages.CONTACT_STAGE_INVALID)
        return value


def _complaints(error: ValidationError) -> dict[str, str]:
    """The first complaint about each field. Complaints that are not ours come from no honest browser."""
    found: dict[str, str] = {}
    for detail in error.errors(include_input=False, include_url=False):
        place = str(detail["loc"][0]) if detail["loc"] else ""
        field = _NAMES_IN_THE_FORM.get(place, place)
        ours: Any = detail.get("ctx", {}).get("error") if detail["type"] == "value_error" else None
        found.setdefault(field, str(ours or messages.FIELD_UNREADABLE))
    return found
