"""`/admin/media/upload`: the endpoint that takes a picture from the browser of a signed-in user."""

import asyncio
import hashlib
import logging
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import sqlalchemy as sa
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from ...base.db.database import read_session, transaction
from ...base.errors import Forbidden, NotSignedIn, ServiceError
from ...base.identity import Identity
from ...base.observability.audit_log import AuditEvent
from ...base.permissions import Action, require
from ...base.scratch import scratch_folder
from ...base.threads import MEDIA, WRITERS, Overloaded
from ...records import activity
from ...records.pictures import service, texts
from ...records.pictures.addresses import KEY_LENGTH, MOST_BYTES, address_of
from ...records.pictures.encoding import Encoded, PictureRefused, encode
from ...records.pictures.models import Media
from ...records.pictures.storage import StoreUnavailable
from ...server.http.responses import NEVER_STORED, RETRY_AFTER
from ...ui.feedback import mentioning, reason
from ..user_accounts import user_accounts

# What the token of an upload is for; see upload_state.py.
SUBJECT = {"upload": "picture"}
# In seconds. Slow lines work, but a body that drips does not keep its connection.
BODY_TIMEOUT = 600.0
BODY_PATIENCE = 15.0  # and as many seconds more as its bytes take at this rate:
BYTES_PER_SECOND = 4_000
MOST_OF_ONE_USER = 3
# Those whose body has arrived; each needs room on the disk and waits for the encoder.
MOST_AT_ONCE = 8
_HEADERS = {"cache-control": NEVER_STORED, "x-robots-tag": "noindex"}

log = logging.getLogger(__name__)


