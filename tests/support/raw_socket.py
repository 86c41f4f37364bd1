"""A raw connection to the site's event socket, without a browser."""

import json
import queue
import time
import uuid
from typing import Any

import socketio
from websocket import ABNF

NAMESPACE = "/_event"
ROOT_STATE = "reflex___state____state"
NOTICE = f"{ROOT_STATE}.sitekit___ui___feedback____notice_state.show"


class Socket:
    """One connection like a browser's that can send any event."""

    def __init__(self, url: str, token: str = "") -> None:
        self.token = token or str(uuid.uuid4())
        self.heard: queue.Queue[str] = queue.Queue()
        self.everything: list[str] = []
        self._client = socketio.Client(reconnection=False)
        self._client.on("event", self._hear, namespace=NAMESPACE)
        self._client.on("new_token", self._renamed, namespace=NAMESPACE)
        self._client.connect(
            f"{url}?token={self.token}",
            transports=["websocket"],
            socketio_path="/_event",
            namespaces=[NAMESPACE],
            wait_timeout=60,
        )

    def _hear(self, update: Any) -> None:
        text = json.dumps(update)
        self.everything.append(text)
        self.heard.put(text)

    def _renamed(self, token: str) -> None:
        """Use the new token that the server sends if the old one was in use."""
        self.token = token

    def say(self, name: str, /, **payload: Any) -> None:
        """Send one event."""
        self._client.emit("event", _event(name, payload), namespace=NAMESPACE)

    def say_at_once(self, times: int, name: str, /, **payload: Any) -> None:
        """Send an event so many times in one write, so that no busy machine spreads them."""
        text = f"42{NAMESPACE}," + json.dumps(["event", _event(name, payload)])
        frames = (ABNF.create_frame(text, ABNF.OPCODE_TEXT).format() for _ in range(times))
        self._client.eio.ws.sock.sendall(b"".join(frames))  # type: ignore[attr-defined]  # our types do not name it

    def settle(self, seconds: float = 60) -> bool:
        """Wait until all events sent so far have been handled; False if the server has closed the connection."""
        word = uuid.uuid4().hex
        self.say(NOTICE, level="success", text=word)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if not self.is_open:
                return False
            try:
                if word in self.heard.get(timeout=0.2):
                    return True
            except queue.Empty:
                continue
        raise AssertionError("the server did not answer")

    @property
    def is_open(self) -> bool:
        """Whether the connection is open."""
        return bool(self._client.connected)

    def close(self) -> None:
        """Close the connection."""
        self._client.disconnect()


def _event(name: str, payload: dict[str, Any]) -> dict[str, Any]:
    router = {"pathname": "/admin", "asPath": "/admin", "query": {"tab": "users"}}
    return {"name": name, "payload": payload, "router_data": router}
