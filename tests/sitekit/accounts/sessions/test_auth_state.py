"""The sign-in forms at work, through the real event processor: every reply of the error catalogue."""

import sqlite3
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any
from urllib.parse import urlencode

import pytest
import sqlalchemy.exc

from sitekit.accounts.email import email_links
from sitekit.accounts.email.link_state import ForgotState, InvitationState, ResetState, VerifyState
from sitekit.accounts.form_data import same_site_page, sign_in_page
from sitekit.accounts.invitations import acceptance
from sitekit.accounts.people import sign_up
from sitekit.accounts.sessions import auth_state, sign_in
from sitekit.accounts.sessions.auth_state import AuthPageState, SendAgainState
from sitekit.base import settings, threads
from sitekit.base.db import rate_limits
from sitekit.base.errors import ServiceError
from tests.sitekit.accounts.conftest import token_in
from tests.sitekit.accounts.steps import FORM
from tests.support.each import check_each
from tests.support.event_client import EventClient, Reply
from tests.support.people import PASSWORD, person
from tests.support.staff import destinations, kept_texts, texts

EMAIL = "ann@northstrait.example"
RIGHT = {"email": EMAIL, "password": PASSWORD}


def fails_with(error: Exception) -> Callable[..., Any]:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail


def enter(tab: EventClient, form: Any = RIGHT, **query: str) -> Reply:
    return tab.send(AuthPageState.sign_in, path=f"/auth?{urlencode(query)}", form_data=form)


@pytest.mark.spec("AUTH-4", "AUTH-3")
def test_sign_in_welcomes_and_redirects_to_the_back_office(tab: EventClient) -> None:
    person()
    enter(tab, RIGHT | {"password": "wrong"})
    reply = enter(tab)
    assert texts(reply) == kept_texts(tab) == ["Welcome back!"]  # in place of the refusal
    assert destinations(reply) == ["/admin"]
    assert reply.var("auth_page_state.is_busy") is False


@pytest.mark.spec("AUTH-4")
@pytest.mark.parametrize("email", ["x" * 60_000, "x" * 60_000 + "@x.example"])
def test_an_invalid_email_is_not_stored(tab: EventClient, email: str) -> None:
    tab.send(AuthPageState.sign_up, path="/auth", form_data=FORM | {"email": email})
    enter(tab, RIGHT | {"email": email})
    assert tab.send("reflex___state____state.hydrate").var("auth_page_state.email") == ""


@pytest.mark.spec("AUTH-4")
@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ServiceError("What the service says"), "What the service says"),
        (ServiceError(""), "Failed to sign in"),
        (RuntimeError("secret detail"), "An unexpected error occurred"),
        (sqlalchemy.exc.ProgrammingError("SELECT secret", {}, Exception()), "An unexpected error occurred"),
    ],
    ids=["message", "no message", "exception", "database"],
)
def test_failed_sign_ins_show_their_messages(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch, error: Exception, told: str
) -> None:
    monkeypatch.setattr(sign_in, "sign_in", fails_with(error))
    reply = enter(tab)
    assert texts(reply) == [told]
    assert reply.var("auth_page_state.is_busy") is False


@pytest.mark.spec("AUTH-5")
@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ServiceError("What the service says"), "What the service says"),
        (ServiceError(""), "Failed to create account"),
        (RuntimeError("secret detail"), "An unexpected error occurred"),
    ],
    ids=["message", "no message", "exception"],
)
def test_failed_sign_ups_show_their_messages(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch, error: Exception, told: str
) -> None:
    monkeypatch.setattr(sign_up, "sign_up", fails_with(error))
    reply = tab.send(AuthPageState.sign_up, path="/auth", form_data=FORM)
    assert texts(reply) == [told]
    assert reply.var("auth_page_state.is_busy") is False


def open_auth(tab: EventClient, **query: str) -> Reply:
    return tab.send(AuthPageState.open, path=f"/auth?{urlencode(query)}")


@pytest.mark.spec("AUTH-5", "AUTH-1")
def test_sign_up_confirms_and_says_where_the_mail_went(tab: EventClient) -> None:
    open_auth(tab, card="sign-up")
    reply = tab.send(AuthPageState.sign_up, path="/auth", form_data=FORM)
    assert texts(reply) == ["Account created successfully! Please check your email for verification."]
    assert reply.var("auth_page_state.is_signed_up") is True
    assert reply.var("auth_page_state.email") == EMAIL


@pytest.mark.spec("AUTH-1")
@pytest.mark.parametrize(("query", "is_signing_up"), [({}, False), ({"card": "sign-up"}, True), ({"card": "x"}, False)])
def test_the_page_address_decides_which_form_shows(
    tab: EventClient, query: dict[str, str], is_signing_up: bool
) -> None:
    # The other one first, so that the answer names the var.
    open_auth(tab, **({} if is_signing_up else {"card": "sign-up"}))
    assert open_auth(tab, **query).var("auth_page_state.is_signing_up") is is_signing_up


