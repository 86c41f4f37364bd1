"""`/admin/export`: the endpoint that sends a file to the browser that a link was made for: a list, or personal data."""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import partial
from types import MappingProxyType
from typing import Protocol

import sqlalchemy as sa
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from ...base.db.database import engine, now, transaction
from ...base.errors import Forbidden, InvalidInput, NotSignedIn
from ...base.permissions import Actor
from ...base.threads import READERS, WRITERS
from ...records import csv_texts as texts
from ...records.csv_export import snapshot
from ...server.http.responses import NEVER_STORED, RETRY_AFTER
from ...ui.feedback import mentioning, reason
from ..user_accounts import user_accounts
from .export_state import LIST

# Each holds a database connection until its file is sent, or the browser is too slow.
MOST_AT_ONCE = 3
EXPORT_TIMEOUT = 300.0  # seconds
_HEADERS = {"cache-control": NEVER_STORED, "x-robots-tag": "noindex"}

log = logging.getLogger(__name__)


class _TooMany(Exception):
    """As many downloads as may run at once are running."""


# Reads a file in pieces.
_Read = Callable[[Session], Iterator[bytes]]


class Export(Protocol):
    """What a link can be for: a list or a document. `name` is in the subject of the link."""

    @property
    def name(self) -> str: ...

    @property
    def media_type(self) -> str: ...

    def file_name(self, at: datetime) -> str:
        """The name of a file made then."""

    def read_linked(self, session: Session, actor: Actor, subject: Mapping[str, str]) -> Iterator[bytes]:
        """The file in pieces. Raises `Forbidden`, and `InvalidInput` or `KeyError` if the subject does not fit."""


class ExportEndpoint:
    """Answers a `download_link`; the user's session and role are read from the database again."""

    def __init__(self, exports: Iterable[Export]) -> None:
        self._exports = {export.name: export for export in exports}
        self._running = 0

    async def __call__(self, request: Request) -> Response:
        """The file, or the reason for refusing it. Only GET uses the link."""
        if request.method != "GET":
            return PlainTextResponse("", 405, {"allow": "GET", **_HEADERS})
        token = request.query_params.get("token")
        try:
            user_accounts().read_link(token)  # a forged link takes no thread and no lock
            self._check_places()
            actor, subject = await WRITERS.run(_use, token)
            export = self._exports[subject[LIST]]
            self._check_places()
            download = await self._open(partial(export.read_linked, actor=actor, subject=subject))
        except _TooMany:
            return _refuse(503, texts.NOT_AVAILABLE, {"retry-after": RETRY_AFTER})
        except (NotSignedIn, InvalidInput, KeyError):
            return _refuse(403, texts.LINK_INVALID)
        except Forbidden:
            return _refuse(403, texts.NOT_ALLOWED)
        except sa.exc.SQLAlchemyError as error:
            log.error("A list could not be exported: %s", reason(error))
            return _refuse(503, mentioning(texts.NOT_AVAILABLE))
        return _FileResponse(download, export.file_name(now()), export.media_type, self._end)

    def _check_places(self) -> None:
        """Raise `_TooMany` if no download may begin now. Before a link is used, so that it can be tried again."""
        if self._running >= MOST_AT_ONCE:
            raise _TooMany

    async def _open(self, read: _Read) -> "_Download":
        self._running += 1
        try:
            return await READERS.run(_Download, read)
        except BaseException:
            self._end()
            raise

    def _end(self) -> None:
        self._running -= 1


def _refuse(status: int, sentence: str, headers: Mapping[str, str] = MappingProxyType({})) -> Response:
    return PlainTextResponse(f"{sentence}\n", status, {**headers, **_HEADERS})


def _use(token: object) -> tuple[Actor, dict[str, str]]:
    with transaction() as session:
        identity, subject = user_accounts().use_link(session, token)
    return identity.actor, subject


class _Download:
    """A file that is being sent: its read transaction, and its pieces, of which the first has been read."""

    def __init__(self, read: _Read) -> None:
        self.session = Session(engine(), expire_on_commit=False)
        try:
            snapshot(self.session)
            self._pieces: Iterator[bytes] = read(self.session)
            self._first = next(self._pieces)
        except BaseException:
            self.session.close()
            raise
        self._reading = threading.Lock()

    def close(self) -> None:
        """End the read transaction; waits for the piece that a thread reads now."""
        with self._reading:
            self._pieces = iter(())
            self.session.close()

    def _next(self) -> bytes | None:
        with self._reading:
            return next(self._pieces, None)

    async def pieces(self) -> AsyncIterator[bytes]:
        """The pieces, each read in a thread when the browser has taken the one before."""
        piece: bytes | None = self._first
        while piece is not None:
            yield piece
            piece = await READERS.run(self._next)


class _FileResponse(StreamingResponse):
    """A download; ends its read transaction with the response, also if the browser disconnects or is too slow.

    An error after the first piece breaks the connection, so that the browser does not keep half a file as a whole one.
    """

    def __init__(self, download: _Download, name: str, media_type: str, at_end: Callable[[], None]) -> None:
        headers = {"content-disposition": f'attachment; filename="{name}"', **_HEADERS}
        super().__init__(download.pieces(), media_type=media_type, headers=headers)
        self._download, self._at_end = download, at_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(EXPORT_TIMEOUT):
                await super().__call__(scope, receive, send)
        finally:
            # Not in this thread, because it may have to wait.
            asyncio.get_running_loop().run_in_executor(None, self._download.close)
            self._at_end()
