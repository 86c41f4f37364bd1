"""A change is known at the next question, whichever process made it, on every database."""

import asyncio
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest

from sitekit.base.settings import get_settings
from sitekit.server.ssr import content_version as module
from sitekit.server.ssr.content_version import (
    CoalescedQuery,
    DatabaseAway,
    SqliteVersionSource,
    VersionSource,
    version_source,
)
from tests.conftest import ROOT, on_sqlite
from tests.support.factories import add_company

pytestmark = pytest.mark.anyio

CHANGE = """
import advisory_site
from sitekit.ops import tables
from sitekit.base.db.database import transaction
from tests.support.factories import add_company
with transaction() as session:
    add_company(session)
"""


def run(program: str, *arguments: str) -> None:
    """Run a program in a process of its own."""
    subprocess.run([sys.executable, "-c", program, *arguments], cwd=ROOT, check=True)


async def asked(fresh: VersionSource) -> int:
    """What a request is told: it comes through the loop."""
    await asyncio.sleep(0)
    return await fresh.version()


async def test_a_change_is_seen_by_the_next_query(database: ModuleType) -> None:
    fresh = version_source(get_settings().database_url)
    before = await asked(fresh)
    with database.transaction() as session:
        add_company(session)
    assert await asked(fresh) > before


async def test_a_change_of_another_process_is_seen_by_the_next_query(database: ModuleType) -> None:
    fresh = version_source(get_settings().database_url)
    before = await asked(fresh)
    run(CHANGE)
    assert await asked(fresh) > before


async def test_a_rolled_back_change_keeps_the_version(database: ModuleType) -> None:
    fresh = version_source(get_settings().database_url)
    before = await asked(fresh)
    with pytest.raises(ZeroDivisionError), database.transaction() as session:
        add_company(session)
        _ = 1 / 0
    assert await asked(fresh) == before


@on_sqlite
async def test_a_replaced_database_file_is_refused(database: ModuleType, database_dir: Path) -> None:
    fresh = version_source(get_settings().database_url)
    await asked(fresh)
    Path(shutil.copy(database_dir / "advisory.db", database_dir / "other.db")).rename(database_dir / "advisory.db")
    with pytest.raises(DatabaseAway):
        await asked(fresh)


@on_sqlite
async def test_a_missing_database_is_reported_and_used_again_later(database: ModuleType, database_dir: Path) -> None:
    fresh = version_source(get_settings().database_url)
    before = await asked(fresh)
    database.engine().dispose()
    hidden = (database_dir / "advisory.db").rename(database_dir / "hidden")
    with pytest.raises(DatabaseAway):
        await asked(fresh)
    hidden.rename(database_dir / "advisory.db")
    assert await asked(fresh) == before


@on_sqlite
async def test_concurrent_requests_share_one_query(database: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = version_source(get_settings().database_url)
    looks: list[int] = []
    look = SqliteVersionSource._data_version

    def look_and_count(self: SqliteVersionSource) -> int:
        looks.append(1)
        return look(self)

    monkeypatch.setattr(SqliteVersionSource, "_data_version", look_and_count)
    before = await asyncio.gather(*(fresh.version() for _ in range(10)))
    assert (len(set(before)), len(looks)) == (1, 1)

    async def change_and_tell() -> None:
        with database.transaction() as session:
            add_company(session)
        answers.append(asyncio.create_task(fresh.version()))

    answers: list[asyncio.Task[int]] = []
    # A change amid requests that wait: whoever comes after it, at once, is told of it.
    waiting = [asyncio.create_task(fresh.version()) for _ in range(3)]
    changing = asyncio.create_task(change_and_tell())
    waiting += [asyncio.create_task(fresh.version()) for _ in range(3)]
    await asyncio.gather(changing, *waiting)
    assert await answers[0] > before[0]
    assert len(looks) == 3


async def test_a_request_during_a_query_waits_for_the_next_query() -> None:
    versions, going, may_go = iter((1, 2, 3)), threading.Event(), threading.Event()

    def read() -> int:
        version = next(versions)
        going.set()
        assert may_go.wait(30)
        return version

    shared = CoalescedQuery(read)
    first = asyncio.create_task(shared.version())
    await asyncio.to_thread(going.wait, 30)
    later = [asyncio.create_task(shared.version()) for _ in range(10)]
    await asyncio.sleep(0)
    may_go.set()
    assert await first == 1
    assert set(await asyncio.gather(*later)) == {2}


async def test_a_failed_query_is_repeated() -> None:
    answers = iter((OSError("away"), 7))

    def read() -> int:
        answer = next(answers)
        if isinstance(answer, OSError):
            raise answer
        return answer

    shared = CoalescedQuery(read)
    with pytest.raises(DatabaseAway):
        await shared.version()
    assert await shared.version() == 7


async def test_a_silent_database_is_waited_for_once_and_used_again_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "VERSION_TIMEOUT", 0.2)
    may_answer, questions = threading.Event(), []

    def read() -> int:
        questions.append(1)
        assert may_answer.wait(30)
        return 7

    shared = CoalescedQuery(read)
    with pytest.raises(DatabaseAway):
        await shared.version()
    async with asyncio.timeout(30):
        while not shared._is_silent():
            await asyncio.sleep(0.01)
    for _ in range(20):
        with pytest.raises(DatabaseAway):
            shared.version().send(None)  # at once: before it has waited for anything
    assert len(questions) == 1
    may_answer.set()
    async with asyncio.timeout(30):
        while shared._is_silent():
            await asyncio.sleep(0.01)
    assert await shared.version() == 7
