"""Keeps tabs' states in memory while the tab is connected, and for a while after it has left.

Reflex forgets a state an hour after its last event, whether its tab is connected or not: too late for strangers who
come and go, and too early for a visitor who is still there, reading or writing.
"""

import asyncio
import dataclasses
import time
from collections.abc import Callable
from typing import Any

import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.token import StateToken

# A tab that lost its connection comes back within seconds. One that comes back later begins with a new state, and
# loses nothing that was typed: that is in the page.
STATE_LIFETIME = 45
SIGNED_IN_STATE_LIFETIME = 3600
# Of each kind; more who leave in that time are forgotten earlier, the first to leave first.
MOST_KEPT = 300
SWEEP_INTERVAL = 5.0


@dataclasses.dataclass
class TabStates(StateManagerMemory):
    """The states of all tabs of this process; `is_signed_in` tells whether a socket's session belongs to a person."""

    is_connected: Callable[[str], bool] = dataclasses.field(kw_only=True)
    is_signed_in: Callable[[str], bool] = dataclasses.field(kw_only=True)
    # Until when to keep the tabs that have left, by token, in the order in which they left; those of people who are
    # signed in apart.
    _left: dict[bool, dict[str, float]] = dataclasses.field(init=False, default_factory=lambda: {False: {}, True: {}})

    def install(self, app: rx.App) -> None:
        """Take the place of Reflex's manager of states, which 0.10.1 chooses by itself."""
        app._state_manager = self

    async def joined(self, token: str, _sid: str) -> None:
        """Keep the state of a tab for as long as it is connected."""
        self._drop(token)

    async def left(self, token: str, sid: str) -> None:
        """Keep the state of a tab that has left for a while."""
        self._leave(token, self.is_signed_in(sid))

    async def keep(self) -> None:
        """Forget the states whose time is over, again and again, until cancelled."""
        while True:
            await asyncio.sleep(SWEEP_INTERVAL)
            moment = time.monotonic()
            for kept in self._left.values():
                for token in [token for token, until in kept.items() if until <= moment]:
                    self._forget(token)

    def _leave(self, token: str, is_signed_in: bool) -> None:
        self._drop(token)
        kept = self._left[is_signed_in]
        kept[token] = time.monotonic() + (SIGNED_IN_STATE_LIFETIME if is_signed_in else STATE_LIFETIME)
        for first in list(kept)[: max(0, len(kept) - MOST_KEPT)]:
            self._forget(first)

    def _drop(self, token: str) -> None:
        for kept in self._left.values():
            kept.pop(token, None)

    def _forget(self, token: str) -> None:
        self._drop(token)
        lock = self._states_locks.get(token)
        if lock is not None and lock.locked():
            # An event is still at work on it.
            self._left[False][token] = time.monotonic() + STATE_LIFETIME
        elif token in self._token_expires_at:
            self._purge_token(self._token_expires_at[token][1])

    def _track_token(self, token: StateToken[Any]) -> None:
        """Note that an event uses a state; it may come so late that its tab has left and been forgotten."""
        super()._track_token(token)
        key = token.cache_key
        if not self.is_connected(key) and not any(key in kept for kept in self._left.values()):
            self._leave(key, False)

    def _purge_expired_tokens(self) -> float | None:
        """Forget what no event has used for an hour, but for the tabs that are connected."""
        for key, (_, token) in list(self._token_expires_at.items()):
            if self.is_connected(key):
                super()._track_token(token)
        return super()._purge_expired_tokens()
