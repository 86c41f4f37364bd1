"""Passkeys: what signs in, what is only a second step, and what is refused."""

import json
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import col
from webauthn.helpers import bytes_to_base64url

from sitekit.accounts import throttling
from sitekit.accounts.account_errors import ChallengeOver, PasskeyRefused
from sitekit.accounts.factors import challenges, factors, passkeys, webauthn_responses
from sitekit.accounts.factors.challenges import Challenge
from sitekit.accounts.form_data import SignInData
from sitekit.accounts.models import AuthFactor, AuthSession, SecretLink
from sitekit.accounts.sessions import known_browsers, sessions, sign_in
from sitekit.accounts.sessions.sessions import IssuedSession
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.errors import Conflict, TooManyAttempts
from sitekit.base.identity import Identity
from tests.sitekit.accounts.steps import EMAIL, Mails, use
from tests.support.authenticator import Authenticator, changed
from tests.support.each import check_each
from tests.support.people import PASSWORD, person, signed_in
from tests.support.second_factors import identity_with_factor

ADDRESS = "203.0.113.7"
TAB = "the token of a tab"
REFUSED = "This passkey was not accepted"
TOO_LATE = "That took too long"


def register(identity: Identity, device: Authenticator, name: str = "Laptop") -> tuple[str, ...]:
    options = passkeys.begin_registration(identity)
    return passkeys.register(identity, device.create(options), name)


def owner(email: str = EMAIL, **device: Any) -> tuple[Identity, Authenticator]:
    """A person with a passkey."""
    identity, own = identity_with_factor(person(email)), Authenticator(**device)
    register(identity, own)
    return identity, own


def enter(device: Authenticator, tab: str = TAB) -> IssuedSession:
    return passkeys.sign_in(device.get(passkeys.begin_sign_in(ADDRESS, tab)), ADDRESS, tab, "a test")


def by_password() -> str:
    """The secret of the challenge that follows the right password."""
    found = sign_in.sign_in(SignInData(email=EMAIL, password=PASSWORD), ADDRESS, binding=TAB)
    assert isinstance(found, Challenge)
    return found.token


def stored(*columns: Any) -> list[tuple[Any, ...]]:
    with read_session() as session:
        return [tuple(row) for row in session.execute(sa.select(*columns))]


def open_sessions() -> int:
    return len(stored(AuthSession.id))


@pytest.mark.spec("MFA-2")
def test_a_passkey_with_user_verification_counts_as_both_factors(mails: Mails) -> None:
    identity, device = owner()
    issued = enter(device)
    with read_session() as session:
        assert sessions.identify(session, issued.access_token).user == identity.user
    assert stored(AuthSession.has_factor) == [(True,)] * 2
    assert stored(AuthFactor.sign_count, AuthFactor.name) == [(2, "Laptop")]
    assert [mail["Subject"].split(" for ")[0] for mail in mails()]


@pytest.mark.spec("MFA-2", "MFA-3")
def test_the_first_passkey_adds_recovery_codes_sends_a_mail_and_ends_other_sessions(mails: Mails) -> None:
    ann = person()
    signed_in(ann)
    identity = identity_with_factor(ann)
    assert len(register(identity, Authenticator())) == 10
    assert register(identity, Authenticator(), "Phone") == ()
    assert [row for row in stored(AuthSession.id, AuthSession.ended_at) if row[1] is None] == [
        (identity.session_id, None)
    ]
    assert len(mails()) == 2


@pytest.mark.spec("MFA-2")
def test_the_options_state_the_requirements_for_a_passkey() -> None:
    identity, device = owner()
    options = passkeys.begin_registration(identity)
    assert options["rp"]["id"] == "localhost"
    assert options["user"]["name"] == EMAIL
    assert EMAIL not in str(options["user"]["id"])
    assert options["attestation"] == "none"
    assert options["authenticatorSelection"] == {
        "residentKey": "required",
        "requireResidentKey": True,
        "userVerification": "preferred",
    }
    assert [one["id"] for one in options["excludeCredentials"]] == [bytes_to_base64url(device.credential_id)]
    request = passkeys.begin_sign_in(ADDRESS, TAB)
    assert (request["allowCredentials"], request["userVerification"]) == ([], "required")
    step = passkeys.begin_second_step(by_password(), TAB)
    assert [one["id"] for one in step["allowCredentials"]] == [bytes_to_base64url(device.credential_id)]


