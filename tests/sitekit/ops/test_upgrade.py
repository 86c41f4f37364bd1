"""The schema of a site with records moves after a backup, and never on what a newer version has made."""

import signal
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
import sqlalchemy as sa

from advisory_site.enquiries.models import Enquiry
from sitekit.base.db.migrations import NewerSchema, head, migrate, migrate_down, revision_of
from sitekit.base.errors import ServiceError
from sitekit.base.observability.checks import Severity
from sitekit.base.observability.health import Readiness
from sitekit.base.server_status import ServerStatus
from sitekit.base.settings import get_settings
from sitekit.ops import backup, check, serve, upgrade
from sitekit.ops.upgrade import UpgradeRefused
from sitekit.records.pictures.addresses import file_name
from tests.conftest import on_sqlite, use
from tests.support.asgi_client import ask_endpoint
from tests.support.cli import run, run_process
from tests.support.interrupted import interrupt

pytestmark = pytest.mark.spec("DATA-2")

OLDER = "0003"


def quietly(_text: str) -> None:
    """Progress that nobody reads."""


def backups() -> list[Path]:
    return sorted(get_settings().backups_dir.glob("*"))


def revision(database: ModuleType) -> str:
    with database.engine().connect() as connection:
        return revision_of(connection)


def enquiries(database: ModuleType) -> int:
    with database.read_session() as session:
        return int(session.execute(sa.text("SELECT count(*) FROM enquiries")).scalar_one())


@pytest.fixture
def older(database: ModuleType) -> None:
    """A database of an earlier release, with an enquiry in it."""
    with database.transaction() as session:
        session.add(Enquiry(submission_id="1", first_name="Ann", last_name="Lim", email="a@b.co", message="Ä 字"))
    migrate_down(OLDER)


@pytest.fixture
def newer(database: ModuleType) -> None:
    """A database that a later release has moved on."""
    with database.transaction() as session:
        session.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))


def test_records_are_backed_up_before_a_migration(older: None, database: ModuleType) -> None:
    serve.prepare()
    assert revision(database) == head()
    (file,) = backups()
    assert backup.prove(file).revision == OLDER
    assert backup.prove(file).tables["enquiries"]["rows"] == 1


