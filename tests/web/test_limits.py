"""Limits of the live connection: sockets per network."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from advisory_site.settings import get_settings
from advisory_site.web.limits import SocketLimits


class Client:
    """One websocket: what it sends, and what it is sent."""

    def __init__(self, address: str) -> None:
        self.scope = {"type": "websocket", "headers": [], "client": (address, 1)}
        self.sent: list[dict[str, Any]] = []
        self.messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.messages.put_nowait({"type": "websocket.connect"})

    async def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    @property
    def close_code(self) -> int | None:
        """The code that the socket was refused or ended with."""
        return next((message["code"] for message in self.sent if message["type"] == "websocket.close"), None)


async def echo(_scope: Any, receive: Any, send: Any) -> None:
    """An application that keeps its socket open until the client leaves, and sends back what it gets."""
    while (message := await receive())["type"] != "websocket.disconnect":
        await send({"type": "websocket.send", "text": message.get("text")})


@asynccontextmanager
async def connected(app: SocketLimits, *addresses: str) -> AsyncIterator[list[Client]]:
    """Sockets from these addresses, open until the block ends."""
    clients = [Client(address) for address in addresses]
    tasks = [asyncio.create_task(app(client.scope, client.messages.get, client.send)) for client in clients]
    while not all(client.sent for client in clients):
        await asyncio.sleep(0)
    yield clients
    for client in clients:
        client.messages.put_nowait({"type": "websocket.disconnect"})
    await asyncio.gather(*tasks)


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes the limits with these settings."""

    def make(**settings: str) -> SocketLimits:
        for name, value in settings.items():
            monkeypatch.setenv(f"ADVISORY_{name}", value)
        get_settings.cache_clear()
        return SocketLimits(echo)

    yield make
    monkeypatch.undo()
    get_settings.cache_clear()


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize(
    ("addresses", "codes"),
    [
        (("203.0.113.7",) * 3, [None, None, 1013]),
        (("2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:ffff::"), [None, None, 1013]),
        (("2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:3::1"), [None, None, None]),
    ],
)
def test_a_network_holds_so_many_sockets_and_no_more(
    limited: Any, addresses: tuple[str, ...], codes: list[int | None]
) -> None:
    async def run() -> list[int | None]:
        app = limited(SOCKETS_PER_ADDRESS="2")
        async with connected(app, *addresses) as clients:
            found = [client.close_code for client in clients]
        async with connected(app, *addresses[:2]) as again:
            assert [client.close_code for client in again] == [None, None], "closed sockets are still counted"
        return found

    assert asyncio.run(run()) == codes
