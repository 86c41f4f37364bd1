"""What every public page with records shares: loading, missing or unavailable."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import reflex as rx

from ...core.errors import Moved, NotFound
from ...core.threads import READERS
from ..feedback import reason

T = TypeVar("T")

log = logging.getLogger(__name__)


class PublicPage(rx.State, mixin=True):
    """What a visitor can meet; the server answers `is_missing` with 404 and `is_unavailable` with 503."""

    is_loading: bool = True
    is_missing: bool = False
    is_unavailable: bool = False
    _slug: str = ""
    _moved_to: str = ""

    if TYPE_CHECKING:
        slug: str  # of a page with `[slug]` in its address; Reflex adds it to the root state

    def _turns_to(self, slug: str) -> bool:
        """Whether another record is asked for than the one on the page, which then waits for it.

        Asked for the same record again, the page shows it until the newer version is there.
        """
        is_another = not self.is_loading and slug != self._slug
        self._slug = slug
        self.is_loading = self.is_loading or is_another
        return is_another

    async def _read(self, read: Callable[[], T], subject: str) -> T | None:
        """The result of a reading, or None when there is no such record or it could not be read.

        The reading runs in a thread: a locked database takes seconds to give up, and nobody else shall wait.
        A failure is for the staff alone, as one line of the log that names the subject. Of a record with another
        slug by now the page keeps waiting, for whoever reads it to be sent there.
        """
        self.is_missing = self.is_unavailable = False
        self._moved_to = ""
        try:
            return await READERS.run(read)
        except Moved as elsewhere:
            self._moved_to = elsewhere.slug
        except NotFound:
            self.is_missing = True
        except Exception as error:
            log.error("%s could not be read: %s", subject, reason(error))
            self.is_unavailable = True
        finally:
            self.is_loading = self._moved_to != ""
        return None
