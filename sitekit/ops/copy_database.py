"""Copies all records from one database into another, SQLite or PostgreSQL, atomically, and compares them."""

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from ..base.db.database import ContentVersion, LenientJson, engine_of
from ..base.db.migrations import head, migrate, revision_of
from ..base.db.sqlite_file import sqlite_path
from ..base.errors import ServiceError
from ..base.settings import get_settings
from ..records.pictures.storage import Store, open_store, store
from . import copy_pictures
from .tables import metadata

CHUNK = 500
VERSION_TABLE = "alembic_version"


class CopyRefused(ServiceError):
    """The copy was not started or was rolled back; the message has the reason. Nothing was changed."""


@dataclass(frozen=True)
class Fingerprint:
    """The row count of a table, and a checksum of all values."""

    rows: int
    checksum: str


@contextmanager
def snapshot(database_url: str) -> Iterator[sa.Connection]:
    """A connection with a consistent snapshot of a database."""
    engine = engine_of(database_url, os.getpid())
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    with engine.connect() as connection:
        _lift_time_limits(connection)
        yield connection


@contextmanager
def write_transaction(database_url: str) -> Iterator[sa.Connection]:
    """A connection whose writes are committed at the end, or rolled back."""
    with engine_of(database_url, os.getpid()).execution_options(writes=True).begin() as connection:
        _lift_time_limits(connection)
        yield connection


def _lift_time_limits(connection: sa.Connection) -> None:
    """Lift the time limits, which are meant for requests; a copy may take minutes."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SET LOCAL statement_timeout = 0"))
        connection.execute(sa.text("SET LOCAL idle_in_transaction_session_timeout = 0"))
    else:
        connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")


def rows_of(connection: sa.Connection, table: sa.Table) -> Iterator[dict[str, Any]]:
    """All rows in the order of their keys, loaded in chunks."""
    query = sa.select(*_as_stored(table)).order_by(*(column for column in table.primary_key))
    for row in connection.execute(query.execution_options(yield_per=CHUNK)).mappings():
        yield dict(row)


def _as_stored(table: sa.Table) -> list[sa.ColumnElement[Any]]:
    # JSON columns are read as text, so that values stored by older versions are copied unchanged.
    return [
        sa.type_coerce(column, sa.Text).label(column.name) if isinstance(column.type, LenientJson) else column
        for column in table.columns
    ]


def fingerprint(connection: sa.Connection, tables: Sequence[sa.Table] = ()) -> dict[str, Fingerprint]:
    """Row counts and checksums of every table; equal for equal records on SQLite and PostgreSQL."""
    return {table.name: _fingerprint(connection, table) for table in tables or metadata.sorted_tables}


def _fingerprint(connection: sa.Connection, table: sa.Table) -> Fingerprint:
    checksum, rows = hashlib.sha256(), 0
    for row in rows_of(connection, table):
        checksum.update(json.dumps(list(row.values()), default=_as_text, ensure_ascii=False).encode() + b"\n")
        rows += 1
    return Fingerprint(rows, checksum.hexdigest())


def _as_text(value: Any) -> str:
    if not isinstance(value, datetime):
        return repr(value)
    return (value if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()


def dispose(database_url: str) -> None:
    """Close all connections to a database, so that its file can be removed."""
    engine_of(database_url, os.getpid()).dispose()


def is_empty(connection: sa.Connection) -> bool:
    """Whether no table has a row, at any schema; ignores the content version, the revision, and Litestream's tables."""
    existing = set(sa.inspect(connection).get_table_names()) - {ContentVersion.__tablename__, VERSION_TABLE}
    names = {name for name in existing if not name.startswith("_litestream_")}
    return not any(
        connection.execute(sa.select(sa.literal(1)).select_from(sa.table(name)).limit(1)).first() for name in names
    )


def stored_tables(source: sa.Connection, target: sa.Connection) -> list[sa.Table]:
    """The tables of an older schema, for a copy into SQLite at that schema."""
    reflected = sa.MetaData()
    reflected.reflect(source)
    made = target.exec_driver_sql("SELECT name FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%'").scalars().all()
    for table in reflected.sorted_tables:
        table.dialect_options["sqlite"]["autoincrement"] = table.name in made
    return [table for table in reflected.sorted_tables if table.name != VERSION_TABLE]


