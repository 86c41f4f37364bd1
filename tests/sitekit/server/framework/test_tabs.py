"""What the events of one socket may send to another one that came with the same token."""

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from reflex.state import StateUpdate
from reflex_base.event.context import EventContext

from sitekit.server.framework import tabs
from sitekit.server.framework.tabs import Gate, LocalTabs

TOKEN, LEFT, CAME = "a tab", "the socket that left", "the socket that came"


class Scene:
    """A tab whose first socket has left, while a second one has come with its token."""

    def __init__(self) -> None:
        self.reached: list[str] = []  # which events' updates were sent to the second socket
        self.namespace = SimpleNamespace(emit_update=self._emit)
        self.tabs = LocalTabs()
        app: Any = SimpleNamespace(event_namespace=self.namespace)
        self.gate = Gate(app, self.tabs)

    async def _emit(self, update: StateUpdate, token: str) -> None:
        assert token == TOKEN
        self.reached.append(next(iter(update.delta)))

    async def send(self, name: str, sid: str) -> None:
        """Something is sent to the tab from an event of a socket, or from none."""
        context: Any = EventContext(token=TOKEN, state_manager=None, enqueue_impl=None, router_data={"sid": sid})  # type: ignore[arg-type]
        with context:
            await self.namespace.emit_update(StateUpdate(delta={name: {}}), TOKEN)

    def play(self, act: Callable[[], Awaitable[None]]) -> list[str]:
        """What reached the second socket."""

        async def run() -> None:
            await self.tabs.link_token_to_sid(TOKEN, LEFT)
            await self.gate.check(TOKEN, LEFT, continues=True)
            await self.tabs.disconnect_token(TOKEN, LEFT)
            await self.tabs.link_token_to_sid(TOKEN, CAME)
            await act()

        asyncio.run(run())
        return self.reached


@pytest.mark.spec("ROLE-4", "SES-1")
@pytest.mark.parametrize(("continues", "reached"), [(True, ["early", "own", "late"]), (False, ["own"])])
def test_updates_from_an_earlier_socket_wait_until_the_new_one_is_checked(continues: bool, reached: list[str]) -> None:
    scene = Scene()

    async def act() -> None:
        await scene.send("early", LEFT)
        assert scene.reached == []
        await scene.gate.check(TOKEN, CAME, continues=continues)
        await scene.send("own", CAME)
        await scene.send("late", LEFT)

    assert scene.play(act) == reached


@pytest.mark.spec("DATA-4")
def test_answers_to_events_of_the_same_socket_are_sent_at_once() -> None:
    scene = Scene()

    async def act() -> None:
        await scene.send("the state cannot be read", CAME)

    assert scene.play(act) == ["the state cannot be read"]


@pytest.mark.spec("ROLE-4")
def test_held_updates_for_an_unidentified_socket_are_limited() -> None:
    scene = Scene()

    async def act() -> None:
        for number in range(200):
            await scene.send(str(number), LEFT)
        await scene.gate.check(TOKEN, CAME, continues=True)

    assert len(scene.play(act)) == tabs.MAX_HELD


@pytest.mark.spec("ROLE-4")
def test_a_departed_socket_is_forgotten_once_its_events_have_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tabs, "DISCONNECT_GRACE_PERIOD", 0)
    scene = Scene()

    async def act() -> None:
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not scene.gate.is_checked(LEFT)

    scene.play(act)
