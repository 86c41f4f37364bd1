"""`deploy/release`: the order of its steps, and what stays when one fails. Stand-ins for the site and for systemd."""

import fcntl
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sitekit.base.db.migrations import head
from tests.conftest import ROOT
from tests.support.release import running_user

# Records the commands of a version; those that a file of the version names fail.
PYTHON = """#!/bin/sh
version=$(cd "$(dirname "$0")/../.." && pwd -P)
[ "$2" != -c ] || exec cat "$version/alembic/head"
shift 3
echo "$(basename "$version") $*" >>"$RECORD"
[ ! -e "$version/advisory_site/no-$1" ]
"""
BUILD = """
echo "$(basename "$PWD") build, from $(basename "$PREVIOUS")" >>"$RECORD" && [ ! -e advisory_site/no-build ] &&
mkdir -p .venv/bin .web/build/client/assets && cp "$PYTHON" .venv/bin/python &&
touch .web/build/client/assets/$(basename "$PWD").js
"""
# A version is ready as soon as it is started, or ends again and again.
SYSTEMCTL = """#!/bin/sh
version=$(cd "$NORTHSTRAIT_HOME" && pwd -P)
[ "$1" = show ] && echo + >>"$RECORD.ends" && exec wc -l <"$RECORD.ends"
[ "$1" = reset-failed ] && exit
echo "$(basename "$version") $1" >>"$RECORD"
rm -f "$READY"
[ "$1" = stop ] || [ -e "$version/advisory_site/no-start" ] || touch "$READY"
"""


