"""Copies pictures from one store into another: for backups, and when a site moves."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor  # noqa: TID251  of a command, which waits for it
from contextlib import contextmanager
from pathlib import Path

from ..base.errors import ServiceError
from ..base.settings import PREFIX, Settings
from ..records.pictures.storage import Store, StoreUnavailable, open_store

THREADS = 8


class PicturesNotCopied(ServiceError):
    """A store does not work; the message has the reason."""


def copy(source: Store, target: Store) -> list[str]:
    """Copy all files; the names of those copied. Files of the same name are replaced, others stay."""
    if source is target:
        return []

    def copy_one(name: str) -> str:
        data = source.get(name)
        if data is None:  # deleted meanwhile
            return ""
        target.put(name, data)
        return name

    with _explained("The pictures cannot be copied"), ThreadPoolExecutor(THREADS) as pool:
        return [name for name in pool.map(copy_one, list(source.names())) if name]


def has_any(store: Store) -> bool:
    """Whether a store has a picture."""
    with _explained("The pictures cannot be listed"):
        return any(True for _ in store.names())


def delete_others(store: Store, names: Sequence[str]) -> None:
    """Delete the files that are not among those kept."""
    with _explained("All is restored, but pictures that are not in the backup could not be deleted"):
        store.delete(sorted({*store.names()} - {*names}))


@contextmanager
def _explained(what: str) -> Iterator[None]:
    try:
        yield
    except StoreUnavailable as error:
        raise PicturesNotCopied(f"{what}: {error.reason}.") from None


def copy_between(source: str, target: str) -> int:
    """Copy all files from one folder or S3 URL to another; how many."""
    copied = copy(_store_at(source), _store_at(target))
    if not copied:
        raise PicturesNotCopied("There are no pictures to copy.")
    return len(copied)


def _store_at(location: str) -> Store:
    """The store in a folder, or at a URL as the setting takes it; its key may be in the environment."""
    if "://" not in location:
        folder = Path(location).absolute()
        if not folder.parent.is_dir():
            raise PicturesNotCopied(f"There is no folder {folder.parent}.")
        return open_store("", folder)
    given = {name: os.environ.get(name, "") for name in (f"{PREFIX}MEDIA_KEY", f"{PREFIX}MEDIA_SECRET")}
    return open_store(Settings.from_environment(given | {f"{PREFIX}MEDIA_URL": location}).media_url, Path())
