"""The settings of accounts: production starts only when it is safe."""

import pytest

from sitekit.base.settings import Settings, WrongSetting
from tests.support.each import check_each

SAFE = {
    "ADVISORY_ENV": "production",
    "ADVISORY_SECRET_KEY": "0f3a9c5e7b1d2468ace013579bdf2468ace013579bdf2468",
    "ADVISORY_SIGN_UP": "northstrait.example",
}


def read(**changes: str | None) -> Settings:
    merged = SAFE | {f"ADVISORY_{name}": value for name, value in changes.items()}
    return Settings.from_environment({name: value for name, value in merged.items() if value is not None})


@pytest.mark.spec("ROLE-5")
def test_production_starts_with_a_good_secret_and_a_decision_on_sign_up() -> None:
    assert read().sign_up_domains == ("northstrait.example",)


@pytest.mark.spec("ROLE-5")
def test_production_refuses_to_start_without_them() -> None:
    def check(case: tuple[str, str | None, str]) -> None:
        name, value, held = case
        with pytest.raises(WrongSetting) as caught:
            read(**{name: value})
        assert str(caught.value).startswith(held)
        assert "hunter2" not in str(caught.value)

    cases: list[tuple[str, str | None, str]] = [
        ("SECRET_KEY", None, "ADVISORY_SECRET_KEY is not set"),
        ("SECRET_KEY", " , ", "ADVISORY_SECRET_KEY is not set"),
        ("SECRET_KEY", "short", "ADVISORY_SECRET_KEY is too weak"),
        ("SECRET_KEY", "a" * 64, "ADVISORY_SECRET_KEY is too weak"),
        ("SECRET_KEY", SAFE["ADVISORY_SECRET_KEY"] + ",hunter2", "ADVISORY_SECRET_KEY is too weak"),
        ("SIGN_UP", None, "ADVISORY_SIGN_UP is not set"),
        ("SIGN_UP", "everybody", "ADVISORY_SIGN_UP is 'everybody'"),
        ("SIGN_UP", ",", "ADVISORY_SIGN_UP is ','"),
        ("BCRYPT_COST", "4", "ADVISORY_BCRYPT_COST is '4'"),
    ]
    check_each(cases, check)


@pytest.mark.spec("ROLE-5")
def test_local_sign_up_is_open_and_the_secret_is_generated() -> None:
    settings = Settings.from_environment({})
    assert settings.sign_up == "open"
    assert settings.secret_keys == ()


@pytest.mark.spec("SES-1")
def test_several_secrets_are_read_in_order() -> None:
    first, second = SAFE["ADVISORY_SECRET_KEY"], SAFE["ADVISORY_SECRET_KEY"][::-1]
    assert read(SECRET_KEY=f"{first}, {second}").secret_keys == (first, second)
