"""The register of connected tabs: tells who comes and goes, and what may be sent to a tab.

Reflex sends what an event does to whoever holds the token of its tab at that moment. A socket that has just come with
the token of a tab that left has proved nothing yet, so what earlier sockets' events send waits until it has.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import reflex as rx
from reflex.state import BaseState, State, StateUpdate
from reflex.utils.token_manager import LocalTokenManager, TokenManager

from .events import current_socket

# How long a socket that has gone is remembered, for the events that it set off.
DISCONNECT_GRACE_PERIOD = 60.0
MAX_HELD = 50

Listener = Callable[[str, str], Awaitable[None]]


class NotifyingTokenManager(TokenManager):
    """Calls listeners with the token and the socket's id when a tab connects and when it leaves."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)  # type: ignore[no-untyped-call]
        self.joined: list[Listener] = []
        self.left: list[Listener] = []

    async def link_token_to_sid(self, token: str, sid: str) -> str | None:
        """Register a tab; returns a new token where the token is in use by another tab."""
        new_token = await super().link_token_to_sid(token, sid)  # type: ignore[safe-super]
        for listener in self.joined:
            await listener(new_token or token, sid)
        return new_token

    async def disconnect_token(self, token: str, sid: str) -> None:
        """Forget a tab that has left."""
        await super().disconnect_token(token, sid)  # type: ignore[safe-super]
        for listener in self.left:
            await listener(token, sid)


class LocalTabs(NotifyingTokenManager, LocalTokenManager):
    """The tabs of a single process."""


class Gate:
    """Holds updates caused by one socket back from another, unless that belongs to the same person's tab.

    Also puts the register in the place of Reflex's, which 0.10.1 gives no other way to exchange.
    """

    def __init__(self, app: rx.App, tabs: NotifyingTokenManager) -> None:
        namespace: Any = app.event_namespace
        namespace._token_manager = self._tabs = tabs
        self._emit = namespace.emit_update
        # Whether a socket goes on with the tab as it was left; sockets that nobody has judged yet are missing.
        self._goes_on: dict[str, bool] = {}
        self._held: dict[str, list[StateUpdate]] = {}
        namespace.emit_update = self._emit_update
        tabs.left.append(self._forget)

    def is_judged(self, sid: str) -> bool:
        """Whether it has been decided that this socket may get earlier updates."""
        return sid in self._goes_on

    async def judge(self, token: str, sid: str, *, goes_on: bool) -> None:
        """Decide whether a socket continues its tab, and so gets the updates that were held."""
        self._goes_on[sid] = goes_on
        for update in self._held.pop(sid, []):
            if goes_on:
                await self._emit(update, token)

    async def _emit_update(self, update: StateUpdate, token: str) -> None:
        record = self._tabs.token_to_socket.get(token)
        if record is None or record.instance_id != self._tabs.instance_id or record.sid == current_socket():
            await self._emit(update, token)
        elif not self.is_judged(record.sid):
            held = self._held.setdefault(record.sid, [])
            if len(held) < MAX_HELD:
                held.append(update)
        elif self._goes_on[record.sid]:
            await self._emit(update, token)

    async def _forget(self, _token: str, sid: str) -> None:
        self._held.pop(sid, None)
        later(self._goes_on.pop, sid, None)


def all_states(kind: type[BaseState] = State) -> Iterator[type[BaseState]]:
    """The parts of the state of a tab, the root first."""
    yield kind
    for child in kind.get_substates():
        yield from all_states(child)


async def clear_state(state: BaseState) -> None:
    """Empty the whole state of a tab; with Redis, an event has only a part of it at hand."""
    for kind in all_states():
        await state.get_state(kind)
    state._get_root_state().reset()  # type: ignore[no-untyped-call]  # Reflex gives it no types


def later(call: Callable[..., Any], *arguments: Any) -> None:
    """Forget something about a socket that has left, once the events that it set off have ended."""
    asyncio.get_running_loop().call_later(DISCONNECT_GRACE_PERIOD, call, *arguments)
