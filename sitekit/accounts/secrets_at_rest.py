"""Encrypts secrets that must be read again, with keys derived from the secret setting.

The first key encrypts, all decrypt, so that the setting can be rotated as for sessions.
"""

import base64
from functools import cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ..base import messages
from ..base.errors import ServiceError
from ..base.secret_keys import signing_keys
from ..base.site import get_site

PURPOSE = f"{get_site().package} secrets at rest".encode()


class SecretLost(ServiceError):
    """None of the secrets in the settings can decrypt this."""

    def __init__(self) -> None:
        super().__init__(messages.FACTOR_UNREADABLE)


def encrypt(text: str, purpose: bytes = PURPOSE) -> str:
    """A text encrypted and signed with the first key; what is for one purpose is not accepted for another."""
    return _fernets(signing_keys(), purpose)[0].encrypt(text.encode()).decode()


def decrypt(encrypted: str, purpose: bytes = PURPOSE) -> str:
    """The text that was encrypted with any of the keys. Raises `SecretLost`."""
    token = encrypted.encode("utf-8", "replace")
    try:
        text = MultiFernet(_fernets(signing_keys(), purpose)).decrypt(token).decode()
    except InvalidToken:
        raise SecretLost from None
    # base64 ignores what follows its padding, and any other character that it does not know.
    if base64.urlsafe_b64encode(base64.urlsafe_b64decode(token)) != token:
        raise SecretLost
    return text


def is_current(encrypted: str) -> bool:
    """Whether the first key can decrypt this, so that the others are not needed for it."""
    try:
        _fernets(signing_keys(), PURPOSE)[0].decrypt(encrypted.encode("utf-8", "replace"))
    except InvalidToken:
        return False
    return True


@cache
def _fernets(secrets: tuple[str, ...], purpose: bytes) -> list[Fernet]:
    """One per secret. HKDF derives a key for this purpose: the secrets themselves sign sessions."""
    derived = (HKDF(SHA256(), 32, None, purpose).derive(secret.encode()) for secret in secrets)
    return [Fernet(base64.urlsafe_b64encode(key)) for key in derived]