class Machine:
    """A folder in the place of /opt, and a source to release from."""

    def __init__(self, folder: Path) -> None:
        self.home, self.source = folder / "opt" / "site", folder / "source"
        self.ready, self.record = folder / "ready", folder / "record"
        (folder / "opt").mkdir()
        for name, text in (("systemctl", SYSTEMCTL), ("python", PYTHON)):
            (folder / "bin").mkdir(exist_ok=True)
            (folder / "bin" / name).write_text(text)
            (folder / "bin" / name).chmod(0o755)
        (folder / "settings").touch()
        for name in ("Makefile", "alembic.ini", "requirements.txt", "rxconfig.py", "alembic/head", "assets/site.css"):
            self.write(name, "1")
        for name in ("advisory_site/__init__.py", "sitekit/__init__.py", "docs/deploy.md", "reflex.lock/package.json"):
            self.write(name, "1")
        self.write("requirements-tracing.txt", "1")
        shutil.copytree(ROOT / "deploy", self.source / "deploy")
        self.environ = {
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "NORTHSTRAIT_HOME": str(self.home),
            "NORTHSTRAIT_ENV": str(folder / "settings"),
            "NORTHSTRAIT_USER": running_user(),
            "NORTHSTRAIT_READY": self.ready.as_uri(),
            "NORTHSTRAIT_BUILD": BUILD,
            "PYTHON": str(folder / "bin" / "python"),
            "READY": str(self.ready),
            "RECORD": str(self.record),
        }

    def write(self, name: str, text: str) -> None:
        """Change a file of the source."""
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run(self, *arguments: str, version: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run the script of the source or of a version; what was recorded begins anew."""
        self.record.write_text("")
        command = [str((version or self.source) / "deploy" / "release"), "--wait", "2", *arguments]
        return subprocess.run(command, env=self.environ, capture_output=True, text=True)

    def release(self, **changes: str) -> Path:
        """Release a version that works, and return its folder."""
        for name, text in changes.items():
            self.write(f"alembic/{name}", text)
        done = self.run()
        assert done.returncode == 0, done.stdout + done.stderr
        return self.served

    @property
    def served(self) -> Path:
        return self.home.resolve()

    @property
    def done(self) -> list[str]:
        """The steps of the last run: a version and what was done with it."""
        return self.record.read_text().splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_release_contains_all_the_site_imports_and_no_tests(machine: Machine) -> None:
    parts = runpy.run_path(str(ROOT / "deploy" / "release"))["SOURCE"]
    listed = subprocess.run(["git", "ls-files", "-z", *parts], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).exists():
            (machine.source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, machine.source / name)
    version = machine.release()
    environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(version), "PYTHONDONTWRITEBYTECODE": "1"}
    question = "import advisory_site.advisory_site as site, sitekit; print(site.__file__, sitekit.__file__)"
    asked = subprocess.run([sys.executable, "-P", "-c", question], cwd=version, env=environ, stdout=subprocess.PIPE)
    files = [str(version / name) for name in ("advisory_site/advisory_site.py", "sitekit/__init__.py")]
    assert asked.stdout.decode().split() == files
    assert (machine.source / "deploy" / "checks").exists()
    assert [path.name for path in (version / "deploy").iterdir() if path.suffix == ".py" or path.is_dir()] == []


def test_a_version_is_built_checked_migrated_and_then_served(machine: Machine) -> None:
    first = machine.release()
    assert machine.done == [f"{first.name} build, from ", f"{first.name} check --start", f"{first.name} restart"]
    second = machine.release(head="2")
    assert second != first
    assert machine.done == [
        f"{second.name} build, from {first.name}",
        f"{second.name} check --start",
        f"{second.name} migrate",
        f"{second.name} restart",
    ]


def test_the_version_being_served_is_not_released_again(machine: Machine) -> None:
    first = machine.release()
    assert (machine.release(), machine.done) == (first, [])
    machine.ready.unlink()
    done = machine.run()
    assert (done.returncode, machine.done) == (1, [])
    assert "served already, but it is not ready: /readyz does not answer" in done.stdout


@pytest.mark.parametrize("step", ["build", "check", "migrate"])
def test_a_failure_before_the_start_changes_nothing(machine: Machine, step: str) -> None:
    first = machine.release()
    machine.write(f"advisory_site/no-{step}", "")
    done = machine.run()
    assert (done.returncode, machine.served) == (1, first)
    assert done.stdout.splitlines()[-1].endswith("What is served stays as it is.")
    assert not any("restart" in step for step in machine.done)


@pytest.mark.parametrize("head", ["1", "2"])
def test_a_version_that_does_not_start_is_rolled_back(machine: Machine, head: str) -> None:
    first = machine.release()
    machine.write("alembic/head", head)
    machine.write("advisory_site/no-start", "")
    done = machine.run()
    assert (done.returncode, machine.served) == (1, first)
    [new] = {step.split()[0] for step in machine.done} - {first.name}
    down = [f"{new} stop", f"{new} migrate-down 1"] if head == "2" else []
    assert machine.done[3:] == [f"{new} restart", *down, f"{first.name} restart"]
    assert f"{new} is not ready: it ended 2 times; 'journalctl -u northstrait' shows why" in done.stdout
    assert done.stdout.splitlines()[-1] == f"release: {new} is not served; {first.name} is again."
    # Pages that were opened on the new version ask for its scripts.
    assert (first / ".former" / f"{new}.js").exists()
    assert machine.run("--back").returncode == 0
    assert (machine.served, machine.done) == (first, [])


def test_a_rollback_includes_the_schema_and_can_be_repeated(machine: Machine) -> None:
    first, second = machine.release(), machine.release(head="2")
    assert machine.run("--back", version=machine.home).returncode == 0
    assert machine.served == first
    assert machine.done == [f"{second.name} stop", f"{second.name} migrate-down 1", f"{first.name} restart"]
    again = machine.run("--back")
    assert (again.returncode, machine.served, machine.done) == (0, first, [])
    assert again.stdout == f"release: {first.name} is served already, after {second.name}.\n"
    assert machine.release() == second
    assert machine.run("--back").returncode == 0
    assert machine.served == first


def test_a_rollback_returns_to_the_version_served_last(machine: Machine) -> None:
    first = machine.release()
    machine.release(head="2")
    machine.run("--back")
    third = machine.release(head="3")
    assert machine.release(head="1") == first
    machine.run("--back")
    assert machine.served == third


def test_an_interrupted_release_continues(machine: Machine) -> None:
    first, second = machine.release(), machine.release(head="2")
    (second / "starting").touch()  # the link was changed, and then the machine was switched off
    assert machine.release() == second
    assert machine.done[-1] == f"{second.name} restart"
    machine.run("--back")
    (first / "starting").touch()
    machine.run("--back")
    assert machine.done[-1] == f"{first.name} restart"
    assert machine.served == first


@pytest.mark.parametrize("script", ["release", "release-containers"])
def test_the_schema_of_a_version_is_found_for_any_package_layout(tmp_path: Path, script: str) -> None:
    """A version before this one had its modules in other packages."""
    shutil.copytree(ROOT / "alembic" / "versions", tmp_path / "alembic" / "versions")
    shutil.copy(ROOT / "alembic.ini", tmp_path)
    text = (ROOT / "deploy" / script).read_text(encoding="utf-8")
    [question] = re.findall(r"^from alembic\.config .*?get_current_head\(\)\)", text, re.MULTILINE | re.DOTALL)
    environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(tmp_path)}
    asked = subprocess.run(
        [sys.executable, "-c", question], cwd=tmp_path, env=environ, capture_output=True, text=True, check=True
    )
    assert asked.stdout == f"{head()}\n"


def test_a_rollback_without_an_earlier_version_is_reported(machine: Machine) -> None:
    machine.write("advisory_site/no-start", "")
    done = machine.run()
    assert (done.returncode, machine.done[-1].split()[1]) == (1, "restart")
    assert done.stdout.splitlines()[-1].endswith("There is no version before it.")
    assert "There is no version before" in machine.run("--back").stdout


def test_only_older_versions_are_deleted(machine: Machine) -> None:
    holds_data = machine.release()
    (holds_data / ".data").mkdir()
    other = machine.home.with_name("site-notes")
    other.mkdir()
    released = [machine.release(head=str(number)) for number in range(2, 6)]
    assert [path for path in released if path.exists()] == released[1:]
    machine.run("--back")
    machine.write("alembic/head", "6")
    assert machine.run("--keep", "1").returncode == 0
    assert [path for path in released if path.exists()] == [released[-2]], "to which '--back' leads"
    assert holds_data.exists()
    assert other.exists()


def test_concurrent_releases_are_refused(machine: Machine) -> None:
    with machine.home.with_name("site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        done = machine.run()
    assert (done.returncode, machine.done) == (1, [])
    assert done.stdout == "release: Another release is running; nothing was done.\n"


def test_a_folder_in_place_of_the_link_is_not_touched(machine: Machine) -> None:
    machine.home.mkdir()
    done = machine.run()
    assert (done.returncode, machine.done) == (1, [])
    assert f"mv {machine.home} {machine.home}-0" in done.stdout
