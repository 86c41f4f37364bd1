"""All that comes and goes: a number and a line of the log for each, and a stop that breaks nothing off."""

import asyncio
import logging
import re
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import reflex as rx
from reflex.middleware import Middleware
from reflex.state import BaseState, StateUpdate
from reflex_base.event import Event

from ..core.text import escape_controls
from ..db.rate_limits import network_of
from ..observability import audit_log, metrics
from ..observability.log_config import TRAFFIC, new_request_id, request_id

log = logging.getLogger(TRAFFIC)

# While a server stops: how long events in flight may take, how long none may begin after the last one before all
# are taken to have ended, and how long their last words need to leave.
DRAIN_TIMEOUT = 8.0
QUIET_PERIOD = 0.2
CLOSE_GRACE_PERIOD = 0.2
_ID = re.compile(rb"[A-Za-z0-9-]{6,64}")
# What is asked every few seconds, or many times a page, fills a log and says nothing.
UNLOGGED = ("/assets/", "/fonts/", "/healthz", "/readyz", "/metrics", "/ping")

_in_flight: set[asyncio.Task[Any]] = set()


class EventLog(Middleware):
    """Gives each event an id, counts it, measures it, and writes it down when it has ended."""

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:
        """Every event goes on; its task says by itself when it has ended."""
        router: Any = state.router
        audit_log.network.set(network_of(router.session.client_ip))
        task = asyncio.current_task()
        if task is None or task in _in_flight:
            return None
        name, started = new_request_id(), time.perf_counter()
        _in_flight.add(task)
        task.add_done_callback(lambda ended: _ended(ended, event.name, name, started))
        return None


def _ended(task: asyncio.Task[Any], event: str, name: str, started: float) -> None:
    _in_flight.discard(task)
    outcome = "cancelled" if task.cancelled() else "failed" if task.exception() else "done"
    seconds = time.perf_counter() - started
    metrics.events.add(outcome)
    metrics.event_seconds.add(seconds)
    short = escape_controls(event.rpartition("____")[2])
    facts = {"event": short, "id": name, "outcome": outcome, "ms": round(seconds * 1000, 1)}
    log.info("event %s %s", short, outcome, extra={"facts": facts})


async def _all_ended() -> None:
    """Until nothing is in flight any more; what a tab sent meanwhile waits for its turn, and is in flight too."""
    deadline = time.monotonic() + DRAIN_TIMEOUT
    await asyncio.sleep(QUIET_PERIOD)
    while _in_flight and (left := deadline - time.monotonic()) > 0:
        await asyncio.wait(set(_in_flight), timeout=left)
        await asyncio.sleep(QUIET_PERIOD)


