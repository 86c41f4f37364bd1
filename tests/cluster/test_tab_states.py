"""How long Redis keeps the states of tabs."""

import asyncio
import base64

import pytest
import redis.asyncio
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State

from sitekit.records import csv_texts
from sitekit.server.framework import shared_states, tabs
from sitekit.server.framework.shared_states import SharedStates
from sitekit.server.framework.token_manager import ResilientTokenManager
from tests.cluster.conftest import Cluster
from tests.cluster.staff_tab import STATE, worked
from tests.support.csv_files import csv_bytes
from tests.support.visitor import Visitor
from tests.support.waiting import wait_for

IMPORT = f"{STATE}___companies___admin____company_import_state"
IMPORT_PAGE = "/admin/companies/import"
ROOT = BaseStateToken(ident="a-tab", cls=State)._state_key(State)


async def lives(cluster: Cluster, token: str) -> list[int]:
    """The seconds after which Redis forgets each part of a tab's state."""
    async with redis.asyncio.Redis.from_url(cluster.redis_url) as connection:
        return [await connection.ttl(key) async for key in connection.scan_iter(f"{token}_reflex*")]


async def stores(cluster: Cluster, token: str, what: bytes) -> bool:
    """Whether Redis has these bytes in the state of a tab."""
    async with redis.asyncio.Redis.from_url(cluster.redis_url) as connection:
        parts = [await connection.get(key) or b"" async for key in connection.scan_iter(f"{token}_reflex*")]
    assert parts
    return any(what in part for part in parts)


async def until(cluster: Cluster, token: str, shortest: int, longest: int) -> None:
    """Wait until each part of a tab's state lives so long.

    An event may store its part after the tab has left; its time is set again once events have had time to end.
    """
    async with asyncio.timeout(tabs.DISCONNECT_GRACE_PERIOD + 60):
        while not (found := await lives(cluster, token)) or not all(shortest < life <= longest for life in found):
            await asyncio.sleep(0.05)


@pytest.mark.spec("ROLE-4", "SES-1")
def test_the_state_of_a_departed_visitor_is_dropped_unless_they_return(cluster: Cluster) -> None:
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
def test_the_state_of_a_signed_in_client_is_kept_for_an_hour(cluster: Cluster) -> None:
    async def run() -> None:
        staff = await worked(cluster)
        visitor = Visitor(staff.url, "192.0.2.61", path="/contact")
        visitor.origin = cluster.url
        await visitor.connect()
        await visitor.until("state.is_hydrated", True)
        tabs_of_both = cluster.backends[0].tabs
        await staff.close()
        await asyncio.to_thread(wait_for, lambda: cluster.backends[0].tabs < tabs_of_both, "the first has left")
        await visitor.close()
        await until(cluster, visitor.token, 0, 45)
        assert min(await lives(cluster, staff.token)) > 3000

    asyncio.run(run())


@pytest.mark.spec("SES-1")
def test_the_state_of_a_form_open_for_hours_is_kept(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """No event touches it meanwhile, and it would expire apart from the rest of its tab."""
    monkeypatch.setattr(shared_states, "RENEWAL_INTERVAL", 0.05)

    async def run() -> None:
        async with redis.asyncio.Redis.from_url(cluster.redis_url) as connection:
            register = ResilientTokenManager(connection)
            await register.link_token_to_sid("a-tab", "a socket")
            await connection.set(ROOT, b"form", ex=60)
            keeping = asyncio.create_task(SharedStates(register, lambda sid: False).keep())
            await until(cluster, "a-tab", 3000, 3600)
            keeping.cancel()
            await connection.delete(ROOT)
            await register.disconnect_token("a-tab", "a socket")

    asyncio.run(run())


@pytest.mark.spec("SES-1")
def test_a_client_that_moved_to_another_process_keeps_its_state(cluster: Cluster) -> None:
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
def test_state_stored_by_a_late_event_of_a_departed_client_is_dropped(
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


@pytest.mark.spec("LIST-7")
def test_an_import_file_is_kept_in_process_memory_and_not_in_redis(cluster: Cluster) -> None:
    rows = [(f"Kelp {number}", f"kelp-{number}") for number in range(60)]
    piece = base64.b64encode(csv_bytes(("Name", "Slug"), *rows)).decode()

    async def run() -> None:
        staff = await worked(cluster)
        await staff.send(f"{IMPORT}.begin", IMPORT_PAGE, name="firms.csv", pieces=2)
        await staff.send(f"{IMPORT}.add_piece", IMPORT_PAGE, number=0, piece=piece)
        await staff.until("company_import_state.received", 1)
        assert not await stores(cluster, staff.token, b"Kelp 1")
        await staff.send(f"{IMPORT}.add_piece", IMPORT_PAGE, number=1, piece="")
        await staff.until("company_import_state.pages", 2)
        await staff.send(f"{IMPORT}.show_rows", IMPORT_PAGE, category="", page=2)
        await staff.until("company_import_state.page", 2)
        assert await stores(cluster, staff.token, b"Kelp 59")
        assert not await stores(cluster, staff.token, b"Kelp 1")
        await staff.close()
        staff.url = cluster.backends[1].url
        await staff.connect()
        await staff.send(f"{IMPORT}.show_rows", IMPORT_PAGE, category="", page=1)
        await staff.until("company_import_state.error", csv_texts.FILE_DROPPED)
        await staff.close()

    asyncio.run(run())
