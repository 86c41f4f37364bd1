"""Security and cache headers for every response."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .csp import NOT_A_PAGE

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


class SecurityHeaders:
    """Adds security headers and a default cache header to every response.

    `https_only` adds HSTS.
    """

    def __init__(self, app: ASGIApp, *, https_only: bool) -> None:
        self.app = app
        always = HEADERS | ({"strict-transport-security": "max-age=63072000; includeSubDomains"} if https_only else {})
        self._always = [(name.encode(), value.encode()) for name, value in always.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; only HTTP responses are changed."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message["headers"], *self._always]
                present = {name for name, _ in headers}
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
