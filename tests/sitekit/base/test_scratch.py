"""Scratch folders are deleted with their process, and never while it lives."""

import subprocess
import sys
from pathlib import Path

import pytest

from sitekit.base.scratch import abandoned, delete_abandoned, scratch_folder
from tests.conftest import ROOT, use

PROGRAM = """
import sys
from pathlib import Path
import advisory_site
from sitekit.base.scratch import scratch_folder

with scratch_folder("backup", beside=Path(sys.argv[1], "made")) as folder:
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    use(monkeypatch, tmp_path / "data")
    return tmp_path


@pytest.mark.parametrize("beside", [True, False])
def test_a_scratch_folder_is_empty_and_deleted_at_the_end(folder: Path, beside: bool) -> None:
    with scratch_folder("restore", beside=folder / "made" if beside else None) as scratch:
        assert list(scratch.iterdir()) == []
        assert scratch.parent.stat().st_mode & 0o077 == 0
        delete_abandoned(folder)
        (scratch / "records").touch()
    assert not scratch.parent.exists()


def test_the_scratch_folder_of_another_process_is_deleted_only_when_that_was_killed(folder: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(folder)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, text=True, **pipes) as process:  # type: ignore[call-overload]
        scratch = Path(process.stdout.readline().strip())
        delete_abandoned(folder)
        assert scratch.is_dir()
        process.kill()
        process.wait()
    assert list(abandoned(folder)) == [scratch.parent]
    delete_abandoned(folder)
    assert not scratch.parent.exists()