def test_the_backup_before_a_migration_can_be_restored(
    older: None, database: ModuleType, target_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade.upgrade(quietly)
    (file,) = backups()
    use(monkeypatch, tmp_path / "elsewhere", DATABASE_URL=target_url)
    backup.restore(file)
    with database.read_session() as session:
        assert session.execute(sa.text("SELECT message FROM enquiries")).scalars().all() == ["Ä 字"]


def test_ids_are_not_reused_after_restoring_the_backup_before_a_migration(
    database: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target_url: str
) -> None:
    for number in range(2):
        with database.transaction() as session:
            session.add(Enquiry(submission_id=str(number), first_name="A", last_name="L", email="a@b.co", message="M"))
    with database.transaction() as session:
        session.execute(sa.text("DELETE FROM enquiries WHERE submission_id = '1'"))
    migrate_down(OLDER)
    upgrade.upgrade(quietly)
    (file,) = backups()
    use(monkeypatch, tmp_path / "elsewhere", DATABASE_URL=target_url)
    backup.restore(file)
    with database.transaction() as session:
        session.add(later := Enquiry(submission_id="2", first_name="A", last_name="L", email="a@b.co", message="M"))
    assert later.id == 3


def test_an_empty_database_is_not_backed_up(
    empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: ModuleType
) -> None:
    use(monkeypatch, tmp_path / "data", DATABASE_URL=empty_database_url)
    upgrade.upgrade(quietly)
    migrate_down(OLDER)
    upgrade.upgrade(quietly)
    assert revision(database) == head()
    assert backups() == []


def test_no_backup_is_made_at_the_newest_schema(older: None) -> None:
    upgrade.upgrade(quietly)
    upgrade.upgrade(quietly)
    assert len(backups()) == 1


@on_sqlite
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_an_interrupted_backup_leaves_nothing_after_the_next_migration(
    older: None, database: ModuleType, database_dir: Path, number: int
) -> None:
    database.engine().dispose()
    media = get_settings().media_dir
    media.mkdir()
    status = interrupt(number, media / file_name("0" * 32, 320, "jpg"), database_dir, "migrate")
    assert (status, len(backups())) == ((-9, 1) if number == signal.SIGKILL else (128 + number, 0))
    assert run_process(database_dir, "migrate").returncode == 0
    assert [path.name[:12] for path in backups()] == [f"schema-{OLDER}-"]


def test_a_failed_backup_stops_the_migration(older: None, database: ModuleType) -> None:
    get_settings().backups_dir.write_text("a file where the folder should be")
    with pytest.raises(UpgradeRefused, match="the schema stays as it is"):
        upgrade.upgrade(quietly)
    assert revision(database) == OLDER


@on_sqlite
def test_tries_that_fail_at_one_revision_keep_the_backup_from_before_the_upgrade(older: None) -> None:
    get_settings().backups_dir.mkdir()
    (before := get_settings().backups_dir / "schema-0001-before").touch()
    for _ in range(upgrade.KEPT + 1):
        upgrade.upgrade(quietly)
        migrate_down(OLDER)
    assert before.exists()
    assert len(backups()) == upgrade.KEPT


def test_the_newest_five_automatic_and_all_manual_backups_are_kept(older: None) -> None:
    get_settings().backups_dir.mkdir()
    (get_settings().backups_dir / "mine").touch()
    for _ in range(upgrade.KEPT + 2):
        upgrade.upgrade(quietly)
        migrate_down(OLDER)
    assert len(backups()) == upgrade.KEPT + 1


ACTS: dict[str, Callable[[Path], object]] = {
    "check --start": lambda _folder: serve.refuse_start(get_settings()),
    "run": lambda _folder: serve.prepare(),
    "migrate": lambda _folder: upgrade.upgrade(quietly),
    "migrate itself": lambda _folder: migrate(),
    "migrate-down": lambda _folder: upgrade.downgrade(OLDER, quietly),
}


@pytest.mark.parametrize("act", ACTS)
def test_a_newer_schema_is_reported_in_one_sentence_and_kept(
    newer: None, database: ModuleType, tmp_path: Path, act: str
) -> None:
    with pytest.raises(NewerSchema, match="schema 9999, of a newer version"):
        ACTS[act](tmp_path)
    assert revision(database) == "9999"


def test_the_check_gives_the_same_advice_about_a_newer_schema(newer: None) -> None:
    found = [finding for finding in check.check_results() if finding.part == "database"]
    assert [(finding.severity, finding.text) for finding in found] == [(Severity.WRONG, NewerSchema("9999").message)]


def test_a_running_older_process_stays_ready_on_a_newer_schema(newer: None) -> None:
    answer = ask_endpoint(Readiness(ServerStatus(), renderer_runs=lambda: True))
    assert (answer.status, answer.json["database"]) == (200, "newer schema")


@on_sqlite
@pytest.mark.parametrize(
    "command", [("migrate",), ("run", "--port", "1"), ("migrate-down", OLDER), ("check", "--start")]
)
def test_a_newer_schema_gives_no_traceback_on_the_command_line(
    newer: None, database_dir: Path, command: tuple[str, ...]
) -> None:
    start = run_process if command[0] == "run" else run
    done = start(database_dir, *command)
    assert done.returncode == 1
    assert done.stderr.strip() == NewerSchema("9999").message


def test_a_downgrade_makes_a_backup_and_keeps_known_columns(older: None, database: ModuleType) -> None:
    migrate()
    upgrade.downgrade("0004", quietly)
    assert (revision(database), enquiries(database), len(backups())) == ("0004", 1, 1)


def test_a_downgrade_to_the_present_schema_does_nothing(older: None, database: ModuleType) -> None:
    upgrade.downgrade(OLDER, quietly)
    assert (revision(database), backups()) == (OLDER, [])


def test_a_downgrade_to_base_needs_the_option_delete_everything(older: None, database: ModuleType) -> None:
    with pytest.raises(UpgradeRefused, match="--delete-everything"):
        upgrade.downgrade("base", quietly)
    assert enquiries(database) == 1
    upgrade.downgrade("base", quietly, delete_everything=True)
    assert sa.inspect(database.engine()).get_table_names() == ["alembic_version"]
    assert len(backups()) == 1


@pytest.mark.parametrize("wanted", ["0009", "nonsense", ""])
def test_an_unknown_revision_is_reported_in_one_sentence(older: None, database: ModuleType, wanted: str) -> None:
    with pytest.raises(ServiceError, match="The revisions are 0001, "):
        upgrade.downgrade(wanted, quietly)
    assert (revision(database), backups()) == (OLDER, [])


@on_sqlite
def test_the_downgrade_command_needs_a_revision(older: None, database_dir: Path, database: ModuleType) -> None:
    assert run(database_dir, "migrate-down").returncode == 2
    assert run(database_dir, "migrate-down", "base").returncode == 1
    assert enquiries(database) == 1
