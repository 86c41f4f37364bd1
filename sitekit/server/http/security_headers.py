"""Security and cache headers for every response."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .csp import NOT_A_PAGE
from .responses import RawHeaders, raw_headers

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_FOR_A_YEAR = b"public, max-age=31536000, immutable"
_FOR_A_DAY = b"public, max-age=86400"


def security_headers(*, https_only: bool) -> RawHeaders:
    """The headers of every response; `https_only` adds HSTS."""
    return raw_headers(
        HEADERS | ({"strict-transport-security": "max-age=63072000; includeSubDomains"} if https_only else {})
    )


class SecurityHeaders:
    """Adds security headers and a default cache header to every response, but for those that it has already."""

    def __init__(self, app: ASGIApp, *, https_only: bool) -> None:
        self.app = app
        self._always = security_headers(https_only=https_only)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; only HTTP responses are changed."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name for name, _ in message["headers"]}
                always = (header for header in self._always if header[0] not in present)
                headers = [*message["headers"], *always]
                if b"content-security-policy" not in present:
                    headers.append((b"content-security-policy", NOT_A_PAGE.encode()))
                if b"cache-control" not in present:
                    headers.append((b"cache-control", _cache_control(scope["path"], message["status"])))
                message["headers"] = headers
            await send(message)

        await self.app(scope, receive, send_with_headers)


def _cache_control(path: str, status: int) -> bytes:
    """The default cache header of a path: long for built files, whose names contain a hash."""
    if status not in (200, 206, 304):
        return b"no-store"
    if path.startswith("/assets/"):
        return _FOR_A_YEAR
    return _FOR_A_DAY if "." in path.rsplit("/", 1)[-1] else b"no-cache"
