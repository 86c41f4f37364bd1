"""Opens the store of pictures: a local folder, or an S3-compatible store."""

from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from ...base.observability.checks import AWAY, Check, Finding, Severity
from ...base.settings import get_settings
from ...base.threads import MEDIA
from .storage import LocalStore, Store, StoreUnavailable


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


def _ask() -> Finding:
    settings = get_settings()
    address = urlsplit(settings.media_url)
    where = f"the bucket {address.netloc.rpartition('@')[2]}{address.path}" if address.netloc else settings.media_dir
    try:
        store().check()
    except StoreUnavailable as error:
        return Finding(AWAY, Severity.WRONG, f"{where}: {error.reason}.", detail=error.reason)
    return Finding(sentence=f"{where}: a test file was written, read and deleted.")


PICTURES = Check("pictures", _ask, MEDIA)
