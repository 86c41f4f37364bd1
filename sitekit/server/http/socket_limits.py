"""Limits of the WebSocket: sockets, connects and events per network, events per socket.

They apply per process; the limits of sign-in attempts and forms are in the database (`base/db/rate_limits.py`).
docs/decisions/socket-limits.md explains the numbers.
"""

import asyncio
import logging
import time
from asyncio import sleep
from collections.abc import Callable
from enum import StrEnum

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...base.db.rate_limits import network_of
from ...base.observability import metrics
from ...base.observability.log_format import TAB_TOKEN
from .form_posts import client_address
from .socket_frames import Frame, frame_of

log = logging.getLogger(__name__)

MAX_EVENT_BYTES = 64 * 1024
# Of users who are signed in: the longest form, with each of its texts at its limit in any script. Browsers do not send
# a larger event (`server/framework/js/live_socket.js`).
MAX_FORM_BYTES = 4 * 1024 * 1024
EVENTS_PER_SECOND = 20.0
EVENTS_AT_ONCE = 80
# Limits per network, relative to the sockets that it may hold. An event over the limit is delayed.
CONNECTS_PER_SECOND = 1 / 100
CONNECTS_AT_ONCE = 20  # at least
NETWORK_EVENTS_PER_SECOND = 1 / 10
NETWORK_EVENTS_AT_ONCE = 6
LONGEST_WAIT = 10.0
# In seconds. A page sends its first event when it connects.
FIRST_EVENT_WITHIN = 60.0
MAX_NETWORKS = 10_000
TRY_LATER = 1013
POLICY_VIOLATION = 1008
TOO_BIG = 1009


class SocketRefusal(StrEnum):
    """Why a socket is refused."""

    NO_TOKEN = "no token of a tab"  # noqa: S105  the name of a reason
    TOO_MANY_OPEN = "too many are open"
    TOO_MANY_CAME = "too many came"


class End(StrEnum):
    """Why a socket is ended."""

    NO_EVENT = "no event came"
    TOO_LARGE = "an event that is too large"
    UNKNOWN_FRAME = "a frame that no page of this site sends"
    TOO_MANY_EVENTS = "too many events"
    NETWORK_TOO_BUSY = "too many events of its network"


# 0 from the start, so that the first one is an increase.
for _refusal in SocketRefusal:
    metrics.sockets_refused.labels(_refusal)
for _end in End:
    metrics.sockets_ended.labels(_end)


class TokenBucket:
    """A token bucket: its capacity `at_once`, and its refill rate `per_second`."""

    def __init__(self, at_once: float, per_second: float) -> None:
        self.at_once, self.per_second = at_once, per_second
        self._left = at_once
        self._seen = time.monotonic()

    @property
    def left(self) -> float:
        """The tokens left; negative if tokens were taken in advance."""
        at = time.monotonic()
        self._left = min(self.at_once, self._left + (at - self._seen) * self.per_second)
        self._seen = at
        return self._left

    @property
    def wait(self) -> float:
        """The seconds until a token is available; 0 if there is one now."""
        return max(0.0, (1 - self.left) / self.per_second)

    def take(self) -> None:
        """Take a token, in advance if none is left."""
        self._left = self.left - 1


class _Network:
    """The open sockets and the token buckets of one network."""

    def __init__(self, most: int) -> None:
        self.open = 0
        self.connects = TokenBucket(max(most, CONNECTS_AT_ONCE), most * CONNECTS_PER_SECOND)
        self.events = TokenBucket(most * NETWORK_EVENTS_AT_ONCE, most * NETWORK_EVENTS_PER_SECOND)

    @property
    def is_idle(self) -> bool:
        """Whether it has no open socket and full buckets, so that it can be dropped."""
        buckets = (self.connects, self.events)
        return not self.open and all(bucket.left >= bucket.at_once for bucket in buckets)


