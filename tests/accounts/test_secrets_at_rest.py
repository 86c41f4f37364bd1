"""Secrets at rest: readable with the present and former secrets of the settings, and with no other."""

import pytest

from advisory_site.accounts import secrets_at_rest
from advisory_site.accounts.secrets_at_rest import SecretLost, decrypt, encrypt, is_current
from tests.accounts.steps import use
from tests.conftest import on_sqlite

pytestmark = [on_sqlite, pytest.mark.spec("MFA-1")]
OLD, NEW = "0123456789abcdef" * 2, "fedcba9876543210" * 2


def test_a_former_secret_still_decrypts_until_it_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_what_was_never_encrypted_is_no_secret(kept: str) -> None:
    with pytest.raises(SecretLost):
        decrypt(kept)


def test_the_same_text_never_looks_the_same() -> None:
    assert encrypt("a") != encrypt("a")


def test_the_key_is_not_the_secret_that_signs_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, "SECRET_KEY", OLD)
    kept = encrypt("a")
    monkeypatch.setattr(secrets_at_rest, "PURPOSE", b"another purpose")
    secrets_at_rest._fernets.cache_clear()
    with pytest.raises(SecretLost):
        decrypt(kept)
    secrets_at_rest._fernets.cache_clear()
