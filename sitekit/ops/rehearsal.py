"""Rehearses a restore: puts a backup into a scratch database of the site's kind, and compares it."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import ProgrammingError, SQLAlchemyError
from sqlmodel import Session

from ..accounts.people import service as accounts
from ..base import backup_log
from ..base.db.database import engine, engine_of, transaction
from ..base.db.diagnosis import explain, is_trouble
from ..base.db.sqlite_file import sqlite_path, sqlite_url
from ..base.errors import ServiceError
from ..base.scratch import scratch_folder
from ..base.settings import DATABASE_FILE, get_settings
from ..records.pictures.storage import LocalStore, Store
from . import copy_database
from .backup import CHANGED, MEDIA, Echo, Manifest, Opened, opened, restore_into
from .backup_stores import fetch_backup

# The scratch database beside the site's on a server of PostgreSQL is called like that one, with this at the end.
SCRATCH = "_rehearsal"
_INSUFFICIENT_PRIVILEGE = "42501"


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
    pictures = LocalStore(scratch / MEDIA)
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
    site = get_settings().database_url
    is_on_server = sqlite_path(site) is None
    if is_on_server and (name := _create_on_server(site)):
        url = sa.make_url(site).set(database=name).render_as_string(hide_password=False)
        try:
            yield url
        finally:
            copy_database.dispose(url)
            _run(f'DROP DATABASE "{name}" WITH (FORCE)')
        return
    if is_on_server:
        echo("Rehearsed with SQLite, because the site's role may not create databases (ALTER ROLE ... CREATEDB).")
    url = sqlite_url(folder / DATABASE_FILE)
    try:
        yield url
    finally:
        copy_database.dispose(url)


def _create_on_server(site: str) -> str:
    """The name of a new database on the site's server; empty if the site's role may not create one."""
    name = f"{sa.make_url(site).database}{SCRATCH}"
    try:
        # That of a rehearsal that was interrupted.
        _run(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)', f'CREATE DATABASE "{name}"')
    except ProgrammingError as error:
        if getattr(error.orig, "sqlstate", "") == _INSUFFICIENT_PRIVILEGE:
            return ""
        raise
    return name


def _run(*statements: str) -> None:
    with engine().connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        for statement in statements:
            connection.execute(sa.text(statement))
