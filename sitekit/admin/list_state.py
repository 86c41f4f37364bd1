"""The base state of a list: the page of rows that the address selects."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol
from urllib.parse import urlencode

import reflex as rx
import sqlalchemy as sa
from sqlmodel import Session, col

from ..base import messages
from ..base.db.database import ContentVersion
from ..base.errors import Forbidden
from ..base.permissions import Actor
from ..records.listing import FACETS, ListPage, ListQuery, list_parameters
from ..server.framework.event_marks import ChainedEvent, EventReply
from ..ui.feedback import NoticeState, error_notice, reason, subject_of, undo_notice
from . import texts as admin_texts
from .db_calls import change, read
from .guard import staff_event
from .return_to_list import ReturnState

log = logging.getLogger(__name__)


class ListTexts(Protocol):
    """What a list replies to loading and deleting; those of a record type have more."""

    @property
    def list_failed(self) -> str: ...

    @property
    def deleted(self) -> str: ...

    @property
    def delete_failed(self) -> str: ...


@dataclass(frozen=True)
class ListReplies:
    """What a list that is not of records replies to loading and deleting."""

    list_failed: str
    deleted: str = ""
    delete_failed: str = ""


@dataclass(frozen=True)
class RowMark:
    """A row to highlight; the number increases with each, so that the browser recognises a new one."""

    id: int = 0
    number: int = 0


class ListState(rx.State, mixin=True):
    """Mix in before `rx.State`, declare `rows` with the row's dataclass, and define `_find`, and `_delete` if needed.

    Search, sort, order, filters, size and page are query parameters; `load`, which `on_load` calls too, reads them.
    `place` is the list's query string, for links to its forms, which lead back to it. A list with forms overrides
    `_tab`, and then highlights the row that was saved last. `filters` has the labels of its filters by their
    parameters; one with facets among them defines `_choices`, whose values arrive after the rows.
    """

    total: int = 0
    first: int = 0
    last: int = 0
    page: int = 1
    pages: int = 1
    is_more: bool = False
    choices: dict[str, list[str]] = {}
    is_loading: bool = True
    has_failed: bool = False
    is_filtered: bool = False
    nothing_found: str = ""
    place: str = ""
    marked: RowMark = RowMark()
    is_marked_hidden: bool = False
    _choices_version: int = -1

    texts: ClassVar[ListTexts]
    filters: ClassVar[Mapping[str, str]] = MappingProxyType({"filter": admin_texts.STATUS})

    if TYPE_CHECKING:
        rows: Any

    def _find(self, session: Session, actor: Actor, query: ListQuery) -> ListPage[Any]:
        """One page of rows; calls the service."""
        raise NotImplementedError

    def _choices(self, session: Session, actor: Actor) -> dict[str, list[str]]:
        """The values to choose from for each facet; calls the service. By default none."""
        return {}

    def _tab(self) -> str:
        """The tab that its forms lead back to."""
        return ""

    def _delete(self, session: Session, actor: Actor, record_id: int) -> None:
        """Delete a record; calls the service. By default raises `Forbidden`."""
        raise Forbidden(messages.NOT_ALLOWED)

    def _nothing_found(self, search: str, filters: Sequence[str]) -> str:
        """The message if nothing matches the search and the filters with these labels."""
        return admin_texts.nothing_found(search, filters)

    def _names(self) -> Mapping[int, str]:
        """The names of the rows that a reply may mention, by id. By default none."""
        return {}

    @staff_event(failed=lambda self, error, _subject: self._show_load_error(error))
    async def load(self, *, actor: Actor) -> EventReply:
        """Read the page of rows that the address selects."""
        return await self._load(actor)

    @staff_event(failed=lambda _self, error, _subject: _log_choices_unread(error))
    async def load_choices(self, *, actor: Actor) -> None:
        """Read the values of the facets, unless no record has changed since. Without them, the list still works."""
        self._choices_version, self.choices = await read(lambda session: self._current_choices(session, actor))

    @staff_event(
        failed=lambda self, error, subject: error_notice(error, self.texts.delete_failed, subject),
        row="record_id",
        reloads=True,
    )
    async def delete(self, record_id: int, *, actor: Actor) -> EventReply:
        """Delete a record, and reload the list."""
        delete = partial(self._delete, actor=actor, record_id=record_id)
        name = self._names().get(record_id, "")
        return await self._act(actor, record_id, delete, self.texts.deleted, name)

    async def _act(
        self, actor: Actor, row: int, what: Callable[[Session], object], done: str, name: str = ""
    ) -> list[ChainedEvent]:
        """Do something with a row and reload the list. A failed event reloads it too: another user may be first."""
        _, batch = await change(what)
        return [undo_notice(done, subject_of(self, row), batch, name), *await self._load(actor)]

    async def _load(self, actor: Actor) -> list[ChainedEvent]:
        """Fill the vars; returns the events to send."""
        parameters = list_parameters(self.router.url.query_parameters)
        query = ListQuery.read(parameters)
        try:
            page = await read(lambda session: self._find(session, actor, query))
        except Exception as error:
            return await self._show_load_error(error)
        self.rows = list(page.rows)
        self.total, self.first, self.last = page.total, page.first, page.last
        self.page, self.pages, self.is_more = page.page, page.pages, page.is_more
        chosen = [label for name, label in self.filters.items() if name in parameters]
        self.is_filtered = bool(query.search or chosen)
        self.nothing_found = self._nothing_found(query.search, chosen)
        self.place = f"?{urlencode(parameters)}" if parameters else ""
        await self._mark()
        has_recovered, self.has_failed, self.is_loading = self.has_failed, False, False
        events: list[ChainedEvent] = [NoticeState.withdraw(subject_of(self))] if has_recovered else []
        return [*events, type(self).load_choices] if self._has_facets() else events

    def _has_facets(self) -> bool:
        return any(name in FACETS for name in self.filters)

    def _current_choices(self, session: Session, actor: Actor) -> tuple[int, dict[str, list[str]]]:
        """The content version and the choices at it; reads the choices only if the version has changed."""
        version = session.execute(sa.select(col(ContentVersion.number))).scalar() or 0
        is_current = version == self._choices_version
        return version, self.choices if is_current else self._choices(session, actor)

    async def _mark(self) -> None:
        """Highlight the row that was just saved, or show that it is not on this page."""
        record, _ = (await self.get_state(ReturnState))._pop(self._tab())
        self.marked = RowMark(record, self.marked.number + 1) if record else RowMark(0, self.marked.number)
        self.is_marked_hidden = bool(record) and all(row.id != record for row in self.rows)

    async def _show_load_error(self, error: Exception) -> list[ChainedEvent]:
        """Show that the list could not be read, with a notice unless the form that led here has shown one."""
        self.rows, self.total, self.has_failed, self.is_loading = [], 0, True, False
        reply = error_notice(error, self.texts.list_failed, subject_of(self))
        _, is_reported = (await self.get_state(ReturnState))._pop(self._tab())
        return [] if is_reported else [reply]


def _log_choices_unread(error: Exception) -> None:
    log.warning("The values to filter a list by could not be read: %s", reason(error))
