"""A rehearsed restore: into a database of the site's kind that is deleted again, compared and recorded."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from urllib.parse import quote

import pytest
import sqlalchemy as sa

from advisory_site.seed import seed
from sitekit.base import backup_log
from sitekit.base.db.database import engine, read_session, transaction
from sitekit.base.db.migrations import migrate
from sitekit.base.permissions import Actor, Role
from sitekit.base.settings import get_settings
from sitekit.ops import backup, copy_database, rehearsal
from sitekit.ops.backup_stores import BackupStoreUnavailable, open_store
from sitekit.ops.rehearsal import RehearsalFailed, rehearse
from sitekit.records.pictures.addresses import file_name
from sitekit.records.pictures.storage import Store, store
from tests.conftest import on_postgresql, on_sqlite, use
from tests.support.people import person
from tests.support.postgresql import PostgreSQL

pytestmark = pytest.mark.spec("DATA-3")

PICTURE = file_name("0" * 32, 320, "jpg")


@pytest.fixture
def place(database: ModuleType, tmp_path: Path) -> Path:
    """A folder with a backup of the demo firm, an admin and a picture."""
    with transaction() as session:
        seed(session)
    person(role=Role.ADMIN)
    store().put(PICTURE, b"picture")
    folder = tmp_path / "backups"
    folder.mkdir()
    backup.back_up(open_store(str(folder)), print, pytest.fail)
    return folder


def databases() -> list[str]:
    """The databases on the server of the site; none if it is SQLite."""
    with engine().connect() as connection:
        if connection.dialect.name == "sqlite":
            return []
        return list(connection.execute(sa.text("SELECT datname FROM pg_database")).scalars())


def recorded() -> tuple[str, str]:
    with read_session() as session:
        last = backup_log.last_rehearsal(session, Actor(1, Role.ADMIN))
    assert last is not None
    return last.file_name, last.problem


def test_the_newest_backup_is_restored_elsewhere_and_recorded(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, files = databases(), sorted(get_settings().data_dir.iterdir())
    dialects = []
    compare = rehearsal._compare_records

    def note(opened: backup.Opened, url: str) -> None:
        dialects.append(sa.make_url(url).get_backend_name())
        assert url != get_settings().database_url
        compare(opened, url)

    monkeypatch.setattr(rehearsal, "_compare_records", note)
    manifest = rehearse(str(place), pytest.fail)
    (made,) = place.iterdir()
    assert recorded() == (made.name, "")
    assert manifest.records > 40
    assert dialects == [engine().dialect.name]
    assert databases() == before
    assert sorted(get_settings().data_dir.iterdir()) == files


def _change_a_record(opened: backup.Opened, url: str) -> None:
    with copy_database.write_transaction(url) as connection:
        connection.execute(sa.text("UPDATE companies SET name = 'Other' WHERE id = 1"))


def _lose_the_admins(opened: backup.Opened, url: str) -> None:
    for address in (url, opened.url):
        with copy_database.write_transaction(address) as connection:
            connection.execute(sa.text("UPDATE user_roles SET role = 'employee'"))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (_change_a_record, "The restored records of companies are not those of the backup."),
        (_lose_the_admins, "Nobody could manage the restored site: the backup has no active admin."),
    ],
)
def test_a_wrong_restore_is_a_failure(
    place: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[backup.Opened, str], None], sentence: str
) -> None:
    restore_into = backup.restore_into

    def restore_wrongly(opened: backup.Opened, url: str, pictures: Store) -> None:
        restore_into(opened, url, pictures)
        change(opened, url)

    monkeypatch.setattr(rehearsal, "restore_into", restore_wrongly)
    before = databases()
    with pytest.raises(RehearsalFailed):
        rehearse(str(place), pytest.fail)
    assert recorded()[1] == sentence
    assert databases() == before


@on_sqlite
def test_a_wrongly_restored_picture_is_a_failure(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    restore_into = backup.restore_into

    def restore_wrongly(opened: backup.Opened, url: str, pictures: Store) -> None:
        restore_into(opened, url, pictures)
        pictures.put(PICTURE, b"another")

    monkeypatch.setattr(rehearsal, "restore_into", restore_wrongly)
    with pytest.raises(RehearsalFailed, match=f"The restored picture {PICTURE} is not that of the backup"):
        rehearse(str(place), pytest.fail)


@on_sqlite
def test_a_damaged_or_missing_backup_is_recorded_as_a_failure(place: Path) -> None:
    (made,) = place.iterdir()
    made.write_bytes(made.read_bytes()[:-1])
    with pytest.raises(backup.BackupRefused):
        rehearse(str(place), pytest.fail)
    name, problem = recorded()
    assert (name, "incomplete or was altered" in problem) == (made.name, True)
    made.unlink()
    with pytest.raises(BackupStoreUnavailable):
        rehearse(str(place), pytest.fail)
    assert recorded() == ("", f"There is no backup in {place}.")


@on_sqlite
def test_a_rehearsal_without_a_site_works_and_says_it_is_not_recorded(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, tmp_path / "elsewhere")
    said: list[str] = []
    assert rehearse(str(place), said.append).records > 40
    assert said[0].startswith("The dashboard will not show this rehearsal: There is no database")


@on_postgresql
def test_a_rehearsal_uses_sqlite_if_no_database_may_be_created(
    place: Path, postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    postgresql.execute("CREATE ROLE reader LOGIN IN ROLE pg_read_all_data, pg_write_all_data")
    url = postgresql.url("test").replace("advisory@", "reader@")
    use(monkeypatch, get_settings().data_dir, DATABASE_URL=url)
    said: list[str] = []
    assert rehearse(str(place), said.append).records > 40
    assert said[0].startswith("Rehearsed with SQLite, because the site's role may not create databases")


@pytest.fixture
def others(postgresql: PostgreSQL) -> Iterator[Callable[[str, str], None]]:
    """Creates databases that the site did not make, and drops them after the test."""
    names: list[str] = []

    def create(name: str, more: str = "") -> None:
        names.append(name)
        postgresql.execute(f'CREATE DATABASE "{name}" {more}')

    yield create
    for name in names:
        postgresql.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


@on_postgresql
def test_only_marked_leftovers_of_a_killed_rehearsal_of_this_site_are_dropped(
    place: Path, postgresql: PostgreSQL, others: Callable[..., None]
) -> None:
    marks = {
        "test_rehearsal": "",
        "test_rehearsal_killed": f"{rehearsal.MARK}test",
        "test_rehearsal_live": f"{rehearsal.MARK}test",
        "test_rehearsal_of_another_site": f"{rehearsal.MARK}firm",
    }
    for name, mark in marks.items():
        others(name)
        postgresql.execute(f"COMMENT ON DATABASE {name} IS '{mark}'")
    with engine().connect() as connection:
        held = {"lock": rehearsal.REHEARSAL_LOCK, "name": "test_rehearsal_live"}
        assert connection.execute(rehearsal._TRY_LOCK, held).scalar()
        rehearse(str(place), pytest.fail)
        connection.execute(sa.text("SELECT pg_advisory_unlock_all()"))
    assert {name for name in databases() if "rehearsal" in name} == marks.keys() - {"test_rehearsal_killed"}


@on_postgresql
@pytest.mark.parametrize("name", ["a" * 63, "é" * 31, "Firm: 'the \"first\"' 100%"])
def test_a_restore_is_rehearsed_beside_a_database_of_any_name(
    place: Path, postgresql: PostgreSQL, others: Callable[..., None], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    others(name.replace('"', '""'), "TEMPLATE migrated")
    use(monkeypatch, get_settings().data_dir, DATABASE_URL=postgresql.url(quote(name, safe="")))
    before = databases()
    assert rehearse(str(place), pytest.fail).records > 40
    assert databases() == before
    engine().dispose()


@pytest.fixture
def ascii_server(postgresql: PostgreSQL) -> Iterator[None]:
    """A server whose new databases have no encoding, as on a machine without locales."""
    change = "UPDATE pg_database SET encoding = pg_char_to_encoding('{}') WHERE datname = 'template1'"
    postgresql.execute(change.format("SQL_ASCII"))
    yield
    postgresql.execute(change.format("UTF8"))


@on_postgresql
def test_a_rehearsal_has_the_encoding_and_collation_of_the_site(
    place: Path,
    ascii_server: None,
    others: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    postgresql: PostgreSQL,
) -> None:
    others("collated", "TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C.utf8' LC_CTYPE 'C.utf8'")
    use(monkeypatch, get_settings().data_dir, DATABASE_URL=postgresql.url("collated"))
    migrate()
    seen: list[str] = []
    compare = rehearsal._compare_records

    def note(opened: backup.Opened, url: str) -> None:
        with copy_database.snapshot(url) as connection:
            query = (
                "SELECT pg_encoding_to_char(encoding), datcollate FROM pg_database WHERE datname = current_database()"
            )
            seen.extend(connection.execute(sa.text(query)).one())
        compare(opened, url)

    monkeypatch.setattr(rehearsal, "_compare_records", note)
    rehearse(str(place), pytest.fail)
    assert seen == ["UTF8", "C.utf8"]
    engine().dispose()


@on_postgresql
def test_a_scratch_database_that_cannot_be_created_is_reported_in_one_sentence(
    place: Path, postgresql: PostgreSQL
) -> None:
    postgresql.execute("ALTER DATABASE template0 RENAME TO elsewhere")
    try:
        with pytest.raises(RehearsalFailed):
            rehearse(str(place), pytest.fail)
    finally:
        postgresql.execute("ALTER DATABASE elsewhere RENAME TO template0")
    reason = 'template database "template0" does not exist'
    assert recorded()[1] == f"The scratch database cannot be created: {reason}."
