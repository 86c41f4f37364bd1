"""Sends requests to an ASGI application without a server."""

import asyncio
import json
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.routing import request_response
from starlette.types import ASGIApp, Message, Scope

from sitekit.server.http.endpoints import Endpoint


@dataclass(frozen=True)
class Answer:
    """A response."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def ask(app: ASGIApp, path: str = "/", method: str = "GET", **headers: str) -> Answer:
    """Send one HTTP request; underscores in header names stand for hyphens."""
    return asyncio.run(asked(app, path, method, **headers))


def ask_endpoint(endpoint: Endpoint, *, query: str = "", method: str = "GET", **headers: str) -> Answer:
    """Send a request to an endpoint function."""
    return ask(request_response(endpoint), f"/?{query}", method, **headers)


async def asked(app: ASGIApp, path: str = "/", method: str = "GET", **headers: str) -> Answer:
    """Like `ask`, within an event loop."""
    return await sent(app, path, method, (b"",), headers)


async def sent(
    app: ASGIApp,
    path: str,
    method: str,
    body: Iterable[bytes | float | None],
    headers: Mapping[str, str],
    leaves: asyncio.Event | None = None,
) -> Answer:
    """Send a request with a body in these pieces; at None the client goes away, without one nothing arrives.

    A number is a pause in seconds. After the whole body it goes away when `leaves` is set.
    """
    path, _, query = path.partition("?")
    sent: list[Message] = []
    scope: Scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }

    pieces = deque(body)

    async def receive() -> Message:
        if not pieces:
            await (leaves or asyncio.Event()).wait()  # without `leaves` the client stays
            return {"type": "http.disconnect"}
        piece = pieces.popleft()
        if isinstance(piece, float):
            await asyncio.sleep(piece)
            return await receive()
        if piece is None:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start = sent[0]
    return Answer(
        start["status"],
        {name.decode(): value.decode() for name, value in start["headers"]},
        b"".join(message.get("body", b"") for message in sent[1:]),
    )
