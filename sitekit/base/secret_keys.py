"""The keys of this site's secrets: what signs tokens, and what other secrets are derived from."""

import secrets
from contextlib import suppress
from functools import cache
from pathlib import Path

from .settings import get_settings
from .write_whole import write_whole


def signing_keys() -> tuple[str, ...]:
    """The keys in use: the first signs, all verify."""
    settings = get_settings()
    return settings.secret_keys or (_kept_key(settings.secret_file),)


@cache
def _kept_key(path: Path) -> str:
    """The key in the data folder, created if there is none; if two processes create one, both use the first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        write_whole(path, [secrets.token_hex(32).encode()], replaces=False)
    return path.read_text().strip()
