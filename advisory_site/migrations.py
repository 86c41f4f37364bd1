"""Moves the schema of the configured database; the revisions themselves are in alembic/versions."""

import sqlalchemy as sa
from alembic.command import downgrade, upgrade
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from .settings import ROOT, get_settings


def _config(database_url: str = "") -> Config:
    config = Config(ROOT / "alembic.ini")
    config.attributes["database_url"] = database_url
    return config


def head() -> str:
    """The newest revision this code knows."""
    return ScriptDirectory.from_config(_config()).get_current_head() or ""


def migrate(revision: str = "head", database_url: str = "") -> None:
    """Bring the database of the settings, or another one, up to a revision.

    Several processes may try at once: one does the work, the others wait for it.
    """
    get_settings().data_dir.mkdir(parents=True, exist_ok=True)
    upgrade(_config(database_url), revision)


def revision_of(connection: sa.Connection) -> str:
    """The revision a database is at; empty where it was never migrated."""
    return MigrationContext.configure(connection).get_current_revision() or ""


def migrate_down(revision: str = "base") -> None:
    """Take the database down to a revision."""
    downgrade(_config(), revision)
