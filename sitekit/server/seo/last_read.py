"""Texts about all records: the sitemap, feeds."""

import asyncio
import logging
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from ...base.threads import READERS
from ..http.responses import RETRY_AFTER, REVALIDATED, STALE_HEADERS, make_file, respond

log = logging.getLogger(__name__)

READ_TIMEOUT = 5.0  # seconds


class LastRead:
    """An endpoint with a text that is read from the database at each request; if that fails, the last one is sent.

    `subject` is what the log calls it.
    """

    subject: ClassVar[str]
    media_type: ClassVar[str]

    def __init__(self) -> None:
        self._last = ""

    def text(self) -> str:
        """Read the text. Runs in a thread."""
        raise NotImplementedError

    async def __call__(self, request: Request) -> Response:
        """The text; 503 if the database is down and none was read before."""
        headers = {"cache-control": REVALIDATED}
        try:
            async with asyncio.timeout(READ_TIMEOUT):
                self._last = await READERS.run(self.text)
        except Exception as error:
            log.error("%s could not be read: %s", self.subject, type(error).__name__)
            headers = STALE_HEADERS
        if self._last:
            return respond(make_file(self._last.encode(), self.media_type, {}, headers), request)
        return PlainTextResponse("The database is away.\n", 503, {"retry-after": RETRY_AFTER})
