"""Shares compiled SQL statements among the engines of the tests.

Each test has a new engine, which would compile every statement again: a fifth of the time of all tests on a database.
"""

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

DIALECTS: tuple[type[sa.Dialect], ...] = (PGDialect_psycopg, SQLiteDialect_pysqlite)
MOST = 4_000
_compiled: dict[type[sa.Dialect], LRUCache[object, object]] = {kind: LRUCache(MOST) for kind in DIALECTS}


def share() -> None:
    """Let all engines of one dialect use one cache from now on; its keys contain the dialect."""
    for kind in DIALECTS:
        kind.__hash__ = lambda dialect: hash(type(dialect))  # type: ignore[assignment, method-assign]
        kind.__eq__ = lambda dialect, other: type(dialect) is type(other)  # type: ignore[method-assign]
    sa.event.listen(sa.Engine, "engine_connect", _use_shared)


def _use_shared(connection: sa.Connection) -> None:
    if (shared := _compiled.get(type(connection.dialect))) is not None:
        connection.execution_options(compiled_cache=shared)
