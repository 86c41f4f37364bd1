"""Secrets at rest: readable with the present and former secrets of the settings, and with no other."""

import pytest

from sitekit.accounts import secrets_at_rest
from sitekit.accounts.secrets_at_rest import SecretLost, decrypt, encrypt, is_current
from tests.conftest import on_sqlite
from tests.sitekit.accounts.steps import use

pytestmark = [on_sqlite, pytest.mark.spec("MFA-1")]
OLD, NEW = "0123456789abcdef" * 2, "fedcba9876543210" * 2


def test_a_former_secret_key_decrypts_until_it_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, "SECRET_KEY", OLD)
    kept = encrypt("JBSWY3DP")
    assert "JBSWY3DP" not in kept
    use(monkeypatch, "SECRET_KEY", f"{NEW},{OLD}")
    assert (decrypt(kept), is_current(kept)) == ("JBSWY3DP", False)
    renewed = encrypt("JBSWY3DP")
    use(monkeypatch, "SECRET_KEY", NEW)
    assert (decrypt(renewed), is_current(renewed)) == ("JBSWY3DP", True)
    with pytest.raises(SecretLost):
        decrypt(kept)


@pytest.mark.parametrize("kept", ["", "x", "é", "\ud800", "gAAAAA" + "A" * 200])
def test_text_that_was_never_encrypted_cannot_be_decrypted(kept: str) -> None:
    with pytest.raises(SecretLost):
        decrypt(kept)


def test_encrypting_the_same_text_twice_gives_different_results() -> None:
    assert encrypt("a") != encrypt("a")


def test_each_purpose_has_its_own_key() -> None:
    kept = encrypt("a", b"one purpose")
    for other in (secrets_at_rest.PURPOSE, b"another purpose"):
        with pytest.raises(SecretLost):
            decrypt(kept, other)
    assert decrypt(kept, b"one purpose") == "a"
