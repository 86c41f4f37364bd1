"""What the cluster promises while parts of it break: nothing acknowledged is lost, and nobody stares at an error."""

import asyncio
import contextlib
import itertools
from collections.abc import Awaitable, Callable
from typing import Any

import psycopg
import pytest

from tests.cluster.conftest import ADMIN_EMAIL, ADMIN_PASSWORD, Cluster, answers, wait_for
from tests.cluster.traffic import Seen, page, traffic
from tests.visitor import Gone, Visitor

LONGEST_TROUBLE = 2.0
STATE = "reflex___state____state.advisory_site"
FORM = f"{STATE}___companies___admin_form____company_form_state"
CONTACT = f"{STATE}___enquiries___state____contact_state"

Fault = Callable[[Cluster], Awaitable[None]]


async def a_killed_backend(cluster: Cluster) -> None:
    cluster.backends[0].kill()
    await asyncio.sleep(3)
    cluster.backends[0].start()
    await asyncio.to_thread(cluster.backends[0].wait)


async def a_redis_that_restarts(cluster: Cluster) -> None:
    cluster.redis.stop()
    await asyncio.sleep(1)
    cluster.redis.start()


async def a_redis_that_is_killed(cluster: Cluster) -> None:
    cluster.redis.kill()
    await asyncio.sleep(1)
    cluster.redis.start()


async def a_postgresql_that_restarts(cluster: Cluster) -> None:
    await asyncio.to_thread(cluster.postgresql.stop)
    cluster.postgresql.launch()
    await asyncio.to_thread(cluster.postgresql.wait)


async def a_postgresql_that_is_killed(cluster: Cluster) -> None:
    await asyncio.to_thread(cluster.postgresql.kill)
    cluster.postgresql.launch()
    await asyncio.to_thread(cluster.postgresql.wait)


async def a_rolling_restart(cluster: Cluster) -> None:
    for backend in cluster.backends:
        await asyncio.to_thread(backend.stop)
        backend.start()
        await asyncio.to_thread(backend.wait)


FAULTS: tuple[Fault, ...] = (
    a_killed_backend,
    a_redis_that_restarts,
    a_redis_that_is_killed,
    a_postgresql_that_restarts,
    a_postgresql_that_is_killed,
    a_rolling_restart,
)
# Where another part takes over at once, visitors see nothing.
UNSEEN = (a_killed_backend, a_redis_that_restarts, a_redis_that_is_killed, a_rolling_restart)


def stored(cluster: Cluster) -> dict[str, int]:
    """How often each enquiry is in the database."""
    with psycopg.connect(cluster.database_url) as connection:
        return dict(connection.execute("SELECT message, count(*) FROM enquiries GROUP BY message").fetchall())


@pytest.mark.spec("CON-4", "DATA-3")
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_nothing_acknowledged_is_lost_and_no_error_lasts(cluster: Cluster, fault: Fault) -> None:
    async def run() -> Seen:
        async with traffic(cluster.url) as seen:
            await fault(cluster)
            before = len(seen.thanked)
            async with asyncio.timeout(20):
                while len(seen.thanked) < before + 3:
                    await asyncio.sleep(0.05)
        return seen

    seen = asyncio.run(run())
    held = stored(cluster)
    print(f"{fault.__name__}: {seen.pages} pages, {len(seen.thanked)} thanked, trouble of {seen.longest:.2f} s")
    assert {message: held.get(message, 0) for message in seen.thanked} == dict.fromkeys(seen.thanked, 1)
    assert seen.pages > 50
    assert seen.longest <= LONGEST_TROUBLE, seen.troubles[:5]
    if fault in UNSEEN:
        # What was under way at the very moment may fail; nothing that was asked afterwards does.
        assert len(seen.troubles) <= 2, seen.troubles[:5]


async def again(visitor: Visitor, seconds: float = 10) -> None:
    """Connect as the browser does: at once, and then again until somebody answers."""
    async with asyncio.timeout(seconds):
        while True:
            try:
                await visitor.connect()
                return
            except Gone:
                await asyncio.sleep(0.2)


async def signed_in(cluster: Cluster) -> Visitor:
    visitor = Visitor(cluster.url, "192.0.2.1")
    await visitor.connect()
    entrance = f"{STATE}___accounts___entrance____entrance_state.sign_in"
    await visitor.send(entrance, "/auth", form_data={"email": ADMIN_EMAIL, "password": ADMIN_PASSWORD})
    await visitor.until("auth_state.role", "admin")
    return visitor


async def lose_its_backend(cluster: Cluster, visitors: list[Visitor]) -> list[Visitor]:
    """Kill one backend; returns those who were on it."""
    cluster.backends[0].kill()
    await asyncio.sleep(0.5)
    return [visitor for visitor in visitors if visitor.lost_at is not None]


