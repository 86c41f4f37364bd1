"""Continuous copies as deploy/ configures them: started, the source killed, restored, and what was lost counted.

How much is lost depends on the machine. So it is printed; what was copied before must be there, without a gap.
"""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import psycopg
import pytest
import sqlalchemy as sa

from advisory_site.enquiries.models import Enquiry
from sitekit.base.db.database import engine_of, read_session, transaction
from sitekit.base.db.migrations import migrate
from sitekit.base.settings import get_settings
from sitekit.ops import backup
from tests.conftest import IS_CI, ROOT, on_sqlite, use
from tests.support.factories import add_enquiry
from tests.support.postgresql import PostgreSQL, binaries
from tests.support.s3_server import KEY, SECRET, S3Server
from tests.support.waiting import wait_for

pytestmark = pytest.mark.spec("DATA-3")

FIRST, MORE = 20, 200


def write(numbers: range) -> None:
    """Enquiries with these numbers, each in a transaction of its own."""
    for number in numbers:
        with transaction() as session:
            add_enquiry(session, submission_id=str(number))


def written() -> list[int]:
    """The numbers of the enquiries."""
    with read_session() as session:
        return [int(row.submission_id) for row in session.execute(sa.select(Enquiry)).scalars()]


def report(capsys: pytest.CaptureFixture[str], kind: str, restored: list[int], seconds: float) -> None:
    """Print what was lost; what was copied first must be there, and nothing be missing in between."""
    assert restored == list(range(len(restored)))
    assert len(restored) >= FIRST
    lost = FIRST + MORE - len(restored)
    with capsys.disabled():
        print(f"\n{kind}: {lost} of {MORE} rows lost, which were written in the last {seconds:.2f} s")


# SQLite and Litestream


@contextmanager
def litestream(copy_to: str) -> Iterator[tuple[subprocess.Popen[bytes], Callable[[Path], Path]]]:
    """Copies the database of the settings as the unit does; the process, and a function that restores into a file."""
    database = get_settings().data_dir / "advisory.db"
    environ = {
        "PATH": os.environ["PATH"],
        "DATABASE": str(database),
        "COPY_TO": copy_to,
        "LITESTREAM_ACCESS_KEY_ID": KEY,
        "LITESTREAM_SECRET_ACCESS_KEY": SECRET,
    }
    program = str(Path(sys.executable).with_name("litestream"))
    config = ["-config", str(ROOT / "deploy" / "litestream.yml")]
    process = subprocess.Popen([program, "replicate", *config], env=environ, stdout=subprocess.DEVNULL)

    def restore(file: Path) -> Path:
        command = [program, "restore", *config, "-if-replica-exists", "-integrity-check", "full", "-o", str(file)]
        subprocess.run([*command, str(database)], env=environ, check=True, capture_output=True, timeout=60)
        return file

    try:
        yield process, restore
    finally:
        process.kill()
        process.wait()


def rows_in(file: Path) -> int:
    """How many enquiries a restored file has; it is deleted."""
    if not file.exists():
        return 0
    with closing(sqlite3.connect(file)) as connection:
        count: int = connection.execute("SELECT count(*) FROM enquiries").fetchone()[0]
    file.unlink()
    return count


