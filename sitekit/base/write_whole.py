"""Writes files that are there as a whole or not at all."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

COMING = ".coming-"  # how a file is named until it is whole


def write_whole(path: Path, content: Iterable[bytes], *, replaces: bool = True) -> None:
    """Write a file that only its owner may read, also through a power cut: written beside, synced and renamed.

    Raises `FileExistsError` if there is one that it must not replace; of several writers at once the first is kept.
    """
    descriptor, coming = tempfile.mkstemp(prefix=COMING, dir=path.parent)  # only its owner may read it
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(content)
            file.flush()
            os.fsync(file.fileno())
        if replaces:
            Path(coming).rename(path)
        else:
            path.hardlink_to(coming)
    finally:
        Path(coming).unlink(missing_ok=True)
