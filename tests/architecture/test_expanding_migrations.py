"""Migrations while the previous release serves: it works on the schema of the next one, and is not stopped for long."""

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
import sqlalchemy as sa

from sitekit.base.db import migrations
from sitekit.base.db.database import engine, read_session
from sitekit.base.db.migrations import MigrationStopped, migrate, migrate_down, revision_of, revisions
from tests.conftest import on_postgresql, use
from tests.support.each import check_each
from tests.support.schema_changes import contractions, schema_of

pytestmark = pytest.mark.spec("DATA-2")

# What the release before would miss, by revision, with the reason why it does not: such as "unused since 1.4".
EXCUSED: dict[str, dict[str, str]] = {}


def test_the_previous_release_works_on_the_schema_of_each_migration(
    empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, tmp_path / "data", DATABASE_URL=empty_database_url)
    first, *later = revisions()
    migrate(first)
    before, found = schema_of(engine()), {}
    for revision in later:
        migrate(revision)
        after = schema_of(engine())
        found[revision] = [what for what in contractions(before, after) if what not in EXCUSED.get(revision, {})]
        before = after
    assert {revision: what for revision, what in found.items() if what} == {}


BEFORE = """
    CREATE TABLE firms (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, note VARCHAR, rank INTEGER DEFAULT 0 NOT NULL);
    CREATE TABLE people (id INTEGER PRIMARY KEY);
    CREATE TABLE moods (name VARCHAR CHECK (name IN ('good', 'bad')));
"""
EXPANDING = """
    ALTER TABLE firms ADD COLUMN nickname VARCHAR;
    ALTER TABLE firms ADD COLUMN level INTEGER DEFAULT 1 NOT NULL;
    ALTER TABLE firms ADD COLUMN owner INTEGER REFERENCES people (id);
    CREATE UNIQUE INDEX uq_nickname ON firms (nickname);
    CREATE INDEX ix_name ON firms (name);
    CREATE TABLE offices (id INTEGER PRIMARY KEY, city VARCHAR NOT NULL UNIQUE);
    DROP TABLE moods;
    CREATE TABLE moods (name VARCHAR CHECK (name IN ('good', 'bad', 'mixed')));
"""
FIRMS = "DROP TABLE firms; CREATE TABLE firms (id INTEGER PRIMARY KEY, "
CONTRACTING = {
    "DROP TABLE people": "people: dropped",
    "ALTER TABLE firms DROP COLUMN note": "firms.note: dropped",
    "ALTER TABLE firms RENAME COLUMN note TO remark": "firms.note: dropped",
    "DROP TABLE moods; CREATE TABLE moods (name VARCHAR CHECK (name IN ('good', 'mixed')))": (
        "moods: check name IN ('good', 'mixed')"
    ),
    "CREATE UNIQUE INDEX uq_name ON firms (name)": "firms: unique name",
    "ALTER TABLE firms ADD COLUMN code VARCHAR DEFAULT ''; CREATE UNIQUE INDEX uq_code ON firms (code)": (
        "firms: unique code"
    ),
    f"{FIRMS} name VARCHAR NOT NULL, note VARCHAR, rank INTEGER DEFAULT 0 NOT NULL, code VARCHAR NOT NULL)": (
        "firms.code: new, and neither nullable nor with a default"
    ),
    f"{FIRMS} name VARCHAR NOT NULL, note VARCHAR NOT NULL, rank INTEGER DEFAULT 0 NOT NULL)": (
        "firms.note: no longer nullable",
        "firms.note: no longer has a default",
    ),
    f"{FIRMS} name VARCHAR NOT NULL, note VARCHAR, rank INTEGER NOT NULL)": "firms.rank: no longer has a default",
    f"{FIRMS} name INTEGER NOT NULL, note VARCHAR, rank INTEGER DEFAULT 0 NOT NULL)": (
        "firms.name: VARCHAR became INTEGER"
    ),
    f"{FIRMS} name VARCHAR NOT NULL CHECK (name > ''), note VARCHAR, rank INTEGER DEFAULT 0 NOT NULL)": (
        "firms: check name > ''"
    ),
    f"{FIRMS} name VARCHAR NOT NULL, note VARCHAR REFERENCES people (id), rank INTEGER DEFAULT 0 NOT NULL)": (
        "firms: foreign key of note"
    ),
}


def test_changes_incompatible_with_the_previous_release_are_reported() -> None:
    def check(case: tuple[str, Sequence[str]]) -> None:
        change, named = case
        engine = sa.create_engine("sqlite://")
        with engine.begin() as connection:
            for statement in BEFORE.split(";"):
                connection.exec_driver_sql(statement)
        before = schema_of(engine)
        with engine.begin() as connection:
            for statement in change.split(";"):
                connection.exec_driver_sql(statement)
        assert tuple(contractions(before, schema_of(engine))) == ((named,) if isinstance(named, str) else named)
        engine.dispose()

    check_each([(EXPANDING, ()), *CONTRACTING.items()], check)


@on_postgresql
@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({"lock_timeout": "200ms"}, "another connection used a table for 200ms"),
        ({"statement_timeout": "200ms"}, "a statement took 200ms"),
    ],
)
def test_a_migration_behind_a_long_reader_fails_without_blocking_others(
    database_dir: Path, monkeypatch: pytest.MonkeyPatch, limits: dict[str, str], reason: str
) -> None:
    migrate_down("0018")
    monkeypatch.setattr(migrations, "LIMITS", migrations.LIMITS | limits)
    with engine().connect() as reader:
        reader.execute(sa.text("SELECT id FROM companies"))
        with pytest.raises(MigrationStopped, match=f"The schema stays as it is: {reason}. Try again when"):
            migrate()
        with read_session() as session:
            assert session.execute(sa.text("SELECT count(*) FROM companies")).scalar() == 0
            assert revision_of(session.connection()) == "0018"
    migrate()


@on_postgresql
def test_a_migration_that_fails_keeps_what_came_before_and_goes_on_from_there(
    database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate_down("0018")
    monkeypatch.setattr(migrations, "LIMITS", migrations.LIMITS | {"lock_timeout": "200ms"})
    with engine().connect() as reader:
        reader.execute(sa.text("SELECT id FROM enquiries"))
        with pytest.raises(MigrationStopped, match="It is at 0019, from where the next try goes on"):
            migrate()
    with engine().connect() as connection:
        assert revision_of(connection) == "0019"
    migrate()
    with engine().connect() as connection:
        assert revision_of(connection) == revisions()[-1]


@on_postgresql
def test_a_process_waits_for_the_migration_of_another_without_timeout(
    database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate_down("0023")
    monkeypatch.setattr(migrations, "LIMITS", {"lock_timeout": "1ms", "statement_timeout": "60s"})
    waiting = threading.Thread(target=migrate)
    with engine().connect() as other:
        other.execute(sa.text("SELECT pg_advisory_xact_lock(7241869)"))
        waiting.start()
        asked = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'advisory'"
        with read_session() as session:
            while waiting.is_alive() and session.execute(sa.text(asked)).scalar() == 0:
                session.rollback()
        assert waiting.is_alive()
        other.rollback()
    waiting.join(30)
    with engine().connect() as connection:
        assert revision_of(connection) == revisions()[-1]
