"""Opens the store of pictures: a local folder, or an S3-compatible store."""

from functools import cache
from pathlib import Path

from ...base.settings import get_settings
from .storage import LocalStore, Store


def store() -> Store:
    """The store of the settings."""
    settings = get_settings()
    return open_store(settings.media_url, settings.media_dir)


@cache
def open_store(url: str, folder: Path) -> Store:
    """The store at a URL as in `Settings.media_url`; without one, that in the folder."""
    if not url:
        return LocalStore(folder)
    from .s3_store import S3Store  # only here, because most sites do not need it

    return S3Store(url)
