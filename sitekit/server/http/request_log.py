"""Gives every HTTP request an id, a log line and a metric."""

import logging
import re
import time
from functools import cache

from prometheus_client import Counter, Histogram
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...base import request_context
from ...base.observability import metrics, tracing
from ...base.observability.log_config import TRAFFIC
from ...base.text import escape_controls

log = logging.getLogger(TRAFFIC)

_ID = re.compile(r"[A-Za-z0-9-]{6,64}")
MAX_PATH = 200
METHODS = ("GET", "HEAD", "POST")
# The key of the scope in which an application leaves the route of a request: a pattern, one of a few.
ROUTE = "sitekit.route"
# What follows is a secret, however the address was mistyped.
_SECRET = re.compile(r"(preview(?:/|%2f)).*", re.IGNORECASE | re.DOTALL)
# Requested every few seconds or many times per page, so they are not logged.
UNLOGGED = ("/assets/", "/fonts/", "/healthz", "/readyz", "/metrics", "/ping")


class RequestLog:
    """Gives each request an id, for the response header and all its log lines, and logs it when it has ended."""

    def __init__(self, app: ASGIApp, *, behind_proxy: bool) -> None:
        self.app = app
        self._behind_proxy = behind_proxy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; only HTTP requests are logged."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        name, started, status = self._id_of(scope), time.perf_counter(), 500
        trace = tracing.Trace("request")

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", name.encode())]
            await send(message)

        try:
            await self.app(scope, receive, send_with_id)
        finally:
            method, route = _labels(scope)
            attributes: dict[str, str | int] = {"http.route": route, "http.response.status_code": status}
            trace.end(f"{method} {route}", attributes, failed=status >= 500)
            if not scope["path"].startswith(UNLOGGED):
                seconds = time.perf_counter() - started
                requests, request_seconds = _series(status // 100, route, method)
                requests.inc()
                request_seconds.observe(seconds)
                if log.isEnabledFor(logging.INFO):
                    _log_request(scope, name, status, seconds)

    def _id_of(self, scope: Scope) -> str:
        """The request id sent by the proxy if there is one and it is valid, else a new one."""
        given = Headers(scope=scope).get("x-request-id", "") if self._behind_proxy else ""
        return request_context.begin(given if _ID.fullmatch(given) else "")


def _log_request(scope: Scope, name: str, status: int, seconds: float) -> None:
    method, path = escape_controls(scope["method"]), without_secret(scope["path"])[:MAX_PATH]
    facts = {"method": method, "path": path, "status": status, "id": name, "ms": round(seconds * 1000, 1)}
    log.info("%s %s %d", method, escape_controls(path), status, extra={"facts": facts})


def without_secret(path: str) -> str:
    """A path as it may be logged: without the secret of a link to a preview."""
    return _SECRET.sub(r"\1...", path)


def _labels(scope: Scope) -> tuple[str, str]:
    """The method and the route of a request, each one of a few."""
    return scope["method"] if scope["method"] in METHODS else metrics.OTHER, scope.get(ROUTE, metrics.OTHER)


@cache
def _series(digit: int, route: str, method: str) -> tuple[Counter, Histogram]:
    """The series of a class of status, kept because the look-up costs a tenth of a response; there are few of each."""
    return metrics.requests.labels(f"{digit}xx", route, method), metrics.request_seconds.labels(route, method)