class UploadRefused(Exception):
    """An upload that is refused with a status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


@dataclass(frozen=True)
class Upload:
    """A file that has arrived: where it is, its key, and how its user calls it."""

    path: Path
    key: str
    name: str


class UploadEndpoint:
    """Stores a picture. Its token, session and role are checked before the first byte of the body is read."""

    def __init__(self) -> None:
        self._running: Counter[int | None] = Counter()  # by user; None counts those whose body has arrived
        # One processor stays free for other requests.
        self._encoder = asyncio.Semaphore(1)

    async def __call__(self, request: Request) -> Response:
        """The address of the picture as JSON, or why it was not stored in one sentence."""
        if request.method != "POST":
            return _answer(405, texts.NOT_AN_UPLOAD, {"allow": "POST"})
        try:
            identity = await _identify(request)
            with self._counted(identity.user.id, MOST_OF_ONE_USER, UploadRefused(429, texts.TOO_MANY_UPLOADS)):
                return await self._receive(request, identity)
        except UploadRefused as refused:
            return _answer(refused.status, refused.sentence)
        except (NotSignedIn, Forbidden):
            return _answer(403, texts.NOT_SIGNED_IN)
        except PictureRefused as refused:
            return _answer(422, refused.message)
        except (StoreUnavailable, Overloaded) as error:
            log.error("A picture could not be stored: %s", type(error).__name__)
            return _answer(503, error.message if isinstance(error, ServiceError) else texts.BUSY)
        except (sa.exc.SQLAlchemyError, OSError) as error:
            log.error("A picture could not be stored: %s", reason(error))
            return _answer(503, mentioning(texts.NOT_STORED))

    @contextmanager
    def _counted(self, key: int | None, most: int, refusal: UploadRefused) -> Iterator[None]:
        if self._running[key] >= most:
            raise refusal
        self._running[key] += 1
        try:
            yield
        finally:
            self._running[key] -= 1

    async def _receive(self, request: Request, identity: Identity) -> Response:
        with scratch_folder("upload") as folder:
            upload = await _read(request, folder)
            with self._counted(None, MOST_AT_ONCE, UploadRefused(503, texts.BUSY)):
                media = await WRITERS.run(_find, identity, upload)
                is_known = media is not None
                if media is None:
                    media = await self._store(request, identity, upload)
        details = {"width": media.width, "height": media.height, "is_known": is_known}
        return JSONResponse({"address": address_of(media.key, media.width), **details}, headers=_HEADERS)

    async def _store(self, request: Request, identity: Identity, upload: Upload) -> Media:
        target = upload.path.with_name("encoded")
        target.mkdir()
        encoded = await _unless_cancelled(request, self._encode(upload.path, target))
        size = await MEDIA.run(service.store_files, upload.key, encoded)
        return await WRITERS.run(_add, identity, upload, encoded, size)

    async def _encode(self, source: Path, target: Path) -> Encoded:
        async with self._encoder:
            return await encode(source, target)


async def _unless_cancelled(request: Request, work: Coroutine[Any, Any, Encoded]) -> Encoded:
    """The result of `work`, which is cancelled as soon as the browser aborts the request."""
    working, leaving = asyncio.create_task(work), asyncio.create_task(_disconnected(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise UploadRefused(408, texts.INTERRUPTED)
        return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _disconnected(request: Request) -> None:
    """Return when the browser has aborted the request. Its body has been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _identify(request: Request) -> Identity:
    """Whose the token in the header is; it is used up."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        raise NotSignedIn(texts.NOT_SIGNED_IN)
    user_accounts().read_link(token)  # a forged token takes no thread and no lock
    identity, subject = await WRITERS.run(_use, token)
    if subject != SUBJECT:
        raise NotSignedIn(texts.NOT_SIGNED_IN)
    require(identity.actor, Action.CHANGE_MEDIA)
    return identity


def _use(token: str) -> tuple[Identity, dict[str, str]]:
    with transaction() as session:
        return user_accounts().use_link(session, token)


async def _read(request: Request, folder: Path) -> Upload:
    """Write the body into a file, as far as it may be long."""
    length = request.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and int(length.lstrip("0")[:20] or 0) > MOST_BYTES:
        raise UploadRefused(413, texts.TOO_LARGE)
    path, digest, size = folder / "original", hashlib.sha256(), 0
    begun = asyncio.get_running_loop().time()
    try:
        async with asyncio.timeout_at(begun + min(BODY_TIMEOUT, BODY_PATIENCE)) as limit:
            with path.open("wb") as file:
                async for chunk in request.stream():
                    size += len(chunk)
                    if size > MOST_BYTES:
                        raise UploadRefused(413, texts.TOO_LARGE)
                    limit.reschedule(begun + min(BODY_TIMEOUT, BODY_PATIENCE + size / BYTES_PER_SECOND))
                    digest.update(chunk)
                    file.write(chunk)
    except (TimeoutError, ClientDisconnect):
        raise UploadRefused(408, texts.INTERRUPTED) from None
    name = unquote(request.headers.get("x-file-name", "")).replace("\\", "/").rpartition("/")[2]
    return Upload(path, digest.hexdigest()[:KEY_LENGTH], name)


def _find(identity: Identity, upload: Upload) -> Media | None:
    with read_session() as session:
        return service.find(session, identity.actor, upload.key)


def _add(identity: Identity, upload: Upload, encoded: Encoded, size: int) -> Media:
    """Add the picture, unless the session has ended or another upload has added it."""
    try:
        with transaction() as session:
            actor = user_accounts().read_again(session, identity).actor
            media = service.add(session, actor, upload.key, upload.name, encoded, size)
            table = str(Media.__tablename__)
            activity.log(
                session, AuditEvent.PICTURE_ADDED, media.name, by=actor.user_id, of_table=table, record_id=media.id
            )
            session.expunge(media)
    except sa.exc.IntegrityError:
        if other := _find(identity, upload):
            return other
        raise
    return media


def _answer(status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    again = {"retry-after": RETRY_AFTER} if status in (429, 503) else {}
    return JSONResponse({"error": sentence}, status, {**_HEADERS, **again, **(headers or {})})
