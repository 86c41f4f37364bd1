"""What is the matter with the database, in a word and in a sentence with a cure."""

import socket
from pathlib import Path
from types import ModuleType

import pytest
import sqlalchemy as sa

from sitekit.base.db.database import engine
from sitekit.base.db.diagnosis import (
    Trouble,
    explain,
    foreign_files,
    is_trouble,
    prove_storing,
    prove_writing,
    trouble_of,
)
from sitekit.base.settings import get_settings
from tests.conftest import on_postgresql, on_sqlite, use
from tests.support.database_faults import Fault, full, full_but_for_a_row, locked, missing, no_file, read_only
from tests.support.owners import give_away
from tests.support.postgresql import PostgreSQL


def trouble() -> Exception:
    """What storing something meets now."""
    with pytest.raises(sa.exc.SQLAlchemyError) as raised:
        prove_writing()
    assert is_trouble(raised.value)
    return raised.value


def test_a_sound_database_passes_the_write_check(database: ModuleType) -> None:
    before = database.content_version()
    prove_writing()
    assert database.content_version() == before


@on_sqlite
@pytest.mark.parametrize(
    ("fault", "word", "cure"),
    [
        (locked, Trouble.LOCKED, "Try again"),
        (missing, Trouble.MISSING, "'restore' one from a backup"),
        (no_file, Trouble.MISSING, "cannot be opened"),
        (read_only, Trouble.READ_ONLY, "can be read, but not written"),
        (full, Trouble.DISK, "the disk is full"),  # what SQLite meets is a file that may not grow
    ],
)
def test_every_database_fault_has_a_name_and_an_explanation(
    database: ModuleType,
    database_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: Fault,
    word: Trouble,
    cure: str,
) -> None:
    with fault(database_dir, monkeypatch):
        error = trouble()
        assert trouble_of(error) is word
        assert cure in explain(error)
        assert str(database_dir) in explain(error)


@on_sqlite
def test_a_nearly_full_disk_is_reported_as_full(
    database: ModuleType, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prove_storing()
    files = set(database_dir.iterdir())
    with full_but_for_a_row(database_dir, monkeypatch):
        prove_writing()
        with pytest.raises(sa.exc.OperationalError) as raised:
            prove_storing()
    assert is_trouble(raised.value) and trouble_of(raised.value) is Trouble.FULL
    assert explain(raised.value).endswith("cannot be written: the disk is full.")
    assert set(database_dir.iterdir()) == files, "something was left"


@on_sqlite
def test_a_file_that_is_no_database_is_reported_as_damaged(database: ModuleType, database_dir: Path) -> None:
    database.engine().dispose()
    for leftover in database_dir.glob("advisory.db-*"):
        leftover.unlink()
    (database_dir / "advisory.db").write_bytes(b"hello" * 1000)
    error = trouble()
    assert trouble_of(error) is Trouble.DAMAGED
    assert "restore a backup" in explain(error)


@on_sqlite
def test_a_database_file_changed_under_the_process_is_reported(database: ModuleType, database_dir: Path) -> None:
    prove_writing()
    (database_dir / "advisory.db").unlink()
    error = trouble()
    assert trouble_of(error) is Trouble.CHANGED
    assert "restart the site" in explain(error)


def test_a_database_without_tables_is_reported_as_not_migrated(
    empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, tmp_path / "data", DATABASE_URL=empty_database_url)
    if empty_database_url.startswith("sqlite"):
        (tmp_path / "empty.db").touch()
    error = trouble()
    assert trouble_of(error) is Trouble.NOT_MIGRATED
    assert "'migrate' moves it" in explain(error)


@on_postgresql
def test_a_server_that_refuses_writes_is_reported_as_read_only(read_only_server: None) -> None:
    error = trouble()
    assert trouble_of(error) is Trouble.READ_ONLY
    assert "can be read, but not written" in explain(error)


@on_postgresql
def test_a_role_without_rights_is_reported_with_what_was_refused(
    database_dir: Path, postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    postgresql.execute("CREATE ROLE guest LOGIN IN ROLE pg_read_all_data")
    try:
        use(monkeypatch, database_dir, DATABASE_URL=postgresql.url("test").replace("advisory@", "guest@"))
        error = trouble()
        assert trouble_of(error) is Trouble.FORBIDDEN
        assert "permission denied for table content_version. The site's role must own" in explain(error)
    finally:
        engine().dispose()
        postgresql.execute("DROP ROLE guest")


@on_sqlite
@pytest.mark.parametrize("option", ["connect_timeout=soon", "sslmode=yes", "keepalives=on"])
def test_a_wrong_value_in_the_address_is_reported_in_a_sentence(
    option: str, database: ModuleType, monkeypatch: pytest.MonkeyPatch, database_dir: Path
) -> None:
    use(monkeypatch, database_dir, DATABASE_URL=f"postgresql://ann:secret-word@127.0.0.1:1/firm?{option}")
    assert "cannot be reached" in explain(trouble())


@on_sqlite
def test_an_unreachable_server_is_reported_without_its_password(
    database: ModuleType, monkeypatch: pytest.MonkeyPatch, database_dir: Path
) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
        use(monkeypatch, database_dir, DATABASE_URL=f"postgresql://ann:secret-word@127.0.0.1:{port}/firm")
        error = trouble()
    assert trouble_of(error) is Trouble.AWAY
    assert "cannot be reached" in explain(error)
    assert "secret-word" not in explain(error)


def test_an_invalid_statement_is_not_reported_as_a_database_fault(database: ModuleType) -> None:
    with pytest.raises(sa.exc.IntegrityError) as raised, database.transaction() as session:
        session.execute(sa.text("INSERT INTO content_version (id, number) VALUES (2, 0)"))
    assert not is_trouble(raised.value)


@on_sqlite
def test_files_of_another_owner_are_found(database: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = get_settings().data_dir
    assert foreign_files(folder) == []
    give_away(monkeypatch, folder)
    assert folder / "advisory.db" in foreign_files(folder)
