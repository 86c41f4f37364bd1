"""The site works under what its systemd units forbid, as far as a process can forbid it to itself."""

import stat
import subprocess
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from sitekit.records.pictures import landlock
from tests.conftest import IS_CI, ROOT
from tests.e2e.conftest import confined, serving
from tests.support.confined import allowed_calls, can_confine
from tests.support.photographs import portrait

UNIT, BACKUP = "northstrait", "northstrait-backup"
FORM = {"firstName": "Ann", "lastName": "Lim", "email": "ann@kelp.example", "message": "Hello"}
# The picture encoder is a process of its own with limits.
ENCODE = """
import asyncio, sys
from pathlib import Path
import advisory_site
from sitekit.records.pictures import landlock
from sitekit.records.pictures.encoding import encode
source, target = map(Path, sys.argv[1:])
target.mkdir()
asyncio.run(encode(source, target))
print(sorted(path.suffix for path in target.iterdir()), "Landlock", landlock.version())
"""

pytestmark = pytest.mark.skipif(not (can_confine() or IS_CI), reason="needs systemd-analyze, setpriv and libseccomp")


def test_the_site_works_under_its_systemd_unit(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with serving(folder, confined_by=UNIT) as site:
        status = Path(f"/proc/{site.process.pid}/status").read_text(encoding="ascii")
        assert "NoNewPrivs:\t1" in status and "Seccomp:\t2" in status
        with urllib.request.urlopen(f"{site.url}/companies/treacle-tech") as page:
            assert "Treacle" in page.read().decode()
        with urllib.request.urlopen(f"{site.url}/contact", urllib.parse.urlencode(FORM).encode()) as answer:
            assert answer.status == 200
        assert {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in folder.rglob("*")} == {0}
        backups = tmp_path / "backups"
        backups.mkdir()
        done = site_command(BACKUP, folder, "-m", "advisory_site", "backup", str(backups), "--keep", "3")
        assert done.returncode == 0, done.stdout + done.stderr
        assert len(list(backups.iterdir())) == 1
    picture = tmp_path / "picture.jpg"
    portrait(400, 500).save(picture)
    done = site_command(UNIT, folder, "-c", ENCODE, str(picture), str(tmp_path / "encoded"))
    assert f".webp'] Landlock {landlock.version()}" in done.stdout, done.stdout + done.stderr


def site_command(unit: str, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run Python with a data folder, confined as by a unit."""
    environ = {"ADVISORY_DATA_DIR": str(folder), "PATH": "/usr/bin:/bin"}
    python = [*confined(unit), confined(unit)[0], *command]
    return subprocess.run(python, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=120)


def test_the_systemd_unit_forbids_unneeded_privileges() -> None:
    allowed = allowed_calls((ROOT / "deploy" / f"{UNIT}.service").read_text(encoding="utf-8"))
    assert {"read", "openat", "clone3", "accept4", "prlimit64"} <= allowed
    assert not allowed & {"ptrace", "mount", "setuid", "chown", "init_module", "bpf", "reboot", "clock_settime"}
