"""Limits of the live connection: what they stop, and that honest visitors never meet them."""

import asyncio
import re
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

import sitekit
from sitekit.app.site_app import SiteApp
from sitekit.server.http import socket_limits
from sitekit.server.http.socket_limits import SocketLimits
from tests.support.frames import EVENT, packet

JOIN = packet(0, {"event": EVENT})
SEND = packet(2, ["event", EVENT])


class Client:
    """One websocket: what it sends, and what it is sent."""

    def __init__(self, address: str, token: str | None = None) -> None:
        query = f"token={token or uuid.uuid4()}&EIO=4&transport=websocket".encode()
        self.scope = {"type": "websocket", "headers": [], "client": (address, 1), "query_string": query}
        self.received: list[str] = []  # by the application
        self.refused_with: int | None = None
        self.accepted_as: str | None = None
        self.messages: asyncio.Queue[Message] = asyncio.Queue()
        self.messages.put_nowait({"type": "websocket.connect"})

    def say(self, *texts: str) -> None:
        """Send frames."""
        for text in texts:
            self.messages.put_nowait({"type": "websocket.receive", "text": text})

    async def run(self, app: SocketLimits) -> None:
        """The socket from beginning to end."""
        await app(self.scope, self.messages.get, self._send)

    async def _send(self, message: Message) -> None:
        if message["type"] == "websocket.accept":
            self.accepted_as = message["subprotocol"]
        elif message["type"] == "websocket.close":
            self.refused_with = message["code"]
        elif message.get("text") is not None:
            self.received.append(message["text"])


async def echo(_scope: Scope, receive: Receive, send: Send) -> None:
    """An application that keeps its socket open until the client leaves or is ended, and sends back what it gets."""
    while (message := await receive())["type"] != "websocket.disconnect":
        await send({"type": "websocket.send", "text": message.get("text")})


async def settle() -> None:
    """Let everybody go on until they wait for something."""
    for _ in range(20):
        await asyncio.sleep(0)


@asynccontextmanager
async def connected(app: SocketLimits, *clients: Client) -> AsyncIterator[list[asyncio.Task[None]]]:
    """These sockets, open until the block ends."""
    tasks = [asyncio.create_task(client.run(app)) for client in clients]
    await settle()
    yield tasks
    for client in clients:
        client.messages.put_nowait({"type": "websocket.disconnect"})
    await asyncio.gather(*tasks)


def limited(*signed_in: str, **limits: int) -> SocketLimits:
    """The limits of the default settings, but for these; tabs with these tokens are signed in."""
    return SocketLimits(echo, **{"most": 1500, "per_network": 400} | limits, is_signed_in=signed_in.__contains__)


