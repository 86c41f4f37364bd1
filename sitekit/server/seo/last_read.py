"""Texts about all records: the sitemap, feeds."""

import asyncio
import gzip
import logging
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from ...base.observability.log_throttle import ThrottledLog
from ...base.threads import READERS
from ..http.responses import RETRY_AFTER, REVALIDATED, Document, make_file, respond
from ..http.shared_cache import as_older_version
from ..ssr.content_version import VersionSource
from ..ssr.page_cache import PageCache

log = logging.getLogger(__name__)

READ_TIMEOUT = 5.0  # seconds
CACHE_BYTES = 32 * 2**20


class LastRead:
    """An endpoint with a text that is read from the database once for each content version.

    Requests that arrive meanwhile wait for it. If it cannot be read, the last one is sent. `subject` is what the log
    and the cache call it.
    """

    subject: ClassVar[str]
    media_type: ClassVar[str]

    def __init__(self, versions: VersionSource) -> None:
        self._versions = versions
        self._cache = PageCache(CACHE_BYTES)
        self._log = ThrottledLog(log, logging.ERROR)

    def text(self) -> str:
        """Read the text. Runs in a thread."""
        raise NotImplementedError

    async def __call__(self, request: Request) -> Response:
        """The text; 503 if the database is down and none was read before."""
        try:
            async with asyncio.timeout(READ_TIMEOUT):
                version = await self._versions.version()
                document = self._cache.get(self.subject, version) or await self._cache.get_or_make(
                    self.subject, version, lambda: self._make(version)
                )
        except Exception as error:
            self._log("%s could not be read: %s", self.subject, type(error).__name__)
            if (last := self._cache.last(self.subject)) is None:
                return PlainTextResponse("The database is away.\n", 503, {"retry-after": RETRY_AFTER})
            document = as_older_version(last)
        return respond(document, request)

    async def _make(self, version: int) -> Document:
        document = await READERS.run(self._document)
        self._cache.put(self.subject, version, document)
        return document

    def _document(self) -> Document:
        body = self.text().encode()
        return make_file(body, self.media_type, {"gzip": gzip.compress(body)}, {"cache-control": REVALIDATED})
