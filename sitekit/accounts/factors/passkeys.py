"""Passkeys (WebAuthn): signing in or proving who one is with one, and adding one to an account.

A passkey that verified its user, by a PIN or a fingerprint, is enough to sign in: possession and knowledge or body are
two factors. Like those of sign_in.py, the functions open transactions and run in a worker: a challenge stays used up
although the response to it is refused.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
import webauthn
from sqlmodel import Session, col
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, options_to_json_dict
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from ...base import messages
from ...base.db.database import now, read_session, rows_changed, transaction
from ...base.identity import Identity
from ...base.observability.audit_log import AuditEvent
from ...base.permissions import Action, require
from ...base.settings import get_settings
from ...base.site import get_site
from ...records import activity
from .. import owner_mails, throttling, tokens
from ..account_errors import ChallengeOver, PasskeyRefused, database_errors_as_unavailable
from ..models import AuthFactor, Credential, FactorKind, LinkPurpose, Profile, is_active
from ..sessions import known_browsers, sessions
from ..sessions.auth_events import AuthEvent
from ..sessions.sessions import IssuedSession
from . import challenges, factors, webauthn_responses
from .relying_party import relying_party
from .webauthn_responses import Assertion, NewPasskey, Response

# The options of a ceremony, as the browser gets them: JSON with binary values in base64url.
Options = dict[str, Any]


@dataclass(frozen=True)
class StoredPasskey:
    """A passkey and its owner, as the database has them now."""

    id: int
    user_id: int
    email: str
    public_key: str
    sign_count: int
    user_handle: str


@dataclass(frozen=True)
class FirstPasskey:
    """A passkey that was created before its person had an account, and what it calls the person."""

    new: NewPasskey
    user_handle: str


def begin_sign_in(address: str, binding: str) -> Options:
    """The options for signing in with any passkey of this site; `binding` is a value that the browser keeps.

    Raises `PasskeyRefused`, `TooManyAttempts` or `Unavailable`.
    """
    party = relying_party()
    throttling.count((throttling.PASSKEY_CHALLENGE_BY_ADDRESS, address))
    with database_errors_as_unavailable(), transaction() as session:
        challenge = challenges.issue(session, LinkPurpose.PASSKEY, binding)
    return _request(party.id, challenge, UserVerificationRequirement.REQUIRED, [])


def sign_in(text: object, address: str, binding: str, device: str = "", browser: str = "") -> IssuedSession:
    """Begin a session for the owner of a passkey that verified its user.

    `browser` holds the browser's tokens (`known_browsers`), as in `second_step`.
    Raises `PasskeyRefused`, `TooManyAttempts` or `Unavailable`.
    """
    throttling.count((throttling.SIGN_IN_TRY_BY_ADDRESS, address))
    counted = throttling.count((throttling.SIGN_IN_BY_ADDRESS, address))
    email = ""
    try:
        response = webauthn_responses.read(text)
        _use_challenge(response, LinkPurpose.PASSKEY, binding)
        passkey = _find(response)
        email = passkey.email
        assertion = _verify_alone(response, passkey)
        is_known = bool(known_browsers.name_for(browser, email))
        with database_errors_as_unavailable(), transaction() as session:
            _note_use(session, passkey, assertion)
            issued = _begin(session, passkey, device, AuthEvent.SIGNED_IN, is_known=is_known)
    except PasskeyRefused:
        activity.log_alone(AuditEvent.SIGN_IN_FAILED, "passkey", name=email)
        raise
    throttling.refund(counted)
    return issued


def begin_reauthentication(identity: Identity) -> Options:
    """The options with which a signed-in user proves by a passkey who they are. Raises as `begin_registration`."""
    party, user_id = relying_party(), identity.user.id
    with database_errors_as_unavailable(), transaction() as session:
        challenge = challenges.issue(session, LinkPurpose.PASSKEY, identity.session_id, user_id)
        allowed = _descriptors(session, user_id)
    return _request(party.id, challenge, UserVerificationRequirement.REQUIRED, allowed)


def reauthenticate(identity: Identity, text: object) -> None:
    """Note a reauthentication by passkey in the user's session. Raises `PasskeyRefused` or `Unavailable`."""
    with checked_owner(identity.user.id, identity.user.email, text, identity.session_id) as session:
        sessions.note_reauthentication(session, identity, has_factor=True)


