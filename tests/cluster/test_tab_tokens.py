"""With Redis, the state of a tab outlives its process too: what is in it, and who gets it."""

import asyncio
import json
from typing import Any

import pytest
import redis

from tests.cluster.conftest import ADMIN_EMAIL, Cluster
from tests.cluster.staff_tab import KIT_STATE, USERS, worked
from tests.support.visitor import Visitor


def all_of(visitor: Visitor) -> str:
    return json.dumps([visitor.vars, visitor.asked])


def held_in_redis(cluster: Cluster, token: str) -> bytes:
    """The whole state of a tab."""
    with redis.Redis.from_url(cluster.redis_url) as connection:
        values = [connection.get(key) for key in connection.scan_iter(f"{token}_*")]
    return b"".join(value for value in values if isinstance(value, bytes))


@pytest.mark.spec("SES-6")
def test_redis_holds_no_session_token(cluster: Cluster) -> None:
    async def run() -> None:
        staff = await worked(cluster)
        (kept,) = staff.kept.values()
        issued: dict[str, Any] = json.loads(kept)
        held = held_in_redis(cluster, staff.token)
        assert ADMIN_EMAIL.encode() in held
        for token in (issued["access_token"], issued["refresh_token"]):
            assert token.encode() not in held
        await staff.close()

    asyncio.run(run())


@pytest.mark.spec("ROLE-4", "SES-1")
@pytest.mark.parametrize("begins", ["hydrate", "users", "notice"])
@pytest.mark.parametrize("other", [0, 1])
def test_a_stranger_with_a_client_token_gets_nothing_from_any_backend(
    cluster: Cluster, begins: str, other: int
) -> None:
    async def run() -> None:
        staff = await worked(cluster)
        for _ in range(10):
            await staff.send(USERS, "/admin")
        stranger = await taken_over(cluster, other, begins, staff)
        assert ADMIN_EMAIL not in all_of(stranger) and "access_token" not in all_of(stranger)

    asyncio.run(run())


@pytest.mark.spec("SES-1")
@pytest.mark.parametrize("other", [0, 1])
def test_a_stranger_with_a_client_token_empties_the_state_of_its_tab(cluster: Cluster, other: int) -> None:
    async def run() -> None:
        staff = await worked(cluster)
        await taken_over(cluster, other, "", staff)
        assert ADMIN_EMAIL.encode() not in held_in_redis(cluster, staff.token)

    asyncio.run(run())


async def taken_over(cluster: Cluster, other: int, begins: str, staff: Visitor) -> Visitor:
    """The stranger who comes to a backend with the token of a tab when it is closed."""
    await staff.close()
    async with asyncio.timeout(60):
        # Until the tab is free, the backend gives each socket another token before it answers.
        while (stranger := await answered(cluster.backends[other].url, cluster.url, begins, staff.token)) is None:
            await asyncio.sleep(0.05)
    return stranger


async def answered(url: str, origin: str, begins: str, token: str) -> Visitor | None:
    """A stranger who has sent events with this token, and left; None if the backend gave another token."""
    stranger = Visitor(url, "192.0.2.51", path="/" if begins == "hydrate" else "")
    stranger.origin, stranger.token = origin, token
    await stranger.connect()
    notice = f"{KIT_STATE}___ui___feedback____notice_state.show"
    if begins == "notice":
        await stranger.send(notice, level="success", text="I begin")
    if begins:
        await stranger.send(USERS, "/admin")
        await stranger.send(USERS.replace(".load", ".delete"), "/admin", id=1)
    await stranger.send(notice, level="success", text="the end")
    while "the end" not in all_of(stranger):
        await asyncio.sleep(0.05)
    await stranger.close()
    return stranger if stranger.token == token else None


@pytest.mark.spec("SES-1")
@pytest.mark.parametrize("other", [0, 1])
def test_the_owner_of_a_client_token_continues_through_any_backend(cluster: Cluster, other: int) -> None:
    async def run() -> None:
        staff = await worked(cluster)
        await staff.close()
        rows = staff.vars["user_tab_state.rows"]
        staff.vars.clear()
        staff.url = cluster.backends[other].url
        await staff.connect()
        assert await staff.until("user_tab_state.rows") == rows
        staff.vars.clear()
        await staff.send(USERS, "/admin")
        assert await staff.until("user_tab_state.rows") == rows
        await staff.close()

    asyncio.run(run())
