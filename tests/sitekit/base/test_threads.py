"""Pools of threads: one kind of work holds up no other, and what would come too late is refused early."""

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import AsyncIterator

import pytest
import sqlalchemy as sa

from sitekit.base import threads
from sitekit.base.threads import MOST_BEHIND_A_STALL, Overloaded, Pool

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Clock:
    """The clock of the pools, which stands still until a test moves it."""

    def __init__(self) -> None:
        self.moment = 1000.0

    def monotonic(self) -> float:
        return self.moment


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(threads, "time", clock)
    return clock


@contextlib.asynccontextmanager
async def blocked(pool: Pool, calls: int) -> AsyncIterator[list[asyncio.Task[bool]]]:
    """So many calls that hold the pool up until the block ends."""
    may_end = threading.Event()
    tasks = [asyncio.create_task(pool.run(may_end.wait, 20)) for _ in range(calls)]
    await asyncio.sleep(0)
    try:
        yield tasks
    finally:
        may_end.set()
        await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_call_in_the_pool_has_its_arguments_context_and_result() -> None:
    word = contextvars.ContextVar("word", default="")
    word.set("here")
    assert await Pool("test", 1).run(lambda *given, **named: (given, named, word.get()), 1, b=2) == (
        (1,),
        {"b": 2},
        "here",
    )


async def test_an_error_reaches_the_caller() -> None:
    def fail() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        await Pool("test", 1).run(fail)


async def test_the_pool_never_exceeds_its_threads_even_after_cancelled_calls() -> None:
    pool, running, may_end = Pool("test", 2), [], threading.Event()

    def work() -> None:
        running.append(1)
        may_end.wait(20)

    tasks = [asyncio.create_task(pool.run(work)) for _ in range(10)]
    async with asyncio.timeout(20):
        while len(running) < 2:
            await asyncio.sleep(0)
    for task in tasks[:2]:
        task.cancel()
    await asyncio.sleep(0.05)  # in which others would begin, if they could
    assert len(running) == 2
    may_end.set()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_pools_do_not_wait_for_each_other() -> None:
    async with blocked(Pool("slow", 1), 10) as tasks:
        assert await Pool("other", 1).run(lambda: 7) == 7
        assert not any(task.done() for task in tasks)


async def test_a_queue_accepts_any_number_of_calls_while_it_moves(clock: Clock) -> None:
    pool, turns = Pool("test", 1), [threading.Event() for _ in range(2 * MOST_BEHIND_A_STALL)]
    tasks = [asyncio.create_task(pool.run(turn.wait, 20)) for turn in turns]
    await asyncio.sleep(0)
    for number in range(3):
        clock.moment += threads.MOVING - 0.1
        turns[number].set()
        await tasks[number]
    clock.moment += threads.MOVING - 0.1
    last = asyncio.create_task(pool.run(lambda: 7))
    await asyncio.sleep(0)
    for turn in turns:
        turn.set()
    assert await last == 7


async def test_a_stalled_pool_refuses_further_calls_at_once(clock: Clock) -> None:
    pool = Pool("test", 2)
    async with blocked(pool, 2 + MOST_BEHIND_A_STALL):
        assert pool.waiting == MOST_BEHIND_A_STALL
        clock.moment += threads.MOVING + 0.1
        with pytest.raises(Overloaded, match="20 wait"):
            pool.run(lambda: None).send(None)  # at once: before it has waited for anything
    assert await pool.run(lambda: 7) == 7, "it moves again"


async def test_a_call_that_waited_too_long_is_not_started(clock: Clock) -> None:
    pool = Pool("test", 1)
    begun: list[int] = []
    async with blocked(pool, 1):
        late = asyncio.create_task(pool.run(begun.append, 1))
        await asyncio.sleep(0)  # it is given now, and waits from here on
        clock.moment += threads.PATIENCE + 0.1
    with pytest.raises(Overloaded, match="the turn among the test came after"):
        await late
    assert begun == []


async def test_a_pool_for_slow_work_refuses_calls_only_by_their_number(clock: Clock) -> None:
    pool = Pool("test", 1, most_waiting=MOST_BEHIND_A_STALL + 1, is_slow=True)
    async with blocked(pool, 1 + MOST_BEHIND_A_STALL):
        clock.moment += threads.PATIENCE + threads.MOVING
        late = asyncio.create_task(pool.run(lambda: 7))
        await asyncio.sleep(0)
        with pytest.raises(Overloaded, match="21 wait"):
            await pool.run(lambda: None)
        clock.moment += threads.PATIENCE + threads.MOVING
    assert await late == 7


async def test_an_overloaded_pool_raises_a_database_timeout_error() -> None:
    assert issubclass(Overloaded, sa.exc.TimeoutError)


async def test_every_pool_appears_in_the_metrics() -> None:
    assert {pool for pool in vars(threads).values() if isinstance(pool, Pool)} == {*threads.POOLS}
