"""Finds the programs the tests run, such as PostgreSQL and Redis, or installs Debian's packages."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.support.postgresql import binaries  # noqa: E402
from tests.support.varnish import varnishd  # noqa: E402

IS_CI = os.environ.get("CI", "").lower() in ("1", "true")


def missing() -> list[str]:
    """The Debian packages of the programs that are not here."""
    programs = {
        "redis-server": shutil.which("redis-server"),
        "caddy": shutil.which("caddy"),
        "varnish": varnishd(),
        "systemd": shutil.which("systemd-analyze"),
        "prometheus": shutil.which("promtool"),
    }
    return [*([] if binaries() else ["postgresql"]), *(name for name, path in programs.items() if not path)]


def install(packages: list[str]) -> None:
    """Try Debian's packages; what cannot be installed is reported on standard error, and is no error yet."""
    with_rights = [] if os.geteuid() == 0 else ["sudo", "-n"]
    quietly = ["apt-get", "install", "-y", "-qq", "--no-install-recommends"]
    if shutil.which("apt-get") is None or (with_rights and shutil.which("sudo") is None):
        return
    for command in (["apt-get", "update", "-qq"], *([*quietly, package] for package in packages)):
        try:
            done = subprocess.run(
                [*with_rights, *command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                timeout=600,
                env={**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"},
            )
        except subprocess.TimeoutExpired:
            print(f"{' '.join(command)}: no end after ten minutes; is there a network?", file=sys.stderr)
            return
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            print(f"{' '.join(command)}: {last}", file=sys.stderr)


if __name__ == "__main__":
    if missing():
        install(missing())
    if absent := missing():
        said = f"Not installed, and it could not be installed: {', '.join(absent)}."
        if IS_CI:
            sys.exit(said)
        print(f"{said} The tests that need it are left out.")
