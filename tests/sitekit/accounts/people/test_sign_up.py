"""Signing up, verifying, and recovering, with the mails that were really written."""

import threading
from datetime import timedelta

import pytest
import sqlalchemy as sa

from sitekit.accounts import throttling
from sitekit.accounts.account_errors import InvalidToken, WeakPassword
from sitekit.accounts.form_data import EmailData, NewPasswordData
from sitekit.accounts.models import Credential, Profile, SecretLink, SignUp, UserRole
from sitekit.accounts.password import recovery
from sitekit.accounts.people import sign_up
from sitekit.accounts.sessions import sessions
from sitekit.accounts.sessions.sessions import IssuedSession
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.errors import Forbidden, InvalidInput, TooManyAttempts
from sitekit.base.mail import worker
from tests.sitekit.accounts.conftest import token_in
from tests.sitekit.accounts.steps import EMAIL, Mails, confirm, enter, join, rows, use
from tests.support.each import check_each
from tests.support.people import PASSWORD, person, signed_in

NEW = "another-quiet-morning-17"


@pytest.mark.spec("AUTH-6", "AUTH-5")
def test_sign_up_creates_a_profile_with_the_role_employee(mails: Mails) -> None:
    join()
    assert rows(Profile.email, Profile.first_name, Profile.last_name) == [(EMAIL, "Ann", "Lim")]
    assert rows(UserRole.role) == [("employee",)]


@pytest.mark.spec("AUTH-6", "AUTH-8")
def test_twenty_concurrent_sign_ups_create_one_account_with_one_role(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttling, "MAIL_BY_ACCOUNT", throttling.Limit("many", 99, timedelta(hours=1)))
    barrier, failures = threading.Barrier(20), []

    def attempt() -> None:
        barrier.wait()
        try:
            join()
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=attempt) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(rows(Profile.id)) == len(rows(UserRole.user_id)) == len(rows(SignUp.user_id)) == 1


@pytest.mark.spec("AUTH-5")
def test_the_form_refuses_invalid_fields() -> None:
    def check(case: tuple[dict[str, str], str | None, str]) -> None:
        changes, message, field = case
        with pytest.raises(InvalidInput) as refusal:
            join(**changes)
        assert message is None or refusal.value.message == message
        assert field in refusal.value.fields
        assert rows(Profile.id) == []

    cases: list[tuple[dict[str, str], str | None, str]] = [
        ({"confirm_password": "other"}, "Passwords do not match", "confirm_password"),
        ({"password": "kX9#q", "confirm_password": "kX9#q"}, "Password must be at least 6 characters", "password"),
        ({"first_name": " "}, "Please fill in all required fields", "first_name"),
        ({"last_name": ""}, "Please fill in all required fields", "last_name"),
        ({"email": ""}, "Please fill in all required fields", "email"),
        ({"email": "ann"}, "Please enter a full email address, such as name@company.com.", "email"),
        ({"email": "ann@x.example\r\nBcc: all@x.example"}, None, "email"),
        ({"password": "", "confirm_password": ""}, "Please fill in all required fields", "password"),
        ({"first_name": "A" * 81}, "Please shorten this to 80 characters or fewer.", "first_name"),
        (
            {"email": "ann", "confirm_password": "other"},
            "Please enter a full email address, such as name@company.com.",
            "confirm_password",
        ),
        (
            {"password": "kX9#q", "confirm_password": "other"},
            "Password must be at least 6 characters",
            "confirm_password",
        ),
    ]
    check_each(cases, check)


@pytest.mark.spec("AUTH-5", "SES-5")
def test_a_weak_password_is_refused_with_the_reason() -> None:
    with pytest.raises(WeakPassword) as refusal:
        join(password="password1", confirm_password="password1")
    assert refusal.value.message == "Password is too weak: it is one of the most commonly guessed passwords"
    assert rows(Profile.id) == []


@pytest.mark.spec("AUTH-8")
def test_sign_up_with_a_taken_address_mails_its_owner_and_answers_as_usual(mails: Mails) -> None:
    person()
    before = rows(Credential.password_hash)
    join(password=NEW, confirm_password=NEW, first_name="Eve")
    assert rows(Credential.password_hash) == before
    assert rows(Profile.first_name) == [("Ann",)]
    (message,) = mails()
    assert message["To"] == EMAIL
    assert "already" in message["Subject"]


@pytest.mark.spec("ROLE-5")
def test_sign_up_is_closed_or_open_to_some_domains_by_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, "SIGN_UP", "closed")
    with pytest.raises(Forbidden, match="by invitation"):
        join()
    use(monkeypatch, "SIGN_UP", "northstrait.example, other.example")
    with pytest.raises(Forbidden, match="address of this firm"):
        join(email="ann@northstrait.example.evil.example")
    with pytest.raises(Forbidden, match="address of this firm"):
        join(email="ann@sub.northstrait.example")
    join()
    assert len(rows(Profile.id)) == 1


@pytest.mark.spec("AUTH-7")
def test_the_mailed_link_confirms_the_address_once(mails: Mails) -> None:
    join()
    (message,) = mails()
    assert message["To"] == EMAIL
    assert message.get_body(("html",)) and message.get_body(("plain",))
    assert rows(Credential.email_confirmed_at) == [(None,)]
    confirm(message)
    assert rows(Credential.email_confirmed_at) != [(None,)]
    with pytest.raises(InvalidToken, match="has expired or has been used"):
        confirm(message)


