"""Thread pools for blocking work, one per kind, so that no kind holds up another."""

import asyncio
import contextvars
import functools
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

import sqlalchemy as sa

P = ParamSpec("P")
T = TypeVar("T")

# In seconds. A pool is stalled if no call has finished within this time for as long; and the longest wait for a thread.
MOVING = 1.0
PATIENCE = 5.0
# The longest queues, of a stalled pool and of any.
MOST_BEHIND_A_STALL = 20
MOST_WAITING = 1_000


# Whether calls run at once in the thread that makes them: a transaction that they share belongs to that thread.
IN_CALLERS_THREAD: ContextVar[bool] = ContextVar("in_callers_thread", default=False)


class Overloaded(sa.exc.TimeoutError):
    """The queue is too long or too slow for the answer to be in time; callers treat it as a database timeout."""


class Pool:
    """Runs calls in a bounded number of threads, and refuses immediately what would time out.

    `is_slow`: each call takes long, so only `most_waiting` limits the queue, and not the time.
    """

    def __init__(self, name: str, threads: int, *, most_waiting: int = MOST_WAITING, is_slow: bool = False) -> None:
        self.name, self.threads = name, threads
        self.most_waiting, self.is_slow = most_waiting, is_slow
        self._lock = threading.Lock()
        self._pending = 0  # calls that have not finished
        self._moved_at = 0.0
        self._executor: ThreadPoolExecutor | None = None
        self._pid = 0
        self.refused = 0

    async def run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a call in this pool; it finishes even if the caller stops waiting. Raises `Overloaded`."""
        if IN_CALLERS_THREAD.get():
            return call(*args, **kwargs)
        bound = functools.partial(contextvars.copy_context().run, call, *args, **kwargs)
        executor = self._acquire()
        future = executor.submit(self._work, bound, time.monotonic())
        future.add_done_callback(self._release)
        return await asyncio.wrap_future(future)

    @property
    def waiting(self) -> int:
        """The number of calls that wait for a thread."""
        return max(0, self._pending - self.threads)

    @property
    def busy(self) -> int:
        """The number of threads that run a call."""
        return min(self._pending, self.threads)

    def _acquire(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._executor is None or self._pid != os.getpid():  # threads do not survive a fork
                self._executor = ThreadPoolExecutor(self.threads, thread_name_prefix=self.name)
                self._pid, self._pending = os.getpid(), 0
            now = time.monotonic()
            if self.waiting == 0:
                self._moved_at = now
            is_stalled = not self.is_slow and now - self._moved_at > MOVING
            if self.waiting >= (MOST_BEHIND_A_STALL if is_stalled else self.most_waiting):
                self.refused += 1
                raise Overloaded(f"{self.waiting} wait for the {self.name} already")
            self._pending += 1
            return self._executor

    def _work(self, bound: Callable[[], T], given_at: float) -> T:
        started = time.monotonic()
        if not self.is_slow and started - given_at > PATIENCE:
            self.refused += 1
            raise Overloaded(f"the turn among the {self.name} came after {PATIENCE} s")
        try:
            return bound()
        finally:
            if (now := time.monotonic()) - started < MOVING:
                self._moved_at = now

    def _release(self, _future: object) -> None:
        with self._lock:
            self._pending -= 1


class Breaks:
    """Lets other threads run during long work in pure Python, which otherwise holds the interpreter 5 ms at a time."""

    WORK, REST = 0.004, 0.001  # seconds

    def __init__(self) -> None:
        self._began = time.monotonic()

    def take(self) -> None:
        """Sleep briefly if the work has taken long enough."""
        if time.monotonic() - self._began > self.WORK:
            time.sleep(self.REST)
            self._began = time.monotonic()


# Together fewer than the connections that a process opens to PostgreSQL by default; with fewer, threads wait for one.
READERS = Pool("readers", 5)
WRITERS = Pool("writers", 4)
# One query at a time each, so that its time does not depend on the load of the others.
FRESHNESS = Pool("freshness", 1)
HEALTH = Pool("health", 1)
WRITE_PROBE = Pool("write proof", 1)
PROBES = Pool("probes", 2)
BACKGROUND = Pool("background", 3)
# A message may wait for its server until the deadline of its conversation (base/mail/transport.py).
MAIL = Pool("mail", 4, is_slow=True)
# One processor stays free for other requests. Threads of a lower priority would be worse: on a busy machine they are
# suspended while they hold the interpreter's lock, and every thread waits.
PASSWORDS = Pool("passwords", max(1, (os.cpu_count() or 2) - 1), most_waiting=100, is_slow=True)
# Checks files of thousands of rows, one file at a time, without the database.
FILES = Pool("file readers", 1, most_waiting=20, is_slow=True)
# Read and write uploaded pictures. A store that does not answer holds up nothing but pictures.
MEDIA = Pool("media", 8)
POOLS = (READERS, WRITERS, FRESHNESS, HEALTH, WRITE_PROBE, PROBES, BACKGROUND, MAIL, PASSWORDS, FILES, MEDIA)
