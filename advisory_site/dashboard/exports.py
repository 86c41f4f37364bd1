"""`/admin/export`: the endpoint that sends a file to the browser that a link was made for: a list, or personal data."""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import sqlalchemy as sa
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from ..accounts import one_use_links
from ..accounts.errors import InvalidToken
from ..advisors.service import ADVISORS_CSV
from ..backoffice.export_state import LIST
from ..companies.service import COMPANIES_CSV
from ..content import csv_texts as words
from ..core.errors import Forbidden, InvalidInput
from ..core.permissions import Actor
from ..core.threads import READERS, WRITERS
from ..db.database import engine, now, transaction
from ..enquiries import inbox
from ..http.responses import NEVER_STORED, RETRY_AFTER
from ..personal_data.documents import ADDRESS, FILES
from ..records.csv_export import snapshot
from ..records.listing import ListQuery
from ..team.service import MEMBERS_CSV
from ..ui.feedback import mentioning, reason
from ..users.export import USERS_CSV
from .activity_page import ACTIVITY_CSV

EXPORTS = {one.name: one for one in (COMPANIES_CSV, MEMBERS_CSV, ADVISORS_CSV, USERS_CSV, inbox.CSV, ACTIVITY_CSV)}
# Each holds a database connection until its file is sent, or the browser is too slow.
MOST_AT_ONCE = 3
EXPORT_TIMEOUT = 300.0  # seconds
_HEADERS = {"cache-control": NEVER_STORED, "x-robots-tag": "noindex"}

log = logging.getLogger(__name__)


class ExportEndpoint:
    """Answers a link of `AuthState._download_link`; the user's session and role are read from the database again."""

    def __init__(self) -> None:
        self._running = 0

    async def __call__(self, request: Request) -> Response:
        """The file, or the reason for refusing it. Only GET uses the link."""
        if request.method != "GET":
            return PlainTextResponse("", 405, {"allow": "GET", **_HEADERS})
        if self._running >= MOST_AT_ONCE:
            return PlainTextResponse(f"{words.NOT_AVAILABLE}\n", 503, {"retry-after": RETRY_AFTER, **_HEADERS})
        self._running += 1
        try:
            actor, wanted = await WRITERS.run(_use, request.query_params.get("token"))
            file = _file(wanted)
            download = await READERS.run(_Download, file, actor)
        except (InvalidToken, InvalidInput, KeyError):
            return self._refuse(403, words.LINK_INVALID)
        except Forbidden:
            return self._refuse(403, words.NOT_ALLOWED)
        except sa.exc.SQLAlchemyError as error:
            log.error("A list could not be exported: %s", reason(error))
            return self._refuse(503, mentioning(words.NOT_AVAILABLE))
        except BaseException:
            self._running -= 1
            raise
        return _FileResponse(download, file, self._end)

    def _refuse(self, status: int, sentence: str) -> Response:
        self._running -= 1
        return PlainTextResponse(f"{sentence}\n", status, _HEADERS)

    def _end(self) -> None:
        self._running -= 1


def _use(token: object) -> tuple[Actor, dict[str, str]]:
    with transaction() as session:
        identity, wanted = one_use_links.use(session, token)
    return identity.actor, wanted


@dataclass(frozen=True)
class _File:
    """A file to send: its name, its type, and the function that reads it for a user in pieces."""

    name: str
    media_type: str
    read: Callable[[Session, Actor], Iterator[bytes]]


def _file(wanted: Mapping[str, str]) -> _File:
    """The file that a link is for. Raises `KeyError` if there is none."""
    name = wanted[LIST]
    if name in FILES:
        document = FILES[name]
        return _File(document.file_name(now()), document.media_type, partial(document.read, address=wanted[ADDRESS]))
    listed = EXPORTS[name]
    return _File(listed.file_name(now()), "text/csv", partial(listed.write, query=ListQuery.read(wanted)))


class _Download:
    """A file that is being sent: its read transaction, and its pieces, of which the first has been read."""

    def __init__(self, file: _File, actor: Actor) -> None:
        self.session = Session(engine(), expire_on_commit=False)
        try:
            snapshot(self.session)
            self._pieces: Iterator[bytes] = file.read(self.session, actor)
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

    def __init__(self, download: _Download, file: _File, at_end: Callable[[], None]) -> None:
        headers = {"content-disposition": f'attachment; filename="{file.name}"', **_HEADERS}
        super().__init__(download.pieces(), media_type=file.media_type, headers=headers)
        self._download, self._at_end = download, at_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(EXPORT_TIMEOUT):
                await super().__call__(scope, receive, send)
        finally:
            # Not in this thread, because it may have to wait.
            asyncio.get_running_loop().run_in_executor(None, self._download.close)
            self._at_end()
