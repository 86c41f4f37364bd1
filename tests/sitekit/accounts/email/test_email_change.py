"""Changing one's own email address: proved at the new one, announced at the old one, and telling nobody anything."""

import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import pytest
import sqlalchemy as sa
from sqlmodel import col

from sitekit.accounts import links, throttling
from sitekit.accounts.account_errors import InvalidCredentials, InvalidToken
from sitekit.accounts.email import email_change
from sitekit.accounts.form_data import EmailData, NewPasswordData
from sitekit.accounts.models import Profile, SecretLink
from sitekit.accounts.password import recovery
from sitekit.accounts.people import people
from sitekit.accounts.sessions import sessions
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.errors import InvalidInput, TooManyAttempts
from sitekit.base.identity import Identity
from sitekit.base.permissions import Actor, Role
from sitekit.records.activity import columns as activity
from tests.conftest import on_sqlite
from tests.sitekit.accounts.conftest import token_in
from tests.sitekit.accounts.steps import EMAIL, Mails, enter, join, rows, use
from tests.support.people import PASSWORD, person, signed_in

pytestmark = pytest.mark.spec("ACC-3")

NEW = "ann.lim@northstrait.example"
ADDRESS = "203.0.113.7"


def identity(user_id: int) -> Identity:
    with transaction() as session:
        return sessions.identify(session, signed_in(user_id).access_token)


def ask(who: Identity, email: str = NEW, password: str = PASSWORD) -> None:
    email_change.request(who, password, EmailData.read({"email": email}))


def asked(mails: Mails, user_id: int) -> str:
    """The secret in the mail to the new address."""
    ask(identity(user_id))
    return token_in([message for message in mails() if message["To"] == NEW][-1])


def emails() -> set[str]:
    return {row[0] for row in rows(col(Profile.email))}


def test_an_address_changes_once_its_link_is_confirmed_with_the_password(mails: Mails) -> None:
    ann = person()
    token = asked(mails, ann)
    assert email_change.find_wanted(token) == email_change.Wanted(NEW, has_password=True)
    assert emails() == {EMAIL}
    with pytest.raises(InvalidInput):
        email_change.confirm(token, "the password of a stranger", ADDRESS)
    assert emails() == {EMAIL}
    assert email_change.confirm(token, PASSWORD, ADDRESS) == ann
    assert enter(email=NEW)
    with pytest.raises(InvalidCredentials):
        enter(email=EMAIL)
    with pytest.raises(InvalidToken):
        email_change.confirm(token, PASSWORD, ADDRESS)


def test_the_old_address_gets_two_mails_and_the_log_one_entry_for_each(mails: Mails) -> None:
    email_change.confirm(asked(mails, person()), PASSWORD, ADDRESS)
    assert sorted((message["To"], message["Subject"]) for message in mails()) == [
        (NEW, "Confirm your new email address for Northstrait"),
        (EMAIL, "Your email address for Northstrait has changed"),
        (EMAIL, "Your email address for Northstrait is about to change"),
    ]
    assert sorted(rows(activity.id, activity.act, activity.subject))[-2:] == [
        (2, "email_change_requested", NEW),
        (3, "email_changed", f"{EMAIL} is now {NEW}"),
    ]


def test_a_change_to_a_taken_address_is_reported_only_by_mail_to_its_owner(mails: Mails) -> None:
    ann = person()
    person(NEW)
    ask(identity(ann))
    (message,) = [message for message in mails() if message["To"] == NEW]
    assert message["Subject"] == "You already have an account at Northstrait"
    assert "token=" not in str(message)
    with read_session() as session:
        assert email_change.waiting_address(session, ann) == NEW  # as for any other address


@on_sqlite
def test_a_wrong_password_or_the_same_address_mails_nothing(mails: Mails) -> None:
    who = identity(person())
    for email, password, field in ((NEW, "a wrong one 99", "current_password"), (EMAIL.upper(), PASSWORD, "email")):
        with pytest.raises(InvalidInput) as refused:
            ask(who, email, password)
        assert set(refused.value.fields) == {field}
    assert mails() == []


