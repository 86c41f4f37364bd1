"""For which host and pages browsers use passkeys."""

import pytest

from sitekit.accounts.account_errors import PasskeyRefused
from sitekit.accounts.factors.relying_party import problem_of, relying_party
from sitekit.base.settings import get_settings
from tests.conftest import on_sqlite
from tests.sitekit.accounts.steps import use

pytestmark = on_sqlite


@pytest.mark.spec("MFA-2")
@pytest.mark.parametrize(
    ("address", "party", "origin"),
    [
        ("https://northstrait.example", "northstrait.example", "https://northstrait.example"),
        ("https://NorthStrait.example:443", "northstrait.example", "https://northstrait.example"),
        ("https://northstrait.example:8443", "northstrait.example", "https://northstrait.example:8443"),
        ("https://bücher.example", "xn--bcher-kva.example", "https://xn--bcher-kva.example"),
        ("http://localhost:80", "localhost", "http://localhost"),
        ("http://site.localhost:3000", "site.localhost", "http://site.localhost:3000"),
    ],
)
def test_host_and_origin_match_those_of_browsers(
    monkeypatch: pytest.MonkeyPatch, address: str, party: str, origin: str
) -> None:
    use(monkeypatch, "PUBLIC_URL", address)
    assert relying_party().id == party
    assert relying_party().origins[0] == origin


@pytest.mark.spec("MFA-2")
def test_only_the_public_url_and_the_local_development_port_are_allowed_origins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use(monkeypatch, "PUBLIC_URL", "http://localhost:4000")
    assert relying_party().origins == ("http://localhost:4000", "http://localhost:3000")
    use(monkeypatch, "PUBLIC_URL", "https://northstrait.example")
    assert relying_party().origins == ("https://northstrait.example",)


@pytest.mark.spec("MFA-2")
@pytest.mark.parametrize(
    "address",
    [
        "https://203.0.113.7",
        "http://[::1]:3000",
        "http://127.0.0.1:3000",
        "http://northstrait.example",
        "http://localhost.northstrait.example",
    ],
)
def test_passkeys_are_off_for_addresses_that_browsers_refuse(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    use(monkeypatch, "PUBLIC_URL", address)
    assert problem_of(get_settings())
    with pytest.raises(PasskeyRefused, match="not available"):
        relying_party()
