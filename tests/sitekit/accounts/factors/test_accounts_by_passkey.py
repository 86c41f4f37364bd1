"""Accounts without a password: opened by accepting an invitation with a passkey, and never locked out by it."""

from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import col

from sitekit.accounts import throttling
from sitekit.accounts.account_errors import InvalidCredentials, InvalidToken, PasskeyRefused
from sitekit.accounts.email import email_change
from sitekit.accounts.factors import challenges, factors, passkeys
from sitekit.accounts.factors.challenges import Challenge
from sitekit.accounts.form_data import EmailData, NamesData, NewPasswordData
from sitekit.accounts.invitations import acceptance, invitations
from sitekit.accounts.invitations.acceptance import Accepted
from sitekit.accounts.invitations.invitations import InvitationData
from sitekit.accounts.models import AuthFactor, AuthSession, Credential, Invitation, Profile, UserRole
from sitekit.accounts.password import recovery
from sitekit.accounts.password.passwords import hash_password
from sitekit.accounts.sessions import reauthentication, sessions
from sitekit.accounts.sessions.sessions import IssuedSession
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.errors import Conflict, InvalidInput, ReauthenticationNeeded, TooManyAttempts
from sitekit.base.identity import Identity
from sitekit.base.permissions import Actor, Role
from tests.conftest import on_sqlite
from tests.sitekit.accounts.conftest import token_in
from tests.sitekit.accounts.steps import Mails, confirm, enter, join, rows, use
from tests.support.authenticator import Authenticator
from tests.support.people import COST, PASSWORD, age, person
from tests.support.second_factors import identity_with_factor

ADDRESS, TAB = "203.0.113.7", "the token of a tab"
MEI, NEW = "mei@northstrait.example", "mei.tan@northstrait.example"
NAMES = NamesData(first_name="Mei", last_name="Tan")
PASSWORDS = NewPasswordData(password=PASSWORD, confirm_password=PASSWORD)
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"


@pytest.fixture
def token(mails: Mails) -> str:
    """The secret of an invitation."""
    boss = Actor(person("boss@northstrait.example", Role.ADMIN), Role.ADMIN, now())
    with transaction() as session:
        invitations.invite(session, boss, InvitationData.read({"addresses": MEI, "role": Role.MANAGER}))
    return token_in([mail for mail in mails() if mail["To"] == MEI][-1])


def accept(token: str, device: Authenticator, tab: str = TAB) -> Accepted:
    options = acceptance.begin_passkey(token, NAMES, ADDRESS, TAB)
    return acceptance.accept_by_passkey(token, NAMES, device.create(options), ADDRESS, tab, CHROME)


def identify(issued: IssuedSession) -> Identity:
    with read_session() as session:
        return sessions.identify(session, issued.access_token)


@pytest.fixture
def device() -> Authenticator:
    return Authenticator()


@pytest.fixture
def mei(token: str, device: Authenticator) -> Identity:
    """A person without a password, who has just accepted."""
    return identify(accept(token, device).issued)


def sign_in(device: Authenticator) -> Identity:
    return identify(passkeys.sign_in(device.get(passkeys.begin_sign_in(ADDRESS, TAB)), ADDRESS, TAB))


def factor_ids() -> list[int]:
    return [row[0] for row in rows(col(AuthFactor.id))]


@pytest.mark.spec("INV-1", "MFA-2", "MFA-3")
def test_an_invited_person_creates_an_account_and_signs_in_by_passkey_alone(
    token: str, device: Authenticator, mails: Mails
) -> None:
    accepted = accept(token, device)
    mei = identify(accepted.issued)
    assert (mei.user.email, mei.user.role, mei.user.first_name) == (MEI, Role.MANAGER, "Mei")
    assert (mei.has_password, mei.has_passkey, len(set(accepted.codes))) == (False, True, 10)
    assert rows(col(AuthFactor.name), col(AuthFactor.kind)) == [("Chrome on Linux", "passkey")]
    assert rows(col(AuthSession.has_factor)) == [(True,)]
    assert [mail["Subject"] for mail in mails() if mail["To"] == MEI][1:] == [
        "New second step for your account at Northstrait"
    ]
    assert sign_in(device).user == mei.user
    with pytest.raises(InvalidToken):
        accept(token, Authenticator())


@on_sqlite
@pytest.mark.spec("INV-1", "MFA-5")
def test_a_passkey_account_satisfies_the_second_factor_requirement(
    token: str, device: Authenticator, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, "FACTOR_REQUIRED", "all")
    use(monkeypatch, "FACTOR_GRACE_DAYS", "0")
    assert identify(accept(token, device).issued).must_add_factor is False


