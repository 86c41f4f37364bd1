"""A passkey without a browser: replies to WebAuthn options as an authenticator does, or as an attacker would."""

import copy
import hashlib
import json
import os
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, encode_cbor

PRESENT, VERIFIED, HAS_KEY = 0x01, 0x04, 0x40


@dataclass
class Authenticator:
    """One passkey on one device; a change of a field changes its next reply."""

    origin: str = "http://localhost:3000"
    party: str = ""  # the one that the options name
    verifies: bool = True
    is_present: bool = True
    framed: dict[str, Any] = field(default_factory=lambda: {"crossOrigin": False})  # what it says of a frame
    counter: int = 0
    step: int = 1
    credential_id: bytes = field(default_factory=lambda: os.urandom(32))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    user_handle: str = ""

    def create(self, options: dict[str, Any]) -> str:
        """The reply to `navigator.credentials.create`."""
        self.user_handle = options["user"]["id"]
        point = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        length = len(self.credential_id).to_bytes(2, "big")
        data = self._data(options["rp"]["id"], HAS_KEY) + bytes(16) + length + self.credential_id + encode_cbor(public)
        attestation = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options["challenge"])
        return self._reply(clientDataJSON=client, attestationObject=attestation)

    def get(self, options: dict[str, Any]) -> str:
        """The reply to `navigator.credentials.get`."""
        data = self._data(options["rpId"])
        client = self._client("webauthn.get", options["challenge"])
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._reply(
            clientDataJSON=client,
            authenticatorData=data,
            signature=signature,
            userHandle=base64url_to_bytes(self.user_handle),
        )

    def copy(self) -> "Authenticator":
        """A clone of the device: the same key and counter."""
        return copy.copy(self)

    def _data(self, party: str, flags: int = 0) -> bytes:
        self.counter += self.step
        flags |= PRESENT * self.is_present | VERIFIED * self.verifies
        return (
            hashlib.sha256((self.party or party).encode()).digest() + bytes([flags]) + self.counter.to_bytes(4, "big")
        )

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin} | self.framed).encode()

    def _reply(self, **response: bytes) -> str:
        name = bytes_to_base64url(self.credential_id)
        parts = {name: bytes_to_base64url(value) for name, value in response.items()}
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": parts})


def changed(reply: str, **response: Any) -> str:
    """A reply with some parts of its response replaced."""
    parsed = json.loads(reply)
    parsed["response"] |= response
    return json.dumps(parsed)