class SocketLimits:
    """Refuses WebSocket connections over the limits, and closes those that send too much."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        most: int,
        per_network: int,
        is_signed_in: Callable[[str], bool],
        trusted_proxies: int = 0,
    ) -> None:
        """`is_signed_in` tells by the token of a tab whether its user is signed in."""
        self.app = app
        self.is_signed_in = is_signed_in
        self.most = most
        self.per_network = per_network
        self.trusted_proxies = trusted_proxies
        self.open = 0
        self._networks: dict[str, _Network] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass requests on, except WebSocket connections over the limits."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        network = self._network(network_of(client_address(connection, self.trusted_proxies)))
        if refusal := self._refusal(connection, network):
            metrics.sockets_refused.labels(refusal).inc()
            log.warning("Refused a socket: %s (%d open, %d of its network).", refusal, self.open, network.open)
            await receive()
            if refusal is SocketRefusal.TOO_MANY_OPEN:
                # Browsers tell a page the code of a connection that was accepted, and nothing of one that was not.
                protocol = next(iter(scope.get("subprotocols", ())), None)
                await send({"type": "websocket.accept", "subprotocol": protocol})
            await send({"type": "websocket.close", "code": TRY_LATER})
            return
        network.connects.take()
        network.open += 1
        self.open += 1
        try:
            token = connection.query_params["token"]
            await self.app(scope, _Meter(receive, network.events, lambda: self.is_signed_in(token)), send)
        finally:
            network.open -= 1
            self.open -= 1

    def _refusal(self, connection: HTTPConnection, network: _Network) -> SocketRefusal | None:
        """The reason for refusing a socket; None if it is accepted."""
        tokens = connection.query_params.getlist("token")
        if len(tokens) != 1 or not TAB_TOKEN.fullmatch(tokens[0]):
            return SocketRefusal.NO_TOKEN
        # The fuller the process, the fewer sockets each network may hold, so that a few networks cannot use all.
        share = (self.most - self.open) // 2
        if network.open >= min(self.per_network, max(1, share)) or self.open >= self.most:
            return SocketRefusal.TOO_MANY_OPEN
        return SocketRefusal.TOO_MANY_CAME if network.connects.wait else None

    def _network(self, name: str) -> _Network:
        if name not in self._networks:
            if len(self._networks) >= MAX_NETWORKS:
                self._networks = {name: network for name, network in self._networks.items() if not network.is_idle}
            self._networks[name] = _Network(self.per_network)
        return self._networks[name]


class _Meter:
    """The receive function of one socket; closes it for too many, too large or unknown frames, or if none comes."""

    def __init__(self, receive: Receive, network_events: TokenBucket, is_signed_in: Callable[[], bool]) -> None:
        self.receive, self.is_signed_in = receive, is_signed_in
        self.events = TokenBucket(EVENTS_AT_ONCE, EVENTS_PER_SECOND)
        self.network_events = network_events
        self.first_event_deadline = time.monotonic() + FIRST_EVENT_WITHIN
        self.has_joined = self.has_sent_event = self.is_over = False

    async def __call__(self) -> Message:
        if self.is_over:
            return {"type": "websocket.disconnect", "code": POLICY_VIOLATION}
        message = await (self.receive() if self.has_sent_event else self._receive_in_time())
        if message is None:
            return self._end(POLICY_VIOLATION, End.NO_EVENT)
        if message["type"] != "websocket.receive":
            return message
        size = _size(message)
        if size > MAX_EVENT_BYTES and (size > MAX_FORM_BYTES or not self.is_signed_in()):
            return self._end(TOO_BIG, End.TOO_LARGE)
        frame = frame_of(message.get("text") or "")
        if not self._is_expected(frame):
            return self._end(POLICY_VIOLATION, End.UNKNOWN_FRAME)
        if self.events.wait:
            return self._end(POLICY_VIOLATION, End.TOO_MANY_EVENTS)
        self.events.take()
        if frame in (Frame.JOIN_WITH_EVENT, Frame.EVENT):
            self.has_sent_event = True
            if not await self._wait_for_network():
                return self._end(POLICY_VIOLATION, End.NETWORK_TOO_BUSY)
        return message

    async def _receive_in_time(self) -> Message | None:
        """The next message, or None if the first event does not come in time."""
        message = asyncio.ensure_future(self.receive())
        done, _ = await asyncio.wait([message], timeout=max(0.0, self.first_event_deadline - time.monotonic()))
        if done:
            return message.result()
        message.cancel()
        return None

    def _is_expected(self, frame: Frame | None) -> bool:
        """Whether a frame is allowed now: events only after the join, and one join only."""
        if frame in (Frame.JOIN, Frame.JOIN_WITH_EVENT):
            has_joined, self.has_joined = self.has_joined, True
            return not has_joined
        return frame in (Frame.PONG, Frame.CLOSE) or (frame is not None and self.has_joined)

    async def _wait_for_network(self) -> bool:
        """Delay an event until its network may send one; False if that would take longer than `LONGEST_WAIT`."""
        wait = self.network_events.wait
        if wait > LONGEST_WAIT:
            return False
        self.network_events.take()
        if wait:
            await sleep(wait)
        return True

    def _end(self, code: int, why: End) -> Message:
        self.is_over = True
        metrics.sockets_ended.labels(why).inc()
        log.warning("Ended a socket: %s.", why)
        return {"type": "websocket.disconnect", "code": code}


def _size(message: Message) -> int:
    text = message.get("text")
    return len(text.encode("utf-8", "replace")) if text is not None else len(message.get("bytes") or b"")
