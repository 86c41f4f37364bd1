"""Access tokens: who signed them, what they must say, and what is refused."""

import stat
import time
from pathlib import Path
from typing import Any

import jwt
import pytest

from sitekit.accounts import tokens
from sitekit.accounts.account_errors import ExpiredToken, InvalidToken, UnusableToken
from sitekit.base import secret_keys, settings
from tests.support.each import check_each

OLD = "0123456789abcdefghijklmnopqrstuvwxyz-old"
NEW = "0123456789abcdefghijklmnopqrstuvwxyz-new"


def claims(**changes: Any) -> dict[str, Any]:
    moment = int(time.time())
    made = {"iss": "advisory_site", "aud": "staff", "sub": "1", "sid": "s", "iat": moment, "exp": moment + 60}
    return {name: value for name, value in (made | changes).items() if value is not None}


def encoded(key: str | None = None, algorithm: str = "HS256", **changes: Any) -> str:
    return jwt.encode(claims(**changes), secret_keys.signing_keys()[0] if key is None else key, algorithm=algorithm)


@pytest.mark.spec("SES-1")
def test_a_token_names_its_user_session_and_expiry() -> None:
    before = int(time.time())
    token, expires_at = tokens.sign(7, "session")
    assert tokens.read(token) == tokens.Claims(7, "session", expires_at)
    assert before <= expires_at - 3600 <= time.time()


@pytest.mark.spec("SES-5")
def test_a_token_with_a_missing_or_malformed_claim_is_invalid() -> None:
    def check(changes: dict[str, Any]) -> None:
        with pytest.raises(InvalidToken):
            tokens.read(encoded(**changes))

    wrong: list[dict[str, Any]] = [
        {"iss": "elsewhere"},
        {"aud": "visitors"},
        {"sub": "somebody"},
        {"sub": None},
        {"sid": None},
        {"exp": None},
        {"iat": None},
        {"iss": None},
        {"aud": None},
        {"nbf": 4102444800},  # 2100
    ]
    check_each(wrong, check)


@pytest.mark.spec("SES-5")
@pytest.mark.parametrize("changes", [{"aud": "visitors"}, {"sub": None}, {"sub": "somebody"}], ids=str)
def test_a_misfit_token_with_a_valid_signature_differs_from_a_forged_one(changes: dict[str, Any]) -> None:
    with pytest.raises(UnusableToken):
        tokens.read(encoded(**changes))
    with pytest.raises(InvalidToken) as raised:
        tokens.read(encoded(OLD, **changes))
    assert not isinstance(raised.value, UnusableToken)


@pytest.mark.spec("SES-1")
@pytest.mark.parametrize("ahead", [2, 3600])
def test_tokens_stay_valid_if_the_clock_is_set_back(ahead: int) -> None:
    moment = int(time.time()) + ahead
    assert tokens.read(encoded(iat=moment, exp=moment + 60)).session_id == "s"


@pytest.mark.spec("SES-5")
def test_malformed_tokens_are_invalid() -> None:
    def check(token: object) -> None:
        with pytest.raises(InvalidToken):
            tokens.read(token)

    cases: list[object] = [
        None,
        {},
        {"access_token": "x"},
        [],
        7,
        True,
        "",
        "x",
        "a.b.c",
        "a" * 1_000_000,
        "\ud800.\ud800.\ud800",
        "é.é.é",
        "W" * 600 + "." + "W" * 600 + ".W",
    ]
    check_each(cases, check)


@pytest.mark.spec("SES-5")
def test_a_token_without_a_signature_is_invalid() -> None:
    with pytest.raises(InvalidToken):
        tokens.read(encoded("", algorithm="none"))


@pytest.mark.spec("SES-5")
def test_a_token_of_another_key_or_algorithm_is_invalid() -> None:
    for token in (
        encoded(OLD),
        encoded(secret_keys.signing_keys()[0] * 2, algorithm="HS512"),
        encoded(algorithm="HS384"),
    ):
        with pytest.raises(InvalidToken):
            tokens.read(token)


@pytest.mark.spec("SES-5")
def test_an_expired_token_raises_its_own_error_unless_allowed() -> None:
    token = encoded(exp=int(time.time()) - 1)
    with pytest.raises(ExpiredToken):
        tokens.read(token)
    assert tokens.read(token, even_expired=True).session_id == "s"


@pytest.mark.spec("SES-1")
def test_the_secret_key_is_rotated_without_signing_anybody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def use(keys: str) -> None:
        monkeypatch.setenv("ADVISORY_SECRET_KEY", keys)
        settings.get_settings.cache_clear()

    use(OLD)
    before, _ = tokens.sign(1, "s")
    use(f"{NEW},{OLD}")
    assert tokens.read(before).user_id == 1
    after, _ = tokens.sign(1, "s")
    use(NEW)
    assert tokens.read(after).user_id == 1
    with pytest.raises(InvalidToken):
        tokens.read(before)


@pytest.mark.spec("SES-1")
def test_a_generated_secret_is_kept_in_a_private_file_for_the_next_start(database_dir: Path) -> None:
    first = secret_keys.signing_keys()
    secret_keys._kept_key.cache_clear()
    assert secret_keys.signing_keys() == first
    file = database_dir / "secret_key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in database_dir.glob("*secret_key*")] == ["secret_key"]
