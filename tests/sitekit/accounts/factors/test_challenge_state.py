"""The card for the second factor, through the real event processor: what it says, keeps and announces."""

import sqlite3

import pytest
import sqlalchemy as sa
import sqlalchemy.exc

from sitekit.accounts.email.link_state import ResetState
from sitekit.accounts.factors import factors
from sitekit.accounts.form_data import EmailData
from sitekit.accounts.models import AuthFactor, AuthSession, SecretLink
from sitekit.accounts.password.recovery import request_recovery
from sitekit.accounts.sessions import auth_events, auth_state, known_browsers
from sitekit.accounts.sessions.auth_state import AuthPageState, BrowserState, ChallengeState
from sitekit.base.db.database import transaction
from sitekit.base.observability.audit_log import AuditEvent
from sitekit.records.activity import Activity
from tests.sitekit.accounts.conftest import token_in
from tests.sitekit.accounts.steps import EMAIL, Mails, rows, use
from tests.support.event_client import EventClient, Reply
from tests.support.people import PASSWORD, person
from tests.support.second_factors import add_app, add_recovery_codes, code_of, wrong_code
from tests.support.staff import destinations, texts

pytestmark = pytest.mark.spec("MFA-4")
NEW = "another-quiet-morning-17"


@pytest.fixture
def secret() -> str:
    """A person with an app; returns its secret."""
    return add_app(person())


def enter(tab: EventClient, path: str = "/auth") -> Reply:
    return tab.send(AuthPageState.sign_in, path=path, form_data={"email": EMAIL, "password": PASSWORD})


def verify(tab: EventClient, code: str, path: str = "/auth") -> Reply:
    return tab.send(ChallengeState.verify, path=path, form_data={"code": code})


def card(tab: EventClient) -> dict[str, object]:
    return tab.vars(ChallengeState)


def test_a_right_password_shows_the_code_form_and_begins_no_session(tab: EventClient, secret: str) -> None:
    reply = enter(tab)
    assert reply.var("challenge_state.is_open") is True
    assert (destinations(reply), texts(reply)) == ([], [])
    assert rows(AuthSession.id) == []
    assert tab.vars(BrowserState)["known"] == ""
    assert not any("challenge_state._" in name for name in reply.delta)


@pytest.mark.spec("SES-3", "MFA-4")
def test_the_right_code_signs_in_redirects_and_announces_it(tab: EventClient, secret: str) -> None:
    path = "/auth?next=/admin%3Ftab%3Dusers"
    enter(tab, path)
    heard: list[tuple[str, int | None]] = []
    stop = auth_events.subscribe(lambda event, user_id: heard.append((event.value, user_id)))
    reply = verify(tab, code_of(secret), path)
    stop()
    assert (destinations(reply), texts(reply)) == (["/admin?tab=users"], ["Welcome back!"])
    [(ann,)] = rows(AuthSession.user_id)
    assert heard == [("signed in", ann), ("MFA verified", ann)]
    assert known_browsers.name_for(tab.vars(BrowserState)["known"], EMAIL)
    assert (card(tab)["is_open"], card(tab)["_challenge"]) == (False, "")
    assert ("signed_in", "MFA verified") in rows(Activity.act, Activity.subject)


