"""Signing up, confirming and signing in, without a screen."""

from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import pytest
import sqlalchemy as sa

from sitekit.accounts.form_data import SignInData, SignUpData
from sitekit.accounts.people import sign_up
from sitekit.accounts.sessions import sign_in
from sitekit.accounts.sessions.sessions import IssuedSession
from sitekit.base import settings
from sitekit.base.db.database import read_session
from tests.sitekit.accounts.conftest import token_in
from tests.support.people import PASSWORD

EMAIL = "ann@northstrait.example"


FORM = {
    "first_name": "Ann",
    "last_name": "Lim",
    "email": EMAIL,
    "password": PASSWORD,
    "confirm_password": PASSWORD,
}


Mails = Callable[[], list[EmailMessage]]


def join(address: str = "203.0.113.7", **changes: Any) -> None:
    sign_up.sign_up(SignUpData.read(FORM | changes), address)


def confirm(message: EmailMessage, password: str = PASSWORD) -> int:
    return sign_up.confirm_email(token_in(message), password, "203.0.113.7")


def enter(password: str = PASSWORD, email: str = EMAIL) -> IssuedSession:
    issued = sign_in.sign_in(SignInData(email=email, password=password), "203.0.113.7")
    assert isinstance(issued, IssuedSession)
    return issued


def rows(*columns: Any) -> list[tuple[Any, ...]]:
    with read_session() as session:
        return [tuple(row) for row in session.execute(sa.select(*columns))]


def use(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"ADVISORY_{name}", value)
    settings.get_settings.cache_clear()