@pytest.mark.spec("MFA-2", "MFA-4")
def test_a_passkey_without_user_verification_is_only_a_second_factor() -> None:
    _, device = owner(verifies=False)
    with pytest.raises(PasskeyRefused, match="only be a second step"):
        enter(device)
    assert open_sessions() == 1
    token = by_password()
    issued = passkeys.second_step(token, TAB, device.get(passkeys.begin_second_step(token, TAB)))
    with read_session() as session:
        assert sessions.identify(session, issued.access_token).user.email == EMAIL


@pytest.mark.spec("MFA-2")
@pytest.mark.parametrize(
    "change",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://localhost:3000.evil.example"},
        {"origin": "http://localhost"},
        {"party": "evil.example"},
        {"is_present": False},
        {"framed": {"crossOrigin": True}},
        {"framed": {"crossOrigin": True, "topOrigin": "https://evil.example"}},
        {"framed": {"crossOrigin": False, "topOrigin": "https://evil.example"}},
    ],
    ids=str,
)
def test_a_passkey_reply_for_another_site_or_without_user_presence_is_refused(change: dict[str, Any]) -> None:
    identity, device = owner()
    vars(device).update(change)
    with pytest.raises(PasskeyRefused, match=REFUSED):
        enter(device)
    token = by_password()
    with pytest.raises(PasskeyRefused, match=REFUSED):
        passkeys.second_step(token, TAB, device.get(passkeys.begin_second_step(token, TAB)))
    with pytest.raises(PasskeyRefused, match=REFUSED):
        register(identity, Authenticator(**change))
    assert (open_sessions(), len(stored(AuthFactor.id))) == (1, 1)


@pytest.mark.spec("MFA-2")
def test_a_challenge_can_be_used_once() -> None:
    identity, device = owner()
    options = passkeys.begin_sign_in(ADDRESS, TAB)
    first, again = device.get(options), device.get(options)
    assert passkeys.sign_in(first, ADDRESS, TAB)
    for reply in (first, again):
        with pytest.raises(PasskeyRefused, match=TOO_LATE):
            passkeys.sign_in(reply, ADDRESS, TAB)
    options = passkeys.begin_registration(identity)
    other = Authenticator()
    passkeys.register(identity, other.create(options), "Phone")
    with pytest.raises(PasskeyRefused, match=TOO_LATE):
        passkeys.register(identity, Authenticator().create(options), "Tablet")


@pytest.mark.spec("MFA-2")
def test_a_challenge_is_used_up_by_a_reply_that_is_refused() -> None:
    _, device = owner()
    options = passkeys.begin_sign_in(ADDRESS, TAB)
    forged = changed(device.get(options), signature=bytes_to_base64url(b"forged"))
    with pytest.raises(PasskeyRefused, match=REFUSED):
        passkeys.sign_in(forged, ADDRESS, TAB)
    with pytest.raises(PasskeyRefused, match=TOO_LATE):
        passkeys.sign_in(device.get(options), ADDRESS, TAB)


@pytest.mark.spec("MFA-2")
def test_a_challenge_of_another_client_session_or_purpose_is_refused() -> None:
    identity, device = owner()
    with pytest.raises(PasskeyRefused, match=TOO_LATE):
        passkeys.sign_in(device.get(passkeys.begin_sign_in(ADDRESS, "another tab")), ADDRESS, TAB)
    options = passkeys.begin_registration(identity)
    elsewhere = identity_with_factor(identity.user.id)
    with pytest.raises(PasskeyRefused, match=TOO_LATE):
        passkeys.register(elsewhere, Authenticator().create(options), "Phone")
    # A challenge for adding a passkey finishes no sign-in, and the other way round.
    with pytest.raises(PasskeyRefused, match=TOO_LATE):
        passkeys.sign_in(device.get(options | {"rpId": "localhost"}), ADDRESS, identity.session_id)
    request = passkeys.begin_sign_in(ADDRESS, identity.session_id)
    with pytest.raises(PasskeyRefused, match=TOO_LATE):
        passkeys.register(identity, Authenticator().create(options | {"challenge": request["challenge"]}), "Phone")


