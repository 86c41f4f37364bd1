"""Rehearses a restore: puts a backup into a scratch database of the site's kind, and compares it."""

import hashlib
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlmodel import Session

from ..accounts.people import service as accounts
from ..base import backup_log
from ..base.db.database import engine, engine_of, transaction
from ..base.db.diagnosis import Trouble, explain, is_trouble, trouble_of
from ..base.db.sqlite_file import sqlite_path, sqlite_url
from ..base.errors import ServiceError
from ..base.scratch import scratch_folder
from ..base.settings import DATABASE_FILE, get_settings
from ..records.pictures.storage import Store
from . import copy_database
from .backup import CHANGED, MEDIA, Echo, Manifest, Opened, opened, restore_into
from .backup_stores import fetch_backup

# The comment on a scratch database beside the site's, with the name of that one: only what has it is dropped.
MARK = "Scratch database of a rehearsal: "
LONGEST_NAME = 63  # bytes
# Any number other than those of the site's other locks. Each rehearsal holds the lock of its scratch database.
REHEARSAL_LOCK = 7_241_871
_TRY_LOCK = sa.text("SELECT pg_try_advisory_lock(:lock, hashtext(:name))")
_MARKED = sa.text(
    "SELECT datname FROM pg_database WHERE shobj_description(oid, 'pg_database') = :mark || current_database()"
    " AND pg_get_userbyid(datdba) = current_user"
)
# With the site's collation, whatever that of the server's template is.
_CREATE = sa.text("""
    SELECT format('CREATE DATABASE %I TEMPLATE template0 ENCODING ''UTF8'' LC_COLLATE %L LC_CTYPE %L',
                  CAST(:name AS text), datcollate, datctype)
        || CASE to_jsonb(site)->>'datlocprovider'
               WHEN 'c' THEN ' LOCALE_PROVIDER libc'
               WHEN 'i' THEN ' LOCALE_PROVIDER icu ICU_LOCALE ' || quote_literal(locale)
               WHEN 'b' THEN ' LOCALE_PROVIDER builtin BUILTIN_LOCALE ' || quote_literal(locale)
               ELSE '' END
    FROM pg_database AS site, coalesce(to_jsonb(site)->>'datlocale', to_jsonb(site)->>'daticulocale') AS locale
    WHERE datname = current_database()
""")
_COMMENT = sa.text("SELECT format('COMMENT ON DATABASE %I IS %L', CAST(:name AS text), :mark || current_database())")
_DROP = sa.text("SELECT format('DROP DATABASE IF EXISTS %I WITH (FORCE)', CAST(:name AS text))")


class RehearsalFailed(ServiceError):
    """What was restored is not what the backup holds, or would not be of use."""


def rehearse(source: str, echo: Echo) -> Manifest:
    """Restore a backup, or the newest one of a place, into a scratch database and folder, and compare both.

    The outcome is recorded in the site's database, if it is here.
    """
    name = ""
    try:
        with fetch_backup(source) as file:
            name = file.name
            with opened(file) as backup, scratch_folder("rehearsal") as scratch:
                _restore_and_compare(backup, scratch, echo)
                manifest = backup.manifest
    except Exception as error:
        _record(name, _problem(error), echo)
        raise
    _record(name, "", echo)
    return manifest


def _problem(error: Exception) -> str:
    if isinstance(error, ServiceError):
        return error.message
    # A driver's message may contain a URL with its password.
    return explain(error) if is_trouble(error) else f"{type(error).__name__}."


def _record(name: str, problem: str, echo: Echo) -> None:
    try:
        with transaction() as session:
            backup_log.record_rehearsal(session, name, problem)
    except SQLAlchemyError as error:
        echo(f"The dashboard will not show this rehearsal: {explain(error)}")


def _restore_and_compare(backup: Opened, scratch: Path, echo: Echo) -> None:
    pictures = Store(scratch / MEDIA)
    with _scratch_database(scratch, echo) as url:
        restore_into(backup, url, pictures)
        _compare_records(backup, url)
        with Session(engine_of(url, os.getpid())) as session:
            if not accounts.has_admin(session):
                raise RehearsalFailed("Nobody could manage the restored site: the backup has no active admin.")
    _compare_pictures(backup.manifest, pictures)


def _compare_records(backup: Opened, url: str) -> None:
    with copy_database.snapshot(backup.url) as original, copy_database.snapshot(url) as restored:
        expected, got = copy_database.fingerprint(original), copy_database.fingerprint(restored)
    copy_database.dispose(backup.url)
    if wrong := sorted(name for name in expected if name not in CHANGED and got[name] != expected[name]):
        raise RehearsalFailed(f"The restored records of {', '.join(wrong)} are not those of the backup.")


def _compare_pictures(manifest: Manifest, pictures: Store) -> None:
    for path, checksum in manifest.files.items():
        folder, _, name = path.partition("/")
        if folder == MEDIA and hashlib.sha256(pictures.get(name) or b"").hexdigest() != checksum:
            raise RehearsalFailed(f"The restored picture {name} is not that of the backup.")


@contextmanager
def _scratch_database(folder: Path, echo: Echo) -> Iterator[str]:
    """The URL of an empty database of the site's kind, which is deleted afterwards."""
    site = sa.make_url(get_settings().database_url)
    if sqlite_path(get_settings().database_url) is None:
        with _autocommit() as server:
            server.detach()  # the lock is released when this connection ends, however the process does
            _drop_abandoned(server)
            ending = f"_rehearsal_{secrets.token_hex(4)}"
            name = (site.database or "").encode()[: LONGEST_NAME - len(ending)].decode(errors="ignore") + ending
            server.execute(_TRY_LOCK, {"lock": REHEARSAL_LOCK, "name": name})
            if _create(server, name):
                url = site.set(database=name).render_as_string(hide_password=False)
                try:
                    yield url
                finally:
                    copy_database.dispose(url)
                    with _autocommit() as connection:
                        _run(connection, _DROP, name=name)
                return
        echo("Rehearsed with SQLite, because the site's role may not create databases (ALTER ROLE ... CREATEDB).")
    url = sqlite_url(folder / DATABASE_FILE)
    try:
        yield url
    finally:
        copy_database.dispose(url)


def _autocommit() -> sa.Connection:
    return engine().connect().execution_options(isolation_level="AUTOCOMMIT")


def _drop_abandoned(server: sa.Connection) -> None:
    """Drop the scratch databases of rehearsals that were killed."""
    for name in server.execute(_MARKED, {"mark": MARK}).scalars().all():
        if server.execute(_TRY_LOCK, {"lock": REHEARSAL_LOCK, "name": name}).scalar():
            _run(server, _DROP, name=name)


def _create(server: sa.Connection, name: str) -> bool:
    """Create a marked database; False if the site's role may not. Raises `RehearsalFailed`."""
    try:
        _run(server, _CREATE, name=name)
        _run(server, _COMMENT, name=name, mark=MARK)
    except DBAPIError as error:
        if trouble_of(error) is Trouble.FORBIDDEN:
            return False
        reason = str(error.orig).partition("\n")[0]
        raise RehearsalFailed(f"The scratch database cannot be created: {reason}.") from error
    return True


def _run(server: sa.Connection, query: sa.TextClause, **values: str) -> None:
    """Run the statement that a query builds; PostgreSQL quotes the values in it."""
    statement = server.execute(query, values).scalar_one()
    server.execute(sa.text(statement.replace(":", "\\:")))
