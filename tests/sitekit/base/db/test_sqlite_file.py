"""A database file that is missing, removed or replaced: nothing is stored where it would be lost."""

import sqlite3
from pathlib import Path
from types import ModuleType

import pytest
import sqlalchemy as sa

from advisory_site.companies.models import Company
from sitekit.base.db.migrations import migrate
from sitekit.base.db.sqlite_file import DatabaseFileChanged, existing_file, sqlite_path
from tests.conftest import on_sqlite, use
from tests.support.factories import add_company

pytestmark = pytest.mark.spec("DATA-3")


@pytest.fixture
def file(database: ModuleType, database_dir: Path) -> Path:
    """The database's file, in use: two connections are open, and one company is stored."""
    with database.read_session() as first, database.transaction() as second:
        first.execute(sa.select(Company))
        add_company(second, slug="kelp")
    return database_dir / "advisory.db"


def save(database: ModuleType, slug: str) -> None:
    with database.transaction() as session:
        add_company(session, slug=slug)


def slugs(file: Path) -> list[str]:
    with sqlite3.connect(file) as connection:
        return [row[0] for row in connection.execute("SELECT slug FROM companies ORDER BY id")]


@on_sqlite
def test_opening_a_session_does_not_create_a_database(
    database: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, tmp_path / "nothing")
    (tmp_path / "nothing").mkdir()
    for use_it in (database.read_session, database.transaction):
        with pytest.raises(sa.exc.OperationalError), use_it() as session:
            session.execute(sa.select(Company))
    assert list((tmp_path / "nothing").iterdir()) == []


@on_sqlite
@pytest.mark.parametrize("name", ["with space", "100%", "a#b", "a?b=c&d", "ü 字", "%41"])
def test_the_database_folder_may_have_any_name(
    database: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    use(monkeypatch, tmp_path / name)
    migrate()
    save(database, "kelp")
    assert slugs(tmp_path / name / "advisory.db") == ["kelp"]
    database.engine().dispose()


@on_sqlite
def test_a_removed_database_file_refuses_reads_and_writes(database: ModuleType, file: Path) -> None:
    file.unlink()
    for number in range(5):
        with pytest.raises(DatabaseFileChanged, match="no longer exists"):
            save(database, f"lost-{number}")
    with pytest.raises(DatabaseFileChanged), database.read_session() as session:
        session.execute(sa.select(Company))
    assert not file.exists()


@on_sqlite
def test_a_database_file_removed_during_a_save_makes_it_fail(database: ModuleType, file: Path) -> None:
    with pytest.raises(DatabaseFileChanged), database.transaction() as session:
        add_company(session, slug="lost")
        session.flush()
        file.unlink()


@on_sqlite
def test_a_replaced_database_file_is_neither_written_nor_read(database: ModuleType, file: Path, migrated: Path) -> None:
    other = file.with_name("other.db")
    other.write_bytes((migrated / "advisory.db").read_bytes())
    other.rename(file)
    for _ in range(20):  # more often than there are connections, so that a new one is tried too
        with pytest.raises(DatabaseFileChanged, match="replaced"):
            save(database, "lost")


@on_sqlite
def test_a_restored_database_file_is_used_again(database: ModuleType, file: Path) -> None:
    hidden = file.rename(file.with_name("hidden"))
    with pytest.raises(DatabaseFileChanged):
        save(database, "lost")
    hidden.rename(file)
    save(database, "tern")
    database.engine().dispose()
    assert slugs(file) == ["kelp", "tern"]


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("sqlite:////var/a.db", "/var/a.db"),
        ("sqlite:///a%20b.db", "a b.db"),
        ("sqlite:///file:/var/a%2520b.db?mode=ro&uri=true", "/var/a b.db"),
    ],
)
def test_the_file_path_is_read_from_a_sqlite_url(url: str, path: str) -> None:
    assert sqlite_path(url) == Path(path)


def test_a_postgresql_url_has_no_file_path() -> None:
    assert sqlite_path("postgresql+psycopg://ann@host/firm") is None


def test_a_sqlite_url_keeps_its_own_options() -> None:
    url = "sqlite:///file:/var/a.db?mode=ro&uri=true"
    assert existing_file(url) == sa.make_url(url)
