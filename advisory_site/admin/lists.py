"""The state of a back-office list: its page of rows read from the address, loaded, reloaded, deleted from."""

from dataclasses import dataclass
from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from ..accounts.guard import staff_event
from ..content import messages
from ..errors import Forbidden
from ..listing import ListQuery, Page
from ..permissions import Actor
from ..ui.feedback import NoticeState, failure, subject_of, success
from .threads import read, write


@dataclass(frozen=True)
class ListReplies:
    """What a list says of loading and deleting."""

    fetch_failed: str
    deleted: str = ""
    delete_failed: str = ""


class ListState(rx.State, mixin=True):
    """Mix in before `rx.State`, declare `rows` with the row's own dataclass, and give `_find`; `_delete` if rows go.

    Search, sort, order, filter and page are query parameters; `load` reads them, so it is also what `on_load` calls.
    """

    total: int = 0
    first: int = 0
    last: int = 0
    page: int = 1
    pages: int = 1
    is_loading: bool = True
    has_failed: bool = False
    is_filtered: bool = False

    replies: ClassVar[ListReplies]

    def _find(self, session: Session, actor: Actor, wish: ListQuery) -> Page[Any]:
        """One page of rows; a service function."""
        raise NotImplementedError

    def _delete(self, session: Session, actor: Actor, record_id: int) -> None:
        """Delete one record; a service function. A list whose rows stay refuses."""
        raise Forbidden(messages.NOT_ALLOWED)

    @staff_event
    async def load(self, *, actor: Actor):
        """Read the page of rows that the address asks for."""
        return await self._load(actor)

    @staff_event
    async def delete(self, record_id: int, *, actor: Actor):
        """Delete a record and read the list anew, also when that failed: somebody else may have been first."""
        try:
            await write(lambda session: self._delete(session, actor, record_id))
        except Exception as error:
            reply = failure(error, self.replies.delete_failed, subject_of(self, record_id))
        else:
            reply = success(self.replies.deleted, subject_of(self, record_id))
        return [reply, *await self._load(actor)]

    async def _load(self, actor: Actor) -> list[rx.event.EventSpec]:
        """Fill the vars; returns the events to send."""
        wish = ListQuery.read(self.router.url.query_parameters)
        try:
            page = await read(lambda session: self._find(session, actor, wish))
        except Exception as error:
            return [self._unread(error)]
        self.rows = list(page.rows)
        self.total, self.first, self.last = page.total, page.first, page.last
        self.page, self.pages = page.page, page.pages
        self.is_filtered = bool(wish.search or wish.filter)
        is_well_again, self.has_failed, self.is_loading = self.has_failed, False, False
        return [NoticeState.withdraw(subject_of(self))] if is_well_again else []

    def _unread(self, error: Exception) -> rx.event.EventSpec:
        """Show that the list could not be read."""
        self.rows, self.total, self.has_failed, self.is_loading = [], 0, True, False
        return failure(error, self.replies.fetch_failed, subject_of(self))

    def _cut_off(self, handler: str, error: Exception) -> rx.event.EventSpec:
        """What the guard asks for when the database is away: the sentence of what was tried."""
        return self._unread(error) if handler == "load" else failure(error, self.replies.delete_failed)
