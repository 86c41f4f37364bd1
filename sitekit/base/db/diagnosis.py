"""Explains database errors: a code for machines, a message for the operator."""

import errno
import os
import pwd
import tempfile
from enum import StrEnum
from pathlib import Path

import sqlalchemy as sa

from ..settings import get_settings
from .database import ContentVersion, transaction
from .postgresql import OtherEncoding
from .sqlite_file import DatabaseFileChanged, sqlite_path

LEAST_FREE = 500 * 1024 * 1024  # bytes
# More than a form with its mail takes, in bytes.
ROOM = 256 * 1024
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class DiskFull(sa.exc.OperationalError):
    """There is no room for another record."""

    def __init__(self, error: OSError) -> None:
        super().__init__(None, None, error)


class Trouble(StrEnum):
    """The kinds of database trouble, as `/readyz` names them."""

    AWAY = "away"
    CHANGED = "file replaced or removed"
    DAMAGED = "damaged"
    DISK = "disk error"
    ENCODING = "not in UTF8"
    FORBIDDEN = "not permitted"
    FULL = "disk full"
    LOCKED = "locked"
    MISSING = "missing"
    NEWER = "newer schema"
    NOT_MIGRATED = "not migrated"
    READ_ONLY = "read only"


_SQLITE = {
    "SQLITE_READONLY": Trouble.READ_ONLY,
    "SQLITE_PERM": Trouble.READ_ONLY,
    "SQLITE_FULL": Trouble.FULL,
    "SQLITE_IOERR": Trouble.DISK,
    "SQLITE_BUSY": Trouble.LOCKED,
    "SQLITE_LOCKED": Trouble.LOCKED,
    "SQLITE_CORRUPT": Trouble.DAMAGED,
    "SQLITE_NOTADB": Trouble.DAMAGED,
    "SQLITE_CANTOPEN": Trouble.MISSING,
}
# SQLSTATE codes rather than psycopg's exception classes, because psycopg is only loaded where it is used.
_POSTGRESQL = {
    "25006": Trouble.READ_ONLY,  # read_only_sql_transaction
    "42501": Trouble.FORBIDDEN,  # insufficient_privilege
    "53100": Trouble.FULL,  # disk_full
    "58030": Trouble.DISK,  # io_error
    "55P03": Trouble.LOCKED,  # lock_not_available
    "42P01": Trouble.NOT_MIGRATED,  # undefined_table
}


def prove_writing() -> None:
    """Write one row unchanged; raises what would also stop any other write, which a read does not show."""
    with transaction() as session:
        session.execute(sa.update(ContentVersion).values(number=ContentVersion.number))


def prove_storing() -> None:
    """`prove_writing`, and prove that there is room for more; for a site that runs.

    One row fits into what SQLite's log holds already, so on a full disk it is written while all else is refused. The
    disk of a PostgreSQL server cannot be seen from here.
    """
    prove_writing()
    path = sqlite_path(get_settings().database_url)
    if path is None:
        return
    try:
        with tempfile.TemporaryFile(dir=path.parent) as scratch:
            scratch.write(bytes(ROOM))
            scratch.flush()
    except OSError as error:
        # A folder that cannot be written to does not stop SQLite, whose files exist.
        if error.errno in _NO_ROOM:
            raise DiskFull(error) from error


def trouble_of(error: Exception) -> Trouble:
    """The kind of trouble that a database error reports."""
    if isinstance(error, DatabaseFileChanged):
        return Trouble.CHANGED
    if isinstance(error, OtherEncoding):
        return Trouble.ENCODING
    if isinstance(error, DiskFull):
        return Trouble.FULL
    if isinstance(error, sa.exc.TimeoutError):
        return Trouble.LOCKED
    cause = getattr(error, "orig", None)
    name = getattr(cause, "sqlite_errorname", "")
    if name == "SQLITE_ERROR" and "no such table" in str(cause):
        return Trouble.NOT_MIGRATED
    for beginning, trouble in _SQLITE.items():
        if name.startswith(beginning):
            return trouble
    return _POSTGRESQL.get(getattr(cause, "sqlstate", None) or "", Trouble.AWAY)


