"""The threads that hash passwords, so that nobody else waits while one person signs in."""

import asyncio
import contextvars
import functools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import ParamSpec, TypeVar

from .errors import Unavailable

P = ParamSpec("P")
T = TypeVar("T")

MOST_WAITING = 100


class _Workers:
    def __init__(self) -> None:
        # One processor stays free for everybody who is not signing in. Threads of a lower priority would be worse:
        # on a busy machine they are put aside while they hold the interpreter's lock, and everybody waits.
        count = max(1, (os.cpu_count() or 2) - 1)
        self.pool = ThreadPoolExecutor(count, thread_name_prefix="accounts")
        self.waiting = 0


@cache
def _workers(_pid: int) -> _Workers:
    # By process, because threads do not survive a fork.
    return _Workers()


async def in_worker(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a slow call in a thread; `Unavailable` when so many wait that the answer would come too late."""
    workers = _workers(os.getpid())
    if workers.waiting >= MOST_WAITING:
        raise Unavailable
    workers.waiting += 1
    try:
        bound = functools.partial(contextvars.copy_context().run, call, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(workers.pool, bound)
    finally:
        workers.waiting -= 1
