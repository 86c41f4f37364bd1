"""The database floor: whole transactions, writers in turn, connections that died."""

import sqlite3
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import col

from advisory_site.companies.models import Company
from advisory_site.companies.models import columns as companies
from sitekit.accounts.models import Profile
from sitekit.base import settings
from sitekit.base.db.database import (
    ContentVersion,
    content_version,
    engine,
    engine_of,
    read_session,
    transaction,
    truncate_wal,
)
from tests.conftest import on_postgresql, on_sqlite
from tests.support.postgresql import PostgreSQL


@pytest.mark.spec("DATA-3")
def test_a_failing_savepoint_rolls_back_only_its_own_work(database: ModuleType) -> None:
    with transaction() as session:
        session.execute(sa.update(ContentVersion).values(number=5))
        with pytest.raises(RuntimeError), session.begin_nested():
            session.execute(sa.update(ContentVersion).values(number=6))
            raise RuntimeError
    assert content_version() == 5


@pytest.mark.spec("DATA-3")
def test_a_failing_transaction_leaves_nothing(database: ModuleType) -> None:
    with pytest.raises(RuntimeError), transaction() as session:
        session.execute(sa.update(ContentVersion).values(number=5))
        raise RuntimeError
    assert content_version() == 0


def _grow(_turn: int) -> None:
    with transaction() as session:
        number = session.execute(sa.select(col(ContentVersion.number))).scalar_one()
        session.execute(sa.update(ContentVersion).values(number=number + 1))


@on_sqlite
@pytest.mark.spec("DATA-3")
def test_writers_are_serialised_from_their_first_read(database: ModuleType) -> None:
    with ThreadPoolExecutor(max_workers=8) as threads:
        list(threads.map(_grow, range(40)))
    assert content_version() == 40


@on_sqlite
@pytest.mark.spec("DATA-3")
def test_writers_of_one_process_never_find_the_database_locked(database: ModuleType) -> None:
    sa.event.listen(database.engine(), "connect", _without_patience)
    with ThreadPoolExecutor(max_workers=8) as threads:
        list(threads.map(_grow, range(40)))
    assert content_version() == 40


def _without_patience(connection: Any, _record: object) -> None:
    """Whoever finds the database locked fails at once."""
    connection.execute("PRAGMA busy_timeout=0")


