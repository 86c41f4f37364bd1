"""Runs the site's commands: in the test's process, or, for what that cannot show, in one of their own."""

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitekit.base import settings
from sitekit.ops import cli
from tests.conftest import ROOT, use
from tests.support.people import PASSWORD

Done = subprocess.CompletedProcess[str]


def run(folder: Path, *arguments: str, **more: str) -> Done:
    """Run a command on a data folder with only these settings; a password is passed on standard input."""
    with pytest.MonkeyPatch.context() as patch:
        use(patch, folder, **more)
        done = invoke(*arguments, typed=f"{PASSWORD}\n")
    settings.get_settings.cache_clear()
    return done


def invoke(*arguments: str, typed: str = "") -> Done:
    """Run a command with the settings of the test, in a tenth of the time that a process takes.

    Not for `run`, which replaces the process.
    """
    settings.get_settings.cache_clear()
    said, complained = io.StringIO(), io.StringIO()
    with (
        umask_kept(),
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(complained),
    ):
        patch.setattr(sys, "stdin", io.StringIO(typed))
        try:
            cli.main(arguments, prog_name="python -m advisory_site")
        except SystemExit as end:
            # As Python ends: with a status, or with a sentence and status 1.
            if isinstance(end.code, str):
                print(end.code, file=sys.stderr)
            status = int(end.code or 0) if not isinstance(end.code, str) else 1
    return Done(arguments, status, said.getvalue(), complained.getvalue())


@contextlib.contextmanager
def umask_kept() -> Iterator[None]:
    """A command that is run in the process of the tests leaves their files readable."""
    os.umask(before := os.umask(0))
    try:
        yield
    finally:
        os.umask(before)


def run_process(folder: Path, *arguments: str, **more: str) -> Done:
    """Like `run`, in a new process."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ADVISORY_")}
    environ |= {f"ADVISORY_{name}": value for name, value in {"DATA_DIR": str(folder), **more}.items()}
    command = [sys.executable, "-m", "advisory_site", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environ, input=f"{PASSWORD}\n", capture_output=True, text=True, timeout=60
    )
