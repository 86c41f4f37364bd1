"""`/admin/media/upload`: the endpoint that takes a picture from the browser of a signed-in user."""

import asyncio
import hashlib
import logging
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import sqlalchemy as sa
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from ..accounts import one_use_links, sessions
from ..accounts.errors import InvalidToken
from ..accounts.sessions import Identity
from ..content import media_texts as words
from ..core.errors import Forbidden, ServiceError
from ..core.permissions import Action, require
from ..core.pictures import KEY_LENGTH, MOST_BYTES, address_of
from ..core.threads import MEDIA, PICTURES, WRITERS, Overloaded
from ..db.database import read_session, transaction
from ..http.responses import NEVER_STORED, RETRY_AFTER
from ..media import service
from ..media.encoding import Encoded, PictureRefused, encode
from ..media.models import Media
from ..media.storage import StoreUnavailable
from ..observability.audit_log import Act
from ..records import activity
from ..ui.feedback import mentioning, reason

# What the token of an upload is for; see `AuthState._upload_token`.
SUBJECT = {"upload": "picture"}
BODY_TIMEOUT = 120.0  # seconds
MOST_OF_ONE_USER = 3
MOST_AT_ONCE = 8
_HEADERS = {"cache-control": NEVER_STORED, "x-robots-tag": "noindex"}

log = logging.getLogger(__name__)


class Refused(Exception):
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
        self._running: Counter[int] = Counter()

    async def __call__(self, request: Request) -> Response:
        """The address of the picture as JSON, or why it was not stored in one sentence."""
        if request.method != "POST":
            return _answer(405, words.NOT_AN_UPLOAD, {"allow": "POST"})
        try:
            identity = await _identify(request)
            with self._counted(identity.user.id):
                return await _receive(request, identity)
        except Refused as refused:
            return _answer(refused.status, refused.sentence)
        except (InvalidToken, Forbidden):
            return _answer(403, words.NOT_SIGNED_IN)
        except PictureRefused as refused:
            return _answer(422, refused.message)
        except (StoreUnavailable, Overloaded) as error:
            log.error("A picture could not be stored: %s", type(error).__name__)
            return _answer(503, error.message if isinstance(error, ServiceError) else words.BUSY)
        except (sa.exc.SQLAlchemyError, OSError) as error:
            log.error("A picture could not be stored: %s", reason(error))
            return _answer(503, mentioning(words.NOT_STORED))

    @contextmanager
    def _counted(self, user: int) -> Iterator[None]:
        if self._running[user] >= MOST_OF_ONE_USER:
            raise Refused(429, words.TOO_MANY_UPLOADS)
        if self._running.total() >= MOST_AT_ONCE:
            raise Refused(503, words.BUSY)
        self._running[user] += 1
        try:
            yield
        finally:
            self._running[user] -= 1


async def _identify(request: Request) -> Identity:
    """Whose the token in the header is; it is used up."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        raise InvalidToken
    identity, subject = await WRITERS.run(_use, token)
    if subject != SUBJECT:
        raise InvalidToken
    require(identity.actor, Action.MANAGE_MEDIA)
    return identity


def _use(token: str) -> tuple[Identity, dict[str, str]]:
    with transaction() as session:
        return one_use_links.use(session, token)


async def _receive(request: Request, identity: Identity) -> Response:
    with tempfile.TemporaryDirectory(prefix="upload-") as folder:
        target = Path(folder) / "encoded"
        target.mkdir()
        upload = await _read(request, Path(folder))
        media = await WRITERS.run(_find, identity, upload)
        is_known = media is not None
        if media is None:
            encoded = await PICTURES.run(encode, upload.path, target)
            size = await MEDIA.run(service.store_files, upload.key, encoded)
            media = await WRITERS.run(_add, identity, upload, encoded, size)
    found = {"width": media.width, "height": media.height, "is_known": is_known}
    return JSONResponse({"address": address_of(media.key, media.width), **found}, headers=_HEADERS)


async def _read(request: Request, folder: Path) -> Upload:
    """Write the body into a file, as far as it may be long."""
    length = request.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and int(length[:20]) > MOST_BYTES:
        raise Refused(413, words.TOO_LARGE)
    path, digest, size = folder / "original", hashlib.sha256(), 0
    try:
        async with asyncio.timeout(BODY_TIMEOUT):
            with path.open("wb") as file:
                async for chunk in request.stream():
                    size += len(chunk)
                    if size > MOST_BYTES:
                        raise Refused(413, words.TOO_LARGE)
                    digest.update(chunk)
                    file.write(chunk)
    except (TimeoutError, ClientDisconnect):
        raise Refused(408, words.INTERRUPTED) from None
    name = unquote(request.headers.get("x-file-name", "")).replace("\\", "/").rpartition("/")[2]
    return Upload(path, digest.hexdigest()[:KEY_LENGTH], name)


def _find(identity: Identity, upload: Upload) -> Media | None:
    with read_session() as session:
        return service.find(session, identity.actor, upload.key)


def _add(identity: Identity, upload: Upload, encoded: Encoded, size: int) -> Media:
    """Add the picture, unless the session has ended or another upload has added it."""
    try:
        with transaction() as session:
            actor = sessions.read_again(session, identity).actor
            media = service.add(session, actor, upload.key, upload.name, encoded, size)
            table = str(Media.__tablename__)
            activity.note(session, Act.PICTURE_ADDED, media.name, by=actor.user_id, of_table=table, record_id=media.id)
            session.expunge(media)
    except sa.exc.IntegrityError:
        if other := _find(identity, upload):
            return other
        raise
    return media


def _answer(status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    again = {"retry-after": RETRY_AFTER} if status in (429, 503) else {}
    return JSONResponse({"error": sentence}, status, {**_HEADERS, **again, **(headers or {})})
