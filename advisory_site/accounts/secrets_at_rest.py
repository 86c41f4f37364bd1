"""Encrypts secrets that must be read again, with keys derived from the secret setting.

The first key encrypts, all decrypt, so that the setting can be rotated as for sessions.
"""

import base64
from functools import cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ..content import messages
from ..core.errors import ServiceError
from .tokens import signing_keys

PURPOSE = b"advisory_site secrets at rest"


class SecretLost(ServiceError):
    """None of the secrets in the settings can decrypt this."""

    def __init__(self) -> None:
        super().__init__(messages.FACTOR_UNREADABLE)


def encrypt(text: str) -> str:
    """A text encrypted with the first key."""
    return _fernets(signing_keys())[0].encrypt(text.encode()).decode()


def decrypt(encrypted: str) -> str:
    """The text that was encrypted with any of the keys. Raises `SecretLost`."""
    try:
        return MultiFernet(_fernets(signing_keys())).decrypt(encrypted.encode("utf-8", "replace")).decode()
    except InvalidToken:
        raise SecretLost from None


def is_current(encrypted: str) -> bool:
    """Whether the first key can decrypt this, so that the others are not needed for it."""
    try:
        _fernets(signing_keys())[0].decrypt(encrypted.encode("utf-8", "replace"))
    except InvalidToken:
        return False
    return True


@cache
def _fernets(secrets: tuple[str, ...]) -> list[Fernet]:
    """One per secret. HKDF derives a key for this purpose: the secrets themselves sign sessions."""
    derived = (HKDF(SHA256(), 32, None, PURPOSE).derive(secret.encode()) for secret in secrets)
    return [Fernet(base64.urlsafe_b64encode(key)) for key in derived]