@on_sqlite
def test_litestream_copies_the_database_as_it_changes(
    database: ModuleType,
    s3_server: S3Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    copy_to = f"s3://{s3_server.bucket()}/site?endpoint={s3_server.endpoint}&region=us-east-1"
    with litestream(copy_to) as (process, restore):
        write(range(FIRST))
        wait_for(lambda: rows_in(restore(tmp_path / "copy.db")) == FIRST, "Litestream copies nothing")
        started = time.monotonic()
        write(range(FIRST, FIRST + MORE))
        process.kill()
        seconds = time.monotonic() - started
        process.wait()
        restored = restore(tmp_path / "restored.db")

    use(monkeypatch, tmp_path / "elsewhere", DATABASE_URL=f"sqlite:///{restored}")
    report(capsys, "SQLite with Litestream", written(), seconds)
    # The way back: a backup of the restored file, which ends sessions and suspends mail when it is restored.
    backup.make(tmp_path / "backup")
    count = len(written())
    use(monkeypatch, tmp_path / "elsewhere")
    backup.restore(tmp_path / "backup")
    assert len(written()) == count


@on_sqlite
def test_an_empty_database_with_litestream_tables_counts_as_empty(database: ModuleType, tmp_path: Path) -> None:
    backup.make(tmp_path / "backup")
    with transaction() as session:
        session.execute(sa.text("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)"))
        session.execute(sa.text("INSERT INTO _litestream_seq VALUES (1, 1)"))
    backup.restore(tmp_path / "backup")


# PostgreSQL and its log


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[PostgreSQL, PostgreSQL]]:
    """A server with an empty site, and the folder of another one. Their sizes and delays are those of a real one."""
    if not (binaries() or IS_CI):
        pytest.skip("PostgreSQL is not installed")
    source, other = PostgreSQL(), PostgreSQL()
    monkeypatch.setenv("PATH", f"{source.bin}:{os.environ['PATH']}")
    monkeypatch.setenv("PGHOST", "127.0.0.1")
    monkeypatch.setenv("PGPORT", str(source.port))
    monkeypatch.setenv("PGUSER", "advisory")
    shutil.copy(ROOT / "deploy" / "northstrait-wal", other.folder)
    source.start()
    yield source, other
    source.remove()
    other.remove()


def copied(source: PostgreSQL) -> bool:
    """Whether the receiver has stored all that was written."""
    with psycopg.connect(source.url()) as connection:
        query = "SELECT bool_and(flush_lsn >= pg_current_wal_flush_lsn()) FROM pg_stat_replication"
        return connection.execute(query).fetchone() == (True,)


def test_the_postgresql_wal_is_copied_as_it_is_written(
    servers: tuple[PostgreSQL, PostgreSQL],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source, other = servers
    script, copies = str(other.folder / "northstrait-wal"), str(other.folder / "copies")

    def done(*arguments: str) -> bool:
        return other.run([script, *arguments]).wait(60) == 0

    def recovered(*arguments: str) -> list[int]:
        shutil.rmtree(other.data)
        assert done("recover", copies, str(other.data), *arguments), other.log
        other.start()
        use(monkeypatch, tmp_path / "data", DATABASE_URL=other.url())
        wait_for(lambda: _is_promoted(other), other.log)
        numbers = written()
        engine_of(get_settings().database_url, os.getpid()).dispose()
        other.stop()
        return numbers

    use(monkeypatch, tmp_path / "data", DATABASE_URL=source.url())
    migrate()
    receiver = other.run([script, "receive", copies])
    wait_for(lambda: copied(source), other.log)
    old = other.folder / "copies" / "base-20250101T000000Z"
    other.run(["/bin/mkdir", str(old)]).wait()
    assert done("base", copies, "1"), other.log
    assert not old.exists()
    write(range(FIRST))
    wait_for(lambda: copied(source), other.log)
    moment = datetime.now(UTC).isoformat()
    started = time.monotonic()
    write(range(FIRST, FIRST + MORE))
    source.kill()
    seconds = time.monotonic() - started
    receiver.send_signal(signal.SIGINT)
    receiver.wait(30)

    report(capsys, "PostgreSQL with its log", recovered(), seconds)
    assert recovered(moment) == list(range(FIRST))
    assert not done("recover", copies, str(other.data)), "a folder with data was overwritten"
    shutil.rmtree(other.data)
    assert not done("recover", copies, str(other.data), "2025-01-01"), "there is no base backup that old"


def _is_promoted(server: PostgreSQL) -> bool:
    with psycopg.connect(server.url()) as connection:
        return connection.execute("SELECT pg_is_in_recovery()").fetchone() == (False,)
