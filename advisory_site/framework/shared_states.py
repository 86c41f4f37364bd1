"""Expires tabs' states in Redis, where several processes share them, as it is done in memory.

Reflex lets each part of a state expire by itself, an hour after it was last written: a form that had been open for two
hours would be gone while the rest of its tab is there.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State

from .tab_states import SIGNED_IN_STATE_LIFETIME, STATE_LIFETIME
from .tabs import all_states, later
from .token_manager import ResilientTokenManager

log = logging.getLogger(__name__)

RENEWAL_INTERVAL = 600.0
AT_ONCE = 50

# Only while no process has the tab: it may have come back elsewhere before this one noticed that it left.
_EXPIRE_IF_GONE = """
if redis.call('EXISTS', KEYS[1]) == 1 then return end
for i = 2, #KEYS do redis.call('EXPIRE', KEYS[i], ARGV[1], 'LT') end
"""


class SharedStates:
    """Sets the times at which Redis forgets the states of tabs, as they come and go."""

    def __init__(self, tabs: ResilientTokenManager, is_signed_in: Callable[[str], bool]) -> None:
        self._tabs = tabs
        self._redis: Redis = tabs.redis
        self._is_signed_in = is_signed_in
        self._tasks: set[asyncio.Task[None]] = set()

    async def joined(self, token: str, _sid: str) -> None:
        """Keep all of a state, however little of it is written from now on."""
        await self._try(self._renew([token]))

    async def left(self, token: str, sid: str) -> None:
        """Keep the state of a tab that has left for a while."""
        seconds = SIGNED_IN_STATE_LIFETIME if self._is_signed_in(sid) else STATE_LIFETIME
        await self._expire(token, seconds)
        # An event that was still at work stores its part of the state for another hour.
        later(self._expire_soon, token, seconds)

    def _expire_soon(self, token: str, seconds: int) -> None:
        task = asyncio.create_task(self._expire(token, seconds))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _expire(self, token: str, seconds: int) -> None:
        keys = [self._tabs._get_redis_key(token), *_keys(token)]
        await self._try(self._redis.eval(_EXPIRE_IF_GONE, len(keys), *keys, str(seconds)))

    async def keep(self) -> None:
        """Renew the states of the tabs that are connected here, again and again, until cancelled."""
        while True:
            await asyncio.sleep(RENEWAL_INTERVAL)
            tokens = list(self._tabs.sid_to_token.values())
            for start in range(0, len(tokens), AT_ONCE):
                await self._try(self._renew(tokens[start : start + AT_ONCE]))

    async def _renew(self, tokens: Iterable[str]) -> None:
        pipeline = self._redis.pipeline(transaction=False)
        for token in tokens:
            for key in _keys(token):
                pipeline.expire(key, SIGNED_IN_STATE_LIFETIME)
        await pipeline.execute()

    async def _try(self, asked: Any) -> None:
        """Log a Redis error instead of raising it; expiry times that were set before stay."""
        try:
            await asked
        except RedisError as error:
            log.warning("The expiry of tab states could not be set: %s", type(error).__name__)


def _keys(token: str) -> list[str]:
    """Where Redis has the parts of a tab's state."""
    state = BaseStateToken(ident=token, cls=State)
    return [state._state_key(kind) for kind in all_states()]