@pytest.mark.spec("MFA-2")
def test_a_challenge_expires_after_five_minutes() -> None:
    identity, device = owner()
    request = passkeys.begin_sign_in(ADDRESS, TAB)
    options = passkeys.begin_registration(identity)
    with transaction() as session:
        session.execute(sa.update(SecretLink).values(expires_at=now() - timedelta(seconds=1)))
    with pytest.raises(PasskeyRefused, match=TOO_LATE):
        passkeys.sign_in(device.get(request), ADDRESS, TAB)
    with pytest.raises(PasskeyRefused, match=TOO_LATE):
        passkeys.register(identity, Authenticator().create(options), "Phone")
    ((expires,),) = stored(sa.func.max(col(SecretLink.expires_at)))
    passkeys.begin_sign_in(ADDRESS, TAB)
    ((later,),) = stored(sa.func.max(col(SecretLink.expires_at)))
    assert timedelta(0) <= now() + timedelta(minutes=5) - later < timedelta(minutes=1)
    assert expires < now()


@pytest.mark.spec("MFA-2")
@pytest.mark.parametrize("back", [0, 1, 5])
def test_a_signature_counter_that_has_not_grown_is_refused(back: int) -> None:
    _, device = owner(counter=10)
    enter(device)
    clone = device.copy()
    clone.counter -= back + clone.step
    with pytest.raises(PasskeyRefused, match=REFUSED):
        enter(clone)
    assert enter(device)


@pytest.mark.spec("MFA-2")
def test_a_signature_counter_that_stays_zero_is_accepted() -> None:
    _, device = owner(step=0)
    assert enter(device)
    assert enter(device)


@pytest.mark.spec("MFA-2")
def test_a_signature_counter_that_returns_to_zero_is_refused() -> None:
    _, device = owner()
    device.counter, device.step = 0, 0
    with pytest.raises(PasskeyRefused, match=REFUSED):
        enter(device)


@pytest.mark.spec("MFA-2")
def test_concurrent_replies_with_the_same_counter_succeed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    _, device = owner()
    clone, verify = device.copy(), webauthn_responses.verify_assertion

    def verify_late(*args: Any, **kwargs: Any) -> Any:
        monkeypatch.setattr(webauthn_responses, "verify_assertion", verify)
        assert enter(clone)
        return verify(*args, **kwargs)

    monkeypatch.setattr(webauthn_responses, "verify_assertion", verify_late)
    with pytest.raises(PasskeyRefused, match=REFUSED):
        enter(device)
    assert open_sessions() == 2


@pytest.mark.spec("MFA-2")
def test_a_passkey_removed_while_its_reply_is_checked_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    identity, device = owner()
    verify = webauthn_responses.verify_assertion

    def verify_late(*args: Any, **kwargs: Any) -> Any:
        with transaction() as session:
            factors.remove(session, identity, 1)
        return verify(*args, **kwargs)

    monkeypatch.setattr(webauthn_responses, "verify_assertion", verify_late)
    with pytest.raises(PasskeyRefused, match=REFUSED):
        enter(device)
    assert open_sessions() == 1


@pytest.mark.spec("MFA-2")
def test_a_new_passkey_must_have_the_id_it_was_created_with() -> None:
    identity, device = identity_with_factor(person()), Authenticator()
    options = passkeys.begin_registration(identity)
    claimed = json.loads(device.create(options))
    claimed["id"] = claimed["rawId"] = bytes_to_base64url(b"the id of somebody else")
    with pytest.raises(PasskeyRefused, match=REFUSED):
        passkeys.register(identity, json.dumps(claimed), "Phone")


@pytest.mark.spec("MFA-2", "MFA-4")
def test_the_passkey_of_another_person_cannot_answer_the_challenge() -> None:
    owner()
    _, stranger = owner("mei@northstrait.example")
    token = by_password()
    options = passkeys.begin_second_step(token, TAB)
    with pytest.raises(PasskeyRefused, match=REFUSED):
        passkeys.second_step(token, TAB, stranger.get(options))
    # Nor with the name of the right one.
    _, ann = options, options["allowCredentials"][0]["id"]
    forged = json.loads(stranger.get(passkeys.begin_second_step(token, TAB)))
    forged["id"] = forged["rawId"] = ann
    with pytest.raises(PasskeyRefused, match=REFUSED):
        passkeys.second_step(token, TAB, json.dumps(forged))