@on_sqlite
def test_wrong_passwords_and_change_requests_are_rate_limited(mails: Mails) -> None:
    who = identity(person())
    for number in range(5):
        ask(who, f"ann{number}@northstrait.example")
    with pytest.raises(TooManyAttempts):
        ask(who)
    for _ in range(10):
        with pytest.raises(InvalidInput):
            ask(who, password="a wrong one 99")
    with pytest.raises(TooManyAttempts):
        ask(who)


def test_only_the_latest_link_works(mails: Mails) -> None:
    ann = person()
    first = asked(mails, ann)
    second = asked(mails, ann)
    with pytest.raises(InvalidToken):
        email_change.confirm(first, PASSWORD, ADDRESS)
    assert email_change.confirm(second, PASSWORD, ADDRESS) == ann


def expire() -> None:
    with transaction() as session:
        session.execute(sa.update(SecretLink).values(expires_at=now() - timedelta(seconds=1)))


def deactivate_ann() -> None:
    with transaction() as session:
        people.deactivate(session, Actor(person("boss@northstrait.example", Role.ADMIN), Role.ADMIN, now()), 1)


def deactivate_and_reactivate_ann() -> None:
    deactivate_ann()
    with transaction() as session:
        people.reactivate(session, Actor(2, Role.ADMIN, now()), 1)


def take_the_address() -> None:
    person(NEW)


def change_the_password() -> None:
    new = NewPasswordData(password="four-slow-otters-77", confirm_password="four-slow-otters-77")
    recovery.change_password(identity(1), PASSWORD, new)


@pytest.mark.parametrize(
    "meanwhile", [expire, deactivate_ann, deactivate_and_reactivate_ann, take_the_address, change_the_password]
)
def test_an_account_change_in_between_invalidates_the_link(mails: Mails, meanwhile: Callable[[], None]) -> None:
    token = asked(mails, person())
    meanwhile()
    with pytest.raises(InvalidToken):
        email_change.confirm(token, PASSWORD, ADDRESS)
    assert (1, EMAIL) in rows(col(Profile.id), col(Profile.email))


def test_links_mailed_to_the_old_address_stop_working(mails: Mails) -> None:
    ann = person()
    recovery.request_recovery(EmailData(email=EMAIL), ADDRESS)
    old = token_in(mails()[0])
    email_change.confirm(asked(mails, ann), PASSWORD, ADDRESS)
    with pytest.raises(InvalidToken):
        recovery.check_link(old)


@on_sqlite
def test_failed_sign_ins_are_counted_against_the_new_address_after_a_change(mails: Mails) -> None:
    ann = person()
    token = asked(mails, ann)
    for _ in range(10):
        with pytest.raises(InvalidCredentials):
            enter("a wrong one 99")
    email_change.confirm(token, PASSWORD, ADDRESS)
    with pytest.raises(TooManyAttempts):
        enter(email=NEW)
    with transaction() as session:
        throttling.reset(session, NEW)
    assert enter(email=NEW)


def test_concurrent_confirmations_or_claims_of_one_address_succeed_once(mails: Mails) -> None:
    ann, bob = person(), person("bob@northstrait.example")
    tokens = [asked(mails, ann), asked(mails, bob)]
    barrier, done = threading.Barrier(4), []

    def confirm(token: str) -> None:
        barrier.wait()
        with suppress(InvalidToken):
            done.append(email_change.confirm(token, PASSWORD, ADDRESS))

    threads = [threading.Thread(target=confirm, args=(token,)) for token in tokens * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 1
    assert rows(col(Profile.id), col(Profile.email) == NEW).count((done[0], True)) == 1


def test_expired_requests_are_deleted(mails: Mails) -> None:
    ask(identity(person()))
    with transaction() as session:
        assert links.delete_expired(session, now(), 10) == 0
    expire()
    with transaction() as session:
        assert links.delete_expired(session, now(), 10) == 1


def test_the_link_confirms_the_new_address_even_if_the_old_one_was_unconfirmed(
    mails: Mails, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = person(confirmed=False)
    token = asked(mails, ann)
    use(monkeypatch, "SMTP_URL", "smtp://127.0.0.1:1")
    use(monkeypatch, "SIGN_UP", "open")
    email_change.confirm(token, PASSWORD, ADDRESS)
    assert enter(email=NEW)
    join(email=EMAIL)  # the old address is free again
    assert EMAIL in emails()
