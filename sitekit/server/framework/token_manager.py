"""The register of tabs in Redis: a tab whose process has died continues in another process."""

import asyncio
import logging
import pickle
import time
from typing import cast

import reflex as rx
from redis.exceptions import RedisError
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken
from reflex.utils.prerequisites import get_redis
from reflex.utils.token_manager import RedisTokenManager, SocketRecord

from ...base.site import get_site
from .tabs import NotifyingTokenManager

log = logging.getLogger(__name__)

# How long to wait until a tab that is registered elsewhere is released, before it counts as a copy of that tab.
TAKEOVER_TIMEOUT = 1.5
TAKEOVER_POLL_INTERVAL = 0.05
RECONNECT_INTERVAL = 1.0


def with_timeouts(url: str) -> str:
    """A Redis URL with timeouts, so that visitors get an error when Redis does not answer."""
    limits = "socket_connect_timeout=1&socket_timeout=5&health_check_interval=15"
    return f"{url}{'&' if '?' in url else '?'}{limits}"


class ResilientTokenManager(NotifyingTokenManager, RedisTokenManager):
    """Reflex's register of tabs, without the tabs of dead processes.

    Reflex treats a tab that is still registered in Redis as a copy, and gives it an empty state; after a crash that
    would affect every tab of the process for an hour. An interrupted event also keeps the lock on its tab's state, so
    that the tab would wait ten seconds. Redis shows whether a process is alive, because each one subscribes to its own
    channel.
    """

    async def link_token_to_sid(self, token: str, sid: str) -> str | None:
        """Register a tab; returns a new token if another tab uses this one."""
        try:
            await self._take_over(token)
        except RedisError as error:
            log.error("It could not be checked whether a tab is open elsewhere: %s", type(error).__name__)
        return await super().link_token_to_sid(token, sid)

    async def _take_over(self, token: str) -> None:
        """Wait until the tab's process has released it, or release it in the place of a process that died.

        An event of that tab in a third process then loses its lock too, and Reflex refuses to store its result, so that
        no process overwrites the state of another.
        """
        deadline = time.monotonic() + TAKEOVER_TIMEOUT
        key = self._get_redis_key(token)
        while (pickled := await self.redis.get(key)) and time.monotonic() < deadline:
            record = cast(SocketRecord, pickle.loads(cast(bytes, pickled)))  # noqa: S301  Reflex's own, as it reads it
            if record.instance_id == self.instance_id:
                return
            if not await self._is_alive(record.instance_id):
                await self.redis.delete(key, _lock_key(token))
                return
            await asyncio.sleep(TAKEOVER_POLL_INTERVAL)

    async def _is_alive(self, instance_id: str) -> bool:
        ((_, listeners),) = await self.redis.pubsub_numsub(_channel(instance_id))
        return bool(listeners)

    async def listen(self) -> None:
        """Subscribe to this process's channel, which proves that it is alive, until cancelled."""
        while True:
            try:
                async with self.redis.pubsub() as channel:
                    await channel.subscribe(_channel(self.instance_id))
                    async for _ in channel.listen():
                        pass
            except (RedisError, OSError):
                await asyncio.sleep(RECONNECT_INTERVAL)


def _channel(instance_id: str) -> str:
    return f"{get_site().short_name}:process:{instance_id}"


def _lock_key(token: str) -> bytes:
    """The Redis key of the lock of an event on a tab's state."""
    return StateManagerRedis._lock_key(BaseStateToken(ident=token, cls=rx.State))


def redis_token_manager() -> ResilientTokenManager:
    """The register of tabs in the Redis of the settings; `listen` must run beside it."""
    redis = get_redis()
    assert redis is not None
    return ResilientTokenManager(redis)
