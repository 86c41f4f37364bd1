"""Strangers cannot lock a person out of the browsers that the person has used before."""

import time
from datetime import timedelta

import jwt
import pytest

from advisory_site.content import privacy
from sitekit.accounts import throttling, tokens
from sitekit.accounts.account_errors import InvalidCredentials
from sitekit.accounts.email.link_state import ForgotState, ResetState
from sitekit.accounts.form_data import EmailData, NewPasswordData, SignInData
from sitekit.accounts.password import recovery
from sitekit.accounts.people.profile_page import PasswordState
from sitekit.accounts.sessions import known_browsers, sessions, sign_in
from sitekit.accounts.sessions.auth_state import AuthPageState, BrowserState
from sitekit.accounts.sessions.session_state import AuthState
from sitekit.base import secret_keys, settings
from sitekit.base.db import rate_limits
from sitekit.base.db.database import read_session, transaction
from sitekit.base.errors import InvalidInput, TooManyAttempts
from tests.sitekit.accounts.conftest import token_in
from tests.sitekit.accounts.steps import Mails
from tests.support.event_client import EventClient, Reply
from tests.support.people import PASSWORD, person, signed_in
from tests.support.staff import texts

EMAIL = "ann@northstrait.example"
OTHER = "mei@northstrait.example"
NEW = "another-quiet-morning-17"
pytestmark = pytest.mark.spec("AUTH-10")


def enter(password: str = PASSWORD, *, browser: str = "", address: str = "203.0.113.7", email: str = EMAIL) -> object:
    return sign_in.sign_in(SignInData(email=email, password=password), address, browser=browser)


def fail(times: int, *, browser: str = "", email: str = EMAIL) -> None:
    for number in range(times):
        with pytest.raises(InvalidCredentials):
            enter("wrong password", browser=browser, address=f"198.51.100.{number}", email=email)


@pytest.fixture
def known() -> str:
    """What a browser keeps in which the person has signed in."""
    person()
    return known_browsers.with_mark("", EMAIL)


def test_failures_of_strangers_lock_only_unknown_browsers(known: str) -> None:
    fail(10)
    with pytest.raises(TooManyAttempts):
        enter()
    assert enter(browser=known)


def test_the_limit_of_a_network_does_not_lock_out_known_browsers(known: str) -> None:
    for number in range(50):
        with pytest.raises(InvalidCredentials):
            enter("wrong password", email=f"nobody{number}@northstrait.example")
    with pytest.raises(TooManyAttempts):
        enter()
    assert enter(browser=known)


def test_each_known_browser_has_its_own_limit_of_tries(known: str) -> None:
    fail(10, browser=known)
    with pytest.raises(TooManyAttempts, match="15 minutes"):
        enter(browser=known)
    assert enter(browser=known_browsers.with_mark("", EMAIL))
    assert enter()


def test_sessions_are_limited_per_known_browser(known: str) -> None:
    for _ in range(50):
        assert enter(browser=known)
    with pytest.raises(TooManyAttempts):
        enter(browser=known)
    assert enter(browser=known_browsers.with_mark("", EMAIL))


def test_a_success_in_a_known_browser_does_not_reset_failures_of_strangers(known: str) -> None:
    fail(9)
    assert enter(browser=known)
    fail(1)
    with pytest.raises(TooManyAttempts):
        enter()


