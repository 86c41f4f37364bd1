"""What a tab of the cluster is promised when the process or the server behind it breaks: it goes on where it was.

- Its backend dies: `token_manager.py` gives the tab, and its hold on its state, to the next backend.
- Redis restarts or dies: it wrote down what tabs did (`--appendonly` in deploy/compose.yaml).
- PostgreSQL restarts or dies: connections are tried before they are used (`pool_pre_ping` in database.py).
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import psycopg
import pytest
import redis
from playwright.async_api import BrowserContext, Page, async_playwright, expect

from sitekit.base import messages
from tests.cluster.conftest import ADMIN_EMAIL, ADMIN_PASSWORD, Backend, Cluster
from tests.cluster.staff_tab import ENTER, STATE
from tests.cluster.traffic import SEND, stored
from tests.install_browser import installed
from tests.support.visitor import Gone, Visitor
from tests.support.waiting import wait_for

OPEN = f"{STATE}___companies___admin____company_form_state.open"
EDIT = "/admin/companies/treacle-tech/edit"
ENQUIRY = {"firstName": "Ann", "lastName": "Lim", "email": "ann@example.com"}


async def contact(cluster: Cluster, backend: Backend, address: str) -> Visitor:
    """A tab on the contact page that one backend serves, and that connects through the proxy next time."""
    visitor = Visitor(cluster.url, address, path="/contact")
    visitor.url = backend.url
    await visitor.connect()
    await visitor.until("state.is_hydrated", True)
    visitor.url = cluster.url
    return visitor


async def form_of(visitor: Visitor) -> str:
    """The id of the form it shows."""
    await visitor.until("state.is_hydrated", True)
    return str(visitor.vars["contact_state.submission_id"])


async def again(visitor: Visitor) -> None:
    """Lose what was shown, and connect as the browser does: at once, and then again until somebody answers."""
    visitor.vars.clear()
    async with asyncio.timeout(60):
        while True:
            try:
                await visitor.connect()
                return
            except Gone:
                await asyncio.sleep(0.2)


@contextmanager
def held_up(cluster: Cluster, table: str) -> Iterator[psycopg.Connection[Any]]:
    """Nobody can write to a table until the block ends."""
    with psycopg.connect(cluster.database_url) as connection:
        connection.execute(f"LOCK TABLE {table} IN SHARE MODE".encode())
        yield connection


def is_waited_for(cluster: Cluster) -> bool:
    """Whether somebody waits for what is held up."""
    with psycopg.connect(cluster.database_url) as connection:
        waiting = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'advisory_site' AND wait_event_type = 'Lock'"
        return connection.execute(waiting).fetchone() is not None


def kill_holding(cluster: Cluster, backend: Backend) -> None:
    """Kill a process that holds a state, which Redis itself then never lets go; it would after ten seconds."""
    backend.pause()
    with redis.Redis.from_url(cluster.redis_url) as connection:
        locks = list(connection.scan_iter("*_lock"))
        assert locks
        for lock in locks:
            connection.persist(lock)
    backend.kill()


@pytest.mark.spec("SES-1", "DATA-3")
def test_clients_keep_their_state_when_their_backend_is_killed(cluster: Cluster) -> None:
    first, second = cluster.backends
    message = f"On its way {secrets.token_hex(4)}"

    async def run() -> None:
        lost = [await contact(cluster, first, f"192.0.2.{number}") for number in range(10, 14)]
        kept = [await contact(cluster, second, f"192.0.2.{number}") for number in range(20, 22)]
        forms = {visitor.token: await form_of(visitor) for visitor in (*lost, *kept)}
        assert "" not in forms.values()
        # One of them has just sent what it wrote: its state is held by the process that dies.
        filled = ENQUIRY | {"message": message, "submission": forms[lost[0].token]}
        with held_up(cluster, "enquiries"):
            await lost[0].send(SEND, "/contact", form_data=filled)
            await asyncio.to_thread(wait_for, lambda: is_waited_for(cluster), "the enquiry is being stored")
            kill_holding(cluster, first)
        for visitor in lost:
            await again(visitor)
            assert await form_of(visitor) == forms[visitor.token]
        assert {visitor.token for visitor in (*lost, *kept)} == set(forms)
        assert [visitor.lost_at for visitor in kept] == [None, None]
        await lost[0].send(SEND, "/contact", form_data=filled)
        await lost[0].until("contact_state.times_sent", 1)
        for visitor in (*lost, *kept):
            await visitor.close()

    asyncio.run(run())
    assert stored(cluster.database_url)[message] == 1


@pytest.mark.spec("SES-1", "ACO-7")
def test_an_edit_in_progress_survives_the_loss_of_its_backend(cluster: Cluster) -> None:
    tagline, executable = f"Edited while a server died {secrets.token_hex(4)}", installed()

    async def run() -> None:
        async with browser(executable) as context:
            page = await opened_form(context, cluster)
            (serving,) = [backend for backend in cluster.backends if backend.tabs]
            await page.locator("[name=tagline]").fill(tagline)
            with held_up(cluster, "companies"):
                await page.get_by_role("button", name="Update Company").click()
                await asyncio.to_thread(wait_for, lambda: is_waited_for(cluster), "the company is being saved")
                kill_holding(cluster, serving)
            await expect(page.get_by_text(messages.CONNECTION_UNSURE)).to_be_visible(timeout=60_000)
            await expect(page.locator("[name=tagline]")).to_have_value(tagline)
            await page.get_by_role("button", name="Update Company").click()
            await expect(page.get_by_text("Company updated successfully")).to_be_visible(timeout=60_000)

    asyncio.run(run())
    with psycopg.connect(cluster.database_url) as connection:
        found = connection.execute("SELECT tagline FROM companies WHERE slug = 'treacle-tech'").fetchone()
    assert found == (tagline,)


@asynccontextmanager
async def browser(executable: str | None) -> AsyncIterator[BrowserContext]:
    """A real one, with nothing stored."""
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        yield await chromium.new_context(locale="en-SG")
        await chromium.close()


async def opened_form(context: BrowserContext, cluster: Cluster) -> Page:
    """The form of a company, opened by an admin who has signed in."""
    page = await context.new_page()
    await page.goto(cluster.url + "/auth")
    await page.get_by_label("Email", exact=True).fill(ADMIN_EMAIL)
    await page.get_by_label("Password", exact=True).fill(ADMIN_PASSWORD)
    await page.get_by_role("button", name="Sign in", exact=True).click()
    await page.wait_for_url("**/admin*")
    await page.goto(cluster.url + EDIT)
    await expect(page.locator("[name=name]")).to_have_value("Treacle Tech", timeout=60_000)
    return page


@pytest.mark.spec("SES-1", "DATA-4")
@pytest.mark.parametrize("how", ["restarted", "killed"])
def test_clients_keep_their_state_after_a_redis_outage(cluster: Cluster, how: str) -> None:
    async def run() -> None:
        visitors = [await contact(cluster, backend, "192.0.2.30") for backend in cluster.backends]
        forms = [await form_of(visitor) for visitor in visitors]
        assert "" not in forms
        if how == "killed":
            # What was done within the last second may be lost then, as with every --appendfsync everysec.
            await asyncio.to_thread(wait_for, lambda: is_written_down(cluster), "Redis has written everything down")
            cluster.redis.kill()
        else:
            cluster.redis.stop()
        cluster.redis.start()
        await asyncio.to_thread(wait_for, cluster.redis_answers, "Redis answers")
        for visitor in visitors:
            await visitor.close()
            await again(visitor)
        assert [await form_of(visitor) for visitor in visitors] == forms
        for visitor in visitors:
            await visitor.close()

    asyncio.run(run())


def is_written_down(cluster: Cluster) -> bool:
    """Whether all that Redis knows is on the disk."""
    with redis.Redis.from_url(cluster.redis_url) as connection:
        facts: dict[str, Any] = connection.info("persistence")
    return not (facts.get("aof_pending_bio_fsync") or facts.get("aof_buffer_length"))


@pytest.mark.spec("DATA-4")
@pytest.mark.parametrize("how", ["restarted", "killed"])
def test_no_request_fails_on_a_dead_postgresql_connection(cluster: Cluster, how: str) -> None:
    async def run() -> None:
        visitors = [await contact(cluster, backend, "192.0.2.40") for backend in cluster.backends]
        server = cluster.postgresql
        await asyncio.to_thread(server.kill if how == "killed" else server.stop)
        server.launch()
        await asyncio.to_thread(server.wait)
        for visitor in visitors:
            filled = ENQUIRY | {"message": f"After {how} {visitor.token}", "submission": visitor.token}
            await visitor.send(SEND, "/contact", form_data=filled)
            await visitor.until("contact_state.is_busy", True)
            await visitor.until("contact_state.is_busy", False)
            assert visitor.vars["contact_state.times_sent"] == 1, visitor.vars["notice_state.notices"]
            await visitor.close()

    asyncio.run(run())


@pytest.mark.spec("ROLE-4")
def test_a_session_begun_at_one_backend_works_at_the_other(cluster: Cluster) -> None:
    async def run() -> None:
        staff = Visitor(cluster.url, "192.0.2.1")
        await staff.connect()
        await staff.send(ENTER, "/auth", form_data={"email": ADMIN_EMAIL, "password": ADMIN_PASSWORD})
        await staff.until("current_user.role", "admin")
        for backend in cluster.backends:
            await staff.close()
            staff.url = backend.url
            staff.vars.clear()
            await staff.connect()
            await staff.until("state.is_hydrated", True)
            staff.vars.clear()
            await staff.send(OPEN, EDIT, {"slug": "treacle-tech"})
            await staff.until("company_form_state.shown", EDIT)
            assert staff.vars["company_form_state.form"]["texts"]["slug"] == "treacle-tech"
        await staff.close()

    asyncio.run(run())
