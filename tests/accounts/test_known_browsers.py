"""Strangers cannot lock a person out of the browsers that the person has used before."""

import time
from datetime import timedelta

import jwt
import pytest

from advisory_site.accounts import known_browsers, recovery, sessions, sign_in, throttling, tokens
from advisory_site.accounts.auth_state import AuthPageState, BrowserState
from advisory_site.accounts.drafts import EmailDraft, NewPasswordDraft, SignInDraft
from advisory_site.accounts.errors import InvalidCredentials
from advisory_site.accounts.link_state import ForgotState, ResetState
from advisory_site.accounts.session_state import AuthState
from advisory_site.content import privacy
from advisory_site.core import settings
from advisory_site.core.errors import InvalidInput, TooManyAttempts
from advisory_site.db import rate_limits
from advisory_site.db.database import read_session, transaction
from tests.accounts.conftest import token_in
from tests.accounts.steps import Mails
from tests.support.event_client import EventClient, Reply
from tests.support.people import PASSWORD, person, signed_in
from tests.support.staff import texts

EMAIL = "ann@northstrait.example"
OTHER = "mei@northstrait.example"
NEW = "another-quiet-morning-17"
pytestmark = pytest.mark.spec("AUTH-10")


def enter(password: str = PASSWORD, *, browser: str = "", address: str = "203.0.113.7", email: str = EMAIL) -> object:
    return sign_in.sign_in(SignInDraft(email=email, password=password), address, browser=browser)


def fail(times: int, *, browser: str = "", email: str = EMAIL) -> None:
    for number in range(times):
        with pytest.raises(InvalidCredentials):
            enter("wrong password", browser=browser, address=f"198.51.100.{number}", email=email)


@pytest.fixture
def known() -> str:
    """What a browser keeps in which the person has signed in."""
    person()
    return known_browsers.with_mark("", EMAIL)


def test_strangers_lock_every_browser_but_the_known_ones(known: str) -> None:
    fail(10)
    with pytest.raises(TooManyAttempts):
        enter()
    assert enter(browser=known)


def test_a_neighbour_who_uses_up_the_network_s_tries_locks_no_known_browser_out(known: str) -> None:
    for number in range(50):
        with pytest.raises(InvalidCredentials):
            enter("wrong password", email=f"nobody{number}@northstrait.example")
    with pytest.raises(TooManyAttempts):
        enter()
    assert enter(browser=known)


def test_a_known_browser_has_as_few_tries_as_any_other_and_each_its_own(known: str) -> None:
    fail(10, browser=known)
    with pytest.raises(TooManyAttempts, match="15 minutes"):
        enter(browser=known)
    assert enter(browser=known_browsers.with_mark("", EMAIL))
    assert enter()


def test_a_known_browser_opens_no_end_of_sessions_either(known: str) -> None:
    for _ in range(50):
        assert enter(browser=known)
    with pytest.raises(TooManyAttempts):
        enter(browser=known)
    assert enter(browser=known_browsers.with_mark("", EMAIL))


def test_a_success_in_a_known_browser_takes_back_no_strangers_failures(known: str) -> None:
    fail(9)
    assert enter(browser=known)
    fail(1)
    with pytest.raises(TooManyAttempts):
        enter()


def test_a_mark_serves_its_own_account_in_its_own_time(known: str, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_mark_is_no_session_and_names_nobody(known: str) -> None:
    with read_session() as session, pytest.raises(Exception, match=r"Invalid or expired token"):
        sessions.identify(session, known)
    assert EMAIL not in jwt.decode(known, options={"verify_signature": False}).values()


def test_several_people_share_a_browser_and_the_oldest_goes() -> None:
    kept = ""
    for number in range(known_browsers.MOST + 1):
        kept = known_browsers.with_mark(kept, f"person{number}@northstrait.example")
    assert known_browsers.name_for(kept, "person0@northstrait.example") == ""
    for number in range(1, known_browsers.MOST + 1):
        assert known_browsers.name_for(kept, f"person{number}@northstrait.example")
    again = known_browsers.with_mark(kept, "person3@northstrait.example")
    assert len(again.split()) == known_browsers.MOST
    assert len(again) < known_browsers.MAX_LENGTH


def test_a_mark_outlives_a_change_of_the_secret(known: str, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tokens.signing_keys()[0]
    monkeypatch.setenv("ADVISORY_SECRET_KEY", f"abcdefghijklmnopqrstuvwxyz-0123456789,{old}")
    settings.get_settings.cache_clear()
    assert known_browsers.name_for(known, EMAIL)


@pytest.mark.spec("AUTH-9")
def test_who_uses_up_the_recovery_mail_of_others_leaves_theirs_to_known_browsers(known: str, mails: Mails) -> None:
    for number in range(4):
        recovery.request_recovery(EmailDraft(email=EMAIL), f"198.51.100.{number}")
    with pytest.raises(TooManyAttempts):
        recovery.request_recovery(EmailDraft(email=EMAIL), "203.0.113.7")
    for _ in range(4):
        recovery.request_recovery(EmailDraft(email=EMAIL), "203.0.113.7", known)
    with pytest.raises(TooManyAttempts):
        recovery.request_recovery(EmailDraft(email=EMAIL), "203.0.113.7", known)
    assert len(mails()) == 8


def test_the_owner_is_told_at_the_first_lock_and_once_a_day(known: str, mails: Mails) -> None:
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


def test_nobody_is_told_about_an_address_without_an_account_or_in_a_known_browser(known: str, mails: Mails) -> None:
    fail(10, email="nobody@northstrait.example")
    person(OTHER, confirmed=False)
    fail(10, email=OTHER)
    fail(10, browser=known)
    assert mails() == []


@pytest.mark.spec("ADM-4")
def test_strangers_keep_nobody_from_changing_their_password() -> None:
    issued = signed_in(person())
    with read_session() as session:
        identity = sessions.identify(session, issued.access_token)
    fail(10)
    recovery.change_password(identity, PASSWORD, NewPasswordDraft(password=NEW))
    for _ in range(10):
        with pytest.raises(InvalidInput):
            recovery.change_password(identity, "wrong", NewPasswordDraft(password=NEW))
    with pytest.raises(TooManyAttempts):
        recovery.change_password(identity, NEW, NewPasswordDraft(password=PASSWORD))


def test_unlocking_starts_every_count_of_an_account_anew(known: str) -> None:
    fail(10)
    fail(10, browser=known)
    for number in range(4):
        recovery.request_recovery(EmailDraft(email=EMAIL), f"198.51.100.{number}")
    with transaction() as session:
        throttling.forgive(session, EMAIL)
    assert enter()
    assert enter(browser=known)
    recovery.request_recovery(EmailDraft(email=EMAIL), "203.0.113.7")


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


@pytest.mark.spec("AUTH-9")
def test_a_browser_is_known_after_recovery_and_asks_for_it_by_its_own_count(tab: EventClient, mails: Mails) -> None:
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
def test_the_owner_hears_of_a_browser_that_is_new_but_not_of_their_first_sign_in(mails: Mails) -> None:
    person()
    enter()
    fail(1)
    assert mails() == []
    for known_browser in (known_browsers.with_mark("", EMAIL), known_browsers.with_mark("", OTHER)):
        sign_in.sign_in(SignInDraft(email=EMAIL, password=PASSWORD), "203.0.113.7", AGENT, known_browser)
    (message,) = mails()
    body = message.get_body(("plain",))
    assert (message["To"], message["Subject"]) == (EMAIL, "New sign-in to your account at Northstrait")
    assert body is not None and "Firefox on Linux" in body.get_content()
