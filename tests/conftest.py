"""Fixtures for all tests: a fresh database of each kind, and a browser tab without a browser."""

import itertools
import os
import shutil
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import psycopg
import pytest
import sqlalchemy as sa
import sqlalchemy.event
from sqlmodel import Session

from advisory_site.features import FEATURES
from sitekit.base import settings
from sitekit.base.db import database
from sitekit.base.db.migrations import head, migrate
from sitekit.base.permissions import Actor
from sitekit.ops import tables
from sitekit.records import features
from tests import tiers
from tests.support import compiled_statements
from tests.support.factories import add_actor
from tests.support.logged_changes import logged_changes
from tests.support.postgresql import FAST, PostgreSQL, binaries
from tests.support.s3_server import S3Server

# The first test that needs the app imports it, with the settings of the tests.
if TYPE_CHECKING:
    from sitekit.app.site_app import SiteApp
    from tests.support.event_client import EventClient

ROOT = Path(__file__).parents[1]
features.use(FEATURES)
os.chdir(ROOT)  # Reflex looks for rxconfig.py in the working folder

IS_CI = os.environ.get("CI", "").lower() in ("1", "true")
# Without PostgreSQL the tests on it are skipped, and the report's header says so.
DIALECTS = ("sqlite", "postgresql") if binaries() or IS_CI else ("sqlite",)
_numbers = itertools.count(1)


def pytest_report_header() -> str:
    """Report which databases this run uses."""
    return "databases: " + (
        ", ".join(DIALECTS) if len(DIALECTS) > 1 else "sqlite only, for PostgreSQL is not installed"
    )


compiled_statements.share()
_used: set[sa.Engine] = set()


@sa.event.listens_for(sa.Engine, "engine_connect")
def _note_use(connection: sa.Connection) -> None:
    _used.add(connection.engine)


@pytest.fixture(autouse=True)
def nothing_left_open() -> Iterator[None]:
    """Close the connections of all databases that a test has used, because changed settings create new engines."""
    yield
    while _used:
        _used.pop().dispose()


@pytest.fixture(autouse=True)
def unlogged_changes() -> Iterator[list[str]]:
    """Fail a test in which the site changes something and logs nothing; what it was, so far."""
    with logged_changes() as missed:
        yield missed
    assert missed == [], "Committed without `activity.log`, or a reason in tests/support/logged_changes.py"


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with an empty database at the newest schema, to copy from."""
    folder = tmp_path_factory.mktemp("migrated")
    with pytest.MonkeyPatch.context() as patch:
        use(patch, folder)
        migrate()
    settings.get_settings.cache_clear()
    return folder


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL server with a migrated database `migrated`, to copy from."""
    server = PostgreSQL(port=None, **FAST)
    try:
        server.start()
        server.execute("CREATE DATABASE migrated")
        with pytest.MonkeyPatch.context() as patch:
            use(patch, server.folder / "none", DATABASE_URL=server.url("migrated"))
            migrate()
        settings.get_settings.cache_clear()
        yield server
    finally:
        server.remove()


@pytest.fixture(scope="session")
def s3_server() -> Iterator[S3Server]:
    """A server of an S3-compatible store."""
    server = S3Server()
    yield server
    server.stop()


@pytest.fixture(params=["folder", "s3"])
def media_url(request: pytest.FixtureRequest) -> str:
    """The setting `ADVISORY_MEDIA_URL` for an empty store of each kind; empty for the local folder."""
    if request.param == "folder":
        return ""
    server: S3Server = request.getfixturevalue("s3_server")
    return server.url(server.bucket(), "/site")


@pytest.fixture(params=DIALECTS)
def database_kind(request: pytest.FixtureRequest) -> str:
    """The kind of database a test runs on: both, unless the test has a mark below."""
    dialect: str = request.param
    return dialect


# Marks for tests of one kind of database. If PostgreSQL is not installed, there are no tests on it.
on_sqlite = pytest.mark.parametrize("database_kind", ["sqlite"])
on_postgresql = pytest.mark.parametrize("database_kind", [dialect for dialect in DIALECTS if dialect == "postgresql"])
# For tests of event handlers that are the only ones to run some statement on PostgreSQL.
on_each_database = pytest.mark.parametrize("database_kind", DIALECTS)