@pytest.mark.spec("AUTH-1")
def test_each_visit_resets_the_sign_in_page(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    person(confirmed=False)
    monkeypatch.setenv("ADVISORY_SMTP_URL", "smtp://127.0.0.1:9")
    settings.get_settings.cache_clear()
    other = EventClient(tab.app)
    fresh = as_shown(other, open_auth(other))
    open_auth(tab, card="sign-up")
    tab.send(AuthPageState.sign_up, path="/auth", form_data={})
    tab.send(AuthPageState.toggle_password, path="/auth")
    assert as_shown(tab, open_auth(tab)) == fresh
    tab.send(AuthPageState.sign_up, path="/auth", form_data=FORM | {"email": "mei@northstrait.example"})
    tab.send(SendAgainState.send, path="/auth", form_data={"email": "mei@northstrait.example"})
    assert as_shown(tab, open_auth(tab)) == fresh
    enter(tab)
    assert as_shown(tab, open_auth(tab)) == fresh


# What only counts, so that the browser sees that something came anew.
COUNTERS = {"times_refused", "times_turned", "answered"}


def as_shown(tab: EventClient, _opened: Reply) -> dict[str, Any]:
    """All vars of the sign-in page as the browser would get them now."""
    reply = tab.send("reflex___state____state.hydrate", path="/auth")
    return {
        name: value
        for name, value in reply.delta.items()
        if name.startswith(("auth_page_state.", "send_again_state.")) and name.partition(".")[2] not in COUNTERS
    }


@pytest.mark.spec("AUTH-4", "SES-5")
def test_a_locked_database_is_reported_as_temporary(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    locked = sqlalchemy.exc.OperationalError("UPDATE", {}, sqlite3.OperationalError("database is locked"))
    monkeypatch.setattr(rate_limits, "record", fails_with(locked))
    assert texts(enter(tab)) == ["The service cannot be reached at the moment. Please try again."]


@pytest.mark.spec("AUTH-10")
def test_a_request_is_asked_to_retry_if_too_many_wait_for_a_worker(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads.PASSWORDS, "most_waiting", 0)
    assert texts(enter(tab)) == ["The service cannot be reached at the moment. Please try again."]


@pytest.mark.spec("AUTH-10")
def test_answers_to_repeated_failures_are_delayed(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    async def delay_response(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr(auth_state, "delay_response", delay_response)
    for _ in range(5):
        enter(tab, {"email": EMAIL, "password": "wrong"})
    assert pauses == [0, 0, 0, 0.5, 1.0]


@pytest.mark.spec("AUTH-8", "INV-2")
@pytest.mark.parametrize("email", [EMAIL, "nobody@northstrait.example"])
@pytest.mark.parametrize("handler", [AuthPageState.sign_up, ForgotState.send, SendAgainState.send])
def test_forms_that_send_mail_answer_after_the_same_time_for_every_address(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch, handler: Any, email: str
) -> None:
    waits: list[float] = []

    async def delay_response(seconds: float) -> None:
        waits.append(seconds)

    person()
    monkeypatch.setattr(auth_state, "delay_response", delay_response)
    monkeypatch.setattr(auth_state, "MIN_RESPONSE_TIME", 0.25)
    tab.send(handler, path="/auth", form_data=FORM | {"email": email})
    assert waits == [0.25]


@pytest.mark.spec("AUTH-8")
@pytest.mark.parametrize("email", [EMAIL, "nobody@northstrait.example"])
def test_recovery_answers_the_same_for_known_and_unknown_addresses(tab: EventClient, email: str) -> None:
    person()
    tab.send(ForgotState.load, path="/auth/forgot")
    reply = tab.send(ForgotState.send, path="/auth/forgot", form_data={"email": email})
    assert reply.var("forgot_state.is_sent") is True
    assert texts(reply) == []


@pytest.mark.spec("AUTH-9", "AUTH-7", "INV-1")
@pytest.mark.parametrize("token", ["", "guessed", "x" * 100_000])
@pytest.mark.parametrize(
    ("state", "page", "submit"),
    [
        (ResetState, "/auth/reset", ResetState.set_new),
        (VerifyState, "/auth/verify", VerifyState.confirm),
        (InvitationState, "/auth/invitation", InvitationState.accept),
    ],
    ids=["reset", "verify", "invitation"],
)
def test_an_invalid_link_is_refused_when_opened_and_when_submitted(
    tab: EventClient, state: Any, page: str, submit: Any, token: str
) -> None:
    name, path = state.get_name().rpartition("____")[2], f"{page}?token={token}"
    reply = tab.send(state.load, path=path)
    assert (reply.var(f"{name}.is_checked"), reply.var(f"{name}.is_spent")) == (True, True)
    reply = tab.send(submit, path=path, form_data=FORM)
    assert (texts(reply), reply.errors) == ([], [])
    assert reply.var(f"{name}.times_refused") == 1


@pytest.mark.spec("AUTH-7", "INV-2")
def test_a_link_page_names_the_account_and_does_not_use_up_the_link(
    tab: EventClient, mails: Callable[[], list[EmailMessage]]
) -> None:
    tab.send(AuthPageState.sign_up, path="/auth", form_data=FORM)
    path = f"/auth/verify?token={token_in(mails()[0])}"
    for _ in range(3):
        tab.send(VerifyState.load, path="/auth/verify?token=another")
        reply = tab.send(VerifyState.load, path=path)
        assert (reply.var("verify_state.is_spent"), reply.var("verify_state.email")) == (False, EMAIL)
    tab.send(VerifyState.confirm, path=path, form_data={"password": "wrong password"})
    reply = tab.send(VerifyState.confirm, path=path, form_data={"password": PASSWORD})
    assert destinations(reply) == ["/?email=confirmed"]


@pytest.mark.spec("AUTH-9")
def test_opening_a_recovery_link_does_not_use_it_up(tab: EventClient, mails: Callable[[], list[EmailMessage]]) -> None:
    person()
    tab.send(ForgotState.send, path="/auth/forgot", form_data={"email": EMAIL})
    path = f"/auth/reset?token={token_in(mails()[0])}"
    for _ in range(3):
        tab.send(ResetState.load, path=path)
        assert tab.vars(ResetState)["is_spent"] is False
    chosen = {"password": "four-slow-otters-77", "confirm_password": "four-slow-otters-77"}
    assert destinations(tab.send(ResetState.set_new, path=path, form_data=chosen)) == ["/admin"]


@pytest.mark.spec("AUTH-7")
def test_a_link_is_not_called_expired_while_the_database_is_unavailable(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = sqlalchemy.exc.OperationalError("SELECT", {}, sqlite3.OperationalError("database is locked"))
    monkeypatch.setattr(email_links, "find", fails_with(away))
    monkeypatch.setattr(acceptance, "_usable", fails_with(away))
    pages = ((ResetState, "/auth/reset"), (VerifyState, "/auth/verify"), (InvitationState, "/auth/invitation?token=x"))
    for state, page in pages:
        name = state.get_name().rpartition("____")[2]
        tab.send(state.load, path=page)
        reply = tab.send("reflex___state____state.hydrate")
        assert (reply.var(f"{name}.is_checked"), reply.var(f"{name}.is_spent")) == (True, False)


@pytest.mark.spec("AUTH-4")
def test_an_error_shown_beside_its_field_is_not_repeated_as_a_toast(tab: EventClient) -> None:
    tab.send(AuthPageState.open, path="/auth")
    reply = enter(tab, {"email": EMAIL, "password": "wrong"})
    assert texts(reply) == ["Invalid login credentials"]
    assert reply.var("auth_page_state.marked") == "password"
    reply = tab.send(AuthPageState.sign_up, path="/auth", form_data=FORM | {"confirm_password": "other"})
    assert reply.var("auth_page_state.errors")["confirm_password"] == "Passwords do not match"
    assert kept_texts(tab) == [""]  # which takes the earlier reply away
    reply = tab.send(AuthPageState.sign_up, path="/auth", form_data={})
    assert texts(reply) == ["Please fill in all required fields"]


@pytest.mark.spec("ROLE-5")
def test_closed_sign_up_hides_and_refuses_the_form(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVISORY_SIGN_UP", "closed")
    settings.get_settings.cache_clear()
    reply = open_auth(tab, card="sign-up")
    assert reply.var("auth_page_state.can_sign_up") is False
    assert reply.var("auth_page_state.is_signing_up") is False
    assert reply.var("auth_page_state.is_by_invitation") is True
    refused = tab.send(AuthPageState.sign_up, path="/auth", form_data=FORM)
    assert texts(refused) == ["Accounts are created by invitation. Please ask an admin."]


@pytest.mark.spec("AUTH-3")
def test_only_pages_of_this_site_are_redirect_targets() -> None:
    def check(case: tuple[object, str]) -> None:
        asked, page = case
        assert same_site_page(asked) == page

    cases: list[tuple[object, str]] = [
        ("/admin?tab=users", "/admin?tab=users"),
        ("/admin/companies/acme/edit", "/admin/companies/acme/edit"),
        ("/companies", "/companies"),
        ("", "/admin"),
        (None, "/admin"),
        ({}, "/admin"),
        ("https://evil.example", "/admin"),
        ("//evil.example", "/admin"),
        ("/\\evil.example", "/admin"),
        ("/\t/evil.example", "/admin"),
        ("javascript:alert(1)", "/admin"),
        ("/auth?next=/auth", "/admin"),
        ("/" + "x" * 2000, "/admin"),
    ]
    check_each(cases, check)


@pytest.mark.spec("ADM-2")
def test_signing_in_redirects_to_the_requested_page(tab: EventClient) -> None:
    person()
    assert destinations(enter(tab, next="/admin?tab=users")) == ["/admin?tab=users"]


@pytest.mark.spec("ADM-2")
def test_the_sign_in_address_contains_the_page_to_return_to() -> None:
    assert sign_in_page("/admin") == "/auth"
    assert sign_in_page("/admin?tab=users") == "/auth?next=/admin%3Ftab%3Dusers"
