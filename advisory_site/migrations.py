"""Moves the schema of the configured database; the revisions themselves are in alembic/versions."""

from alembic.command import downgrade, upgrade
from alembic.config import Config
from alembic.script import ScriptDirectory

from .settings import ROOT, get_settings


def _config() -> Config:
    return Config(ROOT / "alembic.ini")


def head() -> str:
    """The newest revision this code knows."""
    return ScriptDirectory.from_config(_config()).get_current_head() or ""


def migrate(revision: str = "head") -> None:
    """Bring the database up to a revision; several processes may try at once, one does the work."""
    get_settings().data_dir.mkdir(parents=True, exist_ok=True)
    upgrade(_config(), revision)


def migrate_down(revision: str = "base") -> None:
    """Take the database down to a revision."""
    downgrade(_config(), revision)
