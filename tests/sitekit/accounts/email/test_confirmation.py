"""No link opens an account to a password that somebody else chose, and no answer tells who has an account (INV-2)."""

import logging
import threading
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest
import sqlalchemy as sa

from sitekit.accounts.account_errors import EmailNotConfirmed, InvalidCredentials, InvalidToken
from sitekit.accounts.form_data import EmailData, NamesData, NewPasswordData
from sitekit.accounts.models import Credential, Profile, SignUp
from sitekit.accounts.password import passwords, recovery
from sitekit.accounts.sessions import sessions, sign_in
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.errors import InvalidInput, ServiceError, TooManyAttempts
from sitekit.base.mail import transport
from sitekit.base.mail.models import columns
from sitekit.ops import retention
from tests.sitekit.accounts.conftest import token_in
from tests.sitekit.accounts.steps import EMAIL, Mails, confirm, enter, join, rows, use
from tests.support.each import check_each
from tests.support.people import PASSWORD, person, signed_in

pytestmark = pytest.mark.spec("INV-2")
STRANGERS = "seven-cold-harbours-31"
NEW = "another-quiet-morning-17"


@pytest.fixture(autouse=True)
def mail_server(monkeypatch: pytest.MonkeyPatch, mails: Mails) -> Mails:
    """A mail server is set, so that addresses have to be proved; what it would get is read from the queue."""
    use(monkeypatch, "SMTP_URL", "smtp://127.0.0.1:9")
    return mails


@pytest.fixture
def mails(database_dir: Any) -> Mails:
    """All mails that wait to be sent, oldest first."""

    def read() -> list[EmailMessage]:
        query = sa.select(columns.recipient, columns.subject, columns.text, columns.html).order_by(columns.id)
        with read_session() as session:
            return [transport.compose(transport.Message(*row)) for row in session.execute(query)]

    return read


def as_stranger() -> None:
    join(password=STRANGERS, confirm_password=STRANGERS, first_name="Eve", last_name="Other")


def test_a_confirmation_link_is_useless_without_the_password_of_its_sign_up(mails: Mails) -> None:
    as_stranger()
    (message,) = mails()
    with pytest.raises(InvalidInput) as refusal:
        confirm(message, PASSWORD)
    assert refusal.value.fields == {"password": "This is not the password that was chosen at sign-up."}
    with pytest.raises(EmailNotConfirmed):
        enter(STRANGERS)
    assert rows(Credential.user_id) == []


def test_a_confirmation_link_with_the_right_password_confirms_and_signs_in(
    mails: Mails, caplog: pytest.LogCaptureFixture
) -> None:
    join()
    with pytest.raises(EmailNotConfirmed):
        enter()
    caplog.set_level(logging.INFO, logger="advisory_site.audit")
    confirm(mails()[0])
    assert f"Confirmed an address: {EMAIL}" in caplog.text
    assert enter()
    assert rows(SignUp.user_id) == []


def test_a_confirmation_link_still_works_after_a_wrong_password(mails: Mails) -> None:
    join()
    for _ in range(3):
        with pytest.raises(InvalidInput):
            confirm(mails()[0], "wrong password")
    confirm(mails()[0])
    assert enter()


def test_the_owner_of_an_address_can_sign_up_after_a_stranger_did(mails: Mails) -> None:
    as_stranger()
    join()
    strangers, own = mails()
    for password in (PASSWORD, STRANGERS):
        with pytest.raises(InvalidToken):
            confirm(strangers, password)
    confirm(own)
    assert rows(Profile.first_name, Profile.last_name) == [("Ann", "Lim")]
    assert enter()
    with pytest.raises(InvalidCredentials):
        enter(STRANGERS)


def test_the_owner_recovers_by_mail_after_a_stranger_signs_up_with_their_address(mails: Mails) -> None:
    join()
    as_stranger()
    own, strangers = mails()
    with pytest.raises(InvalidInput):
        confirm(strangers, PASSWORD)
    with pytest.raises(InvalidToken):
        confirm(own)
    # The way out for the owner, who reads the mail of the address.
    recovery.request_recovery(EmailData(email=EMAIL), "203.0.113.7")
    recovery.recover(token_in(mails()[-1]), NewPasswordData(password=NEW), "203.0.113.7")
    assert enter(NEW)
    with pytest.raises(EmailNotConfirmed):
        enter(STRANGERS)