@pytest.mark.spec("AUTH-7")
def test_a_link_expires_is_replaced_by_the_next_and_has_one_purpose(mails: Mails) -> None:
    join()
    sign_up.send_verification_again(EmailData(email=EMAIL), "203.0.113.7")
    first, second = mails()
    with pytest.raises(InvalidToken):
        confirm(first)
    with pytest.raises(InvalidToken):
        recovery.recover(token_in(second), NewPasswordData(password=NEW), "203.0.113.7")
    with transaction() as session:
        session.execute(sa.update(SecretLink).values(expires_at=now() - timedelta(seconds=1)))
    with pytest.raises(InvalidToken):
        confirm(second)


@pytest.mark.spec("AUTH-7", "AUTH-8")
def test_sending_again_mails_neither_confirmed_nor_unknown_people(mails: Mails) -> None:
    person()
    sign_up.send_verification_again(EmailData(email=EMAIL), "203.0.113.7")
    sign_up.send_verification_again(EmailData(email="nobody@northstrait.example"), "203.0.113.7")
    assert mails() == []


@pytest.mark.spec("AUTH-7")
def test_sending_again_repeats_the_mail_of_the_sign_up(mails: Mails) -> None:
    join()
    sign_up.send_verification_again(EmailData(email=EMAIL), "203.0.113.7")
    person("mei@northstrait.example")
    join(email="mei@northstrait.example")
    sign_up.send_verification_again(EmailData(email="mei@northstrait.example"), "203.0.113.7")
    subjects = [message["Subject"].split()[0] for message in mails()]
    assert subjects == ["Confirm", "Confirm", "You", "You"]


@pytest.mark.spec("AUTH-10")
def test_mails_to_one_address_are_limited(mails: Mails) -> None:
    join()
    for _ in range(3):
        recovery.request_recovery(EmailData(email=EMAIL), "203.0.113.7")
    with pytest.raises(TooManyAttempts, match=r"^Too many attempts"):
        recovery.request_recovery(EmailData(email=EMAIL), "203.0.113.7")
    assert len(mails()) == 4


@pytest.mark.spec("AUTH-7")
def test_a_mail_failure_never_loses_the_account(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, "SMTP_URL", "smtp://127.0.0.1:9")
    join()
    assert worker.deliver_due() == 0
    assert rows(UserRole.role) == [("employee",)]


@pytest.mark.spec("AUTH-9")
def test_recovery_sets_a_password_ends_all_sessions_and_begins_one(mails: Mails) -> None:
    old = signed_in(person(confirmed=False))
    recovery.request_recovery(EmailData(email=EMAIL), "203.0.113.7")
    token = token_in(mails()[-1])
    issued = recovery.recover(token, NewPasswordData(password=NEW), "203.0.113.7")
    assert isinstance(issued, IssuedSession)
    with read_session() as session:
        assert sessions.identify(session, issued.access_token).user.email == EMAIL
        with pytest.raises(InvalidToken):
            sessions.identify(session, old.access_token)
    assert "has been changed" in mails()[-1]["Subject"]
    assert enter(NEW)
    assert rows(Credential.email_confirmed_at) != [(None,)]
    with pytest.raises(InvalidToken):
        recovery.recover(token, NewPasswordData(password=NEW), "203.0.113.7")


@pytest.mark.spec("AUTH-9")
def test_a_recovery_link_still_works_after_a_weak_password(mails: Mails) -> None:
    person()
    recovery.request_recovery(EmailData(email=EMAIL), "203.0.113.7")
    token = token_in(mails()[-1])
    for weak in ("password1", "annlim99"):
        with pytest.raises(WeakPassword):
            recovery.recover(token, NewPasswordData(password=weak), "203.0.113.7")
    recovery.recover(token, NewPasswordData(password=NEW), "203.0.113.7")


@pytest.mark.spec("AUTH-9", "AUTH-10")
def test_an_invalid_recovery_link_is_refused_before_any_hashing(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[str] = []
    monkeypatch.setattr(recovery, "check_new_password", lambda password, _: judged.append(password))
    monkeypatch.setattr(recovery, "hash_password", lambda password, _: judged.append(password))
    with pytest.raises(InvalidToken):
        recovery.recover("made-up", NewPasswordData(password=NEW), "203.0.113.7")
    assert judged == []


@pytest.mark.spec("AUTH-10")
def test_sign_up_with_refused_passwords_is_limited() -> None:
    for _ in range(60):
        with pytest.raises(WeakPassword):
            join(password="password1", confirm_password="password1")
    with pytest.raises(TooManyAttempts):
        join()
    join(address="203.0.113.8")


@pytest.mark.spec("AUTH-9", "AUTH-8")
def test_recovery_of_an_unknown_address_mails_nobody(mails: Mails) -> None:
    recovery.request_recovery(EmailData(email="nobody@northstrait.example"), "203.0.113.7")
    assert mails() == []


@pytest.mark.spec("ADM-4")
def test_changing_the_password_needs_the_old_one_and_ends_the_other_sessions(mails: Mails) -> None:
    user_id = person()
    here, there = signed_in(user_id), signed_in(user_id)
    with read_session() as session:
        identity = sessions.identify(session, here.access_token)
    with pytest.raises(InvalidInput) as refusal:
        recovery.change_password(identity, "wrong", NewPasswordData(password=NEW))
    assert refusal.value.fields == {"current_password": "The current password is not right"}
    recovery.change_password(identity, PASSWORD, NewPasswordData(password=NEW))
    with read_session() as session:
        assert sessions.identify(session, here.access_token)
        with pytest.raises(InvalidToken):
            sessions.identify(session, there.access_token)
