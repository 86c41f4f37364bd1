"""A change is known at the next question, whichever process made it, on every database."""

import asyncio
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest

from advisory_site.settings import get_settings
from advisory_site.ssr.freshness import DatabaseAway, SharedQuestion, freshness
from tests.conftest import ROOT, on_sqlite
from tests.factories import add_company

pytestmark = pytest.mark.anyio

CHANGE = """
from advisory_site import tables
from advisory_site.database import transaction
from tests.factories import add_company
with transaction() as session:
    add_company(session)
"""
REPLACE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("UPDATE content_version SET number = 900")
connection.commit()
connection.execute("PRAGMA journal_mode=DELETE")
"""


def run(program: str, *arguments: str) -> None:
    """Run a program in a process of its own."""
    subprocess.run([sys.executable, "-c", program, *arguments], cwd=ROOT, check=True)


async def test_a_change_is_known_at_the_next_question(database: ModuleType) -> None:
    fresh = freshness(get_settings())
    before = await fresh.version()
    with database.transaction() as session:
        add_company(session)
    assert await fresh.version() > before


async def test_a_change_of_another_process_is_known_at_the_next_question(database: ModuleType) -> None:
    fresh = freshness(get_settings())
    before = await fresh.version()
    run(CHANGE)
    assert await fresh.version() > before


async def test_what_is_rolled_back_changes_nothing(database: ModuleType) -> None:
    fresh = freshness(get_settings())
    before = await fresh.version()
    with pytest.raises(ZeroDivisionError), database.transaction() as session:
        add_company(session)
        _ = 1 / 0
    assert await fresh.version() == before


@on_sqlite
async def test_a_database_that_is_replaced_is_read_anew(database: ModuleType, database_dir: Path) -> None:
    fresh = freshness(get_settings())
    before = await fresh.version()
    database.engine().dispose()
    other = shutil.copy(database_dir / "advisory.db", database_dir.parent / "other.db")
    run(REPLACE, str(other))
    for leftover in database_dir.glob("advisory.db-*"):
        leftover.unlink()
    other.rename(database_dir / "advisory.db")
    assert before < await fresh.version() == 900


@on_sqlite
async def test_a_missing_database_is_said_and_found_again(database: ModuleType, database_dir: Path) -> None:
    fresh = freshness(get_settings())
    before = await fresh.version()
    database.engine().dispose()
    hidden = (database_dir / "advisory.db").rename(database_dir / "hidden")
    with pytest.raises(DatabaseAway):
        await fresh.version()
    hidden.rename(database_dir / "advisory.db")
    assert await fresh.version() == before


async def test_whoever_asks_during_a_question_waits_for_the_next_one() -> None:
    versions, going, may_go = iter((1, 2, 3)), threading.Event(), threading.Event()

    def read() -> int:
        version = next(versions)
        going.set()
        assert may_go.wait(5)
        return version

    shared = SharedQuestion(read)
    first = asyncio.create_task(shared.version())
    await asyncio.to_thread(going.wait, 5)
    later = [asyncio.create_task(shared.version()) for _ in range(10)]
    await asyncio.sleep(0)
    may_go.set()
    assert await first == 1
    assert set(await asyncio.gather(*later)) == {2}


async def test_a_failed_question_is_asked_again() -> None:
    answers = iter((OSError("away"), 7))

    def read() -> int:
        answer = next(answers)
        if isinstance(answer, OSError):
            raise answer
        return answer

    shared = SharedQuestion(read)
    with pytest.raises(DatabaseAway):
        await shared.version()
    assert await shared.version() == 7
