"""Signing in: who may, what the others are told, and how often they may try."""

import threading
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage

import bcrypt
import pytest
import sqlalchemy as sa
from sqlmodel import col

from sitekit.accounts import throttling
from sitekit.accounts.account_errors import EmailNotConfirmed, InvalidCredentials
from sitekit.accounts.form_data import SignInData
from sitekit.accounts.models import AuthSession, Credential
from sitekit.accounts.password import passwords
from sitekit.accounts.sessions import sign_in
from sitekit.accounts.throttling import Limit
from sitekit.base import settings
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.db.rate_limits import Attempt
from sitekit.base.errors import InvalidInput, TooManyAttempts
from tests.support.each import check_each
from tests.support.people import PASSWORD, person
from tests.support.staff import statements

EMAIL = "ann@northstrait.example"


def enter(email: str = EMAIL, password: str = PASSWORD, address: str = "203.0.113.7") -> object:
    return sign_in.sign_in(SignInData.read({"email": email, "password": password}), address)


@pytest.mark.spec("AUTH-4")
def test_the_right_password_begins_a_session_however_the_address_is_typed() -> None:
    person()
    assert enter("  Ann@NorthStrait.EXAMPLE ")


@pytest.mark.spec("AUTH-8", "SES-5")
@pytest.mark.parametrize("email", [EMAIL, "nobody@northstrait.example", "not an address"])
def test_unknown_e_mail_and_wrong_password_get_the_same_answer(email: str) -> None:
    person()
    with pytest.raises(InvalidCredentials, match=r"^Invalid login credentials$"):
        enter(email, "wrong password")


