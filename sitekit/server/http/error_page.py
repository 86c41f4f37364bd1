"""Answers a request that ended in an unexpected exception with a page, and logs the exception under its id."""

import logging

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .responses import NEVER_STORED, make_document, respond, robots_headers

log = logging.getLogger(__name__)


class ErrorPage:
    """Sends a page with status 500 if nothing was sent yet; else the server ends the connection."""

    def __init__(self, app: ASGIApp, *, html: str) -> None:
        self.app = app
        self._page = make_document(html, 500, cache_control=NEVER_STORED, headers=robots_headers(500))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        has_begun = False

        async def send_and_note(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        except Exception:
            log.exception("A request ended in an unexpected error.")
            if has_begun:
                raise
            await respond(self._page, Request(scope))(scope, receive, send)
