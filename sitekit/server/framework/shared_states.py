"""Sets when the states of tabs in Redis expire, by the same rules as for those in memory.

Reflex lets each part of a state expire an hour after it was last written: the state of a form that has been open for
two hours would be lost, but not the rest of its tab's state.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State

from ...base.background_tasks import every
from .tab_states import SIGNED_IN_STATE_LIFETIME, STATE_LIFETIME
from .tabs import all_states, later
from .token_manager import ResilientTokenManager

log = logging.getLogger(__name__)

RENEWAL_INTERVAL = 600.0
AT_ONCE = 50

# Only if no process has the tab: it may have connected to another one before this process noticed that it had left.
_EXPIRE_IF_GONE = """
if redis.call('EXISTS', KEYS[1]) == 1 then return end
for i = 2, #KEYS do redis.call('EXPIRE', KEYS[i], ARGV[1], 'LT') end
"""


class SharedStates:
    """Sets the expiry times of the states of tabs when they connect and leave."""

    def __init__(self, tabs: ResilientTokenManager, is_signed_in: Callable[[str], bool]) -> None:
        self._tabs = tabs
        self._redis: Redis = tabs.redis
        self._is_signed_in = is_signed_in
        self._tasks: set[asyncio.Task[None]] = set()

    async def joined(self, token: str, _sid: str) -> None:
        """Extend the life of all parts of a state, also of those that are not written from now on."""
        await self._try(self._renew([token]))

    async def left(self, token: str, sid: str) -> None:
        """Shorten the life of the state of a tab that has left."""
        seconds = SIGNED_IN_STATE_LIFETIME if self._is_signed_in(sid) else STATE_LIFETIME
        await self._expire(token, seconds)
        # An event that is still running stores its part of the state for another hour.
        later(self._expire_soon, token, seconds)

    def _expire_soon(self, token: str, seconds: int) -> None:
        task = asyncio.create_task(self._expire(token, seconds))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _expire(self, token: str, seconds: int) -> None:
        keys = [self._tabs._get_redis_key(token), *_keys(token)]
        await self._try(self._redis.eval(_EXPIRE_IF_GONE, len(keys), *keys, str(seconds)))

    async def keep(self) -> None:
        """Extend the life of the states of the tabs that are connected here, at every interval, until cancelled."""
        await every(RENEWAL_INTERVAL, self._renew_all, log, "The states of connected tabs were not extended.")

    async def _renew_all(self) -> None:
        tokens = list(self._tabs.sid_to_token.values())
        for start in range(0, len(tokens), AT_ONCE):
            await self._try(self._renew(tokens[start : start + AT_ONCE]))

    async def _renew(self, tokens: Iterable[str]) -> None:
        pipeline = self._redis.pipeline(transaction=False)
        for token in tokens:
            for key in _keys(token):
                pipeline.expire(key, SIGNED_IN_STATE_LIFETIME)
        await pipeline.execute()

    async def _try(self, call: Any) -> None:
        """Log a Redis error instead of raising it; earlier expiry times remain."""
        try:
            await call
        except RedisError as error:
            log.warning("The expiry of tab states could not be set: %s", type(error).__name__)


def _keys(token: str) -> list[str]:
    """The Redis keys of the parts of a tab's state."""
    state = BaseStateToken(ident=token, cls=State)
    return [state._state_key(state_class) for state_class in all_states()]
