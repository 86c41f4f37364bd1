"""The second step of signing in: what answers a challenge, and how it is attacked."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import sqlalchemy as sa
from sqlmodel import col

from sitekit.accounts import links, throttling
from sitekit.accounts.account_errors import ChallengeOver, FactorUnreadable, InvalidToken, WrongCode
from sitekit.accounts.factors import challenges, codes
from sitekit.accounts.factors.challenges import Challenge
from sitekit.accounts.form_data import EmailData, NewPasswordData, SignInData
from sitekit.accounts.models import AuthFactor, AuthSession, LinkPurpose, SecretLink
from sitekit.accounts.password import recovery
from sitekit.accounts.sessions import known_browsers, sessions, sign_in
from sitekit.accounts.sessions.sessions import IssuedSession
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.db.rate_limits import Attempt
from sitekit.base.errors import ServiceError, TooManyAttempts
from tests.sitekit.accounts.conftest import token_in
from tests.sitekit.accounts.steps import EMAIL, Mails, rows, use
from tests.support.each import check_each
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
    issued = sign_in.sign_in(SignInData(email=EMAIL, password=PASSWORD), ADDRESS, binding=tab)
    assert isinstance(issued, Challenge)
    return issued.token


def answer(token: str, typed: str, *, tab: str = TAB, browser: str = "") -> IssuedSession:
    return challenges.answer(token, tab, typed, browser=browser)


def recover(token: str, typed: str) -> IssuedSession:
    return challenges.answer(token, TAB, typed, is_recovery=True)


def test_a_session_begins_with_the_right_code_and_not_with_the_password(secret: str) -> None:
    token = challenge()
    assert rows(AuthSession.id) == []
    issued = answer(token, code_of(secret))
    with read_session() as session:
        assert sessions.identify(session, issued.access_token).user.email == EMAIL
    assert rows(AuthSession.has_factor) == [(True,)]
    assert rows(AuthSession.proved_at) != [(None,)]


def test_adding_the_first_factor_ends_sessions_begun_without_one() -> None:
    ann = person()
    issued = signed_in(ann)
    add_app(ann)
    with read_session() as session, pytest.raises(InvalidToken):
        sessions.identify(session, issued.access_token)


def test_a_wrong_password_looks_the_same_with_a_factor(secret: str) -> None:
    with pytest.raises(ServiceError, match="Invalid login credentials"):
        sign_in.sign_in(SignInData(email=EMAIL, password="wrong"), ADDRESS, binding=TAB)
    assert rows(SecretLink.user_id) == []


@pytest.mark.spec("MFA-1")
@pytest.mark.parametrize(("steps", "is_right"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_codes_one_step_early_or_late_are_accepted_and_others_refused(
    secret: str, monkeypatch: pytest.MonkeyPatch, steps: int, is_right: bool
) -> None:
    present = codes.present_step()
    monkeypatch.setattr(codes, "present_step", lambda: present)
    if is_right:
        assert answer(challenge(), code_of(secret, steps))
        return
    with pytest.raises(WrongCode):
        answer(challenge(), code_of(secret, steps))


@pytest.mark.spec("MFA-1")
def test_a_used_code_and_earlier_codes_are_refused(secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    present = codes.present_step()
    monkeypatch.setattr(codes, "present_step", lambda: present)
    assert answer(challenge(), code_of(secret))
    for steps in (0, -1):
        with pytest.raises(WrongCode):
            answer(challenge(), code_of(secret, steps))
    assert answer(challenge(), code_of(secret, 1))


@pytest.mark.spec("MFA-1")
def test_codes_with_arabic_digits_and_spaces_are_accepted(secret: str) -> None:
    code = code_of(secret).translate({ord(str(number)): 0x0660 + number for number in range(10)})
    assert answer(challenge(), f" {code[:3]} {code[3:]} ")


def test_a_code_of_another_person_is_wrong(secret: str) -> None:
    other = add_app(person("mei@northstrait.example"))
    with pytest.raises(WrongCode):
        answer(challenge(), code_of(other))


def test_a_code_of_any_of_several_apps_is_accepted(secret: str) -> None:
    second = add_app(rows(AuthFactor.user_id)[0][0], "Tablet")
    assert answer(challenge(), code_of(second))
    assert answer(challenge(), code_of(secret))


def test_an_unconfirmed_app_does_not_count_as_a_factor() -> None:
    ann = person()
    add_app(ann)
    with transaction() as session:
        session.execute(sa.update(AuthFactor).values(confirmed_at=None))
    issued = sign_in.sign_in(SignInData(email=EMAIL, password=PASSWORD), ADDRESS, binding=TAB)
    assert isinstance(issued, IssuedSession)


def test_a_challenge_can_be_answered_once(secret: str) -> None:
    token = challenge()
    assert answer(token, code_of(secret))
    with pytest.raises(ChallengeOver):
        answer(token, code_of(secret, 1))


def test_an_answer_from_another_browser_is_refused_and_costs_no_try(secret: str) -> None:
    token = challenge()
    for _ in range(challenges.MOST_TRIES + 1):
        with pytest.raises(ChallengeOver):
            answer(token, code_of(secret), tab="another tab")
    assert answer(token, code_of(secret))


def test_an_invented_challenge_token_is_refused(secret: str) -> None:
    def check(token: object) -> None:
        with pytest.raises(ChallengeOver):
            challenges.answer(token, TAB, code_of(secret))

    check_each(["", "guessed", "\ud800", "x" * 100_000, None, 7], check)


@pytest.mark.parametrize("purpose", [LinkPurpose.PASSKEY, LinkPurpose.REGISTER])
def test_a_challenge_for_something_else_signs_nobody_in(secret: str, purpose: LinkPurpose) -> None:
    with transaction() as session:
        token = challenges.issue(session, purpose, TAB, rows(AuthFactor.user_id)[0][0])
    with pytest.raises(ChallengeOver):
        answer(token, code_of(secret))


@pytest.mark.parametrize(("minutes", "is_open"), [(4.9, True), (5.1, False)])
def test_a_challenge_expires_after_five_minutes(
    secret: str, monkeypatch: pytest.MonkeyPatch, minutes: float, is_open: bool
) -> None:
    token = challenge()
    later = now() + timedelta(minutes=minutes)
    monkeypatch.setattr(links, "now", lambda: later)
    if is_open:
        assert answer(token, code_of(secret))
        return
    with pytest.raises(ChallengeOver):
        answer(token, code_of(secret))
    with transaction() as session:
        assert links.delete_expired(session, later, 10) == 1


def test_the_sixth_try_is_refused_even_if_it_is_right(secret: str) -> None:
    token = challenge()
    for _ in range(5):
        with pytest.raises(WrongCode):
            answer(token, wrong_code(secret))
    with pytest.raises(ChallengeOver):
        answer(token, code_of(secret))


def test_concurrent_codes_succeed_once(secret: str) -> None:
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


def test_wrong_codes_are_limited_across_several_challenges(secret: str, mails: Mails) -> None:
    for _ in range(10):
        with pytest.raises(WrongCode) as refused:
            answer(challenge(), wrong_code(secret))
    assert refused.value.pause == throttling.MAX_PAUSE
    token = challenge()
    with pytest.raises(TooManyAttempts):
        answer(token, code_of(secret))
    [told] = mails()
    assert told["Subject"].startswith("Wrong codes for your account")


def test_wrong_codes_are_limited_per_day(secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttling, "FACTOR_BY_ACCOUNT", throttling.Limit("factor account", 100, timedelta(minutes=15)))
    for _ in range(30):
        with pytest.raises(WrongCode):
            answer(challenge(), wrong_code(secret))
    with pytest.raises(TooManyAttempts, match="24 hours"):
        answer(challenge(), code_of(secret))


def test_wrong_codes_in_known_browsers_are_limited_per_day_and_mailed(secret: str, mails: Mails) -> None:
    known = known_browsers.with_mark("", EMAIL)
    for tries in range(60):
        if tries % 10 == 0:
            forget_quarters()
        with pytest.raises(WrongCode):
            answer(challenge(), wrong_code(secret), browser=known)
    forget_quarters()
    with pytest.raises(TooManyAttempts, match="24 hours"):
        answer(challenge(), code_of(secret), browser=known)
    [told] = mails()
    assert told["Subject"].startswith("Wrong codes for your account")


def forget_quarters() -> None:
    """Forget the codes of a quarter of an hour in known browsers, but not those of the day."""
    with transaction() as session:
        session.execute(sa.delete(Attempt).where(col(Attempt.bucket) == throttling.factor_by_browser(EMAIL).bucket))


def test_wrong_codes_elsewhere_do_not_lock_out_a_known_browser(secret: str) -> None:
    known = known_browsers.with_mark("", EMAIL)
    for _ in range(10):
        with pytest.raises(WrongCode):
            answer(challenge(), wrong_code(secret))
    assert answer(challenge(), code_of(secret), browser=known)


def test_the_unlock_command_resets_the_count_of_wrong_codes(secret: str) -> None:
    for _ in range(10):
        with pytest.raises(WrongCode):
            answer(challenge(), wrong_code(secret))
    with transaction() as session:
        throttling.reset(session, EMAIL)
    assert answer(challenge(), code_of(secret))


@pytest.mark.spec("ACC-3")
def test_the_owner_is_mailed_about_a_new_browser_only_after_the_second_factor(secret: str, mails: Mails) -> None:
    signed_in(rows(AuthFactor.user_id)[0][0])
    token = challenge()
    with pytest.raises(WrongCode):
        answer(token, wrong_code(secret))
    assert mails() == []
    answer(token, code_of(secret), browser=known_browsers.with_mark("", "another@northstrait.example"))
    assert [told["Subject"] for told in mails()] == ["New sign-in to your account at Northstrait"]


@pytest.mark.spec("MFA-3")
def test_a_recovery_code_signs_in_once_and_a_mail_says_how_many_remain(secret: str, mails: Mails) -> None:
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
def test_recovery_codes_and_app_codes_are_not_interchangeable(secret: str) -> None:
    code = add_recovery_codes(rows(AuthFactor.user_id)[0][0])[0]
    with pytest.raises(WrongCode):
        answer(challenge(), code)
    with pytest.raises(WrongCode):
        recover(challenge(), code_of(secret))


@pytest.mark.spec("MFA-1", "MFA-3")
def test_recovery_codes_work_if_the_app_secret_is_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, "SECRET_KEY", OLD)
    ann = person()
    secret, code = add_app(ann), add_recovery_codes(ann)[0]
    use(monkeypatch, "SECRET_KEY", NEW)
    token = challenge()
    assert challenges.find_waiting(token, TAB).is_app_lost
    with pytest.raises(FactorUnreadable, match="Use a recovery code"):
        answer(token, code_of(secret))
    assert recover(token, code)


@pytest.mark.spec("MFA-1")
def test_an_app_secret_is_reencrypted_on_use_after_key_rotation(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, "SECRET_KEY", OLD)
    secret = add_app(person())
    use(monkeypatch, "SECRET_KEY", f"{NEW},{OLD}")
    assert answer(challenge(), code_of(secret, -1))
    use(monkeypatch, "SECRET_KEY", NEW)
    assert answer(challenge(), code_of(secret))


@pytest.mark.spec("MFA-4", "AUTH-9")
def test_recovery_by_mail_asks_for_the_factor_too(secret: str, mails: Mails) -> None:
    recovery.request_recovery(EmailData(email=EMAIL), ADDRESS)
    new = NewPasswordData(password="another-quiet-morning-17")
    issued = recovery.recover(token_in(mails()[-1]), new, ADDRESS, binding=TAB)
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
    [(token_hash, browser)] = rows(SecretLink.token_hash, SecretLink.browser)
    assert token not in token_hash
    assert TAB not in browser
