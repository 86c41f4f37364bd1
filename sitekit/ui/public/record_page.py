"""The base state of public pages with records: loading, missing or unavailable."""

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import reflex as rx
from sqlmodel import Session

from ...base import paths, request_context
from ...base.errors import NotFound, RecordMoved
from ...base.list_filters import Filter, FilterRow, ListFilters
from ...base.site import get_site
from ...base.text import escape_controls, in_brief, one_line
from ...base.threads import READERS
from ...server.framework.event_marks import EventReply, public_event
from ..copy import SeoText
from ..feedback import reason
from .words import words_of

T = TypeVar("T")

log = logging.getLogger(__name__)


class PublicPage(rx.State, mixin=True):
    """The flags of a public page; the server answers `is_missing` with 404 and `is_unavailable` with 503.

    `reference` leads from the page of a failure to its lines in the log.
    """

    is_loading: bool = True
    is_missing: bool = False
    is_unavailable: bool = False
    reference: str = ""
    _moved_to: str = ""

    if TYPE_CHECKING:
        slug: str  # of a page with `[slug]` in its address; Reflex adds it to the root state

    async def _read(self, read: Callable[[], T], subject: str) -> T | None:
        """Run `read` in a thread; None if the record does not exist, has moved, or could not be read.

        A failure is logged in one line with the `subject`. If the record has moved, the page keeps showing that it is
        loading, and the caller redirects.
        """
        self.is_missing = self.is_unavailable = False
        self.reference = ""
        self._moved_to = ""
        try:
            return await READERS.run(read)
        except RecordMoved as elsewhere:
            self._moved_to = elsewhere.slug
        except NotFound:
            self.is_missing = True
        except Exception as error:
            self.is_unavailable, self.reference = True, request_context.reference()
            log.error("%s could not be read: %s", subject, reason(error))
        finally:
            self.is_loading = self._moved_to != ""
        return None

    async def _read_list(self, record_type: Any) -> list[Any]:
        """The public records of a type as cards; none if they could not be read."""
        cards = partial(record_type.read, record_type.list_public)
        return await self._read(cards, f"The list of {record_type.plural}") or []


class RecordPage(PublicPage, mixin=True):
    """The page of the record whose slug is in its address.

    Mix in before `rx.State`, set `record_type`, `seo` and `not_found_title`, and define `_show`.
    """

    _slug: str = ""
    _title: str = ""
    _summary: str = ""

    record_type: ClassVar[Any]
    seo: ClassVar[SeoText]
    not_found_title: ClassVar[str]

    def _find(self, session: Session, slug: str) -> Any:
        """What the page shows of the record. Raises `NotFound` or `RecordMoved`. Runs in a thread."""
        return self.record_type.get_public(session, slug)

    def _show(self, record: Any) -> None:
        """Fill the vars, `_title` and `_summary` too, with what `_find` has returned, or empty them if it is None."""
        raise NotImplementedError

    @rx.var
    def page_title(self) -> str:
        """The title of the document."""
        if self.is_missing or self.is_unavailable:
            return f"{self.not_found_title} | {get_site().brand.name}"
        return f"{self._title} | {get_site().brand.name}" if self._title else self.seo.title

    @rx.var
    def page_description(self) -> str:
        """The description for search results."""
        return in_brief(one_line(self._summary)) or self.seo.description

    @public_event
    async def load(self) -> AsyncIterator[EventReply]:
        """Read the record that the address names. If it is another one, the page shows meanwhile that it is loading."""
        slug = str(self.slug)
        if not self.is_loading and slug != self._slug:
            self.is_loading = True
            yield None
        self._slug = slug
        record = await self._read(
            partial(self.record_type.read, lambda session: self._find(session, slug)),
            f"The {self.record_type.noun} '{escape_controls(slug, 80)}'",
        )
        if self._moved_to:
            yield rx.redirect(self.record_type.page(self._moved_to), replace=True)
        else:
            self._show(record)


class RecordPart(PublicPage, mixin=True):
    """What the page of a record shows of a type of records: those that name it, or one that it names.

    Mix in before `rx.State`, and set `record_type`. Load it before the record, to be shown together; `of_slug` is the
    slug in the address of the page.
    """

    of_slug: str = ""

    record_type: ClassVar[Any]

    async def _read_part(self, read: Callable[[Session, str], T]) -> T | None:
        """What `read` finds for the slug in the address; None if it could not be read."""
        slug = str(self.slug)
        part = await self._read(
            partial(self.record_type.read, lambda session: read(session, slug)),
            f"The {self.record_type.plural} of '{escape_controls(slug, 80)}'",
        )
        self.of_slug = slug
        return part


class FilteredList(PublicPage, mixin=True):
    """The public list of the records of a type, which the query of its address filters.

    Mix in before `rx.State`, set `record_type`, `seo`, `path` and `filtered_by`, with a `page_size` if the list has
    pages, and define `_show`. `total` counts the records without a filter; `newer` and `older` are the links to the
    pages beside this one.
    """

    filters: list[FilterRow] = []
    chosen: str = ""
    list_title: str = ""
    total: int = 0
    newer: str = ""
    older: str = ""

    record_type: ClassVar[Any]
    seo: ClassVar[SeoText]
    path: ClassVar[str]
    filtered_by: ClassVar[Sequence[Filter]]
    page_size: ClassVar[int] = 0

    @classmethod
    def page_title(cls) -> rx.Var[str]:
        """The title of the document."""
        title = words_of(cls.seo.title)
        return rx.cond(cls.chosen != "", f"{cls.chosen} | {title}", title)

    @classmethod
    def read_filters(cls) -> ListFilters:
        """The filters and the pages of the list. Runs in a thread."""
        return cls._filters_of(cls.record_type.read(cls.record_type.list_public))

    @classmethod
    def _filters_of(cls, cards: Sequence[Any]) -> ListFilters:
        return ListFilters(cls.filtered_by, cards, cls.page_size)

    def _show(self, selected: list[Any], cards: list[Any]) -> None:
        """Fill the vars with the cards that the query selects, of all; `list_title` says how many of what."""
        raise NotImplementedError

    @public_event
    async def load(self) -> None:
        """Read the list again, and select what the query asks for, which a browser may make up; all if it is wrong."""
        cards = await self._read_list(self.record_type)
        filters, query = self._filters_of(cards), str(self.router.url.query)
        choice, number = filters.choice(query), filters.page(query)
        self.filters = list(filters.rows(choice, self.path, paths.LIST))
        self.chosen = ", ".join(choice.values())
        self.total = len(cards)
        self.newer, self.older = (filters.page_link(choice, number + step, self.path) for step in (-1, 1))
        selected = [cards[index] for index in filters.on_page(choice, number)]
        self.list_title = f"{self.record_type.number_of(len(selected))}: {self.chosen}"
        self._show(selected, cards)
