"""Reads and verifies what a browser replies in a WebAuthn ceremony. Nothing in it is trusted.

The WebAuthn library parses JSON, CBOR and keys from untrusted clients, and raises errors of many kinds for
malformed ones: here all of them become `PasskeyRefused`.
"""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import webauthn
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.parse_client_data_json import parse_client_data_json

from ...base.text import escape_controls
from ..account_errors import PasskeyRefused
from .relying_party import RelyingParty

logger = logging.getLogger(__name__)
T = TypeVar("T")

MAX_LENGTH = 16_384  # a response has about 1,000 characters, with a certificate a few thousand
MAX_ID_LENGTH = 1364  # WebAuthn allows credential ids of 1,023 bytes


@dataclass(frozen=True)
class Response:
    """A browser's response, with the parts by which the server finds what belongs to it; all of it is only claimed."""

    credential: dict[str, Any]
    credential_id: str
    challenge: str
    user_handle: str


@dataclass(frozen=True)
class NewPasskey:
    """A passkey that was just created, as it is stored."""

    credential_id: str
    public_key: str
    sign_count: int
    is_user_verified: bool


@dataclass(frozen=True)
class Assertion:
    """What a passkey has proved."""

    sign_count: int
    is_user_verified: bool


def read(text: object) -> Response:
    """Parse a response. Raises `PasskeyRefused`."""
    if not isinstance(text, str) or len(text) > MAX_LENGTH:
        raise PasskeyRefused
    return _checked(_read, text)


def _read(text: str) -> Response:
    credential = json.loads(text)
    credential_id, response = credential["id"], credential["response"]
    client_data = base64url_to_bytes(response["clientDataJSON"])
    challenge = bytes_to_base64url(parse_client_data_json(client_data).challenge)
    claims = json.loads(client_data)
    # The library compares the origin of the frame alone.
    if claims.get("crossOrigin") or "topOrigin" in claims:
        raise ValueError("The response was made in a frame on another site.")
    user_handle = response.get("userHandle") or ""
    if not isinstance(credential_id, str) or not isinstance(user_handle, str) or len(credential_id) > MAX_ID_LENGTH:
        raise TypeError("The id or the user handle is not a text, or too long.")
    return Response(credential, credential_id, challenge, user_handle)


def verify_new(response: Response, party: RelyingParty) -> NewPasskey:
    """The passkey that was created. Raises `PasskeyRefused`.

    The caller has checked that the challenge of the response is the server's; so does `verify_assertion`'s.
    """

    def verify() -> NewPasskey:
        verified = webauthn.verify_registration_response(
            credential=response.credential,
            expected_challenge=base64url_to_bytes(response.challenge),
            expected_rp_id=party.id,
            expected_origin=list(party.origins),
        )
        return NewPasskey(
            bytes_to_base64url(verified.credential_id),
            bytes_to_base64url(verified.credential_public_key),
            verified.sign_count,
            verified.user_verified,
        )

    new = _checked(verify)
    # The id that the browser claims is not signed; the one in the attestation is what later responses have.
    if new.credential_id != response.credential_id:
        raise PasskeyRefused
    return new


def verify_assertion(response: Response, party: RelyingParty, *, public_key: str, sign_count: int) -> Assertion:
    """What a stored passkey has proved. Raises `PasskeyRefused`, also if its counter has gone back."""

    def verify() -> Assertion:
        verified = webauthn.verify_authentication_response(
            credential=response.credential,
            expected_challenge=base64url_to_bytes(response.challenge),
            expected_rp_id=party.id,
            expected_origin=list(party.origins),
            credential_public_key=base64url_to_bytes(public_key),
            credential_current_sign_count=sign_count,
        )
        return Assertion(verified.new_sign_count, verified.user_verified)

    return _checked(verify)


def _checked(call: Callable[..., T], *args: Any) -> T:
    try:
        return call(*args)
    except Exception as error:
        logger.info("Refused a passkey: %s: %s", type(error).__name__, escape_controls(str(error), 200))
        raise PasskeyRefused from error
