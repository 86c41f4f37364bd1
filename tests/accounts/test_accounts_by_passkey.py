"""Accounts without a password: opened by accepting an invitation with a passkey, and never locked out by it."""

from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import col

from advisory_site.accounts import (
    acceptance,
    challenges,
    email_change,
    factors,
    invitations,
    passkeys,
    proof,
    recovery,
    sessions,
    throttling,
)
from advisory_site.accounts.acceptance import Accepted
from advisory_site.accounts.challenges import Challenge
from advisory_site.accounts.drafts import EmailDraft, NamesDraft, NewPasswordDraft
from advisory_site.accounts.errors import InvalidCredentials, InvalidToken, PasskeyRefused
from advisory_site.accounts.invitations import InvitationDraft
from advisory_site.accounts.models import AuthFactor, AuthSession, Credential, Invitation, Profile, UserRole
from advisory_site.accounts.passwords import hash_password
from advisory_site.accounts.sessions import Identity, IssuedSession
from advisory_site.core.errors import Conflict, InvalidInput, ProofNeeded, TooManyAttempts
from advisory_site.core.permissions import Actor, Role
from advisory_site.db.database import now, read_session, transaction
from tests.accounts.conftest import token_in
from tests.accounts.steps import Mails, confirm, enter, join, rows, use
from tests.conftest import on_sqlite
from tests.support.authenticator import Authenticator
from tests.support.people import COST, PASSWORD, age, person
from tests.support.second_factors import identity_with_factor

ADDRESS, TAB = "203.0.113.7", "the token of a tab"
MEI, NEW = "mei@northstrait.example", "mei.tan@northstrait.example"
NAMES = NamesDraft(first_name="Mei", last_name="Tan")
PASSWORDS = NewPasswordDraft(password=PASSWORD, confirm_password=PASSWORD)
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"


@pytest.fixture
def token(mails: Mails) -> str:
    """The secret of an invitation."""
    boss = Actor(person("boss@northstrait.example", Role.ADMIN), Role.ADMIN, now())
    with transaction() as session:
        invitations.invite(session, boss, InvitationDraft.read({"addresses": MEI, "role": Role.MANAGER}))
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
def test_a_passkey_opens_the_account_and_signs_in_without_a_password(
    token: str, device: Authenticator, mails: Mails
) -> None:
    accepted = accept(token, device)
    mei = identify(accepted.issued)
    assert (mei.user.email, mei.user.role, mei.user.first_name) == (MEI, Role.MANAGER, "Mei")
    assert (mei.has_password, mei.has_passkey, len(set(accepted.codes))) == (False, True, 10)
    assert rows(col(AuthFactor.name), col(AuthFactor.kind)) == [("Chrome on Linux", "passkey")]
    assert rows(col(AuthSession.has_factor)) == [(True,)]
    assert [mail["Subject"] for mail in mails() if mail["To"] == MEI][1:] == [
        "A second factor for Northstrait was added"
    ]
    assert sign_in(device).user == mei.user
    with pytest.raises(InvalidToken):
        accept(token, Authenticator())


@on_sqlite
@pytest.mark.spec("INV-1", "MFA-5")
def test_who_must_have_a_second_factor_has_one(
    token: str, device: Authenticator, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, "FACTOR_REQUIRED", "all")
    use(monkeypatch, "FACTOR_GRACE_DAYS", "0")
    assert identify(accept(token, device).issued).must_add_factor is False


@on_sqlite
@pytest.mark.spec("INV-1")
@pytest.mark.parametrize("device", [Authenticator(verifies=False), Authenticator(origin="https://evil.example")])
def test_a_passkey_that_is_not_enough_alone_opens_no_account(token: str, device: Authenticator) -> None:
    with pytest.raises(PasskeyRefused):
        accept(token, device)
    assert rows(col(Profile.email)) == [("boss@northstrait.example",)]
    assert accept(token, Authenticator()).codes