def is_trouble(error: Exception) -> bool:
    """Whether an error is about the database as a whole, and not about one statement."""
    is_of_connecting = isinstance(error, sa.exc.DBAPIError) and error.statement is None
    is_of_server = isinstance(error, (sa.exc.OperationalError, sa.exc.InterfaceError)) or is_of_connecting
    return is_of_server or trouble_of(error) is not Trouble.AWAY


def explain(error: Exception) -> str:
    """One sentence about such an error and what to do; contains no password and no data."""
    path = sqlite_path(get_settings().database_url)
    name = f"The database {path}" if path else "The database"
    first = (str(getattr(error, "orig", None) or error).splitlines() or [""])[0]
    match trouble_of(error):
        case Trouble.MISSING if path and may_be_created(path):
            return f"There is no database at {path}: 'migrate' creates an empty one, 'restore' one from a backup."
        case Trouble.MISSING if path and not path.parent.is_dir():
            return f"There is no folder {path.parent} for the database: create it, or see whether its disk is mounted."
        case Trouble.MISSING:
            return f"{name} cannot be opened: {running_user()} is not allowed to, or it is not a file."
        case Trouble.CHANGED:
            return f"{name} was removed or replaced while it was open: restart the site."
        case Trouble.DAMAGED:
            return f"{name} is damaged, or not a database: restore a backup."
        case Trouble.DISK:
            return f"{name} cannot be read or written: the disk is full or failing."
        case Trouble.FULL:
            return f"{name} cannot be written: the disk is full."
        case Trouble.LOCKED:
            return f"{name} is locked: another program has been writing for too long. Try again."
        case Trouble.NOT_MIGRATED:
            return f"{name} is not at the newest schema: 'migrate' moves it."
        case Trouble.ENCODING:
            return f"{name} stores texts in {first}, but the site needs UTF8: create it anew with ENCODING 'UTF8'."
        case Trouble.FORBIDDEN:
            return f"{name} refused it: {first}. The site's role must own the database and all that is in it."
        case Trouble.READ_ONLY:
            return f"{name} can be read, but not written.{_owners(path)}"
    return f"{name} cannot be reached ({type(error).__name__}: {first})."


def may_be_created(path: Path) -> bool:
    """Whether a SQLite file is missing, and 'migrate' can create it, with the data folder if need be."""
    folder = path.parent
    can_write = os.access(folder, os.W_OK) or (folder == get_settings().data_dir and not folder.exists())
    return can_write and not path.exists()


def running_user() -> str:
    """The name of the user this process runs as."""
    return user_name(os.geteuid())


def user_name(uid: int) -> str:
    """The name of a system user, or its number if it has no name."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _owners(path: Path | None) -> str:
    if path is None or not path.exists():
        return ""
    owner = user_name(path.stat().st_uid)
    if owner == running_user():
        return ""
    return f" It belongs to {owner}, and this runs as {running_user()}: 'chown -R {running_user()} {path.parent}'."


def foreign_files(folder: Path) -> list[Path]:
    """Files whose owner is not that of their folder, as a command run by root leaves them."""
    owner = folder.stat().st_uid
    return sorted(path for path in folder.rglob("*") if path.lstat().st_uid != owner)


def disk_bytes() -> int:
    """The size of the file system of the data folder in bytes; 0 if the folder does not exist."""
    try:
        usage = os.statvfs(get_settings().data_dir)
    except OSError:
        return 0
    return usage.f_blocks * usage.f_frsize


def free_bytes() -> int:
    """The free space for the data folder in bytes; 0 if the folder does not exist."""
    try:
        usage = os.statvfs(get_settings().data_dir)
    except OSError:
        return 0
    return usage.f_bavail * usage.f_frsize