def test_a_second_sign_up_leaves_an_existing_account_unchanged(mails: Mails) -> None:
    issued = signed_in(person())
    as_stranger()
    with read_session() as session:
        user = sessions.identify(session, issued.access_token).user
    assert (user.first_name, user.last_name) == ("Ann", "Lim")
    (message,) = mails()
    assert enter()
    assert "already" in message["Subject"]
    with pytest.raises(AssertionError, match="no link"):
        token_in(message)


@pytest.mark.parametrize("email", [EMAIL, "nobody@northstrait.example"])
def test_sign_in_after_sign_up_does_not_reveal_whether_an_account_exists(email: str) -> None:
    person(EMAIL)
    answer: type[ServiceError]
    for password, answer in ((STRANGERS, InvalidCredentials), ("wrong password", InvalidCredentials)):
        with pytest.raises(answer):
            enter(password, email)
    join(email=email, password=STRANGERS, confirm_password=STRANGERS)
    for password, answer in ((STRANGERS, EmailNotConfirmed), ("wrong password", InvalidCredentials)):
        with pytest.raises(answer):
            enter(password, email)


@pytest.mark.parametrize("has_account", [True, False])
def test_every_failed_sign_in_compares_the_same_number_of_passwords(
    has_account: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[str] = []
    compare = passwords.is_password

    def is_password(password: str, hashed: str) -> bool:
        compared.append(password)
        return compare(password, hashed)

    if has_account:
        person()
    monkeypatch.setattr(sign_in, "is_password", is_password)
    for is_signed_up in (False, True):
        if is_signed_up:
            as_stranger()
        for password in ("wrong password", STRANGERS):
            compared.clear()
            with pytest.raises((InvalidCredentials, EmailNotConfirmed)):
                enter(password)
            assert len(compared) == 2


def test_the_password_of_an_unconfirmed_sign_up_does_not_reset_failed_sign_ins() -> None:
    person()
    as_stranger()
    for _ in range(10):
        with pytest.raises(InvalidCredentials):
            enter("wrong password")
        with pytest.raises((EmailNotConfirmed, TooManyAttempts)):
            enter(STRANGERS)
    with pytest.raises(TooManyAttempts):
        enter()


def test_a_confirmation_and_a_concurrent_sign_up_never_mix_passwords(mails: Mails) -> None:
    join()
    (own,) = mails()
    barrier = threading.Barrier(2)
    results: list[object] = []

    def at_once(act: Callable[[], object]) -> None:
        barrier.wait()
        try:
            results.append(act())
        except InvalidToken as error:
            results.append(error)

    threads = [threading.Thread(target=at_once, args=[act]) for act in (lambda: confirm(own), as_stranger)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 2
    with pytest.raises((InvalidCredentials, EmailNotConfirmed)):
        enter(STRANGERS)


def test_mail_to_an_unconfirmed_address_omits_the_submitted_name(mails: Mails) -> None:
    join(first_name="Click", last_name="Now")
    recovery.request_recovery(EmailData(email=EMAIL), "203.0.113.7")
    recovery.recover(token_in(mails()[-1]), NewPasswordData(password=NEW), "203.0.113.7")
    person("mei@northstrait.example")
    join(email="mei@northstrait.example", first_name="Click", last_name="Now")
    found = mails()
    assert len(found) == 4
    for message in found:
        for kind in ("plain", "html"):
            part = message.get_body((kind,))
            assert part is not None and "Click" not in part.get_content()
    recovery.request_recovery(EmailData(email="mei@northstrait.example"), "203.0.113.7")
    part = mails()[-1].get_body(("plain",))
    assert part is not None and "Hello Ann," in part.get_content()


def test_names_with_addresses_or_links_are_refused() -> None:
    def check(name: str) -> None:
        for field in ("first_name", "last_name"):
            with pytest.raises(InvalidInput) as refusal:
                join(**{field: name})
            assert refusal.value.fields == {field: "Please enter a name, without addresses or links."}
        with pytest.raises(InvalidInput):
            NamesData.read({"first_name": name, "last_name": "Lim"})

    cases = [
        *("http://evil.example", "www.evil.example", "evil.example/unlock", "a@evil.example", "Ann <b>", "Ann:"),
        *("s/o http://evil.example", "Tan @evil.example", "x s/o/y", "a/pp", "@", "s/o"),
    ]
    check_each(cases, check)


def test_unusual_names_of_people_are_accepted() -> None:
    def check(name: str) -> None:
        assert NamesData.read({"first_name": name, "last_name": name}).first_name == name

    cases = [
        *("Mei-Ling", "O'Neill", "Nguyễn Thị", "J. R.", "陈美玲", "Ann 3rd"),
        *(
            "Ravi s/o Kumar",
            "Siti D/O Ahmad",
            "Anand a/l Raj",
            "Devi A/P Raj",
            "Tan Ah Kow @ Tan Beng",
            "s/o Kumar",
        ),
    ]
    check_each(cases, check)


class TestWithoutMail:
    """On a developer's machine, where no mail is sent: docs/decisions/confirmation.md."""

    @pytest.fixture(autouse=True)
    def no_server(self, mail_server: Mails, monkeypatch: pytest.MonkeyPatch) -> None:
        use(monkeypatch, "SMTP_URL", "")

    @pytest.mark.spec("AUTH-7")
    def test_an_unconfirmed_account_can_sign_in_at_once(self) -> None:
        join()
        assert enter()

    def test_the_confirmation_link_still_asks_for_the_password(self, mails: Mails) -> None:
        as_stranger()
        with pytest.raises(InvalidInput):
            confirm(mails()[0], PASSWORD)

    def test_the_owner_of_an_address_takes_over_an_unconfirmed_account(self, mails: Mails) -> None:
        as_stranger()
        issued = enter(STRANGERS)
        join()
        assert enter(STRANGERS)  # a second sign-up alone changes nothing
        confirm(mails()[-1])
        with pytest.raises(InvalidCredentials):
            enter(STRANGERS)
        with read_session() as session, pytest.raises(InvalidToken):
            sessions.identify(session, issued.access_token)
        assert enter()

    def test_confirming_an_address_signs_nobody_out(self, mails: Mails) -> None:
        join()
        issued = enter()
        confirm(mails()[0])
        with read_session() as session:
            assert sessions.identify(session, issued.access_token).user.email == EMAIL

    @pytest.mark.parametrize(
        "changes",
        [
            {"SMTP_URL": "smtp://127.0.0.1:9"},
            {
                "ENV": "production",
                "BCRYPT_COST": "10",
                "SIGN_UP": "closed",
                "SECRET_KEY": "0123456789-abcdefghijklmnopqrstuvwxyz",
            },
        ],
        ids=["mail", "production"],
    )
    def test_existing_accounts_must_confirm_once_a_site_requires_confirmation(
        self, monkeypatch: pytest.MonkeyPatch, mails: Mails, changes: dict[str, str]
    ) -> None:
        join()
        assert enter()
        for name, value in changes.items():
            use(monkeypatch, name, value)
        with pytest.raises(EmailNotConfirmed):
            enter()
        confirm(mails()[0])
        assert enter()


def test_an_unconfirmed_sign_up_is_deleted_with_its_account_after_thirty_days() -> None:
    join()
    person("mei@northstrait.example")
    join(email="mei@northstrait.example")
    person("tan@northstrait.example", confirmed=False)
    assert retention.sweep()["sign-ups"] == 0
    with transaction() as session:
        session.execute(sa.update(SignUp).values(created_at=now() - timedelta(days=30, minutes=1)))
    assert retention.sweep()["sign-ups"] == 2
    assert sorted(rows(Profile.email)) == [("mei@northstrait.example",), ("tan@northstrait.example",)]
    assert rows(SignUp.user_id) == []