@contextmanager
def checked_owner(user_id: int, email: str, text: object, binding: str) -> Iterator[Session]:
    """The transaction of what a user may do whose passkey has verified them. Raises `PasskeyRefused`."""
    try:
        response = webauthn_responses.read(text)
        _use_challenge(response, LinkPurpose.PASSKEY, binding)
        passkey = _find(response)
        if passkey.user_id != user_id:
            raise PasskeyRefused
        assertion = _verify_alone(response, passkey)
        with database_errors_as_unavailable(), transaction() as session:
            _note_use(session, passkey, assertion)
            yield session
    except PasskeyRefused:
        activity.log_alone(AuditEvent.FACTOR_FAILED, "passkey", name=email)
        raise


def begin_second_step(token: object, binding: str) -> Options:
    """The options for answering a challenge with a passkey of its user, whose password was right.

    Raises `ChallengeOver`, `PasskeyRefused` or `Unavailable`.
    """
    party = relying_party()
    waiting = challenges.find_waiting(token, binding)
    with database_errors_as_unavailable(), transaction() as session:
        challenge = tokens.random_token()
        challenges.set_passkey_value(session, token, binding, challenge)
        allowed = _descriptors(session, waiting.user_id)
    # The password was one factor, so that the passkey need not ask for a PIN too.
    return _request(party.id, challenge, UserVerificationRequirement.DISCOURAGED, allowed)


def second_step(token: object, binding: str, text: object, device: str = "", browser: str = "") -> IssuedSession:
    """Begin the session of a challenge that a passkey of its user has answered.

    Raises `ChallengeOver`, `PasskeyRefused` or `Unavailable`.
    """
    waiting = challenges.find_waiting(token, binding)
    with database_errors_as_unavailable(), transaction() as session:
        challenges.count_try(session, token, binding)
        expected = challenges.take_passkey_value(session, token, binding)
    try:
        response = webauthn_responses.read(text)
        if not expected or response.challenge != expected:
            raise PasskeyRefused(messages.PASSKEY_TOO_LATE)
        passkey = _find(response)
        if passkey.user_id != waiting.user_id:
            raise PasskeyRefused
        assertion = _verify(response, passkey)
        is_known = bool(known_browsers.name_for(browser, passkey.email))
        with database_errors_as_unavailable(), transaction() as session:
            challenges.use(session, token, binding)
            _note_use(session, passkey, assertion)
            return _begin(session, passkey, device, AuthEvent.MFA_VERIFIED, is_known=is_known)
    except PasskeyRefused:
        activity.log_alone(AuditEvent.FACTOR_FAILED, "passkey", name=waiting.email)
        raise


def _begin(session: Session, passkey: StoredPasskey, device: str, event: AuthEvent, *, is_known: bool) -> IssuedSession:
    if not is_known:
        owner_mails.tell_of_new_device(session, passkey.user_id, device)
    return sessions.begin(session, passkey.user_id, device, event, has_factor=True)


def begin_registration(identity: Identity) -> Options:
    """The options for creating a passkey for a signed-in user.

    Raises `PasskeyRefused`, `Conflict` for too many, or `Unavailable`.
    """
    party, user = relying_party(), identity.user
    with database_errors_as_unavailable(), transaction() as session:
        factors.check_may_add(session, user.id)
        challenge = challenges.issue(session, LinkPurpose.REGISTER, identity.session_id, user.id)
        existing = _descriptors(session, user.id)
        handle = session.get_one(Profile, user.id).user_handle or _user_handle(party.id, user.id)
    return _creation(
        party.id,
        challenge,
        handle,
        user.email,
        f"{user.first_name} {user.last_name}",
        existing,
        must_verify=not identity.has_password,
    )


