"""What one process promises: killed amid writes it loses nothing, and a crowd leaves nothing behind but its words."""

import asyncio
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from advisory_site import backup
from advisory_site.database import engine, reading
from advisory_site.enquiries.models import Enquiry
from tests.cluster.conftest import Backend
from tests.cluster.crowd import crowd, stored
from tests.conftest import ROOT, use
from tests.postgresql import free_port

KILLS, WRITES = 10, 200

WRITER = """
import sys
from advisory_site import tables
from advisory_site.database import transaction
from advisory_site.enquiries.models import Enquiry
begin, count = int(sys.argv[1]), int(sys.argv[2])
for number in range(begin, begin + count):
    with transaction() as session:
        for half in "ab":
            given = dict(first_name="Ann", last_name=half, email="a@b.co", message=str(number))
            session.add(Enquiry(submission_id=f"{number}-{half}", **given))
            session.flush()
    print(number, flush=True)
"""


@pytest.mark.spec("DATA-3")
def test_killed_amid_writes_ten_times_every_acknowledged_one_is_there_and_whole(database_dir: Path) -> None:
    acknowledged: list[str] = []
    for kill in range(KILLS):
        command = [sys.executable, "-c", WRITER, str(kill * WRITES), str(WRITES)]
        with subprocess.Popen(command, cwd=ROOT, env=dict(os.environ), stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            for count, line in enumerate(writer.stdout):
                acknowledged.append(line.strip())
                if count == 20 + kill * 17:
                    os.kill(writer.pid, signal.SIGKILL)
        assert writer.returncode == -signal.SIGKILL
    with reading() as session:
        held = Counter(session.execute(sa.select(sa.column("message")).select_from(Enquiry.__table__)).scalars())
        if engine().dialect.name == "sqlite":
            assert session.execute(sa.text("PRAGMA integrity_check")).scalar() == "ok"
    assert {number: held[number] for number in acknowledged} == dict.fromkeys(acknowledged, 2)
    assert [number for number, count in held.items() if count != 2] == []


@pytest.fixture
def one(tmp_path: Path) -> Iterator[Backend]:
    """One process of the site on SQLite, whose visitors are forgotten soon after they left."""
    port = free_port()
    settings = {"PUBLIC_URL": f"http://127.0.0.1:{port}", "TRUSTED_PROXIES": "1"}
    backend = Backend("one", port, tmp_path, **settings)
    backend.env["REFLEX_REDIS_TOKEN_EXPIRATION"] = "4"
    try:
        backend.start()
        backend.wait()
        yield backend
    finally:
        backend.kill()


@pytest.mark.spec("CON-4", "DATA-3")
def test_a_crowd_is_served_and_every_enquiry_kept_once_while_a_backup_is_taken(
    one: Backend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, tmp_path / "one")

    async def run() -> tuple[object, list[str]]:
        rush = asyncio.create_task(crowd(one, visitors=80, rate=20, seconds=6, calm=1))
        await asyncio.sleep(4)
        await asyncio.to_thread(backup.make, tmp_path / "amid")
        seen = await rush
        assert seen.refused == 0
        return seen, seen.thanked

    _, thanked = asyncio.run(run())
    assert stored(tmp_path / "one" / "advisory.db") == Counter(thanked)
    assert len(thanked) == 120
    manifest = backup.verify(tmp_path / "amid")
    assert manifest.tables["companies"]["rows"] > 0
    one.stop()
    use(monkeypatch, tmp_path / "restored")
    backup.restore(tmp_path / "amid")
    restored = stored(tmp_path / "restored" / "advisory.db")
    assert set(restored) <= set(thanked)
    assert sum(restored.values()) == manifest.tables["enquiries"]["rows"]
