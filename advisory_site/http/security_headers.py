"""The outermost door: what every answer of the site carries, whoever gave it."""

from typing import Any

from ..core.settings import Settings
from .csp import NOTHING

_FOR_A_YEAR = b"public, max-age=31536000, immutable"
_FOR_A_DAY = b"public, max-age=86400"


class SecurityHeaders:
    """Adds the headers that protect visitors, and how long a file may be kept, to every answer."""

    def __init__(self, inner: Any, settings: Settings) -> None:
        self.inner = inner
        self.always = _headers(settings)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass everything on; only answers to HTTP requests are touched."""
        if scope["type"] != "http":
            await self.inner(scope, receive, send)
            return

        async def send_safely(message: Any) -> None:
            if message["type"] == "http.response.start":
                given = message["headers"]
                names = {name for name, _ in given}
                message["headers"] = headers = [*given, *self.always]
                if b"content-security-policy" not in names:
                    headers.append((b"content-security-policy", NOTHING))
                if b"cache-control" not in names:
                    headers.append((b"cache-control", _kept(scope["path"], message["status"])))
            await send(message)

        await self.inner(scope, receive, send_safely)


def _headers(settings: Settings) -> list[tuple[bytes, bytes]]:
    headers = [
        (b"x-content-type-options", b"nosniff"),
        (b"x-frame-options", b"DENY"),
        (b"referrer-policy", b"strict-origin-when-cross-origin"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ]
    if settings.is_production:
        headers.append((b"strict-transport-security", b"max-age=63072000; includeSubDomains"))
    return headers


def _kept(path: str, status: int) -> bytes:
    """The name of a built file holds a hash of its content; fonts and pictures keep their names."""
    if status not in (200, 206, 304):
        return b"no-store"
    if path.startswith("/assets/"):
        return _FOR_A_YEAR
    return _FOR_A_DAY if "." in path.rsplit("/", 1)[-1] else b"no-cache"
