"""Migrates the configured database; the revisions are in alembic/versions."""

from collections.abc import Callable
from functools import cache

import sqlalchemy as sa
from alembic.command import downgrade, upgrade
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError

from ..errors import ServiceError
from ..settings import ROOT, get_settings
from .database import POSTGRESQL_LIMITS
from .postgresql import connect_args

# On PostgreSQL: a statement that waits for a table blocks all later statements on it, and a running one may lock the
# table; so both end, and the schema stays as the revision before has left it.
LIMITS = {"lock_timeout": "5s", "statement_timeout": "60s"}
_REASONS = {
    "55P03": "another connection used a table for {lock_timeout}",  # lock_not_available
    "57014": "a statement took {statement_timeout}",  # query_canceled
}


def _config(database_url: str = "") -> Config:
    config = Config(ROOT / "alembic.ini")
    config.attributes["database_url"] = database_url
    return config


@cache
def head() -> str:
    """The newest revision of this version of the program."""
    return _scripts().get_current_head() or ""


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())


def revisions() -> list[str]:
    """All revisions of this version of the program, oldest first."""
    return [script.revision for script in _scripts().walk_revisions()][::-1]


def earlier(revision: str) -> list[str]:
    """The revisions before this one, oldest first."""
    all_revisions = revisions()
    return all_revisions[: all_revisions.index(revision)] if revision in all_revisions else []


def is_newer(revision: str) -> bool:
    """Whether a newer version of the program has made this revision of a database."""
    return revision not in ("", *revisions())


class NewerSchema(ServiceError):
    """A newer version of the program has migrated the schema."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"The database is at schema {revision}, of a newer version of this program; the newest of this version is"
            f" {head()}. Start the newer version. To go back, run its 'migrate-down {head()}', or restore the backup"
            f" that it made before the upgrade (in {get_settings().backups_dir})."
        )


class MigrationStopped(ServiceError):
    """A revision reached one of the `LIMITS`, and was undone."""

    def __init__(self, reason: str, present: str) -> None:
        super().__init__(
            f"The schema stays as it is: {reason.format(**LIMITS)}. Try again when no long query, dump or open"
            f" transaction uses the database; pg_stat_activity lists them. It is at {present or 'none'}, from where the"
            " next try goes on."
        )


class Overtaken(Exception):
    """Another process has migrated in the meantime."""


def migrate(revision: str = "head", database_url: str = "") -> None:
    """Upgrade the database of the settings, or another one, to a revision.

    Each revision is committed by itself. Raises `NewerSchema`, and `MigrationStopped` at one of the `LIMITS`. Several
    processes may call this at once: one migrates, the others wait.
    """
    get_settings().data_dir.mkdir(parents=True, exist_ok=True)
    _move(upgrade, revision, database_url)


def migrate_down(revision: str) -> None:
    """Downgrade the database to a revision; data of later revisions is deleted. Raises as `migrate` does."""
    _move(downgrade, revision, "")


def _move(move: Callable[[Config, str], None], revision: str, database_url: str) -> None:
    if revision not in ("head", "base", *revisions()):
        raise UnknownRevision(revision)
    try:
        move(_config(database_url), revision)
    except Overtaken:
        _move(move, revision, database_url)
    except CommandError:
        present = _present(database_url)
        if is_newer(present):
            raise NewerSchema(present) from None
        raise UnknownRevision(revision) from None
    except sa.exc.OperationalError as error:
        if reason := _REASONS.get(getattr(error.orig, "sqlstate", None) or ""):
            raise MigrationStopped(reason, _present(database_url)) from error
        raise


def _present(database_url: str) -> str:
    with new_engine(database_url or get_settings().database_url).connect() as connection:
        return revision_of(connection)


def new_engine(database_url: str) -> sa.Engine:
    """An engine that keeps no connection, with the same options for PostgreSQL as the site."""
    options = connect_args(database_url, POSTGRESQL_LIMITS)
    return sa.create_engine(database_url, poolclass=sa.pool.NullPool, connect_args=options)


class UnknownRevision(ServiceError):
    """The revision does not exist, or lies in the other direction."""

    def __init__(self, revision: str) -> None:
        names = ", ".join(revisions())
        super().__init__(f"The schema cannot be changed to '{revision}' from here. The revisions are {names}.")


def revision_of(connection: sa.Connection) -> str:
    """The revision of a database; empty if it was never migrated."""
    return MigrationContext.configure(connection).get_current_revision() or ""
