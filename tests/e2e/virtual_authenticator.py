"""An authenticator in the browser, through the DevTools protocol: its passkeys, and what its user does."""

import base64

from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from playwright.sync_api import CDPSession, Page
from webauthn.helpers import base64url_to_bytes

from tests.support.authenticator import Authenticator

NOT_SUGGESTED = "if (window.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = undefined"


class VirtualAuthenticator:
    """The device of one tab. Its user agrees at once to every request, unless `is_willing` is false.

    That holds for a passkey which the browser would only suggest in a field, so that a button may be gone before it is
    pressed. Unless `is_suggested`, the browser uses passkeys only if a button is pressed.
    """

    def __init__(
        self, page: Page, *, verifies: bool = True, is_willing: bool = True, is_suggested: bool = False
    ) -> None:
        if not is_suggested:
            page.add_init_script(NOT_SUGGESTED)
            page.evaluate(NOT_SUGGESTED)
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._session.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": True,
            "hasUserVerification": verifies,
            "isUserVerified": verifies,
            "automaticPresenceSimulation": is_willing,
        }
        added = self._session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        self._id = added["authenticatorId"]

    def hold(self, passkey: Authenticator, party: str = "localhost") -> None:
        """Put a passkey on the device that was created without a browser."""
        key = passkey.key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
        credential = {
            "credentialId": _text(passkey.credential_id),
            "isResidentCredential": True,
            "rpId": party,
            "privateKey": _text(key),
            "userHandle": _text(base64url_to_bytes(passkey.user_handle)),
            "signCount": passkey.counter,
        }
        self._session.send("WebAuthn.addCredential", {"authenticatorId": self._id, "credential": credential})

    def passkeys(self) -> int:
        """The number of passkeys on the device."""
        return len(self._session.send("WebAuthn.getCredentials", {"authenticatorId": self._id})["credentials"])


def _text(value: bytes) -> str:
    return base64.b64encode(value).decode()
