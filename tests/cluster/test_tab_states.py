"""How long Redis keeps the states of tabs."""

import asyncio

import pytest
import redis.asyncio
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State

from advisory_site.framework import shared_states, tabs
from advisory_site.framework.shared_states import SharedStates
from advisory_site.framework.token_manager import ResilientTokenManager
from tests.cluster.conftest import Cluster
from tests.cluster.staff_tab import worked
from tests.support.visitor import Visitor

ROOT = BaseStateToken(ident="a-tab", cls=State)._state_key(State)


async def lives(cluster: Cluster, token: str) -> list[int]:
    """The seconds after which Redis forgets each part of a tab's state."""
    async with redis.asyncio.Redis.from_url(cluster.redis_url) as connection:
        return [await connection.ttl(key) async for key in connection.scan_iter(f"{token}_reflex*")]


async def until(cluster: Cluster, token: str, shortest: int, longest: int) -> None:
    """Wait until each part of a tab's state lives so long.

    An event may store its part after the tab has left; its time is set again once events have had time to end.
    """
    async with asyncio.timeout(tabs.DISCONNECT_GRACE_PERIOD + 20):
        while not (found := await lives(cluster, token)) or not all(shortest < life <= longest for life in found):
            await asyncio.sleep(0.05)


@pytest.mark.spec("ROLE-4", "SES-1")
def test_a_stranger_who_left_is_forgotten_soon_unless_they_come_back(cluster: Cluster) -> None:
    async def run() -> None:
        first, second = cluster.backends
        visitor = Visitor(first.url, "192.0.2.60", path="/contact")
        visitor.origin = cluster.url
        await visitor.connect()
        await visitor.until("state.is_hydrated", True)
        await until(cluster, visitor.token, 3000, 3600)
        await visitor.close()
        await until(cluster, visitor.token, 0, 45)
        visitor.url = second.url
        await visitor.connect()
        await until(cluster, visitor.token, 3000, 3600)
        await visitor.close()
        await until(cluster, visitor.token, 0, 45)

    asyncio.run(run())


@pytest.mark.spec("SES-1")
def test_who_is_signed_in_finds_the_tab_for_an_hour(cluster: Cluster) -> None:
    async def run() -> None:
        staff = await worked(cluster)
        await staff.close()
        await asyncio.sleep(1)
        await until(cluster, staff.token, 3000, 3600)

    asyncio.run(run())


@pytest.mark.spec("SES-1")
def test_a_form_that_is_open_for_hours_is_kept(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """No event touches it meanwhile, and it would expire apart from the rest of its tab."""
    monkeypatch.setattr(shared_states, "RENEWAL_INTERVAL", 0.05)

    async def run() -> None:
        async with redis.asyncio.Redis.from_url(cluster.redis_url) as connection:
            register = ResilientTokenManager(connection)
            await register.link_token_to_sid("a-tab", "a socket")
            await connection.set(ROOT, b"form", ex=3)
            keeping = asyncio.create_task(SharedStates(register, lambda sid: False).keep())
            await until(cluster, "a-tab", 3000, 3600)
            keeping.cancel()
            await connection.delete(ROOT)
            await register.disconnect_token("a-tab", "a socket")

    asyncio.run(run())


@pytest.mark.spec("SES-1")
def test_a_tab_that_has_come_back_elsewhere_is_not_forgotten_by_the_process_it_left(cluster: Cluster) -> None:
    async def run() -> None:
        async with redis.asyncio.Redis.from_url(cluster.redis_url) as connection:
            left, found = ResilientTokenManager(connection), ResilientTokenManager(connection)
            await connection.set(ROOT, b"form", ex=3600)
            await found.link_token_to_sid("a-tab", "the new socket")
            await SharedStates(left, lambda sid: False).left("a-tab", "the old socket")
            assert await connection.ttl(ROOT) > 3000
            await found.disconnect_token("a-tab", "the new socket")
            await SharedStates(left, lambda sid: False).left("a-tab", "the old socket")
            assert await connection.ttl(ROOT) <= 45
            await connection.delete(ROOT)

    asyncio.run(run())


@pytest.mark.spec("ROLE-4")
def test_what_an_event_stores_after_its_tab_left_is_forgotten_as_soon(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tabs, "DISCONNECT_GRACE_PERIOD", 0.2)

    async def run() -> None:
        async with redis.asyncio.Redis.from_url(cluster.redis_url) as connection:
            await SharedStates(ResilientTokenManager(connection), lambda sid: False).left("a-tab", "a socket")
            await connection.set(ROOT, b"form", ex=3600)
            await until(cluster, "a-tab", 0, 45)
            await connection.delete(ROOT)

    asyncio.run(run())
