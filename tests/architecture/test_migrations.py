"""Migrations: upgrade and downgrade, and a schema equal to the tables in the code."""

from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.command import check
from alembic.config import Config
from sqlmodel import col

from advisory_site.accounts.models import AuthSession, Profile
from advisory_site.db import database
from advisory_site.db.database import read_session
from advisory_site.db.migrations import migrate, migrate_down
from advisory_site.ops import tables
from tests.conftest import ROOT, on_sqlite, use
from tests.support.people import person, signed_in


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


@pytest.mark.spec("DATA-2", "SES-2")
def test_going_back_and_forth_keeps_people_and_finds_their_last_sign_in(database_dir: Path) -> None:
    ann, idle = person(), person("idle@northstrait.example")
    signed_in(ann)
    migrate_down("0006")
    migrate()
    with read_session() as session:
        last = {row.id: row.last_signed_in_at for row in session.execute(sa.select(Profile)).scalars()}
        begun = session.execute(sa.select(col(AuthSession.created_at))).scalar_one()
    assert last == {ann: begun, idle: None}


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
