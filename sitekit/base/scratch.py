"""Scratch folders, often with a copy of all records: deleted with their process, or by the next command."""

import fcntl
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .settings import get_settings
from .site import get_site

_BESIDE = ".backup-"
_PURPOSES = ("backup", "restore", "rehearsal", "upload")
PREFIXES = (_BESIDE, *(f"{get_site().short_name}-{purpose}-" for purpose in _PURPOSES))
# A folder without a lock is of an earlier version, or on a share without locks: abandoned after so many seconds.
_LOCK, _UNLOCKED_LIFETIME = "lock", 24 * 3600


@contextmanager
def scratch_folder(purpose: str, beside: Path | None = None) -> Iterator[Path]:
    """An empty folder for one of the purposes, `beside` a file or in the folder for temporary files."""
    prefix, parent = (_BESIDE, beside.parent) if beside else (f"{get_site().short_name}-{purpose}-", None)
    with tempfile.TemporaryDirectory(prefix=prefix, dir=parent) as scratch:
        content, unlocked = Path(scratch, "content"), Path(scratch, "unlocked")
        content.mkdir()
        # The system releases the lock when the process ends, however it does.
        with unlocked.open("xb") as lock:
            with suppress(OSError):
                fcntl.flock(lock, fcntl.LOCK_EX)
                unlocked.rename(unlocked.with_name(_LOCK))
            yield content


def abandoned(*others: Path) -> Iterator[Path]:
    """The scratch folders of processes that were killed, where commands put theirs and in other folders."""
    settings = get_settings()
    folders = {Path(tempfile.gettempdir()), settings.backups_dir, *others}
    if settings.backup_to and "://" not in settings.backup_to:
        folders.add(Path(settings.backup_to))
    for folder in folders:
        with suppress(OSError):
            yield from [path for path in folder.iterdir() if path.name.startswith(PREFIXES) and _is_abandoned(path)]


def _is_abandoned(path: Path) -> bool:
    with suppress(OSError):  # of another user, or deleted meanwhile
        if not (path / _LOCK).exists():
            return time.time() - path.stat().st_mtime > _UNLOCKED_LIFETIME
        with (path / _LOCK).open("r+b") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
    return False


def delete_abandoned(*others: Path) -> None:
    """Delete the folders that are `abandoned`."""
    for path in abandoned(*others):
        with suppress(OSError):
            shutil.rmtree(path)