def test_a_wrong_code_is_marked_logged_and_answered_after_a_delay(
    tab: EventClient, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    async def delay_response(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr(auth_state, "delay_response", delay_response)
    enter(tab)
    for _ in range(5):
        reply = verify(tab, wrong_code(secret))
    assert reply.var("challenge_state.errors")["code"].startswith("This code is wrong")
    assert reply.var("challenge_state.is_busy") is False
    assert pauses == [0, 0, 0, 0.5, 1.0]
    assert [act for (act,) in rows(Activity.act)].count(AuditEvent.FACTOR_FAILED.name.lower()) == 5
    reply = verify(tab, code_of(secret))
    assert texts(reply) == ["That took too long, or too many codes were wrong. Please sign in again."]
    assert card(tab)["is_open"] is False


@pytest.mark.parametrize("form", [{}, {"code": ""}, {"code": ["1"]}, {"code": "x" * 100_000}, {"other": "1"}])
def test_malformed_codes_are_refused_without_costing_a_try(
    tab: EventClient, secret: str, form: dict[str, object]
) -> None:
    enter(tab)
    reply = tab.send(ChallengeState.verify, path="/auth", form_data=form)
    assert reply.errors == []
    assert reply.var("challenge_state.errors")["code"]
    assert rows(SecretLink.tries) == [(0,)]


@pytest.mark.spec("MFA-3")
def test_the_recovery_code_form_has_its_own_error_messages(tab: EventClient, secret: str) -> None:
    [(ann,)] = rows(AuthFactor.user_id)
    code = add_recovery_codes(ann)[0]
    enter(tab)
    assert tab.send(ChallengeState.use_recovery_code).var("challenge_state.is_recovery") is True
    reply = verify(tab, "guessed")
    assert reply.var("challenge_state.errors")["code"] == "This recovery code is wrong, or was used before."
    assert tab.send(ChallengeState.use_app).var("challenge_state.errors") == {}
    tab.send(ChallengeState.use_recovery_code)
    assert destinations(verify(tab, code)) == ["/admin"]


def test_a_reload_keeps_the_code_form_until_the_challenge_expires(tab: EventClient, secret: str) -> None:
    enter(tab)
    tab.send(AuthPageState.open, path="/auth")
    assert card(tab)["is_open"] is True
    with transaction() as session:
        session.execute(sa.text("UPDATE mailed_links SET expires_at = '2020-01-01 00:00:00'"))
    tab.send(AuthPageState.open, path="/auth")
    assert (card(tab)["is_open"], card(tab)["_challenge"]) == (False, "")


def test_the_code_form_stays_open_while_the_database_is_unavailable(
    tab: EventClient, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise sqlalchemy.exc.OperationalError("SELECT", {}, sqlite3.OperationalError("database is locked"))

    enter(tab)
    monkeypatch.setattr(factors, "list_factors", away)
    tab.send(AuthPageState.open, path="/auth")
    assert card(tab)["is_open"] is True
    assert texts(verify(tab, code_of(secret))) == ["The service cannot be reached at the moment. Please try again."]


def test_going_back_discards_the_challenge(tab: EventClient, secret: str) -> None:
    enter(tab)
    tab.send(ChallengeState.go_back)
    assert (card(tab)["is_open"], card(tab)["_challenge"]) == (False, "")
    assert texts(verify(tab, code_of(secret))) == [
        "That took too long, or too many codes were wrong. Please sign in again."
    ]


@pytest.mark.spec("MFA-1", "MFA-3")
def test_the_code_form_offers_recovery_codes_first_if_the_app_secret_is_unreadable(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, "SECRET_KEY", "0123456789abcdef" * 2)
    ann = person()
    add_app(ann)
    code = add_recovery_codes(ann)[0]
    use(monkeypatch, "SECRET_KEY", "fedcba9876543210" * 2)
    enter(tab)
    assert (card(tab)["is_app_lost"], card(tab)["is_recovery"], card(tab)["has_app"]) == (True, True, False)
    assert destinations(verify(tab, code)) == ["/admin"]


@pytest.mark.spec("MFA-4", "AUTH-9", "SES-3")
def test_password_recovery_by_mail_leads_to_the_code_form(tab: EventClient, secret: str, mails: Mails) -> None:
    request_recovery(EmailData(email=EMAIL), "203.0.113.7")
    path = f"/auth/reset?token={token_in(mails()[-1])}"
    reply = tab.send(ResetState.set_new, path=path, form_data={"password": NEW, "confirm_password": NEW})
    assert destinations(reply) == ["/auth"]
    assert rows(AuthSession.id) == []
    tab.send(AuthPageState.open, path="/auth")
    heard: list[str] = []
    stop = auth_events.subscribe(lambda event, _: heard.append(event.value))
    reply = verify(tab, code_of(secret))
    stop()
    assert destinations(reply) == ["/admin"]
    assert heard == ["password recovery", "MFA verified"]


def test_another_client_cannot_answer_the_challenge(tab: EventClient, secret: str) -> None:
    enter(tab)
    other = EventClient(tab.app)
    assert texts(verify(other, code_of(secret))) == [
        "That took too long, or too many codes were wrong. Please sign in again."
    ]
