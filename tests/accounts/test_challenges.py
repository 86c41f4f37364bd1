"""The second step of signing in: what answers a challenge, and how it is attacked."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import sqlalchemy as sa

from advisory_site.accounts import challenges, codes, known_browsers, recovery, sessions, sign_in, throttling
from advisory_site.accounts.challenges import Challenge
from advisory_site.accounts.drafts import EmailDraft, NewPasswordDraft, SignInDraft
from advisory_site.accounts.errors import ChallengeOver, FactorUnreadable, InvalidToken, WrongCode
from advisory_site.accounts.models import AuthFactor, AuthSession, ChallengePurpose, SignInChallenge
from advisory_site.accounts.sessions import IssuedSession
from advisory_site.core.errors import ServiceError, TooManyAttempts
from advisory_site.db.database import now, read_session, transaction
from tests.accounts.conftest import token_in
from tests.accounts.steps import EMAIL, Mails, rows, use
from tests.support.people import PASSWORD, person, signed_in
from tests.support.second_factors import add_app, add_recovery_codes, code_of, wrong_code

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.spec("MFA-4")]
TAB, ADDRESS = "this tab", "203.0.113.7"
OLD, NEW = "0123456789abcdef" * 2, "fedcba9876543210" * 2


@pytest.fixture
def secret() -> str:
    """A person with an app; returns its secret."""
    return add_app(person())


def challenge(tab: str = TAB) -> str:
    """The secret of a new challenge, after the right password."""
    issued = sign_in.sign_in(SignInDraft(email=EMAIL, password=PASSWORD), ADDRESS, tab=tab)
    assert isinstance(issued, Challenge)
    return issued.token


def answer(token: str, typed: str, *, tab: str = TAB, browser: str = "") -> IssuedSession:
    return challenges.answer(token, tab, typed, browser=browser)


def recover(token: str, typed: str) -> IssuedSession:
    return challenges.answer(token, TAB, typed, is_recovery=True)


def test_a_right_password_begins_no_session_but_the_right_code_does(secret: str) -> None:
    token = challenge()
    assert rows(AuthSession.id) == []
    issued = answer(token, code_of(secret))
    with read_session() as session:
        assert sessions.identify(session, issued.access_token).user.email == EMAIL
    assert rows(AuthSession.has_factor) == [(True,)]
    assert rows(AuthSession.proved_at) != [(None,)]


def test_a_session_without_a_factor_ends_with_the_first_one() -> None:
    ann = person()
    issued = signed_in(ann)
    add_app(ann)
    with read_session() as session, pytest.raises(InvalidToken):
        sessions.identify(session, issued.access_token)


def test_a_wrong_password_looks_the_same_with_a_factor(secret: str) -> None:
    with pytest.raises(ServiceError, match="Invalid login credentials"):
        sign_in.sign_in(SignInDraft(email=EMAIL, password="wrong"), ADDRESS, tab=TAB)
    assert rows(SignInChallenge.user_id) == []


@pytest.mark.spec("MFA-1")
@pytest.mark.parametrize(("steps", "is_right"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_one_step_of_tolerance(secret: str, monkeypatch: pytest.MonkeyPatch, steps: int, is_right: bool) -> None:
    present = codes.present_step()
    monkeypatch.setattr(codes, "present_step", lambda: present)
    if is_right:
        assert answer(challenge(), code_of(secret, steps))
        return
    with pytest.raises(WrongCode):
        answer(challenge(), code_of(secret, steps))


@pytest.mark.spec("MFA-1")
def test_a_code_serves_once_and_so_do_earlier_ones(secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    present = codes.present_step()
    monkeypatch.setattr(codes, "present_step", lambda: present)
    assert answer(challenge(), code_of(secret))
    for steps in (0, -1):
        with pytest.raises(WrongCode):
            answer(challenge(), code_of(secret, steps))
    assert answer(challenge(), code_of(secret, 1))


@pytest.mark.spec("MFA-1")
def test_arabic_digits_and_spaces_are_fine(secret: str) -> None:
    code = code_of(secret).translate({ord(str(number)): 0x0660 + number for number in range(10)})
    assert answer(challenge(), f" {code[:3]} {code[3:]} ")


def test_a_code_of_another_person_is_wrong(secret: str) -> None:
    other = add_app(person("mei@northstrait.example"))
    with pytest.raises(WrongCode):
        answer(challenge(), code_of(other))


def test_any_of_several_apps_will_do(secret: str) -> None:
    second = add_app(rows(AuthFactor.user_id)[0][0], "Tablet")
    assert answer(challenge(), code_of(second))
    assert answer(challenge(), code_of(secret))


def test_an_unconfirmed_app_is_no_factor() -> None:
    ann = person()
    add_app(ann)
    with transaction() as session:
        session.execute(sa.update(AuthFactor).values(confirmed_at=None))
    issued = sign_in.sign_in(SignInDraft(email=EMAIL, password=PASSWORD), ADDRESS, tab=TAB)
    assert isinstance(issued, IssuedSession)


def test_a_challenge_serves_once(secret: str) -> None:
    token = challenge()
    assert answer(token, code_of(secret))
    with pytest.raises(ChallengeOver):
        answer(token, code_of(secret, 1))


def test_another_browser_cannot_answer_and_costs_no_try(secret: str) -> None:
    token = challenge()
    for _ in range(challenges.MOST_TRIES + 1):
        with pytest.raises(ChallengeOver):
            answer(token, code_of(secret), tab="another tab")
    assert answer(token, code_of(secret))


@pytest.mark.parametrize("token", ["", "guessed", "\ud800", "x" * 100_000, None, 7])
def test_a_made_up_challenge_is_none(secret: str, token: object) -> None:
    with pytest.raises(ChallengeOver):
        challenges.answer(token, TAB, code_of(secret))


@pytest.mark.parametrize("purpose", [ChallengePurpose.PASSKEY, ChallengePurpose.REGISTER])
def test_a_challenge_for_something_else_signs_nobody_in(secret: str, purpose: ChallengePurpose) -> None:
    with transaction() as session:
        token = challenges.issue(session, purpose, TAB, rows(AuthFactor.user_id)[0][0])
    with pytest.raises(ChallengeOver):
        answer(token, code_of(secret))


@pytest.mark.parametrize(("minutes", "is_open"), [(4.9, True), (5.1, False)])
def test_a_challenge_waits_five_minutes(
    secret: str, monkeypatch: pytest.MonkeyPatch, minutes: float, is_open: bool
) -> None:
    token = challenge()
    later = now() + timedelta(minutes=minutes)
    monkeypatch.setattr(challenges, "now", lambda: later)
    if is_open:
        assert answer(token, code_of(secret))
        return
    with pytest.raises(ChallengeOver):
        answer(token, code_of(secret))
    with transaction() as session:
        assert challenges.delete_expired(session, later, 10) == 1


def test_the_sixth_try_is_refused_even_if_it_is_right(secret: str) -> None:
    token = challenge()
    for _ in range(5):
        with pytest.raises(WrongCode):
            answer(token, wrong_code(secret))
    with pytest.raises(ChallengeOver):
        answer(token, code_of(secret))


def test_of_answers_at_the_same_time_one_succeeds(secret: str) -> None:
    tokens = [challenge() for _ in range(4)]
    code = code_of(secret)

    def tried(token: str) -> bool:
        try:
            return bool(answer(token, code))
        except (WrongCode, ChallengeOver):
            return False

    with ThreadPoolExecutor(max_workers=8) as threads:
        results = list(threads.map(tried, tokens * 2))
    assert sum(results) == 1
    assert len(rows(AuthSession.id)) == 1


def test_wrong_codes_are_limited_however_often_one_begins_anew(secret: str, mails: Mails) -> None:
    for _ in range(10):
        with pytest.raises(WrongCode) as refused:
            answer(challenge(), wrong_code(secret))
    assert refused.value.pause == throttling.MAX_PAUSE
    token = challenge()
    with pytest.raises(TooManyAttempts):
        answer(token, code_of(secret))
    [told] = mails()
    assert told["Subject"].startswith("Wrong codes for your account")


def test_wrong_codes_are_limited_a_day(secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttling, "FACTOR_BY_ACCOUNT", throttling.Limit("factor account", 100, timedelta(minutes=15)))
    for _ in range(30):
        with pytest.raises(WrongCode):
            answer(challenge(), wrong_code(secret))
    with pytest.raises(TooManyAttempts, match="24 hours"):
        answer(challenge(), code_of(secret))


def test_guesses_elsewhere_lock_no_known_browser_out(secret: str) -> None:
    known = known_browsers.with_mark("", EMAIL)
    for _ in range(10):
        with pytest.raises(WrongCode):
            answer(challenge(), wrong_code(secret))
    assert answer(challenge(), code_of(secret), browser=known)


def test_the_command_unlock_forgives_wrong_codes(secret: str) -> None:
    for _ in range(10):
        with pytest.raises(WrongCode):
            answer(challenge(), wrong_code(secret))
    with transaction() as session:
        throttling.forgive(session, EMAIL)
    assert answer(challenge(), code_of(secret))


@pytest.mark.spec("ACC-3")
def test_the_owner_hears_of_a_new_browser_after_the_factor_and_not_before(secret: str, mails: Mails) -> None:
    signed_in(rows(AuthFactor.user_id)[0][0])
    token = challenge()
    with pytest.raises(WrongCode):
        answer(token, wrong_code(secret))
    assert mails() == []
    answer(token, code_of(secret), browser=known_browsers.with_mark("", "another@northstrait.example"))
    assert [told["Subject"] for told in mails()] == ["New sign-in to your account at Northstrait"]


@pytest.mark.spec("MFA-3")
def test_a_recovery_code_signs_in_once_and_a_mail_counts_the_others(secret: str, mails: Mails) -> None:
    code = add_recovery_codes(rows(AuthFactor.user_id)[0][0])[0]
    assert recover(challenge(), code)
    assert rows(AuthSession.has_factor) == [(True,)]
    with pytest.raises(WrongCode):
        recover(challenge(), code)
    [told] = mails()
    part = told.get_body(("plain",))
    assert part is not None
    assert "9 codes are left." in part.get_content()


@pytest.mark.spec("MFA-3")
def test_a_recovery_code_is_no_code_of_the_app_and_the_reverse(secret: str) -> None:
    code = add_recovery_codes(rows(AuthFactor.user_id)[0][0])[0]
    with pytest.raises(WrongCode):
        answer(challenge(), code)
    with pytest.raises(WrongCode):
        recover(challenge(), code_of(secret))


@pytest.mark.spec("MFA-1", "MFA-3")
def test_a_lost_secret_is_told_and_recovery_codes_still_work(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, "SECRET_KEY", OLD)
    ann = person()
    secret, code = add_app(ann), add_recovery_codes(ann)[0]
    use(monkeypatch, "SECRET_KEY", NEW)
    token = challenge()
    assert challenges.look(token, TAB).is_app_lost
    with pytest.raises(FactorUnreadable, match="Use a recovery code"):
        answer(token, code_of(secret))
    assert recover(token, code)


@pytest.mark.spec("MFA-1")
def test_a_rotated_secret_serves_on_and_is_renewed_at_its_use(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, "SECRET_KEY", OLD)
    secret = add_app(person())
    use(monkeypatch, "SECRET_KEY", f"{NEW},{OLD}")
    assert answer(challenge(), code_of(secret, -1))
    use(monkeypatch, "SECRET_KEY", NEW)
    assert answer(challenge(), code_of(secret))


@pytest.mark.spec("MFA-4", "AUTH-9")
def test_recovery_by_mail_asks_for_the_factor_too(secret: str, mails: Mails) -> None:
    recovery.request_recovery(EmailDraft(email=EMAIL), ADDRESS)
    new = NewPasswordDraft(password="another-quiet-morning-17")
    issued = recovery.recover(token_in(mails()[-1]), new, ADDRESS, tab=TAB)
    assert isinstance(issued, Challenge)
    assert rows(AuthSession.id) == []
    assert answer(issued.token, code_of(secret))


@pytest.mark.spec("MFA-4")
def test_an_account_that_is_deleted_meanwhile_ends_its_challenge(secret: str) -> None:
    token = challenge()
    with transaction() as session:
        session.execute(sa.text("DELETE FROM profiles"))
    with pytest.raises(ChallengeOver):
        answer(token, code_of(secret))


def test_a_challenge_is_stored_as_a_hash(secret: str) -> None:
    token = challenge()
    [(token_hash, browser)] = rows(SignInChallenge.token_hash, SignInChallenge.browser)
    assert token not in token_hash
    assert TAB not in browser
