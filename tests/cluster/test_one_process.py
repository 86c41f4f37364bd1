"""What one process promises: killed amid writes it loses nothing, asked to stop it ends what it has begun, and a
crowd leaves nothing behind but its words."""

import asyncio
import contextlib
import os
import signal
import sqlite3
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
from tests.cluster.conftest import Backend, answers
from tests.cluster.crowd import crowd, stored
from tests.cluster.traffic import SEND
from tests.conftest import ROOT, use
from tests.postgresql import free_port
from tests.visitor import Gone, Visitor

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


@pytest.mark.spec("CON-4", "DATA-3")
def test_a_process_asked_to_stop_ends_what_was_sent_to_it_and_then_lets_its_tabs_go(one: Backend) -> None:
    database = one.folder / "one" / "advisory.db"

    async def run() -> None:
        writer, reader = (Visitor(one.url, f"192.0.2.{number}", path="/contact") for number in (1, 2))
        for visitor in (writer, reader):
            await visitor.connect()
            await visitor.until("state.is_hydrated", True)
        with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as somebody_else:
            somebody_else.execute("BEGIN IMMEDIATE")
            # The first is in the middle of its save when the process is asked to stop, the second waits behind it.
            for message in ("In the middle", "Behind it"):
                filled = {"firstName": "Ann", "lastName": "Lim", "email": "ann@example.com", "message": message}
                await writer.send(SEND, "/contact", form_data=filled | {"submission": message})
            await writer.until("contact_state.is_sending", True)
            assert one.process is not None
            one.process.terminate()
            await _takes_nobody_new(one)
            assert (writer.lost_at, reader.lost_at) == (None, None)
            somebody_else.execute("ROLLBACK")
        await writer.until("contact_state.times_sent", 2)
        for visitor in (writer, reader):
            with pytest.raises(Gone):
                await visitor.until("a var that never comes")
            assert not visitor.was_dismissed, "a browser would not come back"
        assert await asyncio.to_thread(one.process.wait, 5) == 0

    asyncio.run(run())
    assert stored(database) == {"In the middle": 1, "Behind it": 1}


async def _takes_nobody_new(backend: Backend) -> None:
    """Until a stopping process refuses new tabs, while it still answers."""
    async with asyncio.timeout(5):
        while True:
            late = Visitor(backend.url)
            try:
                await late.connect()
            except Gone:
                break
            await late.close()
    assert await asyncio.to_thread(answers, f"{backend.url}/healthz")
