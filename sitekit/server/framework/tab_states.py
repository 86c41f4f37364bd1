"""Keeps the state of a tab in memory while the tab is connected, and for a limited time afterwards.

Reflex deletes a state an hour after its last event, whether its tab is connected or not: too late after short visits,
and too early for visitors who read or write for longer. It also keeps every part of a state, an object for each state
class of the site, while a page uses a few. Here a part with default values exists only during the events that use it.
"""

import dataclasses
import logging
import time
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.token import StateToken
from reflex.state import BaseState

from ...base.background_tasks import every

log = logging.getLogger(__name__)

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

    @asynccontextmanager
    async def modify_state(  # type: ignore[override]  # a generator's context manager has a type of its own
        self, token: StateToken[Any], **context: Any
    ) -> AsyncIterator[Any]:
        """The state of a tab for one event, while no other event can use it."""
        async with super().modify_state(token, **context) as state:
            try:
                yield state
            finally:
                state.substates.drop_defaults()

    def _get_or_create_state(self, token: StateToken[Any]) -> Any:
        state = super()._get_or_create_state(token)
        if not isinstance(state.substates, Parts):
            object.__setattr__(state, "substates", Parts(state))  # as Reflex sets it, without a change to send
        return state

    async def joined(self, token: str, _sid: str) -> None:
        """Keep the state of a tab for as long as it is connected."""
        self._drop(token)

    async def left(self, token: str, sid: str) -> None:
        """Limit the life of the state of a tab that has left."""
        self._set_expiry(token, self.is_signed_in(sid))

    async def keep(self) -> None:
        """Delete the expired states at every interval, until cancelled."""
        await every(SWEEP_INTERVAL, self._delete_expired, log, "The states of tabs that have left stay for now.")

    async def _delete_expired(self) -> None:
        at = time.monotonic()
        for expiries in self._left.values():
            for token in [token for token, until in expiries.items() if until <= at]:
                self._delete(token)

    def _set_expiry(self, token: str, is_signed_in: bool) -> None:
        self._drop(token)
        expiries = self._left[is_signed_in]
        expiries[token] = time.monotonic() + (SIGNED_IN_STATE_LIFETIME if is_signed_in else STATE_LIFETIME)
        for first in list(expiries)[: max(0, len(expiries) - MOST_KEPT)]:
            self._delete(first)

    def _drop(self, token: str) -> None:
        for expiries in self._left.values():
            expiries.pop(token, None)

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
        if not self.is_connected(key) and not any(key in expiries for expiries in self._left.values()):
            self._set_expiry(key, False)

    def _purge_expired_tokens(self) -> float | None:
        """Delete the states that no event has used for an hour, except those of connected tabs."""
        for key, (_, token) in list(self._token_expires_at.items()):
            if self.is_connected(key):
                super()._track_token(token)
        return super()._purge_expired_tokens()


class Parts(dict[str, BaseState]):
    """The parts of a root state by name; a missing one is made when it is asked for, as Reflex does for a new tab."""

    def __init__(self, root: BaseState) -> None:
        super().__init__(root.substates)
        self._root = weakref.ref(root)

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or any(state_class.get_name() == name for state_class in self._substates())

    def __missing__(self, name: str) -> BaseState:
        state_class = next((state_class for state_class in self._substates() if state_class.get_name() == name), None)
        if state_class is None:
            raise KeyError(name)
        part = self[name] = state_class(parent_state=self._root(), _reflex_internal_init=True)
        return part

    def values(self) -> Any:
        """All parts, also those that were missing."""
        for state_class in self._substates():
            self[state_class.get_name()]
        return super().values()

    def drop_defaults(self) -> None:
        """Delete the parts that a new tab has as well, with what was computed from their values."""
        changed = {name: part for name, part in self.items() if not _is_default(part)}
        self.clear()  # also its table, which deleting one by one would keep
        self.update(changed)

    def _substates(self) -> set[type[BaseState]]:
        root = self._root()
        return root.get_substates() if root else set()


def _is_default(part: BaseState) -> bool:
    """Whether a part and its parts have no value of their own, and no change that the browser does not know."""
    if part.dirty_vars or not all(map(_is_default, part.substates.values())):
        return False
    fields, values = type(part).__fields__, vars(part)
    return all(values[name] == fields[name].default_value() for name in fields.keys() & values.keys())
