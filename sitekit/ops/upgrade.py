"""Migrates a site with records, after making a backup."""

import secrets
from datetime import UTC, datetime

from ..base.db.database import engine
from ..base.db.diagnosis import may_be_created
from ..base.db.migrations import (
    NewerSchema,
    UnknownRevision,
    earlier,
    head,
    is_newer,
    migrate,
    migrate_down,
    revision_of,
)
from ..base.db.sqlite_file import sqlite_path
from ..base.errors import ServiceError
from ..base.scratch import scratch_folder
from ..base.settings import get_settings
from . import backup, copy_database
from .backup import Echo

BASE = "base"
# Older backups made here are deleted; those of the `backup` command are not.
KEPT = 5


class UpgradeRefused(ServiceError):
    """The schema was not changed; the message has the reason."""


def upgrade(echo: Echo) -> None:
    """Migrate to the newest schema, after a backup if there are records.

    Raises `NewerSchema` if the database's schema is newer than this program, and `UpgradeRefused` if the backup fails.
    """
    present = refuse_newer_schema()
    if present != head():
        _back_up(present, echo)
    migrate()


def downgrade(revision: str, echo: Echo, *, delete_everything: bool = False) -> None:
    """Downgrade the schema to a revision, after a backup; what later revisions have added is deleted."""
    present = refuse_newer_schema()
    if present == revision:
        return
    if revision == BASE and not delete_everything:
        raise UpgradeRefused("'base' deletes every table and all records; confirm it with '--delete-everything'.")
    if revision not in (BASE, *earlier(present)):
        raise UnknownRevision(revision)  # before a backup is made, for which an older one is deleted
    _back_up(present, echo)
    migrate_down(revision)


def refuse_newer_schema() -> str:
    """The revision of the database, empty if there is none yet; raises `NewerSchema`."""
    present = _present_revision()
    if is_newer(present):
        raise NewerSchema(present)
    return present


def _present_revision() -> str:
    path = sqlite_path(get_settings().database_url)
    if path is not None and may_be_created(path):
        return ""
    with engine().connect() as connection:
        return revision_of(connection)


def _back_up(present: str, echo: Echo) -> None:
    """Make and verify a backup, unless the database is empty."""
    if not present or _is_empty():
        return
    folder = get_settings().backups_dir
    file = folder / f"schema-{present}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(2)}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with scratch_folder("backup", beside=file) as scratch:
            backup.make(scratch / file.name)
            backup.prove(scratch / file.name)
            (scratch / file.name).rename(file)
    except (ServiceError, OSError) as error:
        raise UpgradeRefused(f"No backup could be made, so the schema stays as it is: {error}") from error
    echo(f"Backed up to {file}.")
    # First those of this schema: tries that fail at one revision must not push out the backup from before the upgrade.
    this_schema = f"schema-{present}-"
    others = {*folder.glob("schema-*")} - {file}
    for old in sorted(others, key=lambda p: (not p.name.startswith(this_schema), p.stat().st_mtime))[: 1 - KEPT]:
        old.unlink()


def _is_empty() -> bool:
    with engine().connect() as connection:
        return copy_database.is_empty(connection)
