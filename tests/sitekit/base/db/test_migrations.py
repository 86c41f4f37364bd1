"""Moving the schema while several processes start at once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa

from sitekit.base.db import database
from sitekit.base.db.migrations import head
from tests.conftest import ROOT, use

ALL_AT_ONCE = """
import sys
import advisory_site
from sitekit.ops import tables
from sitekit.base.db.migrations import migrate
print("ready", flush=True)
sys.stdin.readline()
migrate()
"""


@pytest.mark.spec("DATA-2")
def test_concurrently_started_processes_migrate_once(
    empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, tmp_path / "data", DATABASE_URL=empty_database_url)
    started = [
        subprocess.Popen(
            [sys.executable, "-c", ALL_AT_ONCE],
            cwd=ROOT,
            env=dict(os.environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for _ in range(4)
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate(timeout=60)[0] for process in started]
    assert [process.returncode for process in started] == [0] * 4, "\n".join(said)
    with database.read_session() as session:
        assert session.execute(sa.text("SELECT version_num FROM alembic_version")).scalar_one() == head()
        assert session.execute(sa.text("SELECT count(*) FROM content_version")).scalar_one() == 1