@on_sqlite
@pytest.mark.spec("INV-1")
@pytest.mark.parametrize("device", [Authenticator(verifies=False), Authenticator(origin="https://evil.example")])
def test_a_passkey_without_user_verification_cannot_create_an_account(token: str, device: Authenticator) -> None:
    with pytest.raises(PasskeyRefused):
        accept(token, device)
    assert rows(col(Profile.email)) == [("boss@northstrait.example",)]
    assert accept(token, Authenticator()).codes


@on_sqlite
@pytest.mark.spec("INV-1")
def test_registration_options_work_once_and_only_in_their_browser_tab(token: str) -> None:
    with pytest.raises(PasskeyRefused):
        accept(token, Authenticator(), tab="another tab")
    response = Authenticator().create(acceptance.begin_passkey(token, NAMES, ADDRESS, TAB))
    acceptance.accept_by_passkey(token, NAMES, response, ADDRESS, TAB)
    with transaction() as session:
        session.execute(sa.delete(Profile).where(col(Profile.email) == MEI))
        session.execute(sa.update(Invitation).values(accepted_at=None))
    with pytest.raises(PasskeyRefused):
        acceptance.accept_by_passkey(token, NAMES, response, ADDRESS, TAB)


@on_sqlite
@pytest.mark.spec("INV-1")
def test_an_invalid_link_gets_no_registration_options(token: str) -> None:
    with transaction() as session:
        session.execute(sa.update(UserRole).values(role=Role.MANAGER))
    with pytest.raises(InvalidToken):
        acceptance.begin_passkey(token, NAMES, ADDRESS, TAB)


@pytest.mark.spec("INV-1", "INV-2")
def test_the_password_of_an_unconfirmed_sign_up_is_dropped(
    token: str, device: Authenticator, mails: Mails, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, "SMTP_URL", "smtp://127.0.0.1:9")
    join(email=MEI)
    with transaction() as session:
        [user_id] = session.execute(sa.select(col(Profile.id)).where(col(Profile.email) == MEI)).scalars()
        session.add(Credential(user_id=user_id, password_hash=hash_password(PASSWORD, COST)))
    use(monkeypatch, "SMTP_URL", "")
    link = mails()[-1]
    use(monkeypatch, "SMTP_URL", "smtp://127.0.0.1:9")
    accept(token, device)
    assert rows(col(Credential.password_hash))[1:] == [("",)]
    with pytest.raises(InvalidCredentials):
        enter(email=MEI)
    with pytest.raises(InvalidToken):
        confirm(link)


@on_sqlite
@pytest.mark.spec("INV-1", "AUTH-8")
@pytest.mark.parametrize("typed", ["", PASSWORD, "nobody has this password"])
def test_a_passkey_account_accepts_no_password_for_sign_in_or_reauthentication(mei: Identity, typed: str) -> None:
    with pytest.raises(InvalidCredentials):
        enter(typed, MEI)
    with pytest.raises(InvalidInput):
        reauthentication.reauthenticate(mei, typed)


@pytest.mark.spec("INV-1", "AUTH-9")
def test_a_lost_passkey_is_recovered_by_mail_and_a_recovery_code(
    token: str, device: Authenticator, mails: Mails
) -> None:
    codes = accept(token, device).codes
    recovery.request_recovery(EmailData(email=MEI), ADDRESS)
    challenge = recovery.recover(token_in(mails()[-1]), PASSWORDS, ADDRESS, binding=TAB)
    assert isinstance(challenge, Challenge)
    issued = challenges.answer(challenge.token, TAB, codes[0], is_recovery=True)
    assert identify(issued).has_password is True


@pytest.mark.spec("INV-1", "MFA-2")
def test_the_last_passkey_cannot_be_removed_without_a_password(mei: Identity, device: Authenticator) -> None:
    setup_id, passkey_id = 0, factor_ids()[0]
    with transaction() as session:
        setup_id = factors.begin_app(session, mei, "Phone").factor_id
        session.execute(sa.update(AuthFactor).where(col(AuthFactor.id) == setup_id).values(confirmed_at=now()))
    with pytest.raises(Conflict), transaction() as session:
        factors.remove(session, mei, passkey_id)
    recovery.change_password(mei, "", PASSWORDS)
    with transaction() as session:
        factors.remove(session, sessions.read_again(session, mei), passkey_id)
    assert factor_ids() == [setup_id]


@on_sqlite
@pytest.mark.spec("INV-1", "MFA-2")
def test_a_second_passkey_must_verify_the_user_and_has_the_same_user_handle(
    mei: Identity, device: Authenticator
) -> None:
    keys = Authenticator(verifies=False)
    with pytest.raises(PasskeyRefused):
        passkeys.register(mei, keys.create(passkeys.begin_registration(mei)), "Key")
    other = Authenticator()
    passkeys.register(mei, other.create(passkeys.begin_registration(mei)), "Other")
    assert other.user_handle == device.user_handle
    assert sign_in(other).user == mei.user
    with transaction() as session:
        factors.remove(session, mei, factor_ids()[0])
    assert sign_in(other).user == mei.user


