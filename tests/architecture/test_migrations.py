"""Migrations: upgrade and downgrade, and a schema equal to the tables in the code."""

from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.command import check
from alembic.config import Config

from advisory_site.db import database
from advisory_site.db.migrations import migrate, migrate_down
from advisory_site.ops import tables
from tests.conftest import ROOT, on_sqlite, use


def table_names() -> set[str]:
    return set(sa.inspect(database.engine()).get_table_names())


@pytest.mark.spec("DATA-2")
def test_migrations_go_from_empty_to_head_to_empty(
    empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, tmp_path / "data", DATABASE_URL=empty_database_url)
    migrate()
    assert table_names() == set(tables.metadata.tables) | {"alembic_version"}
    migrate_down("base")
    assert table_names() == {"alembic_version"}
    migrate()
    assert set(tables.metadata.tables) <= table_names()


@pytest.mark.spec("DATA-2")
def test_the_tables_in_the_code_are_what_the_migrations_make(database_dir: Path) -> None:
    check(Config(ROOT / "alembic.ini"))  # raises if they differ


@on_sqlite
@pytest.mark.spec("DATA-3")
def test_sqlite_writes_ahead_and_keeps_foreign_keys(database_dir: Path) -> None:
    with database.read_session() as session:
        assert session.execute(sa.text("PRAGMA journal_mode")).scalar() == "wal"
        assert session.execute(sa.text("PRAGMA foreign_keys")).scalar() == 1
        assert session.execute(sa.text("PRAGMA busy_timeout")).scalar() == 5000