def test_a_known_browser_mark_works_only_for_its_account_until_it_expires(
    known: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    person(OTHER)
    strangers = known_browsers.with_mark("", OTHER)
    assert known_browsers.name_for(strangers, EMAIL) == ""
    assert known_browsers.name_for(known, EMAIL) != ""
    with monkeypatch.context() as patch:
        patch.setattr(time, "time", lambda: 1_000_000)
        old = known_browsers.with_mark("", EMAIL)
    assert known_browsers.name_for(old, EMAIL) == ""
    access, _ = tokens.sign(1, "a session")
    for forged in (known[:-2] + "xx", access, "x.y.z", "", None, {"a": 1}, known * 20):
        assert known_browsers.name_for(forged, EMAIL) == ""


def test_a_known_browser_mark_is_no_session_and_contains_no_address(known: str) -> None:
    with read_session() as session, pytest.raises(Exception, match=r"Invalid or expired token"):
        sessions.identify(session, known)
    assert EMAIL not in jwt.decode(known, options={"verify_signature": False}).values()


def test_a_new_password_ends_known_browser_marks_of_that_account_only(known: str) -> None:
    person(OTHER)
    known = known_browsers.with_mark(known, OTHER)
    issued = signed_in(1)
    with read_session() as session:
        identity = sessions.identify(session, issued.access_token)
    recovery.change_password(identity, PASSWORD, NewPasswordData(password=NEW))
    assert known_browsers.name_for(known, EMAIL) == ""
    assert known_browsers.name_for(known, OTHER)
    again = known_browsers.with_mark(known, EMAIL)
    assert known_browsers.name_for(again, EMAIL)
    assert len(again.split()) == 2


def test_a_shared_browser_keeps_a_limited_number_of_marks() -> None:
    kept = ""
    for number in range(known_browsers.MOST + 1):
        kept = known_browsers.with_mark(kept, f"person{number}@northstrait.example")
    assert known_browsers.name_for(kept, "person0@northstrait.example") == ""
    for number in range(1, known_browsers.MOST + 1):
        assert known_browsers.name_for(kept, f"person{number}@northstrait.example")
    again = known_browsers.with_mark(kept, "person3@northstrait.example")
    assert len(again.split()) == known_browsers.MOST
    assert len(again) < known_browsers.MAX_LENGTH


def test_a_known_browser_mark_survives_a_change_of_the_secret_key(known: str, monkeypatch: pytest.MonkeyPatch) -> None:
    old = secret_keys.signing_keys()[0]
    monkeypatch.setenv("ADVISORY_SECRET_KEY", f"abcdefghijklmnopqrstuvwxyz-0123456789,{old}")
    settings.get_settings.cache_clear()
    assert known_browsers.name_for(known, EMAIL)


@pytest.mark.spec("AUTH-9")
def test_recovery_requests_of_strangers_do_not_count_against_known_browsers(known: str, mails: Mails) -> None:
    for number in range(4):
        recovery.request_recovery(EmailData(email=EMAIL), f"198.51.100.{number}")
    with pytest.raises(TooManyAttempts):
        recovery.request_recovery(EmailData(email=EMAIL), "203.0.113.7")
    for _ in range(4):
        recovery.request_recovery(EmailData(email=EMAIL), "203.0.113.7", known)
    with pytest.raises(TooManyAttempts):
        recovery.request_recovery(EmailData(email=EMAIL), "203.0.113.7", known)
    assert len(mails()) == 8


def test_the_owner_is_mailed_about_a_lock_at_most_once_a_day(known: str, mails: Mails) -> None:
    fail(9)
    assert mails() == []
    fail(1)
    (message,) = mails()
    assert message["To"] == EMAIL
    assert message["Subject"] == "Wrong passwords for your account at Northstrait"
    with transaction() as session:
        rate_limits.clear(session, throttling.SIGN_IN_BY_ACCOUNT.bucket, EMAIL)
    fail(10)
    assert len(mails()) == 1


def test_no_lock_mail_goes_to_unknown_addresses_or_for_known_browsers(known: str, mails: Mails) -> None:
    fail(10, email="nobody@northstrait.example")
    person(OTHER, confirmed=False)
    fail(10, email=OTHER)
    fail(10, browser=known)
    assert mails() == []


@pytest.mark.spec("ADM-4")
def test_failures_of_strangers_do_not_block_password_changes() -> None:
    issued = signed_in(person())
    with read_session() as session:
        identity = sessions.identify(session, issued.access_token)
    fail(10)
    recovery.change_password(identity, PASSWORD, NewPasswordData(password=NEW))
    for _ in range(10):
        with pytest.raises(InvalidInput):
            recovery.change_password(identity, "wrong", NewPasswordData(password=NEW))
    with pytest.raises(TooManyAttempts):
        recovery.change_password(identity, NEW, NewPasswordData(password=PASSWORD))


def test_unlocking_resets_every_count_of_an_account(known: str) -> None:
    fail(10)
    fail(10, browser=known)
    for number in range(4):
        recovery.request_recovery(EmailData(email=EMAIL), f"198.51.100.{number}")
    with transaction() as session:
        throttling.reset(session, EMAIL)
    assert enter()
    assert enter(browser=known)
    recovery.request_recovery(EmailData(email=EMAIL), "203.0.113.7")


def told(reply: Reply, before: str = "") -> str:
    """What the browser keeps after this answer."""
    return str(reply.delta.get("browser_state.known", before))


def test_a_browser_is_known_after_signing_in_and_stays_so_after_signing_out(tab: EventClient) -> None:
    person()
    kept = told(tab.send(AuthPageState.sign_in, path="/auth", form_data={"email": EMAIL, "password": "wrong"}))
    assert kept == ""
    kept = told(tab.send(AuthPageState.sign_in, path="/auth", form_data={"email": EMAIL, "password": PASSWORD}))
    assert known_browsers.name_for(kept, EMAIL)
    assert told(tab.send(AuthState.sign_out), kept) == kept
    fail(10)
    reply = tab.send(AuthPageState.sign_in, path="/auth", form_data={"email": EMAIL, "password": PASSWORD})
    assert texts(reply)[-1] == "Welcome back!"
    person(OTHER)
    kept = told(tab.send(AuthPageState.sign_in, path="/auth", form_data={"email": OTHER, "password": PASSWORD}))
    assert known_browsers.name_for(kept, EMAIL) and known_browsers.name_for(kept, OTHER)


@pytest.mark.spec("ADM-4")
def test_the_browser_in_which_a_password_is_changed_stays_known(tab: EventClient) -> None:
    person()
    tab.send(AuthPageState.sign_in, path="/auth", form_data={"email": EMAIL, "password": PASSWORD})
    form = {"current_password": PASSWORD, "password": NEW, "confirm_password": NEW}
    kept = told(tab.send(PasswordState.save, path="/admin/profile", form_data=form))
    assert known_browsers.name_for(kept, EMAIL)


@pytest.mark.spec("AUTH-9")
def test_a_browser_is_known_after_recovery_and_has_its_own_recovery_limit(tab: EventClient, mails: Mails) -> None:
    person()
    tab.send(ForgotState.send, path="/auth/forgot", form_data={"email": EMAIL})
    form = {"password": NEW, "confirm_password": NEW}
    reply = tab.send(ResetState.set_new, path=f"/auth/reset?token={token_in(mails()[-1])}", form_data=form)
    assert known_browsers.name_for(told(reply), EMAIL)
    for number in range(3):
        throttling.count((throttling.MAIL_BY_ACCOUNT, EMAIL), (throttling.MAIL_BY_ADDRESS, f"198.51.100.{number}"))
    tab.send(ForgotState.load, path="/auth/forgot")
    reply = tab.send(ForgotState.send, path="/auth/forgot", form_data={"email": EMAIL})
    assert reply.var("forgot_state.is_sent") is True


@pytest.mark.spec("LAY-5")
def test_the_privacy_policy_says_how_long_a_browser_is_known() -> None:
    said = " ".join(bullet for passage in privacy.PASSAGES for bullet in passage.bullets)
    assert f"for {known_browsers.LIFE_DAYS} days" in said
    assert timedelta(days=known_browsers.LIFE_DAYS) > timedelta(days=30)
    assert BrowserState.__fields__["known"] is not None


AGENT = "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0"


@pytest.mark.spec("ACC-3")
def test_the_owner_is_mailed_about_a_new_browser_except_at_the_first_sign_in(mails: Mails) -> None:
    person()
    enter()
    fail(1)
    assert mails() == []
    for known_browser in (known_browsers.with_mark("", EMAIL), known_browsers.with_mark("", OTHER)):
        sign_in.sign_in(SignInData(email=EMAIL, password=PASSWORD), "203.0.113.7", AGENT, known_browser)
    (message,) = mails()
    body = message.get_body(("plain",))
    assert (message["To"], message["Subject"]) == (EMAIL, "New sign-in to your account at Northstrait")
    assert body is not None and "Firefox on Linux" in body.get_content()