@pytest.hookimpl(tryfirst=True)  # before pytest reads the marks
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests of event handlers on SQLite alone, unless they are marked: the tests of services run on both."""
    is_marked = any("database_kind" in mark.args[0] for mark in metafunc.definition.iter_markers("parametrize"))
    if {"tab", "database_kind"} <= set(metafunc.fixturenames) and not is_marked:
        metafunc.definition.add_marker(on_sqlite)


@pytest.fixture
def empty_database_url(database_kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a database without tables, which need not exist yet."""
    yield from _empty(database_kind, tmp_path, request)


@pytest.fixture(params=DIALECTS)
def target_url(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a second empty database, of each kind."""
    yield from _empty(request.param, tmp_path, request)


def _empty(dialect: str, folder: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    if dialect == "sqlite":
        yield f"sqlite:///{folder / 'empty.db'}"
        return
    server, name = request.getfixturevalue("postgresql"), f"empty_{next(_numbers)}"
    server.execute(f"CREATE DATABASE {name}")
    yield server.url(name).replace("postgresql:", "postgresql+psycopg:")
    database.engine_of.cache_clear()
    server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def database_dir(
    database_kind: str,
    migrated: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Iterator[Path]:
    """A data folder and a fresh, empty, migrated database, to which the settings point."""
    folder = tmp_path / "data"
    if database_kind == "sqlite":
        shutil.copytree(migrated, folder)
        use(monkeypatch, folder)
        yield folder
        _leave()
        return
    server = request.getfixturevalue("postgresql")
    folder.mkdir()
    _clear(server)
    use(monkeypatch, folder, DATABASE_URL=server.url("test"))
    yield folder
    _leave()


# For the first test, and after a test that changed the schema.
MADE_ANEW = ("DROP DATABASE IF EXISTS test WITH (FORCE)", "CREATE DATABASE test TEMPLATE migrated")
# The end of a transaction is waited for, because its rows could still be committed.
TERMINATED = """
    SELECT pg_terminate_backend(pid, CASE state WHEN 'idle' THEN 0 ELSE 10000 END) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid != pg_backend_pid()
"""
RESTARTED = """
    SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) FROM pg_sequences
    WHERE last_value IS NOT NULL
