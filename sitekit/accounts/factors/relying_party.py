"""The relying party of WebAuthn: the host of the public address, for which browsers keep passkeys."""

import ipaddress
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from ...base import messages
from ...base.settings import Settings, get_settings
from ..account_errors import PasskeyRefused

DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class RelyingParty:
    """The host that passkeys belong to, and the origins of its pages, as browsers write both."""

    id: str
    origins: tuple[str, ...]


def relying_party() -> RelyingParty:
    """The relying party of this site. Raises `PasskeyRefused` if its address cannot have passkeys."""
    settings = get_settings()
    if problem_of(settings):
        raise PasskeyRefused(messages.PASSKEYS_UNAVAILABLE)
    host = _host(urlsplit(settings.public_url))
    addresses = map(urlsplit, settings.allowed_origins)
    return RelyingParty(host, tuple(_origin(address) for address in addresses if _host(address) == host))


def problem_of(settings: Settings) -> str:
    """Why browsers refuse passkeys for the public address; empty if they do not."""
    address = urlsplit(settings.public_url)
    host = _host(address)
    if not host:
        return "its host is not a name that browsers know"
    with suppress(ValueError):
        ipaddress.ip_address(host)
        return "its host is an IP address, and they need a name"
    if address.scheme != "https" and host != "localhost" and not host.endswith(".localhost"):
        return "it begins with http://, and they need https://, except at localhost"
    return ""


def _host(address: SplitResult) -> str:
    """The host in lower case, with other letters than English ones in Punycode; empty if it is not a host name."""
    with suppress(UnicodeError):
        return (address.hostname or "").encode("idna").decode()
    return ""


def _origin(address: SplitResult) -> str:
    port = "" if address.port in (None, DEFAULT_PORTS[address.scheme]) else f":{address.port}"
    return f"{address.scheme}://{_host(address)}{port}"
