"""Alive and ready: what machines on call are told, and that they are told no secrets."""

import asyncio
import logging
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import ModuleType

import pytest
import sqlalchemy as sa

from sitekit.base.db.database import now, transaction
from sitekit.base.mail.models import OutgoingMail
from sitekit.base.mail.outbox import enqueue
from sitekit.base.mail.transport import Message
from sitekit.base.observability import checks
from sitekit.base.observability import health as readiness_module
from sitekit.base.observability.health import Readiness, alive
from sitekit.base.server_status import ServerStatus
from sitekit.base.settings import get_settings
from sitekit.base.site import get_site
from tests.conftest import IS_CI, on_postgresql, on_sqlite
from tests.support.asgi_client import Answer, ask_endpoint
from tests.support.database_faults import Fault, full, full_but_for_a_row, locked, read_only
from tests.support.redis_server import REFUSALS, is_installed, redis_server, send, url_of


def asked(*, is_stopping: bool = False, renderer_runs: bool = True) -> Answer:
    return ask_endpoint(Readiness(ServerStatus(is_stopping=is_stopping), renderer_runs=lambda: renderer_runs))


def database_ready(readiness: Readiness) -> float:
    """The gauge of the metrics."""
    return {metric.name: metric.samples[0].value for metric in readiness.gauges()}["advisory_database_ready"]


Change = Callable[..., None]


