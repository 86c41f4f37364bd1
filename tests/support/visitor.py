"""A visitor's tab without a browser: a real socket with Reflex's protocol, light enough for hundreds."""

import asyncio
import base64
import json
import secrets
import struct
import time
import uuid
from typing import Any
from urllib.parse import urlsplit

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Gone(Exception):
    """The socket was closed, or was never opened."""


HYDRATE = "reflex___state____state.hydrate_and_load"
KEPT = "stored_session_rx_state_"


class Visitor:
    """One tab. Its token is kept when the socket is lost: another `connect` continues with the same state.

    With a path, each connection begins like a browser's: with the event that loads that page. Without one, it sends
    nothing by itself, unless it has a session.
    """

    def __init__(self, url: str, address: str = "", path: str = "") -> None:
        self.url, self.address, self.path = url, address, path
        self.origin = url  # the page the socket belongs to
        self.token = str(uuid.uuid4())
        self.vars: dict[str, Any] = {}
        self.kept: dict[str, str] = {}  # in the browser's storage
        self.asked: list[dict[str, Any]] = []  # events from the server for the browser
        self.lost_at: float | None = None
        self.was_dismissed = False  # disconnected by the server, after which a browser does not reconnect
        self._cookies: dict[str, str] = {}
        self._changed = asyncio.Event()
        self._listener: asyncio.Task[None] | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def connect(self, seconds: float = 60.0) -> None:
        """Open the socket; raises `Gone`."""
        try:
            async with asyncio.timeout(seconds):
                await self._open()
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            raise Gone(str(error)) from error
        finally:
            if self._listener is None or self._listener.done():
                # Close a failed socket, as a browser does: the server would take it for the tab.
                self._hang_up()

    def _hang_up(self) -> None:
        if self._writer is not None:
            self._writer.close()

    async def _open(self) -> None:
        parts = urlsplit(self.url)
        self._reader, self._writer = await asyncio.open_connection(parts.hostname, parts.port or 80)
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        more = f"X-Forwarded-For: {self.address}\r\n" if self.address else ""
        if self._cookies:
            more += "Cookie: " + "; ".join(f"{name}={value}" for name, value in self._cookies.items()) + "\r\n"
        self._writer.write(
            f"GET /_event/?token={self.token}&EIO=4&transport=websocket HTTP/1.1\r\nHost: {parts.netloc}\r\n"
            f"Origin: {self.origin}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Version: 13\r\nUser-Agent: visitor\r\n{more}\r\n".encode()
        )
        answer = await self._reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in answer.split(b"\r\n")[0]:
            raise Gone(answer.split(b"\r\n")[0].decode())
        for line in answer.decode("latin-1").split("\r\n"):
            if line.lower().startswith("set-cookie:"):
                name, _, value = line.partition(":")[2].split(";")[0].strip().partition("=")
                self._cookies[name] = value
        await self._read()  # engine.io's open packet
        hydrate = self._event(HYDRATE, self.path or "/", payload={"vars": self.kept})
        first = {"event": hydrate} if self.path or self.kept else None
        await self._write("40/_event," + (json.dumps(first) if first else ""))
        while not (text := await self._read()).startswith("40/_event"):
            self._hear(text)
        self.lost_at = None
        self._listener = asyncio.create_task(self._listen())

    async def _write(self, text: str, kind: int = TEXT) -> None:
        body, mask = text.encode(), secrets.token_bytes(4)
        size = len(body)
        head = bytes([0x80 | kind]) + (
            bytes([0x80 | size])
            if size < 126
            else b"\xfe" + struct.pack(">H", size)
            if size < 65536
            else b"\xff" + struct.pack(">Q", size)
        )
        whole = mask * (size // 4 + 1)
        masked = (int.from_bytes(body) ^ int.from_bytes(whole[:size])).to_bytes(size) if size else b""
        assert self._writer is not None
        self._writer.write(head + mask + masked)
        await self._writer.drain()

    async def _read(self) -> str:
        """The next text message; answers pings of both protocols."""
        message = b""
        while True:
            first, second = await self._reader.readexactly(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack(">H", await self._reader.readexactly(2))
            elif size == 127:
                (size,) = struct.unpack(">Q", await self._reader.readexactly(8))
            body = await self._reader.readexactly(size)
            kind = first & 0x0F
            if kind == CLOSE:
                raise Gone("closed by the server")
            if kind == PING:
                await self._write(body.decode("latin-1"), PONG)
                continue
            if kind == PONG:
                continue
            message += body
            if not first & 0x80:
                continue
            text, message = message.decode(), b""
            if text != "2":
                return text
            await self._write("3")

    async def _listen(self) -> None:
        try:
            while True:
                self._hear(await self._read())
        except (Gone, OSError, asyncio.IncompleteReadError):
            self.lost_at = time.monotonic()
        finally:
            self._hang_up()
            self._changed.set()

    def _hear(self, text: str) -> None:
        if text.startswith("41/_event"):
            self.was_dismissed = True
            raise Gone("dismissed by the server")
        if text.startswith("42/_event,"):
            name, *arguments = json.loads(text.removeprefix("42/_event,"))
            self._take(name, arguments)

    def _take(self, name: str, arguments: list[Any]) -> None:
        if name == "new_token":
            self.token = arguments[0]
        elif name == "event":
            update = arguments[0] if isinstance(arguments[0], dict) else json.loads(arguments[0])
            for state, values in (update.get("delta") or {}).items():
                short = state.split(".")[-1].split("____")[-1]
                if values.get(KEPT):
                    self.kept[f"{state}.{KEPT}"] = values[KEPT]
                self.vars |= {f"{short}.{var.removesuffix('_rx_state_')}": value for var, value in values.items()}
            self.asked += update.get("events") or []
        self._changed.set()

    async def send(self, event: str, path: str = "/", query: dict[str, str] | None = None, **payload: Any) -> None:
        """Send an event by its full name; raises `Gone`."""
        if self._listener is None or self._listener.done():
            raise Gone("not connected")
        try:
            await self._write("42/_event," + json.dumps(["event", self._event(event, path, query, payload)]))
        except OSError as error:
            raise Gone(str(error)) from error

    def _event(
        self, name: str, path: str, query: dict[str, str] | None = None, payload: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        router = {"pathname": path, "asPath": path, "query": query or {}}
        return {"name": name, "payload": payload or {}, "router_data": router, "token": self.token}

    async def until(self, var: str, *values: Any, seconds: float = 60.0) -> Any:
        """Wait until a var arrives, or has one of the values; raises `Gone` or `TimeoutError`."""
        async with asyncio.timeout(seconds):
            while True:
                self._changed.clear()
                if var in self.vars and (not values or self.vars[var] in values):
                    return self.vars[var]
                if self._listener is None or self._listener.done():
                    raise Gone("lost while waiting")
                await self._changed.wait()

    async def close(self) -> None:
        """Disconnect, like a closed tab."""
        if self._listener:
            self._listener.cancel()
            # Not awaited directly, because its cancellation could not be told from that of this task.
            await asyncio.wait([self._listener])