def replace_records(
    source: sa.Connection, target: sa.Connection, tables: Sequence[sa.Table] = ()
) -> dict[str, Fingerprint]:
    """Replace the target's records by the source's, and compare; raises `CopyRefused` if they differ."""
    tables = tables or metadata.sorted_tables
    for table in reversed(tables):
        target.execute(sa.delete(table))
    for table in tables:
        plain = sa.table(table.name, *(sa.column(c.name, _plain_type(c)) for c in table.columns))
        chunk: list[dict[str, Any]] = []
        for row in rows_of(source, table):
            chunk.append(row)
            if len(chunk) == CHUNK:
                target.execute(sa.insert(plain), chunk)
                chunk = []
        if chunk:
            target.execute(sa.insert(plain), chunk)
        if table.autoincrement_column is not None:
            _set_next_id(target, table, _highest_id(source, table))
    original, copied = fingerprint(source, tables), fingerprint(target, tables)
    if different := sorted(name for name in original if original[name] != copied[name]):
        raise CopyRefused(f"The copy of {', '.join(different)} differs from what was copied.")
    return copied


def _plain_type(column: sa.Column[Any]) -> sa.types.TypeEngine[Any]:
    return sa.Text() if isinstance(column.type, LenientJson) else column.type


def _highest_id(connection: sa.Connection, table: sa.Table) -> int:
    """The highest id ever assigned, including those of deleted records, because ids are never reused."""
    assert table.autoincrement_column is not None
    highest = connection.execute(sa.select(sa.func.max(table.autoincrement_column))).scalar() or 0
    if connection.dialect.name == "postgresql":
        sequence = connection.execute(_serial_of(table)).scalar_one()
        row = connection.execute(sa.text(f"SELECT last_value, is_called FROM {sequence}")).one()  # noqa: S608
        given = row.last_value if row.is_called else 0
    elif _counts_in_sqlite(table):
        query = sa.text("SELECT seq FROM sqlite_sequence WHERE name = :name")
        given = connection.execute(query, {"name": table.name}).scalar() or 0
    else:
        given = 0
    return max(int(highest), int(given))


def _set_next_id(connection: sa.Connection, table: sa.Table, number: int) -> None:
    """Set the sequence of a table, so that the next id follows this number."""
    if connection.dialect.name == "postgresql":
        sequence = connection.execute(_serial_of(table)).scalar_one()
        if number:
            connection.execute(sa.select(sa.func.setval(sequence, number)))
        else:
            connection.execute(sa.select(sa.func.setval(sequence, 1, False)))
    elif _counts_in_sqlite(table):
        connection.execute(sa.text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": table.name})
        row = {"name": table.name, "seq": number}
        connection.execute(sa.text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :seq)"), row)


def _serial_of(table: sa.Table) -> sa.Select[tuple[str]]:
    assert table.autoincrement_column is not None
    return sa.select(sa.func.pg_get_serial_sequence(table.name, table.autoincrement_column.name))


def _counts_in_sqlite(table: sa.Table) -> bool:
    return bool(table.dialect_options["sqlite"]["autoincrement"])


def copy_database(source_url: str, target_url: str) -> dict[str, Fingerprint]:
    """Copy all records into an empty database, which is migrated first, and the pictures that belong to them.

    Returns the records that were copied.
    """
    if (path := sqlite_path(source_url)) and not path.exists():
        raise CopyRefused("There is no database to copy from.")
    with snapshot(source_url) as source:
        if revision_of(source) != head():
            raise CopyRefused("The database to copy from is not at the newest schema: run 'migrate' on it first.")
        migrate(database_url=target_url)
        with write_transaction(target_url) as target:
            if not is_empty(target):
                raise CopyRefused("The database to copy into already holds records.")
            copied = replace_records(source, target)
            copy_pictures.copy(_pictures_of(source_url), _pictures_of(target_url))
            return copied


def _pictures_of(database_url: str) -> Store:
    """Where the pictures of a database are: beside a SQLite file, unless the settings say otherwise."""
    settings, path = get_settings(), sqlite_path(database_url)
    if path is None or settings.media_url or database_url == settings.database_url:
        return store()
    return open_store("", path.absolute().with_name(settings.media_dir.name))