class RequestLog:
    """The outermost ASGI application: nothing reaches the site, and nothing leaves it, past this one."""

    def __init__(self, inner: Any, *, behind_proxy: bool, states: Callable[[], int] = lambda: 0) -> None:
        self.inner = inner
        self._behind_proxy = behind_proxy
        self._states = states
        self.sockets = 0
        self.is_stopping = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass on what comes, by its kind."""
        match scope["type"]:
            case "http":
                await self._request(scope, receive, send)
            case "websocket":
                await self._socket(scope, receive, send)
            case _:
                await self.inner(scope, lambda: self._live(receive), send)

    def present(self) -> Iterator[str]:
        """What is open at this moment, for the metrics."""
        yield from metrics.gauge("advisory_sockets", "Tabs that are connected now.", self.sockets)
        yield from metrics.gauge("advisory_tab_states", "Tabs whose state is in memory here.", self._states())
        yield from metrics.gauge("advisory_events_in_flight", "Events worked on now.", len(_in_flight))

    async def _request(self, scope: Any, receive: Any, send: Any) -> None:
        name, started, status = self._name(scope), time.perf_counter(), 500

        async def send_named(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", name.encode())]
            await send(message)

        try:
            await self.inner(scope, receive, send_named)
        finally:
            self._note_request(scope, name, status, time.perf_counter() - started)

    def _name(self, scope: Any) -> str:
        """The proxy's id for the request, where there is one to believe, else a new one."""
        if self._behind_proxy:
            given = next((value for header, value in scope["headers"] if header == b"x-request-id"), b"")
            if _ID.fullmatch(given):
                request_id.set(given.decode())
                return given.decode()
        return new_request_id()

    def _note_request(self, scope: Any, name: str, status: int, seconds: float) -> None:
        path = scope["path"]
        if path.startswith(UNLOGGED):
            return
        metrics.requests.add(f"{status // 100}xx")
        metrics.request_seconds.add(seconds)
        if not log.isEnabledFor(logging.INFO):
            return
        method = escape_controls(scope["method"])
        facts = {"method": method, "path": path[:200], "status": status, "id": name, "ms": round(seconds * 1000, 1)}
        log.info("%s %s %d", method, escape_controls(path[:200]), status, extra={"facts": facts})

    async def _socket(self, scope: Any, receive: Any, send: Any) -> None:
        if self.is_stopping:
            await receive()
            await send({"type": "websocket.close"})
            return
        self.sockets += 1
        line = _SocketProxy(receive, send, self._shutdown)
        try:
            await self.inner(scope, line.receive, line.send)
        finally:
            line.cut()
            self.sockets -= 1

    async def _live(self, receive: Any) -> Any:
        message = await receive()
        if message["type"] == "lifespan.startup":
            self._shutdown = asyncio.get_running_loop().create_future()
            self._stop_gently()
        return message

    def _stop_gently(self) -> None:
        """Come before the server's own handler of the signal, which cuts every socket, so that browsers reconnect.

        Here it waits until what they have asked for is answered.
        """
        loop = asyncio.get_running_loop()
        # The server set its handler through the same loop; there is no public way to ask for it.
        known = getattr(loop, "_signal_handlers", {})
        for number in (signal.SIGTERM, signal.SIGINT):
            if (handle := known.get(number)) is not None:
                loop.add_signal_handler(number, self._begin_to_stop, loop, handle._callback, handle._args)

    def _begin_to_stop(self, loop: asyncio.AbstractEventLoop, stop: Any, arguments: Any) -> None:
        if not self.is_stopping:
            self.is_stopping = True
            # Kept by the loop's own set of what is in flight until it has called the server's handler.
            self._stop_task = loop.create_task(self._stop(stop, arguments))

    async def _stop(self, stop: Any, arguments: Any) -> None:
        try:
            await _all_ended()
            self._shutdown.set_result(None)
            await asyncio.sleep(CLOSE_GRACE_PERIOD)
        finally:
            stop(*arguments)


class _SocketProxy:
    """Both ends of one socket, as long as it lasts.

    socket.io leaves a closed socket in a circle of references. What it was given here leads to the server's buffers,
    about 130 kB each, which would stay until Python looks for such circles; a line that is cut leads nowhere.
    """

    def __init__(self, receive: Any, send: Any, shutdown: asyncio.Future[None]) -> None:
        self._receive, self._send, self._shutdown = receive, send, shutdown

    async def receive(self) -> Any:
        """The browser's next word; or, when the server stops, that it has gone: so the socket is closed from here.

        The server cuts no socket by itself while somebody listens to it, and would be killed in the end.
        """
        word = asyncio.ensure_future(self._receive())
        try:
            await asyncio.wait({word, self._shutdown}, return_when=asyncio.FIRST_COMPLETED)
            return word.result() if word.done() else {"type": "websocket.disconnect", "code": 1012}
        finally:
            word.cancel()

    async def send(self, message: Any) -> None:
        """Something for the browser."""
        await self._send(message)

    def cut(self) -> None:
        """Let go of the server's socket."""
        self._receive = self._send = _gone


async def _gone(*_message: Any) -> Any:
    raise OSError("The socket is closed.")