def register(identity: Identity, text: object, name: str) -> tuple[str, ...]:
    """Add the passkey that a browser has created; returns recovery codes if it is the first factor.

    Raises `PasskeyRefused`, `Conflict` for too many, `ReauthenticationNeeded` or `Unavailable`.
    """
    require(identity.actor, Action.CHANGE_SIGN_IN)
    new = _created(text, identity.session_id, must_verify=not identity.has_password)
    with _unused_id(), database_errors_as_unavailable(), transaction() as session:
        factors.check_may_add(session, identity.user.id)
        return _add(session, identity, new, name)


def begin_first(email: str, name: str, address: str, binding: str) -> Options:
    """The options for creating the passkey of a person who has no account yet. Raises as `begin_sign_in`."""
    party = relying_party()
    throttling.count((throttling.PASSKEY_CHALLENGE_BY_ADDRESS, address))
    with database_errors_as_unavailable(), transaction() as session:
        challenge = challenges.issue(session, LinkPurpose.REGISTER, binding)
    return _creation(party.id, challenge, _user_handle(party.id, challenge), email, name, [], must_verify=True)


def check_first(text: object, binding: str) -> FirstPasskey:
    """The passkey that a browser has created for a new account, once. Raises `PasskeyRefused` or `Unavailable`."""
    new = _created(text, binding, must_verify=True)
    return FirstPasskey(new, _user_handle(relying_party().id, webauthn_responses.read(text).challenge))


def add_first(session: Session, identity: Identity, first: FirstPasskey, name: str) -> tuple[str, ...]:
    """Add the passkey of a new account; returns its recovery codes. Raises `PasskeyRefused`."""
    session.get_one(Profile, identity.user.id).user_handle = first.user_handle
    with _unused_id():
        return _add(session, identity, first.new, name)


def _created(text: object, binding: str, *, must_verify: bool) -> NewPasskey:
    response = webauthn_responses.read(text)
    _use_challenge(response, LinkPurpose.REGISTER, binding)
    new = webauthn_responses.verify_new(response, relying_party())
    if must_verify and not new.is_user_verified:
        raise PasskeyRefused(messages.PASSKEY_UNVERIFIED)
    return new


def _add(session: Session, identity: Identity, new: NewPasskey, name: str) -> tuple[str, ...]:
    row = AuthFactor(
        user_id=identity.user.id,
        kind=FactorKind.PASSKEY,
        name=name,
        credential_id=new.credential_id,
        public_key=new.public_key,
        sign_count=new.sign_count,
    )
    session.add(row)
    session.flush()
    return factors.add_confirmed(session, identity, row)


@contextmanager
def _unused_id() -> Iterator[None]:
    """Refuse a passkey whose id another one has."""
    try:
        yield
    except sa.exc.IntegrityError as error:
        raise PasskeyRefused from error


def _find(response: Response) -> StoredPasskey:
    """The stored passkey that a response claims to be of. Raises `PasskeyRefused`."""
    is_confirmed = col(Credential.email_confirmed_at).is_not(None) if get_settings().confirms_email else sa.true()
    with database_errors_as_unavailable(), read_session() as session:
        row = session.execute(
            sa.select(
                col(AuthFactor.id),
                col(AuthFactor.user_id),
                col(Profile.email),
                col(AuthFactor.public_key),
                col(AuthFactor.sign_count),
                col(Profile.user_handle),
            )
            .join(Profile, col(Profile.id) == col(AuthFactor.user_id))
            .join(Credential, col(Credential.user_id) == col(AuthFactor.user_id))
            .where(
                col(AuthFactor.kind) == FactorKind.PASSKEY,
                col(AuthFactor.credential_id) == response.credential_id,
                is_confirmed,
                is_active(),
            )
        ).one_or_none()
    if row is None:
        raise PasskeyRefused
    return StoredPasskey(*row)


