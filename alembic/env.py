"""Runs migrations against the database of the settings, one process at a time."""

import time
from typing import Literal

import sqlalchemy as sa
from alembic.runtime.migration import MigrationContext

from advisory_site.features import FEATURES
from alembic import context
from sitekit.base.db import database, folding, migrations, postgresql
from sitekit.base.settings import get_settings
from sitekit.ops import tables
from sitekit.records import features

MIGRATION_LOCK = 7_241_869  # any number other than START_LOCK in sitekit/base/db/database.py, the same in every process


def render_item(kind: str, item: object, _autogen_context: object) -> str | Literal[False]:
    """Render our own column types as the underlying types, so that migrations import nothing from the code."""
    if kind == "type" and isinstance(item, database.UtcDateTime):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and isinstance(item, database.LenientJson):
        return "sa.Text()"
    if kind == "type" and type(item).__name__ == "AutoString":
        return "sa.String()"
    return False


def write_ahead(connection: sa.Connection) -> None:
    """Change to WAL; retried, because SQLite refuses concurrent changes without waiting for the busy timeout."""
    deadline = time.monotonic() + 30
    while True:
        try:
            connection.exec_driver_sql("PRAGMA journal_mode=WAL")
            return
        except sa.exc.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def begin(connection: sa.Connection) -> None:
    """Begin the transaction of a revision."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        set_limits(connection, migrations.LIMITS)


def set_limits(connection: sa.Connection, limits: dict[str, str]) -> None:
    for name, value in limits.items():
        connection.execute(sa.text("SELECT set_config(:name, :value, true)"), {"name": name, "value": value})


def end_revision(ctx: MigrationContext, heads: set[str], **_more: object) -> None:
    """Commit each revision: together they would lock the tables of the first one until the last one has ended."""
    assert ctx.connection is not None
    ctx.connection.commit()
    begin(ctx.connection)
    # On SQLite, another process may have begun in between.
    if {*ctx.get_current_heads()} != heads:
        raise migrations.Overtaken


def run() -> None:
    # A separate engine with foreign keys off: otherwise rebuilding a table in SQLite's batch mode would delete the rows
    # that reference it.
    url = context.config.attributes.get("database_url") or get_settings().database_url
    engine = migrations.new_engine(url)
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA busy_timeout=30000")
            write_ahead(connection)
            folding.register(connection.connection)
        else:
            postgresql.refuse_other_encoding(connection)
            # Without limits, because another process may migrate for longer; held until the connection is closed.
            set_limits(connection, dict.fromkeys(migrations.LIMITS, "0"))
            connection.execute(sa.text("SELECT pg_advisory_lock(:n)"), {"n": MIGRATION_LOCK})
        begin(connection)
        context.configure(
            connection=connection,
            target_metadata=tables.metadata,
            render_as_batch=True,
            compare_type=True,
            render_item=render_item,
            on_version_apply=end_revision,  # type: ignore[arg-type]  # Alembic passes the arguments by name
        )
        with context.begin_transaction():
            context.run_migrations()
        connection.commit()
    engine.dispose()


features.use(FEATURES)
run()
