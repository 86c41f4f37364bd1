"""A rehearsal of `deploy/release` with the site itself: only systemd and the build have stand-ins."""

import asyncio
import json
import os
import re
import runpy
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.cluster.conftest import ADMIN_EMAIL, ADMIN_PASSWORD, METRICS_TOKEN
from tests.cluster.crowd import stored
from tests.cluster.traffic import SEND
from tests.conftest import ROOT
from tests.support.fetch import fetch
from tests.support.ports import free_port
from tests.support.release import COLUMN_MIGRATION, running_user
from tests.support.visitor import Gone, Visitor

SUPERVISOR = Path(__file__).with_name("supervisor.py")
# What is built and compiled is taken from here, or from the version before.
BUILD = f"""
ln -sfn '{ROOT}/.venv' .venv && ln -sfn '{ROOT}/.web' .web
cp -Rpn "${{PREVIOUS:-{ROOT}}}/advisory_site/." advisory_site && .venv/bin/python -m compileall -q advisory_site
"""


class Machine:
    """A machine with one site, installed from a copy of this source."""

    def __init__(self, folder: Path) -> None:
        self.source, self.home, self.state = folder / "source", folder / "opt" / "northstrait", folder / "systemd"
        self.data, port = folder / "data", free_port()
        self.url = f"http://127.0.0.1:{port}"
        for path in (self.source, self.home.parent, self.state, folder / "bin", self.data):
            path.mkdir()
        for name in runpy.run_path(str(ROOT / "deploy" / "release"))["SOURCE"]:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
            copy(ROOT / name, self.source / name)
        (folder / "bin" / "systemctl").write_text(f'#!/bin/sh\nexec {sys.executable} {SUPERVISOR} "$@"\n')
        (folder / "bin" / "systemctl").chmod(0o755)
        (folder / "settings").write_text("")
        settings = {
            "ADMIN_EMAIL": ADMIN_EMAIL,
            "ADMIN_PASSWORD": ADMIN_PASSWORD,
            "BCRYPT_COST": "4",
            "DATA_DIR": str(self.data),
            "METRICS_TOKEN": METRICS_TOKEN,
            "PUBLIC_URL": self.url,
        }
        self.environ = {
            **{name: value for name, value in os.environ.items() if not name.startswith("ADVISORY_")},
            **{f"ADVISORY_{name}": value for name, value in settings.items()},
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "NORTHSTRAIT_HOME": str(self.home),
            "NORTHSTRAIT_ENV": str(folder / "settings"),
            "NORTHSTRAIT_USER": running_user(),
            "NORTHSTRAIT_READY": f"{self.url}/readyz",
            "NORTHSTRAIT_BUILD": BUILD,
            "COMMAND": json.dumps([f"{self.home}/.venv/bin/python", "-m", "advisory_site", "run", "--port", str(port)]),
            "STATE": str(self.state),
        }

    def replace(self, name: str, old: str, new: str) -> None:
        """Change the source of the next release."""
        path = self.source / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def release(self) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.source / "deploy" / "release"], env=self.environ, capture_output=True, text=True, timeout=120
        )

    def stop(self) -> None:
        subprocess.run(["systemctl", "stop"], env=self.environ, check=True)

    @property
    def schema(self) -> str:
        with closing(sqlite3.connect(self.data / "advisory.db")) as connection:
            return str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])

    @property
    def version(self) -> str:
        """The version that answers."""
        answer = fetch(f"{self.url}/metrics", Authorization=f"Bearer {METRICS_TOKEN}").text
        found = re.search(r'advisory_build_info\{.*version="([^"]*)"', answer)
        assert found
        return found[1]


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    machine = Machine(tmp_path)
    try:
        yield machine
    finally:
        machine.stop()


async def stays(visitor: Visitor) -> None:
    """What an open tab does when it loses the server: it asks again and again, until somebody answers."""
    with pytest.raises(Gone):
        await visitor.until("a var that never comes", seconds=120)
    assert not visitor.was_dismissed
    visitor.vars.clear()
    async with asyncio.timeout(60):
        while True:
            try:
                await visitor.connect()
                await visitor.until("state.is_hydrated", True)
                return
            except Gone:
                await asyncio.sleep(0.2)


async def enquire(visitor: Visitor, message: str) -> None:
    filled = {"firstName": "Ann", "lastName": "Lim", "email": "ann@example.com", "message": message}
    await visitor.send(SEND, "/contact", form_data=filled | {"submission": message})
    await visitor.until("contact_state.times_sent", 1)


@pytest.mark.spec("DATA-2")
def test_a_failing_release_is_rolled_back_and_a_good_one_is_served(machine: Machine) -> None:
    assert machine.release().returncode == 0
    old, head = machine.home.resolve(), machine.schema

    async def run() -> None:
        visitor = Visitor(machine.url, path="/contact")
        await visitor.connect()
        await visitor.until("state.is_hydrated", True)

        machine.replace("advisory_site/__init__.py", '__version__ = "', '__version__ = "broken-')
        machine.replace("sitekit/ops/serve.py", "    prove_writing()\n", "    raise SystemExit('broken')\n")
        (machine.source / "alembic" / "versions" / "9999_next.py").write_text(COLUMN_MIGRATION.format(head=head))
        done, _ = await asyncio.gather(asyncio.to_thread(machine.release), stays(visitor))
        assert (done.returncode, machine.home.resolve()) == (1, old), done.stdout
        assert "is not ready: it ended 2 times" in done.stdout
        assert f"is not served; {old.name} is again." in done.stdout
        assert (machine.schema, "broken" in machine.version) == (head, False)
        await enquire(visitor, "After the release that failed")

        machine.replace("advisory_site/__init__.py", "broken-", "next-")
        machine.replace("sitekit/ops/serve.py", "    raise SystemExit('broken')\n", "    prove_writing()\n")
        done, _ = await asyncio.gather(asyncio.to_thread(machine.release), stays(visitor))
        assert done.returncode == 0, done.stdout
        assert (machine.schema, machine.version.split("-")[0]) == ("9999", "next")
        await enquire(visitor, "After the release that works")
        await visitor.close()

    asyncio.run(run())
    assert stored(machine.data / "advisory.db") == {
        "After the release that failed": 1,
        "After the release that works": 1,
    }