def _verify(response: Response, passkey: StoredPasskey) -> Assertion:
    """What a passkey proves for the challenge of a response, which the caller has checked. Raises `PasskeyRefused`."""
    party = relying_party()
    if response.user_handle not in ("", passkey.user_handle or _user_handle(party.id, passkey.user_id)):
        raise PasskeyRefused
    return webauthn_responses.verify_assertion(
        response, party, public_key=passkey.public_key, sign_count=passkey.sign_count
    )


def _verify_alone(response: Response, passkey: StoredPasskey) -> Assertion:
    """As `_verify`, of a passkey that has also verified its user."""
    assertion = _verify(response, passkey)
    if not assertion.is_user_verified:
        raise PasskeyRefused(messages.PASSKEY_ALONE)
    return assertion


def _note_use(session: Session, passkey: StoredPasskey, assertion: Assertion) -> None:
    """Store a passkey's new counter. Raises `PasskeyRefused` if it was removed, or its counter raised, meanwhile."""
    count, stored_count = assertion.sign_count, col(AuthFactor.sign_count)
    used = session.execute(
        sa.update(AuthFactor)
        .where(col(AuthFactor.id) == passkey.id, stored_count < count if count else stored_count == 0)
        .values(sign_count=count, last_used_at=now())
    )
    if not rows_changed(used):
        raise PasskeyRefused


def _use_challenge(response: Response, purpose: LinkPurpose, binding: str) -> None:
    """Use up the challenge that a response answers. Raises `PasskeyRefused`."""
    try:
        with database_errors_as_unavailable(), transaction() as session:
            challenges.use(session, response.challenge, binding, purpose)
    except ChallengeOver:
        raise PasskeyRefused(messages.PASSKEY_TOO_LATE) from None


def _request(
    party: str, challenge: str, verification: UserVerificationRequirement, allowed: list[PublicKeyCredentialDescriptor]
) -> Options:
    return options_to_json_dict(
        webauthn.generate_authentication_options(
            rp_id=party,
            challenge=base64url_to_bytes(challenge),
            timeout=_milliseconds(),
            allow_credentials=allowed,
            user_verification=verification,
        )
    )


def _creation(
    party: str,
    challenge: str,
    handle: str,
    email: str,
    name: str,
    existing: list[PublicKeyCredentialDescriptor],
    *,
    must_verify: bool,
) -> Options:
    preferred = UserVerificationRequirement.PREFERRED
    return options_to_json_dict(
        webauthn.generate_registration_options(
            rp_id=party,
            rp_name=get_site().brand.name,
            user_id=base64url_to_bytes(handle),
            user_name=email,
            user_display_name=name.strip() or email,
            challenge=base64url_to_bytes(challenge),
            timeout=_milliseconds(),
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED if must_verify else preferred,
            ),
            exclude_credentials=existing,
        )
    )


def _descriptors(session: Session, user_id: int) -> list[PublicKeyCredentialDescriptor]:
    """The passkeys of a user, as options name them."""
    ids = session.execute(
        sa.select(col(AuthFactor.credential_id)).where(
            col(AuthFactor.user_id) == user_id, col(AuthFactor.kind) == FactorKind.PASSKEY
        )
    ).scalars()
    return [PublicKeyCredentialDescriptor(base64url_to_bytes(credential_id)) for credential_id in ids]


def _user_handle(party: str, key: int | str) -> str:
    """What passkeys call a user: a hash of the id or, for a user without one, of the challenge of the first passkey."""
    return bytes_to_base64url(hashlib.sha256(f"{party} {key}".encode()).digest())


def _milliseconds() -> int:
    return int(challenges.LIFE.total_seconds() * 1000)
