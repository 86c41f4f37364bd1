"""Work at intervals beside the event loop: an error does not end it, and a stopping server lets it finish."""

import asyncio
import logging
import threading

import pytest

from sitekit.base.background_tasks import every

pytestmark = pytest.mark.anyio

log = logging.getLogger(__name__)
FAILED = "The site could not be swept, retrying."


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_work_goes_on_after_an_error_which_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    error, turns, done = OSError("away"), [], threading.Event()

    def sweep() -> None:
        turns.append(1)
        if len(turns) == 1:
            raise error
        done.set()

    sweeping = asyncio.create_task(every(0, sweep, log, FAILED))
    assert await asyncio.to_thread(done.wait, 30)
    sweeping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sweeping
    [record] = caplog.records
    assert (record.name, record.levelname, record.getMessage()) == (__name__, "ERROR", FAILED)
    assert record.exc_info is not None
    assert record.exc_info[1] is error


async def test_an_async_function_goes_on_after_an_error_in_the_event_loop(caplog: pytest.LogCaptureFixture) -> None:
    turns: list[threading.Thread] = []
    done = asyncio.Event()

    async def look() -> None:
        turns.append(threading.current_thread())
        if len(turns) == 1:
            raise OSError("away")
        done.set()

    looking = asyncio.create_task(every(0, look, log, FAILED))
    async with asyncio.timeout(30):
        await done.wait()
    looking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await looking
    assert set(turns) == {threading.current_thread()}
    assert caplog.messages == [FAILED]


async def test_stopping_waits_for_work_that_runs_and_begins_no_more() -> None:
    begun, may_end, ended = threading.Event(), threading.Event(), []

    def sweep() -> None:
        begun.set()
        ended.append(may_end.wait(30))

    sweeping = asyncio.create_task(every(0, sweep, log, FAILED))
    try:
        assert await asyncio.to_thread(begun.wait, 30)
        sweeping.cancel()
        _, running = await asyncio.wait([sweeping], timeout=0.1)
        assert running, "the work is left alone"
    finally:
        may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await sweeping
    assert ended == [True]


async def test_the_work_is_not_done_again_before_its_time() -> None:
    turns: list[int] = []
    sweeping = asyncio.create_task(every(600, lambda: turns.append(1), log, FAILED))
    _, running = await asyncio.wait([sweeping], timeout=0.2)
    assert running
    assert turns == [1]
    sweeping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sweeping
