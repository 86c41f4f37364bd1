"""`deploy/northstrait`: a command of the site with the service's settings, as the service's user."""

import json
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

WRAPPER = ROOT / "deploy" / "northstrait"
# In the place of the site: says what it was started with.
PROGRAM = """#!/usr/bin/python3
import json, os, sys
print(json.dumps({"arguments": sys.argv[1:], "environ": dict(os.environ), "user": os.geteuid(), "folder": os.getcwd()}))
"""
OTHER = "nobody" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name

Run = Callable[..., subprocess.CompletedProcess[str]]

pytestmark = pytest.mark.skipif(not shutil.which("runuser"), reason="runuser is Linux's")


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder that every user can read, with a program in the place of the site."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(PROGRAM)
    python.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def run(home: Path) -> Run:
    """Runs the wrapper with these lines as the file of settings."""

    def start(settings: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        file = home / "settings"
        file.write_text(settings)
        file.chmod(0o600)
        environ = {"PATH": os.environ["PATH"], "NORTHSTRAIT_HOME": str(home), "NORTHSTRAIT_ENV": str(file)}
        environ["NORTHSTRAIT_USER"] = OTHER
        return subprocess.run([str(WRAPPER), *arguments], env=environ, cwd="/tmp", capture_output=True, text=True)

    return start


def seen_by(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """What the program in the place of the site says."""
    assert (done.returncode, done.stderr) == (0, "")
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def test_a_command_runs_with_the_settings_and_user_of_the_service(run: Run, home: Path) -> None:
    done = run(
        "ADVISORY_ENV=production\n# a comment\n\nADVISORY_SECRET_KEY='a b=c#d'\nADVISORY_SIGN_UP=\"closed\"", "check"
    )
    seen = seen_by(done)
    assert seen["arguments"] == ["-P", "-m", "advisory_site", "check"]
    assert seen["user"] == pwd.getpwnam(OTHER).pw_uid
    environ = seen["environ"]
    assert environ["ADVISORY_ENV"] == "production"
    assert environ["ADVISORY_SECRET_KEY"] == "a b=c#d"
    assert environ["ADVISORY_SIGN_UP"] == "closed"
    assert environ["ADVISORY_DATA_DIR"] == "/var/lib/northstrait"
    assert environ["PYTHONPATH"] == str(home)


def test_settings_of_the_file_override_those_of_the_unit(run: Run) -> None:
    seen = seen_by(run("ADVISORY_DATA_DIR=/srv/firm\n", "check"))
    assert seen["environ"]["ADVISORY_DATA_DIR"] == "/srv/firm"


def test_arguments_and_working_directory_are_passed_unchanged(run: Run) -> None:
    seen = seen_by(run("", "backup", "a file with $HOME and 'quotes'"))
    assert seen["arguments"][-1] == "a file with $HOME and 'quotes'"
    assert seen["folder"] == "/tmp"


@pytest.mark.parametrize("line", ["a secret word", "=secret word", "A B=secret word", "$(secret word)=1"])
def test_an_invalid_settings_line_is_reported_by_its_number(run: Run, line: str) -> None:
    done = run(f"ADVISORY_ENV=local\n{line}\n", "check")
    assert (done.returncode, done.stdout) == (1, "")
    assert "line 2 of" in done.stderr
    assert "secret" not in done.stderr


@pytest.mark.parametrize(
    "value", [r"pa\ss", r'"a\"b\\c"', r"'pa\ss'", '"a"b"', '"secret"word', '"secret', "'it's'", '"', r"secret\ "]
)
def test_a_value_that_systemd_reads_otherwise_is_refused(run: Run, value: str) -> None:
    done = run(f"ADVISORY_ENV=local\nADVISORY_SMTP_URL={value}\n", "check")
    assert (done.returncode, done.stdout) == (1, "")
    assert "line 2 of" in done.stderr and "systemd reads these otherwise" in done.stderr
    assert "secret" not in done.stderr


def test_a_comment_that_systemd_continues_in_the_next_line_is_refused(run: Run) -> None:
    done = run("# a comment \\\nADVISORY_ENV=production\n", "check")
    assert (done.returncode, done.stdout) == (1, "")
    assert "line 1 of" in done.stderr and "systemd reads these otherwise" in done.stderr


def test_values_are_read_as_systemd_reads_them(run: Run) -> None:
    """Spaces around a value do not belong to it, quotes in the middle do."""
    written = {
        "A": " a b \r",
        "B": "a\"b'c",
        "C": '" it\'s "  ',
        "D": "''",
        "E": "  ",
        "F": "'say \"no\"'",
        "G": "a=b#c",
    }
    read = {"A": "a b", "B": "a\"b'c", "C": " it's ", "D": "", "E": "", "F": 'say "no"', "G": "a=b#c"}
    seen = seen_by(run("".join(f"{name}={value}\n" for name, value in written.items()), "check"))
    assert {name: seen["environ"][name] for name in read} == read


def test_unreadable_settings_are_reported_as_needing_root(run: Run, home: Path) -> None:
    environ = {"PATH": os.environ["PATH"], "NORTHSTRAIT_HOME": str(home), "NORTHSTRAIT_ENV": "/nowhere"}
    done = subprocess.run([str(WRAPPER), "check"], env=environ, capture_output=True, text=True)
    assert done.returncode == 1
    assert "run this as root" in done.stderr


def test_the_systemd_unit_and_the_wrapper_agree() -> None:
    unit = (ROOT / "deploy" / "northstrait-backup.service").read_text(encoding="utf-8")
    wrapper = WRAPPER.read_text(encoding="utf-8")
    for line, told in (
        ("User=northstrait", "NORTHSTRAIT_USER:-northstrait}"),
        ("WorkingDirectory=/opt/northstrait", "NORTHSTRAIT_HOME:-/opt/northstrait}"),
        ("EnvironmentFile=/etc/northstrait.env", "NORTHSTRAIT_ENV:-/etc/northstrait.env}"),
        ("ADVISORY_DATA_DIR=/var/lib/northstrait", "NORTHSTRAIT_DATA:-/var/lib/northstrait}"),
        ("ADVISORY_BACKUP_TO=/var/backups/northstrait", "ADVISORY_BACKUP_TO:-/var/backups/northstrait}"),
    ):
        assert line in unit
        assert told in wrapper
