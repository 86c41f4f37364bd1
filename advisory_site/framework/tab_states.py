"""Keeps the state of a tab in memory while the tab is connected, and for a limited time afterwards.

Reflex deletes a state an hour after its last event, whether its tab is connected or not: too late after short visits,
and too early for visitors who read or write for longer.
"""

import asyncio
import dataclasses
import time
from collections.abc import Callable
from typing import Any

import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.token import StateToken

# A tab that lost its connection connects again within seconds. One that takes longer gets a new state; what was typed
# is not lost, because the page has it.
STATE_LIFETIME = 45
SIGNED_IN_STATE_LIFETIME = 3600
# Of each of the two kinds. If more tabs leave in that time, the states of the first ones are deleted earlier.
MOST_KEPT = 300
SWEEP_INTERVAL = 5.0


@dataclasses.dataclass
class TabStates(StateManagerMemory):
    """The states of all tabs of this process; `is_signed_in`: whether a socket's session belongs to a user."""

    is_connected: Callable[[str], bool] = dataclasses.field(kw_only=True)
    is_signed_in: Callable[[str], bool] = dataclasses.field(kw_only=True)
    # Until when to keep the states of tabs that have left, by token, in the order in which they left; separately for
    # signed-in users.
    _left: dict[bool, dict[str, float]] = dataclasses.field(init=False, default_factory=lambda: {False: {}, True: {}})

    def install(self, app: rx.App) -> None:
        """Replace Reflex's state manager, for which 0.10.1 has no setting."""
        app._state_manager = self

    async def joined(self, token: str, _sid: str) -> None:
        """Keep the state of a tab for as long as it is connected."""
        self._drop(token)

    async def left(self, token: str, sid: str) -> None:
        """Limit the life of the state of a tab that has left."""
        self._leave(token, self.is_signed_in(sid))

    async def keep(self) -> None:
        """Delete the expired states at every interval, until cancelled."""
        while True:
            await asyncio.sleep(SWEEP_INTERVAL)
            moment = time.monotonic()
            for kept in self._left.values():
                for token in [token for token, until in kept.items() if until <= moment]:
                    self._delete(token)

    def _leave(self, token: str, is_signed_in: bool) -> None:
        self._drop(token)
        kept = self._left[is_signed_in]
        kept[token] = time.monotonic() + (SIGNED_IN_STATE_LIFETIME if is_signed_in else STATE_LIFETIME)
        for first in list(kept)[: max(0, len(kept) - MOST_KEPT)]:
            self._delete(first)

    def _drop(self, token: str) -> None:
        for kept in self._left.values():
            kept.pop(token, None)

    def _delete(self, token: str) -> None:
        self._drop(token)
        lock = self._states_locks.get(token)
        if lock is not None and lock.locked():
            # An event still uses it.
            self._left[False][token] = time.monotonic() + STATE_LIFETIME
        elif token in self._token_expires_at:
            self._purge_token(self._token_expires_at[token][1])

    def _track_token(self, token: StateToken[Any]) -> None:
        """Note that an event uses a state; it may come after its tab has left and the state was deleted."""
        super()._track_token(token)
        key = token.cache_key
        if not self.is_connected(key) and not any(key in kept for kept in self._left.values()):
            self._leave(key, False)

    def _purge_expired_tokens(self) -> float | None:
        """Delete the states that no event has used for an hour, except those of connected tabs."""
        for key, (_, token) in list(self._token_expires_at.items()):
            if self.is_connected(key):
                super()._track_token(token)
        return super()._purge_expired_tokens()
