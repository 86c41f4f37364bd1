"""Connections to PostgreSQL: few of them, and what the address, the server and the environment say of them."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from sqlmodel import col

from sitekit.base.db.database import ContentVersion, content_version, engine, read_session, transaction
from sitekit.base.db.diagnosis import prove_writing
from sitekit.base.db.migrations import migrate
from sitekit.base.db.postgresql import OtherEncoding
from sitekit.base.db.rate_limits import Attempt
from sitekit.ops.check import check_results
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


@pytest.fixture
def empty_url(postgresql: PostgreSQL) -> Iterator[str]:
    """The URL of a database without tables."""
    postgresql.execute("CREATE DATABASE bare")
    yield postgresql.url("bare")
    engine().dispose()
    postgresql.execute("DROP DATABASE bare WITH (FORCE)")


@on_postgresql
@pytest.mark.spec("DATA-3")
@pytest.mark.parametrize(
    ("in_url", "in_environment"), [("?options=-csearch_path%3Dsite", ""), ("", "-csearch_path=site")]
)
def test_options_hold_for_the_migrations_and_for_the_site(
    empty_url: str,
    database_kind: str,
    in_url: str,
    in_environment: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PGOPTIONS", in_environment)
    with psycopg.connect(empty_url, autocommit=True) as admin:
        admin.execute("CREATE SCHEMA site")
        use(monkeypatch, tmp_path / "data", DATABASE_URL=empty_url + in_url)
        migrate()
        prove_writing()
        assert admin.execute(
            "SELECT DISTINCT schemaname FROM pg_tables WHERE tablename = 'alembic_version'"
        ).fetchall() == [("site",)]
    with read_session() as session:
        assert session.execute(sa.text("SHOW statement_timeout")).scalar_one() == "10s"


@on_postgresql
@pytest.mark.spec("DATA-3")
def test_the_address_may_name_the_program_and_the_time_to_connect(
    database_dir: Path, monkeypatch: pytest.MonkeyPatch, postgresql: PostgreSQL
) -> None:
    use(monkeypatch, database_dir, DATABASE_URL=postgresql.url("test") + "?application_name=firm&connect_timeout=7")
    with read_session() as session:
        driver = session.connection().connection.dbapi_connection
        assert isinstance(driver, psycopg.Connection)
        options = driver.info.get_parameters()
        assert (options["application_name"], options["connect_timeout"]) == ("firm", "7")


@on_postgresql
@pytest.mark.spec("DATA-3")
@pytest.mark.parametrize(
    "setting", ["client_encoding = 'LATIN1'", "DateStyle = 'SQL, DMY'", "timezone = 'Asia/Singapore'"]
)
def test_settings_of_the_server_change_neither_texts_nor_times(
    empty_url: str, database_kind: str, setting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    with psycopg.connect(empty_url, autocommit=True) as admin:
        admin.execute(f"ALTER DATABASE bare SET {setting}".encode())
    use(monkeypatch, tmp_path / "data", DATABASE_URL=empty_url)
    migrate()
    with transaction() as session:
        row = Attempt(bucket="收入 ’", key="a", at=datetime(2026, 11, 5, tzinfo=UTC))
        session.add(row)
    with read_session() as session:
        assert session.execute(sa.select(col(Attempt.bucket), col(Attempt.at))).one() == (row.bucket, row.at)


@on_postgresql
@pytest.mark.spec("DATA-3")
@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_of_another_encoding_is_refused_with_a_sentence(
    postgresql: PostgreSQL, database_kind: str, encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    postgresql.execute(f"CREATE DATABASE narrow ENCODING '{encoding}' TEMPLATE template0")
    try:
        use(monkeypatch, tmp_path / "data", DATABASE_URL=postgresql.url("narrow"))
        with pytest.raises(OtherEncoding, match=encoding):
            migrate()
        assert [
            found.text
            for found in check_results()
            if f"stores texts in {encoding}, but the site needs UTF8" in found.text
        ]
    finally:
        engine().dispose()
        postgresql.execute("DROP DATABASE narrow WITH (FORCE)")
