"""Backups: one checksummed file with the database and the pictures; made, verified and restored.

A backup is one line, `SITE-BACKUP 1 SHA256` with the name of the site, followed by a gzipped tar with `manifest.json`,
`database.sqlite3` and `media/` with the pictures, from any store. The records are in a SQLite file,
whatever database the site runs on: it can be opened anywhere, and restored into SQLite or PostgreSQL. `tail -n +2 FILE
| tar xz` unpacks it by hand.
"""

import hashlib
import json
import os
import sqlite3
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from ..accounts.invitations import invitations
from ..accounts.models import AuthSession, EmailChange, RefreshToken, SecretLink, SignInChallenge
from ..base import backup_log
from ..base.db.database import now, transaction
from ..base.db.diagnosis import explain
from ..base.db.migrations import NewerSchema, UnknownRevision, head, is_newer, migrate, revision_of
from ..base.db.rate_limits import Attempt
from ..base.db.sqlite_file import sqlite_path, sqlite_url
from ..base.errors import ServiceError
from ..base.mail import outbox
from ..base.scratch import delete_abandoned, scratch_folder
from ..base.settings import get_settings
from ..base.site import get_site
from ..base.write_whole import write_whole
from ..records import preview_links
from ..records.pictures.storage import Store, store
from . import copy_database, copy_pictures
from .backup_keep import Keep, backup_name
from .backup_stores import BackupStore
from .tables import metadata

MAGIC = f"{get_site().file_name.upper()}-BACKUP 1 ".encode()
MANIFEST, DATABASE, MEDIA = "manifest.json", "database.sqlite3", "media"
BLOCK = 1 << 20
CONTENT = metadata.tables["content_version"]
Echo = Callable[[str], None]
TRANSIENT_TABLES = (RefreshToken, AuthSession, SecretLink, EmailChange, SignInChallenge, Attempt)
# The tables whose rows a restore changes.
CHANGED = {
    *("content_version", "invitations", "outgoing_mail", "preview_links"),
    *(str(table.__tablename__) for table in TRANSIENT_TABLES),
}


class BackupRefused(ServiceError):
    """The file or the target cannot be used; the message has the reason. Nothing was changed."""


@dataclass(frozen=True)
class Manifest:
    """The contents of a backup: tables with row counts and checksums, and files."""

    made_at: str
    revision: str
    tables: dict[str, dict[str, Any]]
    files: dict[str, str]  # name to SHA-256

    @property
    def records(self) -> int:
        return sum(table["rows"] for table in self.tables.values())

    @property
    def contents(self) -> str:
        """How much there is, in words."""
        return f"{self.records} records and {len(self.files) - 1} files of pictures"


@dataclass(frozen=True)
class Opened:
    """A backup unpacked into a scratch folder, with all checksums verified."""

    manifest: Manifest
    folder: Path
    checksum: str

    @property
    def url(self) -> str:
        return sqlite_url(self.folder / DATABASE)


def make(target: Path) -> Manifest:
    """Write a backup, also while the site is running; never overwrites an existing file."""
    if target.exists():
        raise BackupRefused(f"{target} exists already.")
    if not target.parent.is_dir():
        raise BackupRefused(f"There is no folder {target.parent}.")
    try:
        return _write(target)
    except FileExistsError:
        raise BackupRefused(f"{target} exists already.") from None
    except (OSError, sqlite3.Error, DBAPIError) as error:
        reason = error.orig if isinstance(error, DBAPIError) else error
        if not isinstance(reason, OSError | sqlite3.Error):
            raise
        raise BackupRefused(f"The backup could not be written to {target}: {reason}.") from error


def _write(target: Path) -> Manifest:
    delete_abandoned(target.parent)
    with scratch_folder("backup", beside=target) as folder:
        revision = _take_database(folder / DATABASE)
        pictures = copy_pictures.copy(store(), Store(folder / MEDIA))
        names = [DATABASE, *(f"{MEDIA}/{name}" for name in sorted(pictures))]
        manifest = Manifest(
            made_at=now().isoformat(timespec="seconds"),
            revision=revision,
            tables=_contents(folder / DATABASE),
            files={name: _checksum(folder / name) for name in names},
        )
        (folder / MANIFEST).write_text(json.dumps(asdict(manifest), indent=1), encoding="utf-8")
        _pack(folder, [MANIFEST, *names], folder / "packed", folder / "whole")
        _place(folder / "whole", target)
    return manifest