@on_sqlite
@pytest.mark.spec("DATA-3")
def test_a_writer_times_out_behind_another_that_does_not_end(
    database: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADVISORY_LOCK_TIMEOUT_MS", "10")
    settings.get_settings.cache_clear()
    with transaction(), ThreadPoolExecutor() as threads, pytest.raises(sa.exc.TimeoutError):
        threads.submit(_grow, 1).result()
    _grow(1)
    assert content_version() == 1


@on_sqlite
@pytest.mark.spec("DATA-3")
def test_the_lock_timeout_is_taken_from_the_settings(database: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVISORY_LOCK_TIMEOUT_MS", "10")
    settings.get_settings.cache_clear()
    database.engine().dispose()
    with read_session() as session:
        assert session.execute(sa.text("PRAGMA busy_timeout")).scalar_one() == 10


@on_sqlite
@pytest.mark.spec("DATA-3")
def test_readers_do_not_wait_for_a_writer(database: ModuleType) -> None:
    with transaction() as session:
        session.execute(sa.update(ContentVersion).values(number=5))
        assert content_version() == 0


@on_postgresql
@pytest.mark.spec("DATA-3")
def test_a_dead_connection_is_replaced_silently(database: ModuleType, postgresql: PostgreSQL) -> None:
    assert content_version() == 0
    postgresql.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'advisory_site'"
    )
    assert content_version() == 0


@pytest.mark.spec("DATA-3")
def test_threads_that_ask_first_at_once_share_an_engine(database: ModuleType) -> None:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    together = threading.Barrier(8)

    def ask(_turn: int) -> sa.Engine:
        together.wait()
        return engine()

    try:
        with ThreadPoolExecutor(max_workers=8) as threads:
            for _ in range(20):
                engine_of.cache_clear()
                assert len(set(threads.map(ask, range(8)))) == 1
    finally:
        sys.setswitchinterval(before)


def _spoil(statement: str) -> None:
    """Run this in a connection of the site, which is then returned to the pool."""
    with engine().connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(statement)


SPOILED = {
    "sqlite": ["PRAGMA query_only = ON"],
    "postgresql": [
        "SET default_transaction_read_only = on",
        "SET search_path = elsewhere",
        "SET ROLE pg_monitor",
    ],
}


@pytest.mark.spec("DATA-3")
def test_a_connection_that_answers_and_is_of_no_use_fails_once(database: ModuleType, database_kind: str) -> None:
    for number, statement in enumerate(SPOILED[database_kind], 1):
        _spoil(statement)
        with pytest.raises(sa.exc.DBAPIError):
            _grow(1)
        _grow(1)
        assert content_version() == number, statement


@on_postgresql
@pytest.mark.spec("DATA-3")
def test_after_a_read_only_time_of_the_server_all_connections_write_again(
    database: ModuleType, postgresql: PostgreSQL
) -> None:
    postgresql.execute("ALTER DATABASE test SET default_transaction_read_only = on")
    database.engine().dispose()
    try:
        with ExitStack() as several:
            for _ in range(4):
                several.enter_context(read_session()).execute(sa.text("SELECT 1"))
    finally:
        postgresql.execute("ALTER DATABASE test RESET default_transaction_read_only")
    with pytest.raises(sa.exc.InternalError):
        _grow(1)
    for _ in range(4):
        _grow(1)
    assert content_version() == 4


@on_postgresql
@pytest.mark.spec("DATA-3")
@pytest.mark.parametrize(
    ("limit", "value"),
    [("statement_timeout", "10s"), ("lock_timeout", "5s"), ("idle_in_transaction_session_timeout", "1min")],
)
def test_database_timeouts_are_set(database: ModuleType, limit: str, value: str) -> None:
    with read_session() as session:
        assert session.execute(sa.text(f"SHOW {limit}")).scalar_one() == value


VALUES = ["text", "1, 2", "", 7, 1.5, True, [], {}, [["a"], {"b": None}], "🦊 “q” \n\t", "null", "[1]", '{"a": 1}', "7"]


@pytest.mark.spec("DATA-2")
def test_json_columns_return_the_stored_values(database: ModuleType) -> None:
    for number, value in enumerate(VALUES):
        with database.transaction() as session:
            session.add(Company(name="Kelp", slug=f"kelp-{number}", founders=value))
        with database.read_session() as session:
            kept = session.execute(sa.select(companies.founders).where(companies.slug == f"kelp-{number}")).scalar_one()
        assert kept == value
        assert type(kept) is type(value)


@pytest.mark.spec("DATA-2")
def test_invalid_json_is_read_as_plain_text(database: ModuleType) -> None:
    with database.transaction() as session:
        session.add(Company(name="Kelp", slug="kelp"))
    for raw in ("Ann, Bo", "[", "{'a': 1}", "", "[" * 100_000, "9" * 5_000):
        with database.transaction() as session:
            session.execute(sa.text("UPDATE companies SET founders = :raw"), {"raw": raw})
        with database.read_session() as session:
            assert session.execute(sa.select(companies.founders)).scalar_one() == raw


@pytest.mark.spec("DATA-1")
def test_timestamps_come_from_the_database_in_utc(database: ModuleType) -> None:
    with database.transaction() as session:
        company = Company(name="Kelp", slug="kelp")
        session.add(company)
    with database.read_session() as session:
        stored = session.get_one(Company, company.id)
    assert stored.created_at.utcoffset() == timedelta(0)
    assert abs(database.now() - stored.created_at) < timedelta(minutes=5)


@pytest.mark.spec("DATA-1")
def test_a_change_updates_the_timestamp_and_the_version(database: ModuleType) -> None:
    with database.transaction() as session:
        company = Company(name="Kelp", slug="kelp")
        session.add(company)
    with database.transaction() as session:
        session.get_one(Company, company.id).name = "Nori"
    with database.read_session() as session:
        after = session.get_one(Company, company.id)
    assert after.version == 2
    assert after.updated_at >= after.created_at


@pytest.mark.spec("DATA-1")
def test_the_id_of_a_deleted_record_is_never_reused(database: ModuleType) -> None:
    ids = []
    for number in range(2):
        with database.transaction() as session:
            company = Company(name="Kelp", slug=f"kelp-{number}")
            session.add(company)
        ids.append(company.id)
        with database.transaction() as session:
            session.delete(session.get_one(Company, company.id))
    assert ids[0] != ids[1]


@pytest.mark.spec("DATA-1")
def test_slugs_are_unique_and_required(database: ModuleType) -> None:
    with database.transaction() as session:
        session.add(Company(name="Kelp", slug="kelp"))
    for slug in ("kelp", ""):
        with pytest.raises(sa.exc.IntegrityError), database.transaction() as session:
            session.add(Company(name="Nori", slug=slug))


def test_changes_invisible_to_visitors_do_not_invalidate_rendered_pages(database: ModuleType) -> None:
    before = database.content_version()
    with database.transaction() as session:
        session.add(Profile(email="wei@firm.example"))
    assert database.content_version() == before


@on_sqlite
def test_the_wal_is_truncated_unless_it_is_being_read_and_writers_do_not_fail(database_dir: Path) -> None:
    log = database_dir / "advisory.db-wal"
    _grow(0)
    with closing(sqlite3.connect(database_dir / "advisory.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT number FROM content_version").fetchone()
        _grow(1)
        with ThreadPoolExecutor(1) as pool:
            emptied = pool.submit(truncate_wal)
            for turn in range(20):
                _grow(turn)
            assert emptied.result() is False
        assert log.stat().st_size > 0
    assert truncate_wal() is True
    assert log.stat().st_size == 0
    with closing(engine().raw_connection()) as connection:
        timeout = connection.cursor().execute("PRAGMA busy_timeout").fetchone()
    assert timeout == (settings.get_settings().lock_timeout_ms,)
