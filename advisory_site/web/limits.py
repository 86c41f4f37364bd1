"""How much one visitor may ask of the live connection: sockets per network, events per socket, bytes per event.

Attempts to sign in or to write to the firm are counted elsewhere, in the database; these limits are this process's.
"""

import logging
import time
from collections import Counter
from typing import Any

from ..limits import network_of
from ..settings import get_settings
from .forms import client_address
from .frames import Frame, frame_of

log = logging.getLogger(__name__)

MAX_EVENT_BYTES = 64 * 1024
EVENTS_A_SECOND = 20.0
EVENTS_AT_ONCE = 80
TRY_LATER = 1013
POLICY_VIOLATION = 1008
TOO_BIG = 1009


class SocketLimits:
    """Stands before the websocket; whoever asks too much of it is disconnected, and may come back."""

    def __init__(self, inner: Any) -> None:
        settings = get_settings()
        self.inner = inner
        self.per_network = settings.sockets_per_address
        self.trusted_proxies = settings.trusted_proxies
        self.open: Counter[str] = Counter()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass everything on but the websockets that are one too many."""
        if scope["type"] != "websocket":
            await self.inner(scope, receive, send)
            return
        network = network_of(client_address(scope, dict(scope["headers"]), self.trusted_proxies))
        if self.open[network] >= self.per_network:
            log.warning("Refused a socket: its network has %d open already.", self.open[network])
            await receive()
            await send({"type": "websocket.close", "code": TRY_LATER})
            return
        self.open[network] += 1
        try:
            await self.inner(scope, _Meter(receive), send)
        finally:
            self.open[network] -= 1
            if not self.open[network]:
                del self.open[network]


class _Meter:
    """Receives for one socket, and ends it when it sends too often or too much."""

    def __init__(self, receive: Any) -> None:
        self.receive = receive
        self.left = float(EVENTS_AT_ONCE)
        self.seen = time.monotonic()
        self.has_joined = self.is_over = False

    async def __call__(self) -> Any:
        message = {"type": "websocket.disconnect", "code": POLICY_VIOLATION}
        if self.is_over:
            return message
        message = await self.receive()
        if message["type"] != "websocket.receive":
            return message
        if _size(message) > MAX_EVENT_BYTES:
            return self._end(TOO_BIG, "an event of more than 64 kB")
        if not self._is_expected(frame_of(message.get("text") or "")):
            return self._end(POLICY_VIOLATION, "a frame that no page of this site sends")
        moment = time.monotonic()
        self.left = min(EVENTS_AT_ONCE, self.left + (moment - self.seen) * EVENTS_A_SECOND) - 1
        self.seen = moment
        return message if self.left >= 0 else self._end(POLICY_VIOLATION, "too many events")

    def _is_expected(self, frame: Frame | None) -> bool:
        """Whether a frame may come now: nothing of the page before it joins, and nobody joins twice."""
        if frame is Frame.JOIN:
            has_joined, self.has_joined = self.has_joined, True
            return not has_joined
        return frame in (Frame.PONG, Frame.CLOSE) or (frame is not None and self.has_joined)

    def _end(self, code: int, why: str) -> Any:
        self.is_over = True
        log.warning("Ended a socket: %s.", why)
        return {"type": "websocket.disconnect", "code": code}


def _size(message: Any) -> int:
    text = message.get("text")
    return len(text.encode("utf-8", "replace")) if text is not None else len(message.get("bytes") or b"")
