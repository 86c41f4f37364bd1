"""Runs a page's on_load without a browser: the state vars that differ from their defaults, and changed texts."""

import asyncio
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

import reflex as rx

from ...base.threads import READERS
from ..framework.on_load import Vars, default_vars, run_on_load
from ..framework.state_vars import var_key
from .renderer import NO_TEXTS, Texts

# Reads what staff have changed of the site's texts, in a thread.
ReadTexts = Callable[[], Texts]
# Vars of the connection, not of the page.
_CONNECTION_VARS = ("rx_router_", "is_hydrated")
# A thread that an on_load blocks cannot be stopped; at most this many are abandoned.
MAX_STUCK = 4


class OnLoadFailed(Exception):
    """The page's on_load raised an exception or took too long."""


@dataclass(frozen=True)
class InitialState:
    """The state vars and the changed texts a page is rendered from."""

    vars: Vars = field(default_factory=dict)
    texts: Texts = field(default_factory=dict)

    def without(self, names: Iterable[str]) -> "InitialState":
        """A copy without the vars of these names."""
        dropped = {var_key(name) for name in names}
        remaining = {
            state: {name: value for name, value in values.items() if name not in dropped}
            for state, values in self.vars.items()
        }
        return replace(self, vars={state: values for state, values in remaining.items() if values})

    def with_value(self, name: str, value: object) -> "InitialState":
        """A copy in which every var of this name has another value."""
        key = var_key(name)
        vars = {state: values | {key: value} if key in values else values for state, values in self.vars.items()}
        return replace(self, vars=vars)

    def flag(self, name: str) -> bool:
        """Whether any state of the page has a true var of this name."""
        return any(values.get(var_key(name)) is True for values in self.vars.values())


class InitialStates:
    """Runs on_load handlers in a separate thread, so that a blocking one does not delay other requests."""

    def __init__(self, app: rx.App, timeout: float, read_texts: ReadTexts = dict) -> None:
        self._app = app
        self._read_texts = read_texts
        self._last_texts = NO_TEXTS
        self._timeout = timeout
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stuck: list[threading.Thread] = []
        self._thread: threading.Thread | None = None
        self._defaults: Vars = {}

    async def take(self, route: str, path: str, params: dict[str, str]) -> InitialState:
        """The initial state of one page; raises `OnLoadFailed`."""
        loop = self._running_loop()
        future: Future[InitialState] = asyncio.run_coroutine_threadsafe(self._run(route, path, params), loop)
        try:
            async with asyncio.timeout(self._timeout):
                return await asyncio.wrap_future(future)
        except TimeoutError:
            self._abandon_thread(loop)
            raise OnLoadFailed(f"The on_load of {route} took longer than {self._timeout} s") from None

    def take_here(self, route: str, path: str, params: dict[str, str]) -> InitialState:
        """The same in the thread and the context that call it, so that the page reads what a transaction there sees.

        Raises `OnLoadFailed`, or `TimeoutError`.
        """

        async def run() -> InitialState:
            async with asyncio.timeout(self._timeout):
                return await self._run(route, path, params)

        return asyncio.run(run())

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

    async def read_defaults(self) -> None:
        """Make the vars of a new tab, once; until then, the first page waits for it."""
        if not self._defaults:
            self._defaults = await default_vars(self._app)

    async def _run(self, route: str, path: str, params: dict[str, str]) -> InitialState:
        await self.read_defaults()
        errors: list[Exception] = []
        vars = await run_on_load(self._app, route, path, params, errors.append)
        if errors:
            raise OnLoadFailed(f"The on_load of {route} failed") from errors[0]
        state = InitialState(self._differing(vars))
        return replace(state, texts=await self._texts(route, is_needed=not state.flag("is_unavailable")))

    async def _texts(self, route: str, *, is_needed: bool) -> Texts:
        """The changed texts; if they cannot be read either, a page without its records has those read last."""
        try:
            texts = await READERS.run(self._read_texts)
        except Exception as error:
            if is_needed:
                raise OnLoadFailed(f"The texts of {route} could not be read") from error
            return self._last_texts
        if threading.current_thread() is self._thread:  # those of a transaction are not what visitors read
            self._last_texts = texts
        return texts

    def _differing(self, vars: Vars) -> Vars:
        differing: Vars = {}
        for state, values in vars.items():
            defaults = self._defaults.get(state, {})
            changed = {
                name: value
                for name, value in values.items()
                if not name.startswith(_CONNECTION_VARS) and defaults.get(name, ...) != value
            }
            if changed:
                differing[state] = changed
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
