"""What one process promises: killed amid writes it loses nothing, asked to stop it ends what it has begun, and a
crowd leaves nothing behind but its words."""

import asyncio
import contextlib
import itertools
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

from advisory_site.enquiries.models import columns
from sitekit.base.db.database import engine, read_session
from sitekit.ops import backup
from tests.cluster.conftest import Backend, answers
from tests.cluster.crowd import CLICK_INTERVAL, Measured, crowd, memory_of, memory_once_calm, stored
from tests.cluster.traffic import SEND
from tests.conftest import ROOT, use
from tests.support.ports import free_port
from tests.support.visitor import Gone, Visitor

KILLS, WRITES = 10, 200
# A third of what `python -m bench.load` does; enquiries a second.
VISITORS, RATE, SECONDS = 200, 50, 10
UNANSWERED = 10  # at most, at any time
# The memory a process may have more afterwards than it had before.
ROOM = 1.1

WRITER = """
import sys
import advisory_site
from sitekit.ops import tables
from sitekit.base.db.database import transaction
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
def test_acknowledged_writes_survive_ten_kills_intact(database_dir: Path) -> None:
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
    with read_session() as session:
        held = Counter(session.execute(sa.select(columns.message)).scalars())
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
    # In earnest after an hour; here after a little more than the time between two clicks.
    backend.env["REFLEX_REDIS_TOKEN_EXPIRATION"] = str(CLICK_INTERVAL + 5)
    try:
        backend.start()
        backend.wait()
        yield backend
    finally:
        backend.kill()


@pytest.mark.spec("CON-4", "DATA-3")
def test_a_crowd_of_visitors_is_served_and_stored_once_during_a_backup(
    one: Backend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, tmp_path / "one")
    first, seen = Measured(), Measured()
    asyncio.run(crowd(one, first, visitors=5, rate=5, seconds=2))  # what is loaded once is loaded now
    memory = memory_of(one)
    early, rushes = asyncio.run(_crowd_and_backup(one, seen, tmp_path / "amid"))

    assert (seen.refused, seen.unanswered) == (0, 0)
    assert len(seen.thanked) == rushes * RATE * SECONDS
    held = stored(tmp_path / "one" / "advisory.db")
    assert held == Counter(first.thanked + seen.thanked)

    rows = backup.verify(tmp_path / "amid", print).tables["enquiries"]["rows"]
    whole = (tmp_path / "amid").read_bytes()
    (tmp_path / "half").write_bytes(whole[: len(whole) // 2])
    use(monkeypatch, tmp_path / "restored")
    backup.restore(tmp_path / "amid")
    restored = stored(tmp_path / "restored" / "advisory.db")
    assert early <= set(restored) <= set(held)
    assert sum(restored.values()) == rows
    with pytest.raises(backup.BackupRefused, match="incomplete or was altered"):
        backup.restore(tmp_path / "half", force=True)
    assert stored(tmp_path / "restored" / "advisory.db") == restored

    assert seen.most > memory * ROOM, "too small a crowd to leave anything"
    assert asyncio.run(memory_once_calm(one, memory * ROOM)) <= memory * ROOM


async def _crowd_and_backup(one: Backend, seen: Measured, file: Path) -> tuple[set[str], int]:
    """Returns which enquiries had been thanked for before the backup began, and how many crowds came until its end."""
    is_done = asyncio.Event()

    async def rush() -> int:
        for number in itertools.count(1):
            await crowd(one, seen, VISITORS, RATE, SECONDS, UNANSWERED)
            if is_done.is_set():
                return number
        raise AssertionError

    rushes = asyncio.create_task(rush())
    async with asyncio.timeout(60):
        while len(seen.thanked) < 100:
            await asyncio.sleep(0.05)
    early = set(seen.thanked)
    await asyncio.to_thread(backup.make, file)
    is_done.set()
    return early, await rushes


@pytest.mark.spec("CON-4", "DATA-3")
def test_a_stopping_process_finishes_its_events_before_closing_sockets(one: Backend) -> None:
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
            await writer.until("contact_state.is_busy", True)
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
        assert await asyncio.to_thread(one.process.wait, 60) == 0

    asyncio.run(run())
    assert stored(database) == {"In the middle": 1, "Behind it": 1}


async def _takes_nobody_new(backend: Backend) -> None:
    """Until a stopping process refuses new tabs, while it still answers."""
    async with asyncio.timeout(60):
        while True:
            late = Visitor(backend.url)
            try:
                await late.connect()
            except Gone:
                break
            await late.close()
    assert await asyncio.to_thread(answers, f"{backend.url}/healthz")