@pytest.mark.spec("MFA-2")
def test_a_reply_for_another_user_is_refused() -> None:
    _, device = owner()
    _, stranger = owner("mei@northstrait.example")
    device.user_handle = stranger.user_handle
    with pytest.raises(PasskeyRefused, match=REFUSED):
        enter(device)


@pytest.mark.spec("MFA-2")
def test_a_reply_signed_by_another_key_is_refused() -> None:
    _, device = owner()
    forger = Authenticator(credential_id=device.credential_id, counter=50, user_handle=device.user_handle)
    with pytest.raises(PasskeyRefused, match=REFUSED):
        enter(forger)


@pytest.mark.spec("MFA-2")
def test_user_verification_that_is_only_claimed_is_refused() -> None:
    _, device = owner(verifies=False)
    reply = device.get(passkeys.begin_sign_in(ADDRESS, TAB))
    data = bytearray(device._data("localhost"))
    data[32] |= 0x04
    with pytest.raises(PasskeyRefused, match=REFUSED):
        passkeys.sign_in(changed(reply, authenticatorData=bytes_to_base64url(bytes(data))), ADDRESS, TAB)


@pytest.mark.spec("MFA-2")
def test_a_passkey_belongs_to_one_account() -> None:
    _, device = owner()
    mei = identity_with_factor(person("mei@northstrait.example"))
    with pytest.raises(PasskeyRefused, match=REFUSED):
        register(mei, device.copy())
    assert len(stored(AuthFactor.id)) == 1


@pytest.mark.spec("MFA-2")
def test_a_removed_passkey_does_not_sign_in() -> None:
    identity, device = owner()
    register(identity, Authenticator(), "Phone")
    with transaction() as session:
        factors.remove(session, identity, factors.list_factors(session, identity.user.id)[0].id)
    with pytest.raises(PasskeyRefused, match=REFUSED):
        enter(device)


@pytest.mark.spec("MFA-2")
def test_a_person_has_no_more_than_ten_factors() -> None:
    identity = identity_with_factor(person())
    for number in range(factors.MOST - 1):
        register(identity, Authenticator(), f"Key {number}")
    early, late = (passkeys.begin_registration(identity) for _ in range(2))
    passkeys.register(identity, Authenticator().create(early), "The last one")
    with pytest.raises(Conflict):
        passkeys.register(identity, Authenticator().create(late), "One too many")
    with pytest.raises(Conflict):
        passkeys.begin_registration(identity)


@pytest.mark.spec("MFA-2")
def test_an_account_that_is_not_confirmed_does_not_sign_in(monkeypatch: pytest.MonkeyPatch) -> None:
    identity, device = identity_with_factor(person(confirmed=False)), Authenticator()
    register(identity, device)
    use(monkeypatch, "SMTP_URL", "smtp://localhost:1")
    with pytest.raises(PasskeyRefused, match=REFUSED):
        enter(device)


MALFORMED: list[Any] = [
    "",
    "{",
    "[]",
    "null",
    "0",
    '"text"',
    "{}",
    "[" * 9_000,
    "x" * 20_000,
    None,
    7,
    {},
    '{"id": "a", "response": {"clientDataJSON": "!!!"}}',
    '{"id": "a", "response": {"clientDataJSON": 5}}',
    '{"id": 5, "response": {"clientDataJSON": "e30"}}',
    '{"id": "\\ud800", "rawId": "\\ud800", "response": {"clientDataJSON": "e30"}}',
]


@pytest.mark.spec("MFA-2")
def test_a_malformed_reply_is_refused() -> None:
    identity, _ = owner()

    def check(reply: Any) -> None:
        with pytest.raises(PasskeyRefused):
            passkeys.sign_in(reply, ADDRESS, TAB)
        with pytest.raises(PasskeyRefused):
            passkeys.register(identity, reply, "Phone")
        token = by_password()
        passkeys.begin_second_step(token, TAB)
        with pytest.raises(PasskeyRefused):
            passkeys.second_step(token, TAB, reply)

    check_each(MALFORMED, check)


PARTS = ["clientDataJSON", "authenticatorData", "signature", "userHandle", "attestationObject"]
VALUES: list[Any] = ["", "AA", "A" * 8_000, "é", None, 5, [], {}, "\ud800", bytes_to_base64url(b"\xa1" * 60)]


