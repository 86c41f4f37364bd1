"""Connections to PostgreSQL: few of them."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
import sqlalchemy as sa

from sitekit.base.db.database import ContentVersion, content_version, engine, read_session, transaction
from tests.conftest import on_postgresql, use
from tests.support.postgresql import PostgreSQL
from tests.support.waiting import wait_for

REFUSED = "too many connections"


@pytest.fixture
def limited(
    database_dir: Path, postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[int], None]]:
    """Lets the site open at most so many connections, at its server."""
    postgresql.execute("CREATE ROLE few LOGIN", "GRANT pg_read_all_data, pg_write_all_data TO few")

    def limit(most: int) -> None:
        postgresql.execute(f"ALTER ROLE few CONNECTION LIMIT {most}")
        use(monkeypatch, database_dir, DATABASE_URL=postgresql.url("test").replace("advisory@", "few@"))

    yield limit
    engine().dispose()
    postgresql.execute("DROP ROLE few")


def _grow(_turn: int) -> None:
    with transaction() as session:
        session.execute(sa.update(ContentVersion).values(number=ContentVersion.number + 1))


@on_postgresql
@pytest.mark.spec("DATA-3")
@pytest.mark.parametrize("most", [1, 3, 8])
def test_transactions_wait_for_a_connection_if_the_server_opens_no_more(
    limited: Callable[[int], None], most: int
) -> None:
    limited(most)
    together = threading.Barrier(24)

    def grow(turn: int) -> None:
        together.wait()
        _grow(turn)

    with ThreadPoolExecutor(max_workers=24) as threads:
        list(threads.map(grow, range(24)))
    assert content_version() == 24


@on_postgresql
@pytest.mark.spec("DATA-3")
def test_connections_that_died_do_not_keep_others_from_being_used(
    limited: Callable[[int], None], postgresql: PostgreSQL
) -> None:
    limited(4)
    with ExitStack() as several:
        for _ in range(4):
            several.enter_context(read_session()).execute(sa.text("SELECT 1"))
    ended = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'few'"
    postgresql.execute(ended, "ALTER ROLE few CONNECTION LIMIT 1")
    with ThreadPoolExecutor(max_workers=12) as threads:
        list(threads.map(_grow, range(12)))
    assert content_version() == 12


@on_postgresql
@pytest.mark.spec("DATA-3")
def test_a_transaction_goes_on_waiting_while_the_server_refuses_again(
    limited: Callable[[int], None], postgresql: PostgreSQL
) -> None:
    limited(1)
    before = postgresql.log.count(REFUSED)
    with ThreadPoolExecutor() as threads:
        with read_session() as session:
            session.execute(sa.text("SELECT 1"))
            waits = threads.submit(_grow, 1)
            wait_for(lambda: postgresql.log.count(REFUSED) >= before + 2, "refused twice")
        waits.result()
    assert content_version() == 1
