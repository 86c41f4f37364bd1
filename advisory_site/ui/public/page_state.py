"""The base state of public pages with records: loading, missing or unavailable."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import reflex as rx

from ...core import routes
from ...core.errors import Moved, NotFound
from ...core.list_filters import FilterRow, ListFilters
from ...core.threads import READERS
from ..feedback import reason

T = TypeVar("T")

log = logging.getLogger(__name__)


class PublicPage(rx.State, mixin=True):
    """The flags of a public page; the server answers `is_missing` with 404 and `is_unavailable` with 503."""

    is_loading: bool = True
    is_missing: bool = False
    is_unavailable: bool = False
    _slug: str = ""
    _moved_to: str = ""

    if TYPE_CHECKING:
        slug: str  # of a page with `[slug]` in its address; Reflex adds it to the root state

    def _turns_to(self, slug: str) -> bool:
        """Whether another record is requested than the one shown; if so, the page shows that it is loading.

        If the same record is requested again, it stays visible until it is reloaded.
        """
        is_another = not self.is_loading and slug != self._slug
        self._slug = slug
        self.is_loading = self.is_loading or is_another
        return is_another

    async def _read(self, read: Callable[[], T], subject: str) -> T | None:
        """Run `read` in a thread; None if the record does not exist, has moved, or could not be read.

        A failure is logged in one line with the `subject`. If the record has moved, the page keeps showing that it is
        loading, and the caller redirects.
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


class FilteredList(PublicPage, mixin=True):
    """A public list that the query of its address filters. `total` counts the records without a filter."""

    filters: list[FilterRow] = []
    chosen: str = ""
    list_title: str = ""
    total: int = 0

    def _select(self, filters: ListFilters, page: str) -> list[int]:
        """The places of the records that the query selects, which a browser may have made up: of all if it is wrong."""
        choice = filters.choice(str(self.router.url.query))
        self.filters = list(filters.rows(choice, page, routes.LIST))
        self.chosen = ", ".join(choice.values())
        self.total = len(filters.selected({}))
        return filters.selected(choice)
