"""For which host and pages browsers use passkeys."""

import pytest

from advisory_site.accounts.errors import PasskeyRefused
from advisory_site.accounts.relying_party import problem_of, relying_party
from advisory_site.core.settings import get_settings
from tests.accounts.steps import use
from tests.conftest import on_sqlite

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
def test_host_and_origin_are_those_that_browsers_name(
    monkeypatch: pytest.MonkeyPatch, address: str, party: str, origin: str
) -> None:
    use(monkeypatch, "PUBLIC_URL", address)
    assert relying_party().id == party
    assert relying_party().origins[0] == origin


@pytest.mark.spec("MFA-2")
def test_no_other_host_may_use_the_passkeys(monkeypatch: pytest.MonkeyPatch) -> None:
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
        "https://" + "a" * 64 + ".example",
    ],
)
def test_an_address_that_browsers_refuse_has_no_passkeys(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    use(monkeypatch, "PUBLIC_URL", address)
    assert problem_of(get_settings())
    with pytest.raises(PasskeyRefused, match="not available"):
        relying_party()
