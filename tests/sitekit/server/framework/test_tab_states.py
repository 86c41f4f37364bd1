"""When the state of a tab is forgotten: never while it is connected, and soon after it has left.

Also which parts of it are kept between events: those whose values are not the defaults.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State

from advisory_site import routes
from advisory_site.companies.admin import CompanyImportState
from advisory_site.companies.public import CompanyListState
from sitekit.app.site_app import SiteApp
from sitekit.base import paths
from sitekit.server.framework import tab_states
from sitekit.server.framework.events import HYDRATE_AND_LOAD
from sitekit.server.framework.tab_states import TabStates
from tests.support.event_client import EventClient


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
def test_a_connected_client_keeps_its_state_while_silent(play: Play) -> None:
    async def act(scene: Scene) -> None:
        await scene.come("writer")
        for _ in range(5):
            assert await scene.after(3000) == {"writer"}

    play(act)


@pytest.mark.spec("ROLE-4")
def test_the_state_of_a_departed_visitor_is_dropped_within_a_minute(play: Play) -> None:
    async def act(scene: Scene) -> None:
        await scene.come("stranger")
        await scene.leave("stranger")
        assert await scene.after(40) == {"stranger"}
        assert await scene.after(10) == set()
        assert not scene.states._token_expires_at and not scene.states._states_locks

    play(act)


@pytest.mark.spec("SES-1")
def test_the_state_of_a_signed_in_client_is_kept_for_an_hour(play: Play) -> None:
    async def act(scene: Scene) -> None:
        scene.signed_in.add("staff")
        await scene.come("staff")
        await scene.leave("staff")
        assert await scene.after(3500) == {"staff"}
        assert await scene.after(200) == set()

    play(act)


@pytest.mark.spec("SES-1")
def test_a_client_that_returns_in_time_keeps_its_state(play: Play) -> None:
    async def act(scene: Scene) -> None:
        await scene.come("visitor")
        await scene.leave("visitor")
        await scene.after(40)
        await scene.come("visitor")
        assert await scene.after(3000) == {"visitor"}

    play(act)


@pytest.mark.spec("ROLE-4")
def test_kept_states_of_departed_clients_are_limited(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_state_in_use_by_an_event_is_not_dropped(play: Play) -> None:
    async def act(scene: Scene) -> None:
        await scene.come("sender")
        async with scene.states.modify_state(BaseStateToken(ident="sender", cls=State)):
            await scene.leave("sender")
            assert await scene.after(50) == {"sender"}
        assert await scene.after(50) == set()

    play(act)


@pytest.mark.spec("ROLE-4")
def test_a_late_event_of_a_departed_client_creates_no_lasting_state(play: Play) -> None:
    async def act(scene: Scene) -> None:
        await scene.come("sender")
        await scene.leave("sender")
        assert await scene.after(50) == set()
        await scene.event("sender")
        assert await scene.after(40) == {"sender"}
        assert await scene.after(10) == set()

    play(act)


@pytest.mark.spec("ROLE-4")
def test_the_site_uses_this_state_manager(app: SiteApp) -> None:
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


@pytest.mark.parametrize(
    ("page", "kept"), [(paths.PRIVACY, set()), (routes.CONTACT, {"ContactState", "PartnersState"})]
)
def test_a_client_state_keeps_only_substates_with_their_own_values(tab: EventClient, page: str, kept: set[str]) -> None:
    tab.send(HYDRATE_AND_LOAD, path=page)
    (root,) = tab._manager.states.values()
    assert {type(part).__name__ for _, part in root.substates.items()} == kept


def test_values_set_by_an_event_are_kept_for_the_next(play: Play) -> None:
    """In a var from a mixin, in one that stays on the server, and in one that was changed in place."""

    async def act(scene: Scene) -> None:
        token = BaseStateToken(ident="tab", cls=State)
        async with scene.states.modify_state(token) as state:
            part = await state.get_state(CompanyImportState)
            part.file_name, part._file_id = "companies.csv", "an id"
            part.rows.append("a row")
            state._clean()
        assert list(scene.states.states["tab"].substates) == [CompanyImportState.get_name()]
        async with scene.states.modify_state(token) as state:
            part = await state.get_state(CompanyImportState)
            assert (part.file_name, part._file_id, part.rows) == ("companies.csv", "an id", ["a row"])

    play(act)


def test_an_event_can_reach_every_substate(play: Play) -> None:
    async def act(scene: Scene) -> None:
        await scene.event("tab")
        assert not scene.states.states["tab"].substates
        async with scene.states.modify_state(BaseStateToken(ident="tab", cls=State)) as state:
            part = await state.get_state(CompanyListState)
            assert {type(one) for one in state.substates.values()} == State.get_substates()
            assert "no_state" not in state.substates
            assert part.get_value("list_title") == ""
            part.is_unavailable = True
            assert state.dirty_substates == {part.get_name()}

    play(act)


def test_an_unsent_change_is_kept(play: Play) -> None:
    async def act(scene: Scene) -> None:
        token = BaseStateToken(ident="tab", cls=State)
        async with scene.states.modify_state(token) as state:
            part = await state.get_state(CompanyImportState)
            part.error = part.error
        assert scene.states.states["tab"].substates[part.get_name()].dirty_vars == {"error"}

    play(act)
