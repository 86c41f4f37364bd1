"""The keys of this site's secrets: what signs tokens, and what other secrets are derived from."""

import os
import secrets
from contextlib import suppress
from functools import cache
from pathlib import Path

from .settings import get_settings


def signing_keys() -> tuple[str, ...]:
    """The keys in use: the first signs, all verify."""
    settings = get_settings()
    return settings.secret_keys or (_kept_key(settings.secret_file),)


@cache
def _kept_key(path: Path) -> str:
    """The key in the data folder, created if there is none; if two processes create one, both use the first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(32))
        try:
            path.hardlink_to(draft)
        finally:
            draft.unlink()
    return path.read_text().strip()
