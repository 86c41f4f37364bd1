"""What every test can ask for: a database of its own, and a browser tab without a browser."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisory_site import database, settings
from advisory_site.migrations import migrate

ROOT = Path(__file__).parents[1]
os.chdir(ROOT)  # Reflex looks for rxconfig.py in the working folder


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with an empty database at the newest schema, to copy from."""
    folder = tmp_path_factory.mktemp("migrated")
    with pytest.MonkeyPatch.context() as patch:
        use(patch, folder)
        migrate()
    settings.get_settings.cache_clear()
    return folder


@pytest.fixture
def database_dir(migrated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder with a fresh, empty, migrated database, which the settings point to."""
    folder = tmp_path / "data"
    shutil.copytree(migrated, folder)
    use(monkeypatch, folder)
    yield folder
    database.engine().dispose()
    settings.get_settings.cache_clear()


@pytest.fixture(name="database")
def fresh_database(database_dir: Path) -> object:
    """The database floor (`reading`, `transaction`) on a fresh database."""
    return database


def use(patch: pytest.MonkeyPatch, folder: Path, **more: str) -> None:
    """Point the settings to a data folder, free of whatever the shell has set."""
    for name in [name for name in os.environ if name.startswith("ADVISORY_")]:
        patch.delenv(name)
    patch.setenv("ADVISORY_DATA_DIR", str(folder))
    for name, value in more.items():
        patch.setenv(f"ADVISORY_{name}", value)
    settings.get_settings.cache_clear()


@pytest.fixture(scope="session")
def app() -> object:
    """The app object with all its states and pages registered; nothing is compiled."""
    from advisory_site.advisory_site import app

    return app


@pytest.fixture
def tab(app: object, database_dir: Path) -> object:
    """A browser tab without a browser, on a fresh database."""
    from tests.tab import Tab

    return Tab(app)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The browser's tests come last: quick failures first, and Playwright's event loop stays out of the others."""
    items.sort(key=lambda item: "e2e" in item.path.parts)