def _place(whole: Path, target: Path) -> None:
    """Give a finished backup its name; raises `FileExistsError` if a file of this name was created meanwhile."""
    try:
        os.link(whole, target)
    except FileExistsError:
        raise
    except OSError:
        # File systems without hard links, such as FAT, network shares and mounted buckets.
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            whole.replace(target)
        except BaseException:
            target.unlink()
            raise


def back_up(store: BackupStore, echo: Echo, warn: Echo, keep: Keep | None = None) -> Manifest:
    """Make a backup in a store, verify what the store has, and then delete those that the rule does not keep.

    A backup that cannot be verified is deleted, and no other one then.
    """
    name = backup_name(now())
    with store.new(name) as file:
        make(file)
    try:
        with store.file(name) as file:
            manifest = verify(file, warn)
    except BackupRefused as error:
        store.delete(name)
        raise BackupRefused(f"The backup was deleted, because it cannot be restored: {error.message}") from error
    echo(f"{store.where(name)}: {manifest.contents}, verified.")
    for old in keep.unneeded(store.names()) if keep else ():
        store.delete(old)
        echo(f"Deleted {store.where(old)}.")
    return manifest


def _take_database(scratch: Path) -> str:
    url = get_settings().database_url
    if path := sqlite_path(url):
        if not path.exists():
            raise BackupRefused("There is no database yet.")
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(scratch)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
    else:
        with copy_database.snapshot(url) as source:
            _copy(source, sqlite_url(scratch))
        with closing(sqlite3.connect(scratch)) as copy:
            copy.execute("PRAGMA journal_mode=DELETE")
    with copy_database.snapshot(sqlite_url(scratch)) as connection:
        revision = revision_of(connection)
    copy_database.dispose(sqlite_url(scratch))
    return revision


def _copy(source: sa.Connection, scratch_url: str) -> None:
    """Copy a database at any known schema into a new SQLite file at the same schema."""
    revision = revision_of(source)
    if not revision:
        raise BackupRefused("There is no database yet.")
    if is_newer(revision):
        raise NewerSchema(revision)
    migrate(revision, scratch_url)
    try:
        with copy_database.write_transaction(scratch_url) as copy:
            tables = () if revision == head() else copy_database.stored_tables(source, copy)
            copy_database.replace_records(source, copy, tables)
    finally:
        copy_database.dispose(scratch_url)


def _pack(folder: Path, names: list[str], packed: Path, whole: Path) -> None:
    with tarfile.open(packed, "w:gz") as tar:
        for name in names:
            tar.add(folder / name, arcname=name)
    write_whole(whole, _blocks(packed))


def _blocks(packed: Path) -> Iterator[bytes]:
    yield MAGIC + _checksum(packed).encode() + b"\n"
    with packed.open("rb") as body:
        while block := body.read(BLOCK):
            yield block


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _contents(database: Path) -> dict[str, dict[str, Any]]:
    """Row count and checksum of every table as SQLite stores it, so that any schema can be read."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        query = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        tables = [name for (name,) in connection.execute(query)]
        return {name: _table_contents(connection, name) for name in tables}


def _table_contents(connection: sqlite3.Connection, table: str) -> dict[str, Any]:
    checksum, rows = hashlib.sha256(), 0
    for row in connection.execute(f'SELECT * FROM "{table}" ORDER BY rowid'):  # noqa: S608  the name comes from the file
        checksum.update(repr(row).encode("utf-8", "surrogatepass") + b"\n")
        rows += 1
    return {"rows": rows, "sha256": checksum.hexdigest()}


@contextmanager
def opened(source: Path) -> Iterator[Opened]:
    """Unpack a backup into a scratch folder; raises `BackupRefused` if it is incomplete or was changed."""
    with scratch_folder("restore") as folder:
        try:
            checksum = _unpack(source, folder)
            manifest = Manifest(**json.loads((folder / MANIFEST).read_text(encoding="utf-8")))
            _compare(manifest, folder)
        except (tarfile.TarError, sqlite3.Error, OSError, EOFError, ValueError, TypeError, KeyError) as error:
            raise BackupRefused(f"{source} is no backup that can be read: {error}.") from error
        yield Opened(manifest, folder, checksum)


def _unpack(source: Path, folder: Path) -> str:
    with source.open("rb") as file:
        first = file.readline(200)
        if not first.startswith(MAGIC):
            raise BackupRefused(f"{source} is not a backup of this program.")
        body = file.tell()
        checksum = hashlib.file_digest(file, "sha256").hexdigest()
        if first != MAGIC + checksum.encode() + b"\n":
            raise BackupRefused(f"{source} is incomplete or was altered: its checksum is wrong.")
        file.seek(body)
        _unpack_tar(file, folder)
    return checksum


def _unpack_tar(file: IO[bytes], folder: Path) -> None:
    with tarfile.open(fileobj=file, mode="r:gz") as tar:
        for member in tar:
            name = PurePosixPath(member.name)
            is_ours = member.name in (MANIFEST, DATABASE) or (name.parts[0] == MEDIA and ".." not in name.parts)
            content = tar.extractfile(member) if member.isfile() and is_ours else None
            if content is None:
                raise BackupRefused(f"The backup holds something that does not belong in it: {member.name!r}.")
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as out:
                while block := content.read(BLOCK):
                    out.write(block)


def _compare(manifest: Manifest, folder: Path) -> None:
    there = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()} - {MANIFEST}
    if there != set(manifest.files):
        raise BackupRefused("The backup does not hold the files it lists.")
    if wrong := sorted(name for name, checksum in manifest.files.items() if _checksum(folder / name) != checksum):
        raise BackupRefused(f"The backup's {wrong[0]} was altered: its checksum is wrong.")
    with closing(sqlite3.connect(folder / DATABASE)) as connection:
        sound = connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        if not sound or connection.execute("PRAGMA foreign_key_check").fetchall():
            raise BackupRefused("The backup's database is damaged.")
    if _contents(folder / DATABASE) != manifest.tables:
        raise BackupRefused("The backup's records are not those it lists.")


def verify(source: Path, echo: Echo) -> Manifest:
    """Prove that a backup can be restored, and record the success in the site's database, if it is here."""
    with _proved(source) as backup:
        made_at = datetime.fromisoformat(backup.manifest.made_at)
        try:
            with transaction() as session:
                backup_log.record(session, source.name, made_at, source.stat().st_size, backup.checksum)
        except SQLAlchemyError as error:
            # Also where copies of backups are kept and no site runs.
            echo(f"The dashboard will not show this backup: {explain(error)}")
        return backup.manifest


