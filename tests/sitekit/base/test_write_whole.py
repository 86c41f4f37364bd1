"""A file is there as a whole or not at all, and only its owner may read it."""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitekit.base.write_whole import write_whole

pytestmark = pytest.mark.spec("DATA-3")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("replaces", [True, False])
def test_a_file_is_written_in_parts_for_its_owner_alone(tmp_path: Path, replaces: bool) -> None:
    write_whole(tmp_path / "file", iter([b"one ", b"two"]), replaces=replaces)
    assert (tmp_path / "file").read_bytes() == b"one two"
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600
    assert names(tmp_path) == ["file"]


def test_a_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "file").chmod(0o644)
    write_whole(tmp_path / "file", [b"new"])
    assert (tmp_path / "file").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600


def test_a_file_is_not_replaced_where_it_must_stay(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(FileExistsError):
        write_whole(tmp_path / "file", [b"new"], replaces=False)
    assert (tmp_path / "file").read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("replaces", [True, False])
def test_the_whole_content_is_synced_before_the_file_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replaces: bool
) -> None:
    synced: list[bytes] = []

    def sync(descriptor: int) -> None:
        assert not (tmp_path / "file").exists()
        synced.append(Path(f"/proc/self/fd/{descriptor}").read_bytes())

    monkeypatch.setattr(os, "fsync", sync)
    write_whole(tmp_path / "file", [b"one ", b"two"], replaces=replaces)
    assert synced == [b"one two"]


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")

    def content() -> Iterator[bytes]:
        yield b"half"
        raise OSError(errno.EIO, "broken")

    with pytest.raises(OSError, match="broken"):
        write_whole(tmp_path / "file", content())
    assert (tmp_path / "file").read_bytes() == b"old"
    assert names(tmp_path) == ["file"]
