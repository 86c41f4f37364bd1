"""What every public page with records shares: is it loading, without a record, or cut off from them."""

import asyncio
import logging
from collections.abc import Callable
from typing import TypeVar

import reflex as rx

from ..errors import NotFound
from .feedback import reason

T = TypeVar("T")

log = logging.getLogger(__name__)


class PublicPage(rx.State, mixin=True):
    """What a visitor can meet; the server answers `is_missing` with 404 and `is_unavailable` with 503."""

    is_loading: bool = True
    is_missing: bool = False
    is_unavailable: bool = False

    async def _read(self, read: Callable[[], T], subject: str) -> T | None:
        """The result of a reading, or None when there is no such record or it could not be read.

        The reading runs in a thread: a locked database takes seconds to give up, and nobody else shall wait.
        A failure is for the staff alone, as one line of the log that names the subject.
        """
        self.is_missing = False
        self.is_unavailable = False
        try:
            return await asyncio.to_thread(read)
        except NotFound:
            self.is_missing = True
        except Exception as error:
            log.error("%s could not be read: %s", subject, reason(error))
            self.is_unavailable = True
        finally:
            self.is_loading = False
        return None