def prove(source: Path) -> Manifest:
    """Restore a backup into a scratch database, and compare all counts and checksums."""
    with _proved(source) as backup:
        return backup.manifest


@contextmanager
def _proved(source: Path) -> Iterator[Opened]:
    with opened(source) as backup:
        _migrate_scratch(backup)
        yield backup


def _migrate_scratch(backup: Opened) -> None:
    """Migrate the scratch database to the newest schema."""
    try:
        migrate(database_url=backup.url)
        with copy_database.snapshot(backup.url) as connection:
            copy_database.fingerprint(connection)
    except (NewerSchema, UnknownRevision) as error:
        raise BackupRefused("The backup comes from a newer version of the program.") from error
    except (SQLAlchemyError, ValueError) as error:
        raise BackupRefused(f"The backup's database cannot be used by this version: {error}.") from error
    finally:
        copy_database.dispose(backup.url)


def restore(source: Path, *, force: bool = False) -> Manifest:
    """Replace all records and pictures by those of a backup; without `force` only into an empty place.

    Records are replaced atomically. Pictures are put into the store before that, which changes nothing for those who
    read, and those that the backup does not have are deleted after it.
    """
    with opened(source) as backup:
        restore_into(backup, get_settings().database_url, store(), force=force)
        return backup.manifest


def restore_into(backup: Opened, database_url: str, pictures: Store, *, force: bool = False) -> None:
    """Restore a backup as `restore` does, into any database and store of pictures."""
    _migrate_scratch(backup)
    migrate(database_url=database_url)
    with (
        copy_database.snapshot(backup.url) as source,
        copy_database.write_transaction(database_url) as target,
    ):
        if not force and not copy_database.is_empty(target):
            raise BackupRefused("The database holds records already; '--force' replaces them.")
        if not force and copy_pictures.has_any(pictures):
            raise BackupRefused("There are pictures already; '--force' replaces them.")
        version = target.execute(sa.select(CONTENT.c.number)).scalar() or 0
        copy_database.replace_records(source, target)
        _reset_transient_state(target, version)
        restored = copy_pictures.copy(Store(backup.folder / MEDIA), pictures)
    copy_database.dispose(backup.url)
    copy_pictures.delete_others(pictures, restored)


def _reset_transient_state(target: sa.Connection, version: int) -> None:
    """Drop sessions, expire invitations, revoke links to previews, suspend queued mail and bump the content version.

    These are the `CHANGED` tables.
    """
    for table in TRANSIENT_TABLES:
        target.execute(sa.delete(table))
    invitations.expire_all(target)
    preview_links.revoke_all(target)
    outbox.suspend_all(target)
    newest = sa.case((CONTENT.c.number > version, CONTENT.c.number), else_=version)
    target.execute(sa.update(CONTENT).values(number=newest + 1))
