"""Stops without breaking anything off: events end first, then sockets close, then the server stops."""

import asyncio
import signal
import time
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .server_status import ServerStatus

# In seconds: how long events in flight may take, how long none may begin after the last one before all are taken to
# have ended, and how long the closing of sockets needs to reach the browsers.
DRAIN_TIMEOUT = 8.0
QUIET_PERIOD = 0.2
CLOSE_GRACE_PERIOD = 0.2


class GracefulShutdown:
    """Counts sockets, and handles the server's stop signals before the server does."""

    def __init__(self, app: ASGIApp, status: ServerStatus) -> None:
        self.app = app
        self.status = status
        self._sockets: set[SocketProxy] = set()
        self._stop_task: asyncio.Task[None] | None = None  # nothing else keeps the running task

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on; a stopping server opens no socket."""
        match scope["type"]:
            case "websocket" if self.status.is_stopping:
                await receive()
                await send({"type": "websocket.close"})
            case "websocket":
                await self._socket(scope, receive, send)
            case "lifespan":
                await self.app(scope, lambda: self._lifespan(receive), send)
            case _:
                await self.app(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        socket = SocketProxy(receive, send)
        self._sockets.add(socket)
        self.status.sockets += 1
        try:
            await self.app(scope, socket.receive, socket.send)
        finally:
            socket.detach()
            self._sockets.discard(socket)
            self.status.sockets -= 1

    async def _lifespan(self, receive: Receive) -> Message:
        message = await receive()
        if message["type"] == "lifespan.startup":
            self._handle_signals()
        return message

    def _handle_signals(self) -> None:
        """Take over the server's handlers, which would cut every socket at once; each is called in the end."""
        loop = asyncio.get_running_loop()
        # The server set its handler through the same loop; there is no public way to ask for it.
        known = getattr(loop, "_signal_handlers", {})
        for number in (signal.SIGTERM, signal.SIGINT):
            if (handle := known.get(number)) is not None:
                loop.add_signal_handler(number, self._begin_to_stop, loop, handle._callback, handle._args)

    def _begin_to_stop(self, loop: asyncio.AbstractEventLoop, stop: Any, arguments: Any) -> None:
        if not self.status.is_stopping:
            self.status.is_stopping = True
            self._stop_task = loop.create_task(self._stop(stop, arguments))

    async def _stop(self, stop: Any, arguments: Any) -> None:
        try:
            await self._drain()
            for socket in self._sockets:
                socket.close()
            await asyncio.sleep(CLOSE_GRACE_PERIOD)
        finally:
            stop(*arguments)

    async def _drain(self) -> None:
        """Wait until no event is in flight; what a tab sent meanwhile waits its turn, and is in flight too."""
        deadline = time.monotonic() + DRAIN_TIMEOUT
        await asyncio.sleep(QUIET_PERIOD)
        while self.status.events and (left := deadline - time.monotonic()) > 0:
            await asyncio.wait(set(self.status.events), timeout=left)
            await asyncio.sleep(QUIET_PERIOD)


class SocketProxy:
    """Both ends of one socket, as long as it is open.

    socket.io leaves a closed socket in a circle of references. What it was given here leads to the server's buffers,
    about 130 kB each, which would stay until Python collects the circle; a detached proxy leads nowhere.
    """

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def receive(self) -> Message:
        """The browser's next message; or, when the server stops, that it has gone, so that this side closes.

        The server cuts no socket by itself while somebody listens to it, and would be killed in the end.
        """
        message: asyncio.Future[Message] = asyncio.ensure_future(self._receive())
        either: set[asyncio.Future[Any]] = {message, self._closed}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            return message.result() if message.done() else {"type": "websocket.disconnect", "code": 1012}
        finally:
            message.cancel()

    async def send(self, message: Message) -> None:
        """Send a message to the browser; raises `OSError` once the socket is closed."""
        await self._send(message)

    def close(self) -> None:
        """Let the site take the browser for gone."""
        if not self._closed.done():
            self._closed.set_result(None)

    def detach(self) -> None:
        """Let go of the server's socket."""
        self._receive = self._send = _gone


async def _gone(*_message: Any) -> Any:
    raise OSError("The socket is closed.")