"""
FILLED = " UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT FROM {name})" for name in tables.metadata.tables)


def _clear(server: PostgreSQL) -> None:
    """Empty the database `test`."""
    try:
        if _emptied(server.kept("test")) == _head():
            return
    except psycopg.Error:
        pass
    server.close()
    server.execute(*MADE_ANEW)


def _emptied(connection: psycopg.Connection) -> str:
    """Delete all rows, in a tenth of the time that TRUNCATE takes; returns the revision of the schema."""
    connection.execute(TERMINATED)
    filled = [name for (name,) in connection.execute(FILLED.encode())]
    with connection.transaction():
        connection.execute("SET LOCAL session_replication_role = replica")  # foreign keys are not checked
        for name in filled:
            connection.execute(f"DELETE FROM {name}".encode())
        connection.execute(RESTARTED)
        connection.execute("INSERT INTO content_version (id, number) VALUES (1, 0)")
    # Without the deleted rows, new ones are stored in the order in which they are inserted.
    connection.execute(f"VACUUM {', '.join({'content_version', *filled})}".encode())
    [(revision,)] = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    return str(revision)


_head = cache(head)  # reading the revisions from their files takes several milliseconds


def _leave() -> None:
    database.engine().dispose()
    database.engine_of.cache_clear()
    settings.get_settings.cache_clear()


@pytest.fixture(name="database")
def fresh_database(database_dir: Path) -> ModuleType:
    """The module `db.database` (`read_session`, `transaction`) on a fresh database."""
    return database


@pytest.fixture(params=["missing", "no_file"])
def database_away(
    request: pytest.FixtureRequest, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> AbstractContextManager[None]:
    """Takes the SQLite database away while it is entered; for tests `on_sqlite`."""
    from tests.support import database_faults  # imports this module

    fault: database_faults.Fault = getattr(database_faults, request.param)
    return fault(database_dir, monkeypatch)


@pytest.fixture
def read_only_server(database_dir: Path, postgresql: PostgreSQL) -> Iterator[None]:
    """A PostgreSQL that is read-only, like a standby."""
    postgresql.execute("ALTER DATABASE test SET default_transaction_read_only = on")
    database.engine().dispose()
    yield
    postgresql.execute("ALTER DATABASE test RESET default_transaction_read_only")


def use(patch: pytest.MonkeyPatch, folder: Path, **more: str) -> None:
    """Point the settings to a data folder, without variables of the shell."""
    for name in [name for name in os.environ if name.startswith("ADVISORY_")]:
        patch.delenv(name)
    patch.setenv("ADVISORY_DATA_DIR", str(folder))
    for name, value in more.items():
        patch.setenv(f"ADVISORY_{name}", value)
    settings.get_settings.cache_clear()


@pytest.fixture(scope="session")
def app() -> "SiteApp":
    """The app object with all its states and pages registered; nothing is compiled."""
    from advisory_site.advisory_site import app

    return app


@pytest.fixture
def tab(app: "SiteApp", database_dir: Path) -> "EventClient":
    """A browser tab without a browser, on a fresh database."""
    from tests.support.event_client import EventClient

    return EventClient(app)


# The files of browser tests that take more than 30 seconds, the longest first: at the end they would run while other
# processes are idle.
LONG = [
    "backoffice/test_connection.py",
    "e2e/test_hostile_client.py",
    "e2e/test_first_paint.py",
    "e2e/test_engines.py",
    "backoffice/test_accessibility.py",
    "backoffice/test_small_windows.py",
    "backoffice/test_large_text.py",
    "backoffice/test_translated.py",
    "backoffice/test_company_form.py",
    "backoffice/test_team.py",
    "backoffice/test_picture_picker.py",
    "backoffice/test_advisors.py",
    "e2e/test_rendering.py",
    "backoffice/test_list_tools.py",
    "e2e/test_unrendered.py",
    "e2e/test_long_visits.py",
    "backoffice/test_lists.py",
    "backoffice/test_public_pictures.py",
    "backoffice/test_enquiries.py",
    "backoffice/test_shell.py",
    "auth/test_sessions.py",
]


IS_MEASURED = pytest.StashKey[bool]()


@pytest.hookimpl(tryfirst=True)  # before `-m` reads the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run browser tests last, those that take long first: fast tests fail first, and Playwright's event loop does not
    affect them.

    Coverage is measured during the first case of a test alone, which is one on SQLite, and not during browser tests:
    measuring takes three quarters longer.
    """

    def place(item: pytest.Item) -> int:
        if "e2e" not in item.path.parts:
            return 0
        return LONG.index(name) + 1 if (name := "/".join(item.path.parts[-2:])) in LONG else len(LONG) + 1

    tiers.mark(items)
    items.sort(key=place)
    measured: set[str] = set()
    for item in items:
        name = item.nodeid.partition("[")[0]
        item.stash[IS_MEASURED] = not place(item) and name not in measured
        measured.add(name)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Interrupt the measuring of coverage, during fixtures too; the mark `no_cover` of pytest-cov measures them."""
    plugin = item.config.pluginmanager.get_plugin("_cov")
    if item.stash[IS_MEASURED] or plugin is None or plugin.cov_controller is None:
        return (yield)
    plugin.cov_controller.pause()
    try:
        return (yield)
    finally:
        plugin.cov_controller.resume()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail with CI=true what is skipped: nothing may be left out there because a program is missing."""
    report = yield
    if IS_CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome, report.longrepr = "failed", f"Skipped, although CI is set: {report.longrepr}"
    return report


@pytest.fixture
def actor(database: ModuleType) -> Actor:
    """An employee, Wei Tan."""
    with database.transaction() as session:
        return add_actor(session, first_name="Wei", last_name="Tan")


@pytest.fixture
def session(database: ModuleType) -> Iterator[Session]:
    """A session in a transaction."""
    with database.transaction() as session:
        yield session
