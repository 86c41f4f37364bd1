"""Folders of other users, for tests that need not run as root."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest

NOBODY = 65534


def give_away(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Have Python report that a folder belongs to `nobody`: only root can give it away."""
    real = Path.stat

    def reported(path: Path, **options: Any) -> os.stat_result:
        found = real(path, **options)
        return found if path != folder else os.stat_result((*found[: stat.ST_UID], NOBODY, *found[stat.ST_GID :]))

    patch.setattr(Path, "stat", reported)
