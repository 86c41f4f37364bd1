"""The database floor: whole transactions, writers in turn, connections that died."""

from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

import pytest
import sqlalchemy as sa

from advisory_site.database import ContentVersion, content_version, reading, transaction
from tests.conftest import on_postgresql, on_sqlite
from tests.postgresql import PostgreSQL


@pytest.mark.spec("DATA-3")
def test_a_block_that_fails_takes_back_its_own_work_alone(database: ModuleType) -> None:
    with transaction() as session:
        session.execute(sa.update(ContentVersion).values(number=5))
        with pytest.raises(RuntimeError), session.begin_nested():
            session.execute(sa.update(ContentVersion).values(number=6))
            raise RuntimeError
    assert content_version() == 5


@pytest.mark.spec("DATA-3")
def test_a_transaction_that_fails_leaves_nothing(database: ModuleType) -> None:
    with pytest.raises(RuntimeError), transaction() as session:
        session.execute(sa.update(ContentVersion).values(number=5))
        raise RuntimeError
    assert content_version() == 0


def _grow(_turn: int) -> None:
    with transaction() as session:
        number = session.execute(sa.select(ContentVersion.number)).scalar_one()
        session.execute(sa.update(ContentVersion).values(number=number + 1))


@on_sqlite
@pytest.mark.spec("DATA-3")
def test_writers_take_turns_from_their_first_read(database: ModuleType) -> None:
    with ThreadPoolExecutor(max_workers=8) as threads:
        list(threads.map(_grow, range(40)))
    assert content_version() == 40


@on_sqlite
@pytest.mark.spec("DATA-3")
def test_readers_do_not_wait_for_a_writer(database: ModuleType) -> None:
    with transaction() as session:
        session.execute(sa.update(ContentVersion).values(number=5))
        assert content_version() == 0


@on_postgresql
@pytest.mark.spec("DATA-3")
def test_a_connection_that_died_is_replaced_unnoticed(database: ModuleType, postgresql: PostgreSQL) -> None:
    assert content_version() == 0
    postgresql.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'advisory_site'"
    )
    assert content_version() == 0


@on_postgresql
@pytest.mark.spec("DATA-3")
@pytest.mark.parametrize(
    ("limit", "value"),
    [("statement_timeout", "10s"), ("lock_timeout", "5s"), ("idle_in_transaction_session_timeout", "1min")],
)
def test_nobody_waits_for_the_database_without_end(database: ModuleType, limit: str, value: str) -> None:
    with reading() as session:
        assert session.execute(sa.text(f"SHOW {limit}")).scalar_one() == value
