"""Graceful shutdown: running events end first, then sockets close, then the server stops."""

import asyncio
import signal
import time
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...base.server_status import ServerStatus

# In seconds: the limit for running events, the time without a new event after which all count as ended, and the time
# for closing frames to reach the browsers.
DRAIN_TIMEOUT = 8.0
QUIET_PERIOD = 0.2
CLOSE_GRACE_PERIOD = 0.2


class GracefulShutdown:
    """Counts sockets, and handles stop signals before the server does."""

    def __init__(self, app: ASGIApp, status: ServerStatus) -> None:
        self.app = app
        self.status = status
        self._sockets: set[SocketProxy] = set()
        self._stop_task: asyncio.Task[None] | None = None  # keeps a reference to the running task

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass requests on; refuse new sockets while the server is stopping."""
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
        """Replace the server's signal handlers, which would close all sockets at once; they are called at the end."""
        loop = asyncio.get_running_loop()
        # The server has set its handlers on the same loop; there is no public API to read them.
        handlers = getattr(loop, "_signal_handlers", {})
        for number in (signal.SIGTERM, signal.SIGINT):
            if (handle := handlers.get(number)) is not None:
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
        """Wait until no event is running, including events that tabs have queued meanwhile."""
        deadline = time.monotonic() + DRAIN_TIMEOUT
        await asyncio.sleep(QUIET_PERIOD)
        while self.status.events and (left := deadline - time.monotonic()) > 0:
            await asyncio.wait(set(self.status.events), timeout=left)
            await asyncio.sleep(QUIET_PERIOD)


class SocketProxy:
    """The receive and send functions of one open socket.

    socket.io leaves a closed socket in a reference cycle. It would keep the server's buffers, about 130 kB per socket,
    until the garbage collector runs; a detached proxy holds no reference to them.
    """

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def receive(self) -> Message:
        """The browser's next message; `websocket.disconnect` when the server stops, so that the app closes the socket.

        The server does not close a socket while the app receives from it, and would be killed at the end.
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
        """Make `receive` report a disconnect."""
        if not self._closed.done():
            self._closed.set_result(None)

    def detach(self) -> None:
        """Drop the references to the server's socket."""
        self._receive = self._send = _raise_closed


async def _raise_closed(*_message: Any) -> Any:
    raise OSError("The socket is closed.")
