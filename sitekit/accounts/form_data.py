"""What the sign-up, sign-in and profile forms send, checked, and who may sign up."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar
from urllib.parse import quote

from pydantic import BeforeValidator

from ..base import messages, paths
from ..base.errors import Forbidden
from ..base.settings import CLOSED, OPEN, get_settings
from ..base.text import is_blank, is_mailable, one_line
from ..records.form_fields import FormData, checked
from .password.passwords import MIN_CHARACTERS

MAX_NAME = 80
# Names are shown to staff and used in mail, so they may not hold an address or a link (phishing).
_NO_NAME = re.compile(r"[:/@<>]|www\.", re.IGNORECASE)
# "Son of", "daughter of", "wife of" and "alias", as on identity cards.
_PARTICLE = re.compile(r"(?<!\S)(?:[sdw] ?/ ?o|a ?/ ?[klp]|@)(?!\S)", re.IGNORECASE)
MAX_PASSWORD = 1000
MAX_PATH = 1000


def email_of(value: object) -> str:
    """An email address as it is stored and compared: composed, trimmed, in lower case."""
    return one_line(value).lower()


def password_of(value: object) -> str:
    """A password exactly as typed; empty if it is not a string or is too long."""
    return value if isinstance(value, str) and len(value) <= MAX_PASSWORD else ""


def _is_name(value: str) -> bool:
    name = _PARTICLE.sub("", value)
    return not _NO_NAME.search(name) and not is_blank(name)


Email = Annotated[str, BeforeValidator(email_of)]
FullEmail = Annotated[Email, checked(is_mailable, messages.EMAIL_INVALID)]
Password = Annotated[str, BeforeValidator(password_of)]
Name = Annotated[
    str,
    BeforeValidator(one_line),
    checked(_is_name, messages.NAME_INVALID),
    checked(lambda name: len(name) <= MAX_NAME, messages.TOO_LONG.format(limit=MAX_NAME)),
]
FactorName = Annotated[
    str,
    BeforeValidator(one_line),
    checked(lambda name: len(name) <= MAX_NAME, messages.TOO_LONG.format(limit=MAX_NAME)),
]


class _AccountData(FormData):
    """A form whose fields are all required. A password of spaces is allowed, so blank does not count as empty here."""

    refusal: ClassVar[str] = ""

    @classmethod
    def _check_values(cls, values: Mapping[str, Any]) -> dict[str, str]:
        return {name: messages.FIELD_REQUIRED for name, value in values.items() if not value}


class SignInData(_AccountData):
    """Email and password, as typed into the sign-in card."""

    email: Email = ""
    password: Password = ""


class CodeData(_AccountData):
    """The code of an app, or a recovery code."""

    code: Password = ""


class ReauthenticationData(_AccountData):
    """The password, or a code of an app, once more (`proof`)."""

    proof: Password = ""


class FactorNameData(_AccountData):
    """The name of an authenticator app or a passkey."""

    name: FactorName = ""


class EmailData(_AccountData):
    """The forms that ask for a recovery link or a new confirmation link."""

    email: FullEmail = ""


class PasswordData(_AccountData):
    """The form that confirms an email address."""

    password: Password = ""


class NamesData(_AccountData):
    """The names on the profile page."""

    first_name: Name = ""
    last_name: Name = ""


class NewPasswordData(_AccountData):
    """A new password, typed twice, after a recovery link."""

    password: Password = ""
    confirm_password: Password = ""

    @classmethod
    def _check_values(cls, values: Mapping[str, Any]) -> dict[str, str]:
        sentences = super()._check_values(values)
        password, confirmation = values["password"], values["confirm_password"]
        if password and len(password) < MIN_CHARACTERS:
            sentences["password"] = messages.PASSWORD_TOO_SHORT
        if password and confirmation and password != confirmation:
            sentences["confirm_password"] = messages.PASSWORDS_DO_NOT_MATCH
        return sentences


# pydantic orders the fields from the last base to the first, which is the order of the form.
class SignUpData(NewPasswordData, EmailData, NamesData):
    """The sign-up card."""

    @property
    def personal(self) -> tuple[str, ...]:
        """Texts that the password must not be based on."""
        return (self.first_name, self.last_name, self.email)


class AcceptanceData(NewPasswordData, NamesData):
    """The form that accepts an invitation; the address is the invitation's."""


def check_may_sign_up(email: str) -> None:
    """Raise `Forbidden` if the settings do not let this address sign up."""
    settings = get_settings()
    if settings.sign_up == CLOSED:
        raise Forbidden(messages.SIGN_UP_CLOSED)
    if settings.sign_up != OPEN and email.rpartition("@")[2] not in settings.sign_up_domains:
        raise Forbidden(messages.SIGN_UP_DOMAIN_REFUSED)


def same_site_page(value: object) -> str:
    """The requested path to return to after sign-in, if it is on this site; else the back office."""
    path = value if isinstance(value, str) and len(value) <= MAX_PATH else ""
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isascii() and path.isprintable()
    return path if is_ours and " " not in path and not path.startswith(paths.AUTH) else paths.ADMIN


def sign_in_page(asked_for: str) -> str:
    """The URL of the sign-in page that returns to another page."""
    back = same_site_page(asked_for)
    return paths.AUTH if back == paths.ADMIN else f"{paths.AUTH}?next={quote(back, safe='/')}"
