"""Runs a page's on_load without a browser, and returns the state vars that differ from their defaults."""

import asyncio
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field

import reflex as rx

from ..framework.on_load import Vars, default_vars, run_on_load
from ..framework.state_vars import var_key

# Vars of the connection, not of the page.
_CONNECTION_VARS = ("rx_router_", "is_hydrated")
# A thread that an on_load blocks cannot be stopped; at most this many are abandoned.
MAX_STUCK = 4


class OnLoadFailed(Exception):
    """The page's on_load raised an exception or took too long."""


@dataclass(frozen=True)
class InitialState:
    """The state vars a page is rendered from."""

    vars: Vars = field(default_factory=dict)

    def without(self, names: Iterable[str]) -> "InitialState":
        """A copy without the vars of these names."""
        dropped = {var_key(name) for name in names}
        kept = {
            state: {name: value for name, value in values.items() if name not in dropped}
            for state, values in self.vars.items()
        }
        return InitialState({state: values for state, values in kept.items() if values})

    def with_value(self, name: str, value: object) -> "InitialState":
        """A copy in which every var of this name has another value."""
        key = var_key(name)
        return InitialState(
            {state: values | {key: value} if key in values else values for state, values in self.vars.items()}
        )

    def flag(self, name: str) -> bool:
        """Whether any state of the page has a true var of this name."""
        return any(values.get(var_key(name)) is True for values in self.vars.values())


class InitialStates:
    """Runs on_load handlers in a separate thread, so that a blocking one does not delay other requests."""

    def __init__(self, app: rx.App, timeout: float) -> None:
        self._app = app
        self._timeout = timeout
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stuck: list[threading.Thread] = []
        self._thread: threading.Thread | None = None
        self._defaults: Vars = {}

    async def take(self, route: str, path: str, params: dict[str, str]) -> InitialState:
        """The initial state of one page; raises `OnLoadFailed`."""
        loop = self._running_loop()
        future: Future[Vars] = asyncio.run_coroutine_threadsafe(self._run(route, path, params), loop)
        try:
            async with asyncio.timeout(self._timeout):
                return InitialState(await asyncio.wrap_future(future))
        except TimeoutError:
            self._abandon_thread(loop)
            raise OnLoadFailed(f"The on_load of {route} took longer than {self._timeout} s") from None

    def close(self) -> None:
        """Stop the thread."""
        if self._loop:
            self._loop.call_soon_threadsafe(self._loop.stop)
            if self._thread:
                self._thread.join(self._timeout)
            self._loop = self._thread = None

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._stuck = [thread for thread in self._stuck if thread.is_alive()]
            if len(self._stuck) > MAX_STUCK:
                raise OnLoadFailed("Too many on_load handlers are stuck")
            loop = self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=_work, args=(loop,), name="initial-state", daemon=True)
            self._thread.start()
        return self._loop

    def _abandon_thread(self, loop: asyncio.AbstractEventLoop) -> None:
        """Abandon a blocked thread, which ends when its call returns; the next call starts a new one."""
        if self._loop is loop and self._thread:
            loop.call_soon_threadsafe(loop.call_later, self._timeout, loop.stop)
            self._stuck.append(self._thread)
            self._loop = self._thread = None

    async def _run(self, route: str, path: str, params: dict[str, str]) -> Vars:
        if not self._defaults:
            self._defaults = await default_vars(self._app)
        errors: list[Exception] = []
        vars = await run_on_load(self._app, route, path, params, errors.append)
        if errors:
            raise OnLoadFailed(f"The on_load of {route} failed") from errors[0]
        return self._differing(vars)

    def _differing(self, vars: Vars) -> Vars:
        differing: Vars = {}
        for state, values in vars.items():
            defaults = self._defaults.get(state, {})
            kept = {
                name: value
                for name, value in values.items()
                if not name.startswith(_CONNECTION_VARS) and defaults.get(name, ...) != value
            }
            if kept:
                differing[state] = kept
        return differing


def _work(loop: asyncio.AbstractEventLoop) -> None:
    """Run the loop until it is stopped, then cancel its tasks and close it."""
    asyncio.set_event_loop(loop)
    loop.run_forever()
    unfinished = asyncio.all_tasks(loop)
    for task in unfinished:
        task.cancel()
    loop.run_until_complete(asyncio.gather(*unfinished, return_exceptions=True))
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