@pytest.fixture
def setting(database: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Change:
    """Changes one setting."""

    def change(name: str, value: str) -> None:
        monkeypatch.setenv(f"ADVISORY_{name}", value)
        get_settings.cache_clear()

    return change


def test_a_sound_site_is_ready(database: ModuleType) -> None:
    answer = asked()
    assert answer.status == 200
    assert answer.json == {
        "ready": True,
        "server": "ok",
        "database": "ok",
        "mail": "ok",
        "redis": "not used",
        "disk": "ok",
        "renderer": "ok",
    }


def test_a_site_with_an_older_schema_is_not_ready(database: ModuleType) -> None:
    with transaction() as session:
        session.execute(sa.text("UPDATE alembic_version SET version_num = '0001'"))
    answer = asked()
    assert (answer.status, answer.json["database"]) == (503, "not migrated")


@pytest.mark.parametrize(
    ("url", "word"),
    [
        ("postgresql://ann:secret-word@127.0.0.1:1/firm", "away"),
        ("sqlite:////nowhere/secret-word.db", "missing"),
    ],
)
@on_sqlite
def test_a_site_without_its_database_is_not_ready_and_hides_the_password(setting: Change, url: str, word: str) -> None:
    setting("DATABASE_URL", url)
    answer = asked()
    assert (answer.status, answer.json["database"], answer.json["mail"]) == (503, word, "away")
    assert b"secret-word" not in answer.body


@pytest.mark.parametrize(
    ("fault", "word"),
    [(read_only, "read only"), (full, "disk error"), (full_but_for_a_row, "disk full"), (locked, "locked")],
)
@on_sqlite
def test_a_site_with_an_unwritable_database_is_not_ready(
    database: ModuleType, database_dir: Path, monkeypatch: pytest.MonkeyPatch, fault: Fault, word: str
) -> None:
    with fault(database_dir, monkeypatch):
        answer = asked()
    assert (answer.status, answer.json["ready"]) == (503, False)
    assert answer.json["database"] in (word, "away")


@on_sqlite
def test_a_site_whose_test_write_hangs_is_not_ready(database: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    monkeypatch.setattr(checks, "prove_storing", released.wait)
    try:
        answer = asked()
    finally:
        released.set()
    assert (answer.status, answer.json["database"]) == (503, "locked")


@on_postgresql
def test_a_site_with_a_read_only_server_is_not_ready(read_only_server: None) -> None:
    answer = asked()
    assert (answer.status, answer.json["database"]) == (503, "read only")


@on_sqlite
def test_a_site_with_a_removed_database_file_is_not_ready(database: ModuleType, database_dir: Path) -> None:
    readiness = Readiness(ServerStatus(), renderer_runs=lambda: True)
    assert ask_endpoint(readiness).status == 200
    (database_dir / "advisory.db").unlink()
    readiness._asked_at = 0
    assert ask_endpoint(readiness).json["database"] == "file replaced or removed"


@on_sqlite
def test_a_nearly_full_disk_is_reported_without_affecting_readiness(
    database: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "LEAST_FREE", 2**80)
    answer = asked()
    assert (answer.status, answer.json["disk"]) == (200, "low")


@on_sqlite
@pytest.mark.anyio
async def test_failing_and_recovered_writes_are_logged_once_each(
    database: ModuleType, database_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("WATCH_INTERVAL", "CACHE_SECONDS"):
        monkeypatch.setattr(readiness_module, name, 0.02)
    readiness = Readiness(ServerStatus(), renderer_runs=lambda: True)
    with caplog.at_level(logging.INFO, "sitekit"):
        watching = asyncio.create_task(readiness.watch())
        async with asyncio.timeout(30):
            with read_only(database_dir, monkeypatch):
                while "The database cannot be written to: read only." not in caplog.messages:
                    readiness._fine_until.clear()  # a test write of before may still hold
                    await asyncio.sleep(0.01)
                assert database_ready(readiness) == 0
            while "The database can be written to again." not in caplog.messages:
                await asyncio.sleep(0.01)
        watching.cancel()
    assert database_ready(readiness) == 1
    assert len(caplog.messages) == 2


@on_sqlite
def test_a_site_without_its_redis_is_not_ready(setting: Change, monkeypatch: pytest.MonkeyPatch) -> None:
    setting("REDIS_URL", "redis://:secret-word@127.0.0.1:1/0")
    answer = asked()
    assert (answer.status, answer.json["redis"]) == (503, "away")
    assert b"secret-word" not in answer.body


@pytest.mark.skipif(not (is_installed() or IS_CI), reason="Redis is not installed")
@pytest.mark.parametrize(("command", "word", "_sentence"), REFUSALS)
@on_sqlite
def test_a_site_whose_redis_stores_nothing_is_not_ready(
    setting: Change, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, word: str, _sentence: str
) -> None:
    with redis_server(tmp_path) as redis:
        setting("REDIS_URL", url_of(redis))
        assert asked().json["redis"] == "ok"
        send(redis, command)
        answer = asked()
        assert (answer.status, answer.json["redis"]) == (503, word)


@on_sqlite
def test_an_unreachable_redis_is_logged_from_the_start(
    setting: Change, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    setting("REDIS_URL", "redis://127.0.0.1:1/0")

    async def watch() -> None:
        watching = asyncio.create_task(Readiness(ServerStatus(), renderer_runs=lambda: True).watch())
        async with asyncio.timeout(30):
            while "Redis does not answer." not in caplog.messages:
                await asyncio.sleep(0.01)
        watching.cancel()

    asyncio.run(watch())


@on_sqlite
def test_a_site_without_its_renderer_is_still_ready(database: ModuleType) -> None:
    answer = asked(renderer_runs=False)
    assert (answer.status, answer.json["renderer"]) == (200, "away")


@on_sqlite
def test_a_stopping_server_is_not_ready(database: ModuleType) -> None:
    assert asked(is_stopping=True).status == 503


def test_overdue_mail_is_reported_without_affecting_readiness(database: ModuleType) -> None:
    with transaction() as session:
        enqueue(session, Message("ann@example.com", "Hello", "Text"))
        session.flush()
        # As a server that is away leaves it: queued an hour ago, tried some times, to be tried again.
        values = {"created_at": now() - timedelta(hours=1), "due_at": now() + timedelta(minutes=30), "attempts": 4}
        session.execute(sa.update(OutgoingMail).values(values))
    answer = asked()
    assert (answer.status, answer.json["mail"]) == (200, "late")


def test_the_liveness_check_needs_no_database() -> None:
    assert ask_endpoint(alive).body == f"ok {get_site().version}\n".encode()


def test_health_answers_are_not_cached(database: ModuleType) -> None:
    assert asked().headers["cache-control"] == ask_endpoint(alive).headers["cache-control"] == "no-store"