@pytest.mark.spec("AUTH-8")
def test_unknown_e_mail_and_wrong_password_cost_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that takes time: what bcrypt compares and at which cost, and what the database is asked."""
    person(password=PASSWORD)
    compare, make = bcrypt.checkpw, bcrypt.hashpw
    costs: list[tuple[str, bytes]] = []

    def note_comparison(password: bytes, hashed: bytes) -> bool:
        costs.append(("compared", hashed.split(b"$")[2]))
        return compare(password, hashed)

    def note_hash(password: bytes, salt: bytes) -> bytes:
        costs.append(("made", salt.split(b"$")[2]))
        return make(password, salt)

    def work(email: str) -> tuple[list[tuple[str, bytes]], list[str]]:
        passwords.dummy_hash.cache_clear()  # as in a process that has just begun
        costs.clear()
        with statements() as asked:
            assert sign_in.check_password(email, "wrong password") is None
        return list(costs), asked

    monkeypatch.setattr(bcrypt, "checkpw", note_comparison)
    monkeypatch.setattr(bcrypt, "hashpw", note_hash)
    known, unknown = work(EMAIL), work("nobody@northstrait.example")
    assert known == unknown
    assert [kind for kind, _ in known[0]] == ["made", "compared", "compared"]


@pytest.mark.spec("AUTH-4")
def test_e_mail_and_password_are_needed() -> None:
    def check(form: object) -> None:
        with pytest.raises(InvalidInput) as refusal:
            SignInData.read(form)
        assert set(refusal.value.fields.values()) == {"Please fill in this field."}

    check_each([{}, {"email": EMAIL}, {"password": PASSWORD}, None, [], "x", {"email": {}, "password": []}], check)


def test_a_password_of_spaces_is_not_stripped() -> None:
    assert SignInData.read({"email": EMAIL, "password": "  "}).password == "  "


@pytest.mark.spec("AUTH-10")
def test_ten_failures_lock_an_account_even_for_the_right_password() -> None:
    person()
    for number in range(10):
        with pytest.raises(InvalidCredentials):
            enter(password="wrong password", address=f"203.0.113.{number}")
    with pytest.raises(TooManyAttempts, match=r"^Too many attempts\. Please wait 15 minutes and try again\.$"):
        enter()


@pytest.mark.spec("AUTH-10")
def test_an_unknown_account_is_locked_the_same_way() -> None:
    for _ in range(10):
        with pytest.raises(InvalidCredentials):
            enter("nobody@northstrait.example")
    with pytest.raises(TooManyAttempts):
        enter("nobody@northstrait.example")


@pytest.mark.spec("AUTH-10")
def test_failures_are_limited_per_network_address() -> None:
    person()
    for number in range(50):
        with pytest.raises(InvalidCredentials):
            enter(f"nobody{number}@northstrait.example")
    with pytest.raises(TooManyAttempts):
        enter()
    assert enter(address="203.0.113.8")


@pytest.mark.spec("AUTH-10")
def test_sessions_are_limited_per_network_even_with_the_right_password() -> None:
    person()
    for _ in range(100):
        assert enter()
    with pytest.raises(TooManyAttempts):
        enter()
    assert enter(address="203.0.113.8")


@pytest.mark.spec("AUTH-10")
@pytest.mark.parametrize(
    "limit", [limit for limit in vars(throttling).values() if isinstance(limit, Limit) and "address" in limit.bucket]
)
def test_the_addresses_of_one_ipv6_network_count_together(limit: Limit) -> None:
    for number in range(limit.most):
        throttling.count((limit, f"2001:db8:1:2::{number:x}"))
    with pytest.raises(TooManyAttempts):
        throttling.count((limit, "2001:db8:1:2:ffff::1"))
    counted = throttling.count((limit, "2001:db8:1:3::1"))
    assert counted.earlier == 0


@pytest.mark.spec("AUTH-10", "DATA-3")
def test_concurrent_tries_are_counted_like_sequential_ones() -> None:
    person()
    refused: list[str] = []
    barrier = threading.Barrier(14)

    def guess() -> None:
        barrier.wait()
        try:
            enter(password="wrong password")
        except (InvalidCredentials, TooManyAttempts) as error:
            refused.append(type(error).__name__)

    threads = [threading.Thread(target=guess) for _ in range(14)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(refused) == {"InvalidCredentials": 10, "TooManyAttempts": 4}


@pytest.mark.spec("AUTH-10")
def test_answers_are_delayed_increasingly_from_the_fourth_failure() -> None:
    pauses = []
    for _ in range(8):
        with pytest.raises(InvalidCredentials) as refusal:
            enter()
        pauses.append(refusal.value.pause)
    assert pauses == [0, 0, 0, 0.5, 1, 2, 4, 4]


@pytest.mark.spec("AUTH-10")
def test_the_lock_expires_and_a_success_resets_the_count() -> None:
    person()
    for _ in range(9):
        with pytest.raises(InvalidCredentials):
            enter(password="wrong password")
    assert enter()
    for _ in range(10):
        with pytest.raises(InvalidCredentials):
            enter(password="wrong password")
    with transaction() as session:
        session.execute(
            sa.update(Attempt).values(at=now() - throttling.SIGN_IN_BY_ACCOUNT.within - timedelta(seconds=1))
        )
    assert enter()


@pytest.mark.spec("AUTH-10")
def test_a_success_does_not_reset_the_failures_of_a_network_address() -> None:
    person()
    for number in range(50):
        with pytest.raises(InvalidCredentials):
            enter(f"nobody{number}@northstrait.example")
        if number == 25:
            enter()
    with pytest.raises(TooManyAttempts):
        enter("nobody@northstrait.example")


@pytest.mark.spec("AUTH-7")
def test_an_unconfirmed_address_cannot_sign_in_with_a_mail_server(monkeypatch: pytest.MonkeyPatch) -> None:
    person(confirmed=False)
    monkeypatch.setenv("ADVISORY_SMTP_URL", "smtp://127.0.0.1:9")
    settings.get_settings.cache_clear()
    with pytest.raises(EmailNotConfirmed, match=r"^Email not confirmed$"):
        enter()
    with pytest.raises(InvalidCredentials):
        enter(password="wrong password")
    with read_session() as session:
        assert session.execute(sa.select(AuthSession)).first() is None


@pytest.mark.spec("AUTH-7")
def test_an_unconfirmed_address_can_sign_in_without_a_mail_server(mails: Callable[[], list[EmailMessage]]) -> None:
    person(confirmed=False)
    assert enter()


@pytest.mark.spec("AUTH-4")
def test_a_password_is_rehashed_if_the_cost_has_risen(monkeypatch: pytest.MonkeyPatch) -> None:
    person()
    monkeypatch.setenv("ADVISORY_BCRYPT_COST", "5")
    settings.get_settings.cache_clear()
    assert enter()
    with read_session() as session:
        assert session.execute(sa.select(col(Credential.password_hash))).scalar_one().startswith("$2b$05$")
    assert enter()