@pytest.mark.spec("MFA-2")
def test_a_reply_with_a_broken_part_is_refused() -> None:
    identity, device = owner()

    def check(part: str) -> None:
        # Without a user handle, the id alone names the passkey.
        may_be_empty = part == "userHandle"
        for value in VALUES:
            if part != "attestationObject" and not (may_be_empty and value in ("", None)):
                reply = device.get(passkeys.begin_sign_in("203.0.113.8", TAB))
                with pytest.raises(PasskeyRefused):
                    passkeys.sign_in(changed(reply, **{part: value}), "203.0.113.8", TAB)
            if part in ("clientDataJSON", "attestationObject"):
                options = passkeys.begin_registration(identity)
                with pytest.raises(PasskeyRefused):
                    passkeys.register(identity, changed(Authenticator().create(options), **{part: value}), "Phone")
        assert (open_sessions(), len(stored(AuthFactor.id))) == (1, 1)

    check_each(PARTS, check)


@pytest.mark.spec("MFA-2", "MFA-4")
def test_a_challenge_allows_five_tries_each_with_a_new_value() -> None:
    _, device = owner()
    token = by_password()
    options = passkeys.begin_second_step(token, TAB)
    reply = device.get(options)
    with pytest.raises(PasskeyRefused):
        passkeys.second_step(token, TAB, "{}")
    with pytest.raises(PasskeyRefused, match=TOO_LATE):
        passkeys.second_step(token, TAB, reply)
    for _ in range(3):
        with pytest.raises(PasskeyRefused):
            passkeys.second_step(token, TAB, "{}")
    with pytest.raises(ChallengeOver):
        passkeys.second_step(token, TAB, device.get(passkeys.begin_second_step(token, TAB)))


@pytest.mark.spec("MFA-2", "MFA-4")
def test_the_second_factor_works_once_and_only_in_the_client_of_the_password() -> None:
    _, device = owner()
    token = by_password()
    with pytest.raises(ChallengeOver):
        passkeys.begin_second_step(token, "another tab")
    options = passkeys.begin_second_step(token, TAB)
    with pytest.raises(ChallengeOver):
        passkeys.second_step(token, "another tab", device.get(options))
    reply = device.get(options)
    assert passkeys.second_step(token, TAB, reply)
    with pytest.raises(ChallengeOver):
        passkeys.second_step(token, TAB, reply)
    with read_session() as session, pytest.raises(ChallengeOver):
        challenges.find_waiting(token, TAB)
        session.rollback()


@pytest.mark.spec("MFA-2", "AUTH-10")
def test_refused_passkeys_are_counted_per_network() -> None:
    _, device = owner()
    for _ in range(throttling.SIGN_IN_BY_ADDRESS.most):
        with pytest.raises(PasskeyRefused):
            passkeys.sign_in("{}", ADDRESS, TAB)
    request = passkeys.begin_sign_in(ADDRESS, TAB)
    with pytest.raises(TooManyAttempts):
        passkeys.sign_in(device.get(request), ADDRESS, TAB)
    assert passkeys.sign_in(device.get(request), "203.0.113.9", TAB)


@pytest.mark.spec("MFA-2", "AUTH-10")
def test_a_locked_account_still_opens_with_its_passkey() -> None:
    _, device = owner()
    for _ in range(throttling.SIGN_IN_BY_ACCOUNT.most):
        throttling.count((throttling.SIGN_IN_BY_ACCOUNT, EMAIL))
    assert enter(device)


@pytest.mark.spec("ACC-3")
def test_the_owner_is_mailed_about_a_new_browser_that_signed_in(mails: Mails) -> None:
    _, device = owner()
    subject = "New sign-in to your account at Northstrait"
    for browser, is_told in ((known_browsers.with_mark("", EMAIL), False), ("", True)):
        before = [message["Subject"] for message in mails()].count(subject)
        passkeys.sign_in(device.get(passkeys.begin_sign_in(ADDRESS, TAB)), ADDRESS, TAB, "a test", browser)
        token = by_password()
        response = device.get(passkeys.begin_second_step(token, TAB))
        passkeys.second_step(token, TAB, response, "a test", browser)
        assert [message["Subject"] for message in mails()].count(subject) - before == 2 * is_told
