"""When the state of a tab is forgotten: never while it is connected, and soon after it has left."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State

from advisory_site.asgi import Site
from advisory_site.framework import tab_states
from advisory_site.framework.tab_states import TabStates


class Scene:
    """The states of a process, and a clock that is moved by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.connected: set[str] = set()
        self.signed_in: set[str] = set()
        self.states = TabStates(  # type: ignore[abstract, unused-ignore]  # Reflex defines them by overloads
            is_connected=self.connected.__contains__, is_signed_in=self.signed_in.__contains__, token_expiration=3600
        )
        self.late = 0.0
        monotonic, wall, sleep = time.monotonic, time.time, asyncio.sleep
        monkeypatch.setattr(time, "monotonic", lambda: monotonic() + self.late)
        monkeypatch.setattr(time, "time", lambda: wall() + self.late)
        monkeypatch.setattr(asyncio, "sleep", lambda _: sleep(0))

    async def event(self, token: str) -> None:
        """An event uses the state of a tab."""
        async with self.states.modify_state(BaseStateToken(ident=token, cls=State)):
            pass

    async def come(self, token: str) -> None:
        self.connected.add(token)
        await self.states.joined(token, token)
        await self.event(token)

    async def leave(self, token: str) -> None:
        self.connected.discard(token)
        await self.states.left(token, token)

    async def after(self, seconds: float) -> set[str]:
        """Let time pass; returns whose states are still there."""
        self.late += seconds
        sweeping = asyncio.create_task(self.states.keep())
        for _ in range(5):
            await asyncio.sleep(0)
        sweeping.cancel()
        self.states._purge_expired_tokens()
        held: set[str] = set(self.states.states)
        assert held <= set(self.states._token_expires_at)
        assert set(self.states._states_locks) <= held
        return held


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Scene], Awaitable[None]]], None]:
    """Plays a scene to its end."""

    def run(act: Callable[[Scene], Awaitable[None]]) -> None:
        async def whole() -> None:
            scene = Scene(monkeypatch)
            await act(scene)
            await scene.states.close()  # type: ignore[no-untyped-call]  # Reflex gives it no types

        asyncio.run(whole())

    return run


Play = Callable[[Callable[[Scene], Awaitable[None]]], None]


@pytest.mark.spec("SES-1")
def test_a_connected_tab_keeps_its_state_however_long_it_is_silent(play: Play) -> None:
    async def act(scene: Scene) -> None:
        await scene.come("writer")
        for _ in range(5):
            assert await scene.after(3000) == {"writer"}

    play(act)


@pytest.mark.spec("ROLE-4")
def test_a_stranger_who_left_is_forgotten_within_a_minute(play: Play) -> None:
    async def act(scene: Scene) -> None:
        await scene.come("stranger")
        await scene.leave("stranger")
        assert await scene.after(40) == {"stranger"}
        assert await scene.after(10) == set()
        assert not scene.states._token_expires_at and not scene.states._states_locks

    play(act)


@pytest.mark.spec("SES-1")
def test_who_is_signed_in_finds_the_tab_for_an_hour(play: Play) -> None:
    async def act(scene: Scene) -> None:
        scene.signed_in.add("staff")
        await scene.come("staff")
        await scene.leave("staff")
        assert await scene.after(3500) == {"staff"}
        assert await scene.after(200) == set()

    play(act)


@pytest.mark.spec("SES-1")
def test_who_comes_back_in_time_keeps_the_state(play: Play) -> None:
    async def act(scene: Scene) -> None:
        await scene.come("visitor")
        await scene.leave("visitor")
        await scene.after(40)
        await scene.come("visitor")
        assert await scene.after(3000) == {"visitor"}

    play(act)


@pytest.mark.spec("ROLE-4")
def test_of_those_who_left_only_so_many_are_kept_and_nobody_who_is_there_goes_for_them(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tab_states, "MOST_KEPT", 3)

    async def act(scene: Scene) -> None:
        scene.signed_in.add("staff")
        for token in ("staff", "here"):
            await scene.come(token)
        await scene.leave("staff")
        for number in range(10):
            await scene.come(str(number))
            await scene.leave(str(number))
        assert await scene.after(0) == {"staff", "here", "7", "8", "9"}

    play(act)


@pytest.mark.spec("DATA-4")
def test_a_state_that_an_event_is_at_work_on_is_not_taken_away(play: Play) -> None:
    async def act(scene: Scene) -> None:
        await scene.come("sender")
        async with scene.states.modify_state(BaseStateToken(ident="sender", cls=State)):
            await scene.leave("sender")
            assert await scene.after(50) == {"sender"}
        assert await scene.after(50) == set()

    play(act)


@pytest.mark.spec("ROLE-4")
def test_an_event_that_comes_after_all_makes_no_state_that_stays(play: Play) -> None:
    async def act(scene: Scene) -> None:
        await scene.come("sender")
        await scene.leave("sender")
        assert await scene.after(50) == set()
        await scene.event("sender")
        assert await scene.after(40) == {"sender"}
        assert await scene.after(10) == set()

    play(act)


@pytest.mark.spec("ROLE-4")
def test_the_site_keeps_its_states_so(app: Site) -> None:
    sid, token, states = "a socket", "a tab", app.state_manager
    assert isinstance(states, TabStates)

    async def run() -> None:
        await app.tabs.link_token_to_sid(token, sid)
        assert states.is_connected(token)
        await app.tabs.disconnect_token(token, sid)
        assert token in states._left[False]

    assert app.gate.is_checked(sid) is False
    asyncio.run(run())
    states._drop(token)