@pytest.mark.spec("INV-1", "ADM-4", "ACC-1")
def test_a_first_password_needs_a_recent_reauthentication_and_no_old_one(mei: Identity) -> None:
    old = identity_of(mei, minutes=16)
    with pytest.raises(ReauthenticationNeeded):
        recovery.change_password(old, "", PASSWORDS)
    assert rows(col(Credential.password_hash))[1:] == [("",)]
    recovery.change_password(mei, "", PASSWORDS)
    with read_session() as session:
        mei = sessions.read_again(session, mei)
    with pytest.raises(InvalidInput):
        recovery.change_password(mei, "", PASSWORDS)


def identity_of(who: Identity, minutes: float) -> Identity:
    """A person's identity when they last proved it so long ago."""
    age(minutes)
    with read_session() as session:
        return sessions.read_again(session, who)


@pytest.mark.spec("INV-1", "ACC-3")
def test_an_email_address_is_changed_with_a_passkey(mei: Identity, device: Authenticator, mails: Mails) -> None:
    with pytest.raises(ReauthenticationNeeded):
        email_change.request(identity_of(mei, minutes=16), "", EmailData(email=NEW))
    email_change.request(mei, "", EmailData(email=NEW))
    link = token_in([mail for mail in mails() if mail["To"] == NEW][-1])
    assert email_change.find_wanted(link) == email_change.Wanted(NEW, has_password=False)
    with pytest.raises(InvalidInput):
        email_change.confirm(link, "", ADDRESS)
    _, stranger = holder("stranger@northstrait.example")
    with pytest.raises(PasskeyRefused):
        change(link, stranger)
    assert change(link, device) == mei.user.id
    assert sign_in(device).user.email == NEW


def change(link: str, device: Authenticator) -> int:
    return email_change.confirm_by_passkey(link, device.get(passkeys.begin_sign_in(ADDRESS, TAB)), TAB, ADDRESS)


def holder(email: str, **kind: Any) -> tuple[Identity, Authenticator]:
    """A person with a password and a passkey."""
    identity, own = identity_with_factor(person(email)), Authenticator(**kind)
    passkeys.register(identity, own.create(passkeys.begin_registration(identity)), "Laptop")
    return identity, own


def prove(who: Identity, device: Authenticator) -> bool:
    """Whether a person is proved after the reply of a device, when the last reauthentication was too old."""
    who = identity_of(who, minutes=16)
    passkeys.reauthenticate(who, device.get(passkeys.begin_reauthentication(who)))
    with read_session() as session:
        return sessions.read_again(session, who).actor.is_proved


@pytest.mark.spec("ACC-1", "MFA-2")
def test_a_passkey_reauthenticates_its_owner(mei: Identity, device: Authenticator) -> None:
    assert prove(mei, device)
    assert rows(col(AuthFactor.sign_count)) == [(2,)]


@on_sqlite
@pytest.mark.spec("ACC-1", "MFA-2")
def test_reauthentication_needs_a_verifying_passkey_of_the_same_person(mei: Identity) -> None:
    ann, key = holder("ann@northstrait.example", verifies=False)
    for who, device in ((mei, key), (ann, key), (ann, Authenticator())):
        with pytest.raises(PasskeyRefused):
            prove(who, device)


@on_sqlite
@pytest.mark.spec("ACC-1", "MFA-2")
def test_passkey_replies_for_sign_in_and_reauthentication_are_not_interchangeable(
    mei: Identity, device: Authenticator
) -> None:
    old = identity_of(mei, minutes=16)
    elsewhere = device.get(passkeys.begin_sign_in(ADDRESS, TAB))
    with pytest.raises(PasskeyRefused):
        passkeys.reauthenticate(old, elsewhere)
    used = device.get(passkeys.begin_reauthentication(old))
    with pytest.raises(PasskeyRefused):
        passkeys.sign_in(used, ADDRESS, TAB)
    passkeys.reauthenticate(old, used)
    with pytest.raises(PasskeyRefused):
        passkeys.reauthenticate(old, used)


@on_sqlite
@pytest.mark.spec("INV-1", "AUTH-10")
def test_requests_for_options_are_limited_per_network(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = throttling.PASSKEY_CHALLENGE_BY_ADDRESS
    for _ in range(limit.most):
        acceptance.begin_passkey(token, NAMES, ADDRESS, TAB)
    with pytest.raises(TooManyAttempts):
        acceptance.begin_passkey(token, NAMES, ADDRESS, TAB)
