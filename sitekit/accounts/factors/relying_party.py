"""The relying party of WebAuthn: the host of the public address, for which browsers keep passkeys."""

import ipaddress
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from ...base import messages
from ...base.settings import Settings, get_settings
from ..account_errors import PasskeyRefused


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
    host = settings.public_host
    return RelyingParty(host, tuple(url for url in settings.allowed_origins if urlsplit(url).hostname == host))


def problem_of(settings: Settings) -> str:
    """Why browsers refuse passkeys for the public address; empty if they do not."""
    host = settings.public_host
    with suppress(ValueError):
        ipaddress.ip_address(host)
        return "its host is an IP address, and they need a name"
    if not settings.public_url.startswith("https:") and host != "localhost" and not host.endswith(".localhost"):
        return "it begins with http://, and they need https://, except at localhost"
    return ""
