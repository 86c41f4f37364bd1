"""The register of connected tabs: announces connects and disconnects, and limits which updates a tab gets.

Reflex sends the updates of an event to the socket that has the token of its tab at that moment. A new socket with the
token of a tab that has left is not checked yet, so updates caused by earlier sockets are held until it is.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import reflex as rx
from reflex.state import BaseState, State, StateUpdate
from reflex.utils.token_manager import LocalTokenManager, TokenManager

from .events import current_socket

# How long data of a closed socket is kept, for the events that it started.
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
        """Register a tab; returns a new token if another tab uses this one."""
        new_token = await super().link_token_to_sid(token, sid)  # type: ignore[safe-super]
        for listener in self.joined:
            await listener(new_token or token, sid)
        return new_token

    async def disconnect_token(self, token: str, sid: str) -> None:
        """Remove a tab that has left."""
        await super().disconnect_token(token, sid)  # type: ignore[safe-super]
        for listener in self.left:
            await listener(token, sid)


class LocalTabs(NotifyingTokenManager, LocalTokenManager):
    """The tabs of a single process."""


class Gate:
    """Withholds updates caused by one socket from another, unless both are of the same user's tab.

    Also replaces Reflex's register by ours, for which 0.10.1 has no public interface.
    """

    def __init__(self, app: rx.App, tabs: NotifyingTokenManager) -> None:
        namespace: Any = app.event_namespace
        namespace._token_manager = self._tabs = tabs
        self._emit = namespace.emit_update
        # Whether a socket continues its tab; sockets that are not checked yet are missing.
        self._continues: dict[str, bool] = {}
        self._held: dict[str, list[StateUpdate]] = {}
        namespace.emit_update = self._emit_update
        tabs.left.append(self._drop)

    def is_checked(self, sid: str) -> bool:
        """Whether `check` was called for this socket."""
        return sid in self._continues

    async def check(self, token: str, sid: str, *, continues: bool) -> None:
        """Set whether a socket continues its tab; if so, it gets the updates that were held."""
        self._continues[sid] = continues
        for update in self._held.pop(sid, []):
            if continues:
                await self._emit(update, token)

    async def _emit_update(self, update: StateUpdate, token: str) -> None:
        record = self._tabs.token_to_socket.get(token)
        if record is None or record.instance_id != self._tabs.instance_id or record.sid == current_socket():
            await self._emit(update, token)
        elif not self.is_checked(record.sid):
            updates = self._held.setdefault(record.sid, [])
            if len(updates) < MAX_HELD:
                updates.append(update)
        elif self._continues[record.sid]:
            await self._emit(update, token)

    async def _drop(self, _token: str, sid: str) -> None:
        self._held.pop(sid, None)
        later(self._continues.pop, sid, None)


def all_states(state_class: type[BaseState] = State) -> Iterator[type[BaseState]]:
    """The parts of the state of a tab, the root first."""
    yield state_class
    for child in state_class.get_substates():
        yield from all_states(child)


async def clear_state(state: BaseState) -> None:
    """Empty the whole state of a tab; with Redis, an event has loaded only a part of it."""
    for state_class in all_states():
        await state.get_state(state_class)
    state._get_root_state().reset()  # type: ignore[no-untyped-call]  # Reflex gives it no types


def later(call: Callable[..., Any], *arguments: Any) -> None:
    """Make a call that removes data of a closed socket, once the events that it started have ended."""
    asyncio.get_running_loop().call_later(DISCONNECT_GRACE_PERIOD, call, *arguments)