@pytest.mark.spec("SES-1")
def test_tabs_go_on_where_they_were_when_their_backend_is_killed(cluster: Cluster) -> None:
    async def run() -> None:
        visitors = [Visitor(cluster.url, f"192.0.2.{number}") for number in range(10, 20)]
        forms: dict[str, Any] = {}
        for visitor in visitors:
            await visitor.connect()
            await visitor.send(f"{CONTACT}.load", "/contact")
            forms[visitor.token] = await visitor.until("contact_state.submission_id")
        tokens = [visitor.token for visitor in visitors]
        lost = await lose_its_backend(cluster, visitors)
        assert 0 < len(lost) < 10, "the proxy does not spread visitors"
        for visitor in lost:
            await again(visitor)
            visitor.vars.clear()
            await visitor.send(f"{CONTACT}.load", "/contact")
            assert await visitor.until("contact_state.submission_id") == forms[visitor.token]
        assert [visitor.token for visitor in visitors] == tokens
        for visitor in visitors:
            await visitor.close()

    asyncio.run(run())


@pytest.mark.spec("SES-1", "ACO-7")
def test_a_staff_edit_in_progress_survives_its_backend(cluster: Cluster) -> None:
    async def run() -> None:
        for attempt in itertools.count(1):
            staff = await signed_in(cluster)
            slug = {"slug": "treacle-tech"}
            staff.vars.pop("company_form_state.form", None)  # the blank one of a tab that has opened none
            await staff.send(f"{FORM}.open", "/admin/companies/treacle-tech/edit", slug)
            form = await staff.until("company_form_state.form")
            if await lose_its_backend(cluster, [staff]):
                break
            cluster.backends[0].start()
            cluster.backends.reverse()
            assert attempt < 5
            await asyncio.to_thread(cluster.backends[1].wait)
            await staff.close()
        await again(staff)
        staff.vars.pop("notice_state.notices", None)
        typed = _as_typed(form) | {"tagline": "Edited while a server died"}
        await staff.send(f"{FORM}.save", "/admin/companies/treacle-tech/edit", slug, form_data=typed)
        notices = await staff.until("notice_state.notices")
        assert notices[-1]["kind"] == "success", (notices, staff.vars.get("company_form_state.errors"))
        await staff.close()

    asyncio.run(run())
    with psycopg.connect(cluster.database_url) as connection:
        found = connection.execute("SELECT tagline FROM companies WHERE slug = 'treacle-tech'").fetchone()
    assert found == ("Edited while a server died",)


def _as_typed(form: dict[str, Any]) -> dict[str, str]:
    return {name: value if isinstance(value, str) else str(value) for name, value in form.items() if name != "founders"}


@pytest.mark.spec("ROLE-4")
def test_a_person_signed_in_through_one_backend_goes_on_through_the_other(cluster: Cluster) -> None:
    async def run() -> None:
        staff = await signed_in(cluster)
        for backend in cluster.backends:
            await staff.close()
            staff.url = backend.url
            await staff.connect()
            staff.vars.clear()
            await staff.send(f"{FORM}.open", "/admin/companies/treacle-tech/edit", {"slug": "treacle-tech"})
            assert (await staff.until("company_form_state.form"))["slug"] == "treacle-tech"
        await staff.close()

    asyncio.run(run())


@pytest.mark.spec("DATA-4")
def test_without_redis_pages_are_served_and_people_are_told(cluster: Cluster) -> None:
    async def run() -> None:
        visitor = Visitor(cluster.url, "192.0.2.2")
        await visitor.connect()
        await visitor.send(f"{CONTACT}.load", "/contact")
        await visitor.until("contact_state.submission_id")
        cluster.redis.kill()
        try:
            assert [await page(cluster.url + path) for path in ("/", "/companies", "/contact")] == [200] * 3
            await visitor.send(f"{CONTACT}.load", "/contact")
            (notice,) = await visitor.until("notice_state.notices")
            assert notice["text"].startswith("We cannot reach part of our system at the moment.")
            assert not answers(f"{cluster.backends[0].url}/readyz")
            assert answers(f"{cluster.backends[0].url}/healthz")
        finally:
            cluster.redis.start()
        for backend in cluster.backends:
            wait_for(lambda url=backend.url: answers(f"{url}/readyz"), "ready again")
        await _works_again(visitor)
        await visitor.close()

    asyncio.run(run())


async def _works_again(visitor: Visitor) -> None:
    """What the notice asked for: try again, once or twice."""
    visitor.vars.clear()
    for _ in range(5):
        await visitor.send(f"{CONTACT}.load", "/contact")
        with contextlib.suppress(TimeoutError):
            assert await visitor.until("contact_state.submission_id", seconds=2)
            return
    raise AssertionError("the tab does not work again")


def test_what_tells_about_the_inside_is_for_the_inside(cluster: Cluster) -> None:
    asyncio.run(_nothing_inside(cluster.url))


async def _nothing_inside(url: str) -> None:
    assert [await page(url + path) for path in ("/readyz", "/metrics")] == [404, 404]
