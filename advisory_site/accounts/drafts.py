"""What the sign-up, sign-in and profile forms accept, and who may sign up."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict

from ..content import messages
from ..core import routes
from ..core.errors import Forbidden, InvalidInput
from ..core.settings import CLOSED, OPEN, get_settings
from ..core.text import is_mailable, one_line
from .passwords import MIN_CHARACTERS

MAX_NAME = 80
# A name is shown to colleagues and stands in mail: an address or a link in it would be somebody's bait.
_NO_NAME = re.compile(r"[:/@<>]|www\.", re.IGNORECASE)
MAX_PASSWORD = 1000
MAX_PATH = 1000


def email_of(value: object) -> str:
    """An email address as it is stored and compared: composed, trimmed, in lower case."""
    return unicodedata.normalize("NFC", one_line(value)).lower()


def password_of(value: object) -> str:
    """A password exactly as typed; anything that is not a text of bearable length is empty."""
    return value if isinstance(value, str) and len(value) <= MAX_PASSWORD else ""


def fields_of(form: object) -> Mapping[str, Any]:
    """A form's values; anything that is not a form has none."""
    return form if isinstance(form, dict) else {}


def _refuse(errors: Mapping[str, str]) -> None:
    """Raise `InvalidInput` with the first error as its message, or one sentence for several empty fields."""
    if errors:
        first = next(iter(errors.values()))
        is_empty = messages.FIELD_REQUIRED in errors.values()
        raise InvalidInput(messages.REQUIRED_FIELDS_MISSING if is_empty else first, errors)


def _email_error(email: str) -> str:
    if not email:
        return messages.FIELD_REQUIRED
    return "" if is_mailable(email) else messages.EMAIL_INVALID


def _name_error(name: str) -> str:
    if not name:
        return messages.FIELD_REQUIRED
    if _NO_NAME.search(name):
        return messages.NAME_INVALID
    return "" if len(name) <= MAX_NAME else messages.TOO_LONG.format(limit=MAX_NAME)


def _new_password_errors(password: str, confirmation: str) -> dict[str, str]:
    errors = {
        "password": messages.FIELD_REQUIRED if not password else "",
        "confirm_password": messages.FIELD_REQUIRED if not confirmation else "",
    }
    if password and len(password) < MIN_CHARACTERS:
        errors["password"] = messages.PASSWORD_TOO_SHORT
    if password and confirmation and password != confirmation:
        errors["confirm_password"] = messages.PASSWORDS_DO_NOT_MATCH
    return errors


class _Draft(BaseModel):
    """What a form holds after the rules; texts only, nothing optional, nothing unknown."""

    model_config = ConfigDict(frozen=True)


class SignInDraft(_Draft):
    """Email and password, as typed into the sign-in card."""

    email: str
    password: str

    @classmethod
    def read(cls, form: object) -> "SignInDraft":
        """Raises `InvalidInput` unless both are given."""
        values = fields_of(form)
        draft = cls(email=email_of(values.get("email")), password=password_of(values.get("password")))
        empty = {name: messages.FIELD_REQUIRED for name, value in draft if not value}
        _refuse(empty)
        return draft


class EmailDraft(_Draft):
    """The one field of the forgotten-password and send-again forms."""

    email: str

    @classmethod
    def read(cls, form: object) -> "EmailDraft":
        """Raises `InvalidInput` unless it can be an address."""
        draft = cls(email=email_of(fields_of(form).get("email")))
        _refuse({name: error for name, error in {"email": _email_error(draft.email)}.items() if error})
        return draft


class PasswordDraft(_Draft):
    """The one field of the form that confirms an address."""

    password: str

    @classmethod
    def read(cls, form: object) -> "PasswordDraft":
        """Raises `InvalidInput` unless it is given."""
        draft = cls(password=password_of(fields_of(form).get("password")))
        _refuse({} if draft.password else {"password": messages.FIELD_REQUIRED})
        return draft


class SignUpDraft(_Draft):
    """The sign-up card."""

    first_name: str
    last_name: str
    email: str
    password: str

    @classmethod
    def read(cls, form: object) -> "SignUpDraft":
        """Raises `InvalidInput`, with the sentences that stand beside the fields."""
        values = fields_of(form)
        draft = cls(
            first_name=one_line(values.get("first_name")),
            last_name=one_line(values.get("last_name")),
            email=email_of(values.get("email")),
            password=password_of(values.get("password")),
        )
        errors = {
            "first_name": _name_error(draft.first_name),
            "last_name": _name_error(draft.last_name),
            "email": _email_error(draft.email),
            **_new_password_errors(draft.password, password_of(values.get("confirm_password"))),
        }
        _refuse({name: error for name, error in errors.items() if error})
        return draft

    @property
    def personal(self) -> tuple[str, ...]:
        """What the password must not be made of."""
        return (self.first_name, self.last_name, self.email)


class NewPasswordDraft(_Draft):
    """A new password, typed twice, after a recovery link."""

    password: str

    @classmethod
    def read(cls, form: object) -> "NewPasswordDraft":
        """Raises `InvalidInput`, with the sentences that stand beside the fields."""
        values = fields_of(form)
        draft = cls(password=password_of(values.get("password")))
        errors = _new_password_errors(draft.password, password_of(values.get("confirm_password")))
        _refuse({name: error for name, error in errors.items() if error})
        return draft


class NamesDraft(_Draft):
    """A person's own names, from their profile page."""

    first_name: str
    last_name: str

    @classmethod
    def read(cls, form: object) -> "NamesDraft":
        """Raises `InvalidInput`, with the sentences that stand beside the fields."""
        values = fields_of(form)
        draft = cls(first_name=one_line(values.get("first_name")), last_name=one_line(values.get("last_name")))
        errors = {name: _name_error(value) for name, value in draft}
        _refuse({name: error for name, error in errors.items() if error})
        return draft


def check_may_sign_up(email: str) -> None:
    """Raise `Forbidden` where the setting does not let this address sign up."""
    settings = get_settings()
    if settings.sign_up == CLOSED:
        raise Forbidden(messages.SIGN_UP_CLOSED)
    if settings.sign_up != OPEN and email.rpartition("@")[2] not in settings.sign_up_domains:
        raise Forbidden(messages.SIGN_UP_DOMAIN_REFUSED)


def same_site_page(value: object) -> str:
    """The path that was asked for before signing in, if it is one of this site; else the back office."""
    path = value if isinstance(value, str) and len(value) <= MAX_PATH else ""
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isascii() and path.isprintable()
    return path if is_ours and " " not in path and not path.startswith(routes.AUTH) else routes.ADMIN


def sign_in_page(asked_for: str) -> str:
    """The address of the sign-in page that leads back to another page."""
    back = same_site_page(asked_for)
    return routes.AUTH if back == routes.ADMIN else f"{routes.AUTH}?next={quote(back, safe='/')}"
