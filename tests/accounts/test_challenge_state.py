"""The card for the second factor, through the real event processor: what it says, keeps and announces."""

import sqlite3

import pytest
import sqlalchemy as sa
import sqlalchemy.exc

from advisory_site.accounts import auth_events, auth_state, factors, known_browsers
from advisory_site.accounts.auth_state import AuthPageState, BrowserState, ChallengeState
from advisory_site.accounts.drafts import EmailDraft
from advisory_site.accounts.link_state import ResetState
from advisory_site.accounts.models import AuthFactor, AuthSession, SignInChallenge
from advisory_site.accounts.recovery import request_recovery
from advisory_site.db.database import transaction
from advisory_site.observability.audit_log import Act
from advisory_site.records.activity import Activity
from tests.accounts.conftest import token_in
from tests.accounts.steps import EMAIL, Mails, rows, use
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


def test_the_card_shows_the_form_and_no_session_begins(tab: EventClient, secret: str) -> None:
    reply = enter(tab)
    assert reply.var("challenge_state.is_open") is True
    assert (destinations(reply), texts(reply)) == ([], [])
    assert rows(AuthSession.id) == []
    assert tab.vars(BrowserState)["known"] == ""
    assert not any("challenge_state._" in name for name in reply.delta)


@pytest.mark.spec("SES-3", "MFA-4")
def test_the_right_code_signs_in_leads_on_and_is_announced(tab: EventClient, secret: str) -> None:
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


def test_a_wrong_code_is_marked_logged_and_answered_late(
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
    assert [act for (act,) in rows(Activity.act)].count(Act.FACTOR_FAILED.name.lower()) == 5
    reply = verify(tab, code_of(secret))
    assert texts(reply) == ["That took too long, or too many codes were wrong. Please sign in again."]
    assert card(tab)["is_open"] is False


@pytest.mark.parametrize("form", [{}, {"code": ""}, {"code": ["1"]}, {"code": "x" * 100_000}, {"other": "1"}])
def test_what_is_no_code_at_all_is_refused(tab: EventClient, secret: str, form: dict[str, object]) -> None:
    enter(tab)
    reply = tab.send(ChallengeState.verify, path="/auth", form_data=form)
    assert reply.errors == []
    assert reply.var("challenge_state.errors")["code"]
    assert rows(SignInChallenge.tries) == [(0,)]


@pytest.mark.spec("MFA-3")
def test_a_recovery_code_is_another_card_with_its_own_words(tab: EventClient, secret: str) -> None:
    [(ann,)] = rows(AuthFactor.user_id)
    code = add_recovery_codes(ann)[0]
    enter(tab)
    assert tab.send(ChallengeState.use_recovery_code).var("challenge_state.is_recovery") is True
    reply = verify(tab, "guessed")
    assert reply.var("challenge_state.errors")["code"] == "This recovery code is wrong, or was used before."
    assert tab.send(ChallengeState.use_app).var("challenge_state.errors")["code"] == ""
    tab.send(ChallengeState.use_recovery_code)
    assert destinations(verify(tab, code)) == ["/admin"]


def test_a_reload_keeps_the_card_until_its_time_is_over(tab: EventClient, secret: str) -> None:
    enter(tab)
    tab.send(AuthPageState.open, path="/auth")
    assert card(tab)["is_open"] is True
    with transaction() as session:
        session.execute(sa.text("UPDATE sign_in_challenges SET expires_at = '2020-01-01 00:00:00'"))
    tab.send(AuthPageState.open, path="/auth")
    assert (card(tab)["is_open"], card(tab)["_challenge"]) == (False, "")


def test_while_the_database_is_away_the_card_stays(
    tab: EventClient, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise sqlalchemy.exc.OperationalError("SELECT", {}, sqlite3.OperationalError("database is locked"))

    enter(tab)
    monkeypatch.setattr(factors, "list_factors", away)
    tab.send(AuthPageState.open, path="/auth")
    assert card(tab)["is_open"] is True
    assert texts(verify(tab, code_of(secret))) == ["The service cannot be reached at the moment. Please try again."]


def test_the_way_back_forgets_the_challenge(tab: EventClient, secret: str) -> None:
    enter(tab)
    tab.send(ChallengeState.go_back)
    assert (card(tab)["is_open"], card(tab)["_challenge"]) == (False, "")
    assert texts(verify(tab, code_of(secret))) == [
        "That took too long, or too many codes were wrong. Please sign in again."
    ]


@pytest.mark.spec("MFA-1", "MFA-3")
def test_with_a_lost_secret_the_card_begins_with_recovery_codes(
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
def test_a_new_password_by_mail_leads_to_the_card(tab: EventClient, secret: str, mails: Mails) -> None:
    request_recovery(EmailDraft(email=EMAIL), "203.0.113.7")
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


def test_another_connection_with_the_state_of_another_tab_has_no_challenge(tab: EventClient, secret: str) -> None:
    enter(tab)
    other = EventClient(tab.app)
    assert texts(verify(other, code_of(secret))) == [
        "That took too long, or too many codes were wrong. Please sign in again."
    ]