@on_sqlite
@pytest.mark.spec("INV-1")
def test_options_count_once_and_in_their_tab_alone(token: str) -> None:
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
def test_a_link_that_is_not_valid_gets_no_options(token: str) -> None:
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
def test_no_password_signs_in_or_proves_anything(mei: Identity, typed: str) -> None:
    with pytest.raises(InvalidCredentials):
        enter(typed, MEI)
    with pytest.raises(InvalidInput):
        proof.prove(mei, typed)


@pytest.mark.spec("INV-1", "AUTH-9")
def test_a_forgotten_passkey_is_replaced_by_the_mailbox_and_a_recovery_code(
    token: str, device: Authenticator, mails: Mails
) -> None:
    codes = accept(token, device).codes
    recovery.request_recovery(EmailDraft(email=MEI), ADDRESS)
    challenge = recovery.recover(token_in(mails()[-1]), PASSWORDS, ADDRESS, tab=TAB)
    assert isinstance(challenge, Challenge)
    issued = challenges.answer(challenge.token, TAB, codes[0], is_recovery=True)
    assert identify(issued).has_password is True


@pytest.mark.spec("INV-1", "MFA-2")
def test_the_last_passkey_stays_until_there_is_a_password(mei: Identity, device: Authenticator) -> None:
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
def test_a_second_passkey_has_to_verify_too_and_calls_the_person_the_same(mei: Identity, device: Authenticator) -> None:
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
def test_a_first_password_needs_a_recent_proof_and_no_old_one(mei: Identity) -> None:
    old = identity_of(mei, minutes=16)
    with pytest.raises(ProofNeeded):
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
def test_an_address_changes_by_passkey(mei: Identity, device: Authenticator, mails: Mails) -> None:
    with pytest.raises(ProofNeeded):
        email_change.request(identity_of(mei, minutes=16), "", EmailDraft(email=NEW))
    email_change.request(mei, "", EmailDraft(email=NEW))
    link = token_in([mail for mail in mails() if mail["To"] == NEW][-1])
    assert email_change.look(link) == email_change.Wanted(NEW, has_password=False)
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
    """Whether a person is proved after the reply of a device, when the last proof was too old."""
    who = identity_of(who, minutes=16)
    passkeys.prove(who, device.get(passkeys.begin_proof(who)))
    with read_session() as session:
        return sessions.read_again(session, who).actor.is_proved


@pytest.mark.spec("ACC-1", "MFA-2")
def test_a_passkey_proves_who_one_is(mei: Identity, device: Authenticator) -> None:
    assert prove(mei, device)
    assert rows(col(AuthFactor.sign_count)) == [(2,)]


@on_sqlite
@pytest.mark.spec("ACC-1", "MFA-2")
def test_only_ones_own_passkey_that_verifies_proves_it(mei: Identity) -> None:
    ann, key = holder("ann@northstrait.example", verifies=False)
    for who, device in ((mei, key), (ann, key), (ann, Authenticator())):
        with pytest.raises(PasskeyRefused):
            prove(who, device)


@on_sqlite
@pytest.mark.spec("ACC-1", "MFA-2")
def test_what_signs_in_elsewhere_proves_nothing_here(mei: Identity, device: Authenticator) -> None:
    old = identity_of(mei, minutes=16)
    elsewhere = device.get(passkeys.begin_sign_in(ADDRESS, TAB))
    with pytest.raises(PasskeyRefused):
        passkeys.prove(old, elsewhere)
    used = device.get(passkeys.begin_proof(old))
    with pytest.raises(PasskeyRefused):
        passkeys.sign_in(used, ADDRESS, TAB)
    passkeys.prove(old, used)
    with pytest.raises(PasskeyRefused):
        passkeys.prove(old, used)


@on_sqlite
@pytest.mark.spec("INV-1", "AUTH-10")
def test_too_many_requests_of_one_network_get_no_options(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = throttling.PASSKEY_CHALLENGE_BY_ADDRESS
    for _ in range(limit.most):
        acceptance.begin_passkey(token, NAMES, ADDRESS, TAB)
    with pytest.raises(TooManyAttempts):
        acceptance.begin_passkey(token, NAMES, ADDRESS, TAB)