class Clock:
    """A clock that stands still until it is told, and the pauses that were made; while it `passes`, they take time."""

    def __init__(self) -> None:
        self.moment = 1000.0
        self.pauses: list[float] = []
        self.passes = True

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.moment += seconds * self.passes


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock that the limits look at; their pauses take no time."""
    clock = Clock()
    monkeypatch.setattr(time, "monotonic", lambda: clock.moment)
    monkeypatch.setattr(socket_limits, "sleep", clock.sleep)
    return clock


def refusals(app: SocketLimits, *addresses: str) -> list[bool]:
    """Which of these sockets, opened one after the other and kept, are refused."""

    async def run() -> list[bool]:
        clients = [Client(address) for address in addresses]
        async with connected(app, *clients):
            return [client.refused_with == 1013 for client in clients]

    return asyncio.run(run())


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize(
    ("addresses", "refused"),
    [
        (("203.0.113.7",) * 3, [False, False, True]),
        (("2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:ffff::"), [False, False, True]),
        (("2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:3::1"), [False, False, False]),
    ],
)
def test_open_sockets_are_limited_per_network(clock: Clock, addresses: tuple[str, ...], refused: list[bool]) -> None:
    app = limited(per_network=2)
    assert refusals(app, *addresses) == refused
    clock.moment += 3600
    assert refusals(app, *addresses) == refused, "closed sockets are still counted"


@pytest.mark.spec("SAY-3")
def test_a_socket_over_the_limit_is_accepted_only_to_send_the_reason(clock: Clock) -> None:
    async def refused(app: SocketLimits) -> Client:
        clients = [Client("203.0.113.7") for _ in range(2)]
        clients[1].scope["subprotocols"] = ["0.10.1"]
        async with connected(app, *clients):
            assert clients[1].refused_with == 1013
            return clients[1]

    assert asyncio.run(refused(limited(per_network=1))).accepted_as == "0.10.1"
    often = limited()
    often._network("203.0.113.7").connects.at_once = 1
    assert asyncio.run(refused(often)).accepted_as is None


@pytest.mark.spec("ROLE-4")
def test_sockets_are_limited_per_process_and_a_few_networks_cannot_use_all() -> None:
    app = limited(most=100, per_network=50)
    strangers = [f"203.0.113.{number}" for number in range(3) for _ in range(60)]
    newcomer = "198.51.100.1"
    held = refusals(app, *strangers, newcomer)
    assert held[:60].count(False) == 33, "one network holds as much as it leaves for two others"
    assert held[-1] is False
    crowd = refusals(app, *(f"2001:db8:0:{number:x}::1" for number in range(120)))
    assert crowd == [False] * 100 + [True] * 20


@pytest.mark.spec("ROLE-4")
def test_accepted_connections_are_rate_limited_per_network(clock: Clock) -> None:
    app = limited(per_network=20)
    come_and_go = [refusals(app, "203.0.113.7")[0] for _ in range(40)]
    assert come_and_go == [False] * 20 + [True] * 20
    assert refusals(app, "203.0.113.8") == [False]
    clock.moment += 5
    assert refusals(app, "203.0.113.7") == [False]
    assert refusals(app, "203.0.113.7") == [True]


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("query", [b"", b"token=", b"token=x", b"token=" + b"a" * 36, b"token=*&token=*"])
def test_a_socket_without_a_client_token_is_refused(query: bytes) -> None:
    client = Client("203.0.113.7")
    client.scope["query_string"] = query.replace(b"*", str(uuid.uuid4()).encode())
    asyncio.run(client.run(limited()))
    assert client.refused_with == 1013


@pytest.mark.spec("ROLE-4")
def test_a_socket_that_never_sends_an_event_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_limits, "FIRST_EVENT_WITHIN", 0.05)

    async def run() -> list[bool]:
        app, clients = limited(), [Client("203.0.113.7") for _ in range(4)]
        page, late, pong, joined = clients
        pong.say("3", "3")
        joined.say("40/_event,")
        page.say(JOIN)
        late.say("40/_event,", SEND)
        tasks = [asyncio.create_task(client.run(app)) for client in clients]
        await asyncio.wait(tasks[2:], timeout=30)
        ended = [task.done() for task in tasks]
        for task in tasks:
            task.cancel()
        return ended

    assert asyncio.run(run()) == [False, False, True, True]


@pytest.mark.spec("ROLE-4")
def test_a_socket_that_sends_too_much_at_once_is_closed(clock: Clock) -> None:
    async def run() -> tuple[int, bool]:
        client = Client("203.0.113.7")
        client.say(JOIN, *[SEND] * 200)
        async with connected(limited(), client) as (task,):
            await asyncio.wait([task])
            return client.received.count(SEND), task.done()

    assert asyncio.run(run()) == (79, True)
    assert clock.pauses == []


@pytest.mark.spec("ROLE-4")
def test_events_of_a_network_are_delayed_until_the_wait_would_be_too_long(clock: Clock) -> None:
    async def run() -> tuple[int, list[bool]]:
        # 60 events at once, and one per second; this time nobody's pause helps the others.
        clock.passes = False
        app, clients = limited(per_network=10), [Client("203.0.113.7") for _ in range(8)]
        async with connected(app, *clients) as tasks:
            for client in clients:
                client.say(JOIN, *[SEND] * 9)
                await settle()
            return sum(len(client.received) for client in clients), [task.done() for task in tasks]

    assert asyncio.run(run()) == (70, [False] * 7 + [True])
    assert clock.pauses == list(range(1, 11))


@pytest.mark.spec("ROLE-4", "SAY-3")
@pytest.mark.parametrize(
    ("letters", "is_signed_in", "taken"),
    [(60_000, False, 1), (70_000, False, 0), (70_000, True, 1), (4_000_000, True, 1), (4_200_000, True, 0)],
)
def test_only_users_who_are_signed_in_may_send_a_long_form(letters: int, is_signed_in: bool, taken: int) -> None:
    token = str(uuid.uuid4())
    long = packet(2, ["event", EVENT | {"payload": {"text": "x" * letters}}])

    async def run() -> int:
        client = Client("203.0.113.7", token)
        client.say(JOIN, long)
        async with connected(limited(*[token] * is_signed_in), client):
            return client.received.count(long)

    assert asyncio.run(run()) == taken


@pytest.mark.spec("SAY-3")
def test_browsers_never_send_an_event_that_the_server_does_not_take(app: SiteApp) -> None:
    script = (Path(sitekit.__file__).parent / "server/framework/js/live_socket.js").read_text()
    sent = {
        name: int(number.replace("_", "")) for name, number in re.findall(r"const (LARGEST\w*) = ([\d_]+);", script)
    }
    assert sent["LARGEST"] < socket_limits.MAX_EVENT_BYTES
    assert app.sio
    assert sent["LARGEST_OF_STAFF"] < socket_limits.MAX_FORM_BYTES < app.sio.eio.max_http_buffer_size


PEOPLE, TABS, EVENTS_OF_A_START = 40, 5, 4


@pytest.mark.spec("ROLE-4", "SES-1")
def test_forty_people_behind_one_address_stay_within_the_limits(clock: Clock) -> None:
    """Five tabs each; all come in the morning, work, and come back twice when two servers are restarted in turn."""

    async def run() -> None:
        app = limited()

        def arrive() -> list[Client]:
            tabs = [Client("203.0.113.7") for _ in range(PEOPLE * TABS)]
            for tab in tabs:
                tab.say(JOIN, *[SEND] * EVENTS_OF_A_START)
            return tabs

        for _ in range(2):
            tabs = arrive()
            async with connected(app, *tabs) as tasks:
                # The old connections may stand for a while after a lost line: nobody has told the server yet.
                again = arrive()
                async with connected(app, *again) as more:
                    assert not any(task.done() for task in (*tasks, *more))
                for _ in range(60):
                    clock.moment += 1
                    # All look at one of their tabs, which asks every 30 s; ten type into a search.
                    for tab in tabs[:: TABS * 2]:
                        tab.say(SEND)
                    for tab in tabs[:50:TABS]:
                        tab.say(SEND, SEND)
                    await settle()
                assert not any(task.done() for task in tasks)
                assert sum(len(tab.received) for tab in tabs) == PEOPLE * TABS * (1 + EVENTS_OF_A_START) + 60 * 40
            clock.moment += 60

    asyncio.run(run())
    assert clock.pauses == []


@pytest.mark.spec("SES-1")
def test_a_cut_connection_is_dropped_within_a_minute(app: SiteApp) -> None:
    assert app.sio and app.sio.eio.ping_interval + app.sio.eio.ping_timeout == 45
