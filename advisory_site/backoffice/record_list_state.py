"""The base state of a list of records of a type: tick, publish, hide, delete and order them."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from ..accounts.guard import staff_event
from ..content import messages
from ..core.errors import NotFound
from ..core.permissions import Actor
from ..framework.event_marks import ChainedEvent, EventReply
from ..records import bulk, ordering
from ..records.bulk import BulkResult
from ..records.listing import IDS, ListQuery, Page, list_parameters
from ..records.record_type import AnyRecordType
from ..ui.feedback import error_notice, subject_of, undo_notice
from .db_calls import change, read
from .export_state import ExportState
from .list_state import ListState

NAMES_SHOWN = 3


class RecordListState(ExportState, ListState, rx.State, mixin=True):
    """Mix in before `rx.State`, declare `rows` with the row's dataclass, and set `kind`, `texts` and `csv`.

    `ticked` are the ids of the ticked rows of the page, `ticked_count` their number, or that of all records of the
    search and filter after `tick_all`. Loading the list clears them. `can_order`: the rows are in their own order,
    which staff may change.
    """

    ticked: list[int] = []
    ticked_count: int = 0
    can_order: bool = False
    _all_ticked: list[int] = []

    kind: ClassVar[AnyRecordType]

    def _find(self, session: Session, actor: Actor, query: ListQuery) -> Page[Any]:
        return self.kind.list_admin(session, actor, query)

    def _choices(self, session: Session, actor: Actor) -> dict[str, list[str]]:
        return self.kind.list_choices(session, actor)

    def _tab(self) -> str:
        return self.kind.tab

    def _delete(self, session: Session, actor: Actor, record_id: int) -> None:
        self.kind.delete(session, actor, record_id)

    async def _load(self, actor: Actor) -> list[ChainedEvent]:
        self._tick([])
        query = ListQuery.read(self.router.url.query_parameters)
        self.can_order = self.kind.is_ordered and query.sort in ("", "order") and not query.descending
        return await super()._load(actor)

    @staff_event
    async def tick(self, record_id: int, is_ticked: bool, *, actor: Actor) -> None:
        """Tick or untick a row of the page."""
        others = [one for one in self.ticked if one != record_id]
        self._tick([*others, record_id] if is_ticked and record_id in self._names() else others)

    @staff_event
    async def tick_page(self, is_ticked: bool, *, actor: Actor) -> None:
        """Tick or untick all rows of the page."""
        self._tick(list(self._names()) if is_ticked else [])

    @staff_event
    async def tick_all(self, *, actor: Actor) -> EventReply:
        """Tick all records of the search and filter, on all pages."""
        query = ListQuery.read(self.router.url.query_parameters)
        try:
            found = await read(lambda session: bulk.ids_of(session, actor, self.kind, query))
        except Exception as error:
            return error_notice(error, self.texts.list_failed, subject_of(self))
        self._tick(list(self._names()))
        self._all_ticked, self.ticked_count = found, len(found)
        return None

    @staff_event
    async def set_public(self, record_id: int, is_public: bool, *, actor: Actor) -> EventReply:
        """Publish or hide a record."""
        return await self._set_public(actor, [record_id], is_public)

    @staff_event
    async def set_ticked_public(self, is_public: bool, *, actor: Actor) -> EventReply:
        """Publish or hide the ticked records."""
        return await self._set_public(actor, self._all_ticked or self.ticked, is_public)

    @staff_event
    async def delete_ticked(self, *, actor: Actor) -> EventReply:
        """Delete the ticked records."""
        ids = self._all_ticked or self.ticked
        return await self._change(
            actor, ids, lambda session: bulk.delete(session, actor, self.kind, ids), messages.RECORDS_DELETED
        )

    @staff_event
    async def export_ticked(self, *, actor: Actor) -> AsyncIterator[EventReply]:
        """Download the ticked records."""
        if not self.ticked_count:
            return
        parameters = list_parameters(self.router.url.query_parameters)
        if not self._all_ticked:
            parameters[IDS] = ",".join(map(str, self.ticked))
        async for reply in self._export(actor, parameters):
            yield reply

    @staff_event
    async def place_beside(self, record_id: int, beside: int, is_after: bool, *, actor: Actor) -> EventReply:
        """Place a record after another one, or before it."""
        if not self.kind.is_ordered:
            return None
        name = self._names().get(record_id, messages.THE_RECORD)
        missing = messages.DELETED_ALREADY.format(failure=messages.MOVE_FAILED)
        try:
            number, batch = await change(
                lambda session: ordering.place(session, actor, self.kind, record_id, beside, is_after, missing)
            )
        except Exception as error:
            reply = error_notice(error, messages.MOVE_FAILED, subject_of(self))
        else:
            reply = undo_notice(messages.MOVED.format(name=name, place=number), subject_of(self), batch)
        return [reply, *await self._load(actor)]

    async def _on_database_down(self, handler: str, error: Exception) -> EventReply:
        """Reply while the database is down."""
        if handler in ("load", "delete"):
            return await super()._on_database_down(handler, error)
        failures = {
            "place_beside": messages.MOVE_FAILED,
            "tick_all": self.texts.list_failed,
            "export": self.csv.texts.failed,
        }
        return error_notice(error, failures.get(handler, messages.RECORDS_FAILED), subject_of(self))

    def _tick(self, ids: list[int]) -> None:
        self.ticked, self.ticked_count, self._all_ticked = ids, len(ids), []

    def _names(self) -> Mapping[int, str]:
        """The names of the rows on the page, by id."""
        return {row.id: row.name for row in self.rows}

    async def _set_public(self, actor: Actor, ids: list[int], is_public: bool) -> EventReply:
        return await self._change(
            actor,
            ids,
            lambda session: bulk.set_public(session, actor, self.kind, ids, is_public),
            messages.RECORDS_PUBLISHED if is_public else messages.RECORDS_HIDDEN,
        )

    async def _change(
        self, actor: Actor, ids: list[int], what: Callable[[Session], BulkResult], done: str
    ) -> list[ChainedEvent]:
        """Change several records, report the changed and the unchanged ones, and reload the list."""
        names = self._names()
        try:
            result, batch = await change(what)
        except Exception as error:
            reply = error_notice(error, messages.RECORDS_FAILED, subject_of(self))
        else:
            left = {messages.RECORDS_GONE: result.missing, messages.RECORDS_UNDESCRIBED: result.undescribed}
            present = [one for one in ids if one not in {*result.missing, *result.undescribed}]
            told = {sentence: some for sentence, some in {done: present, **left}.items() if some} or {done: []}
            text = " ".join(sentence.format(records=_listed(list(some), names)) for sentence, some in told.items())
            reply = (
                undo_notice(text, subject_of(self), batch)
                if present
                else error_notice(NotFound(text), text, subject_of(self))
            )
        return [reply, *await self._load(actor)]


def _listed(ids: list[int], names: Mapping[int, str]) -> str:
    """The names of a few records, or the number of many."""
    if 0 < len(ids) <= NAMES_SHOWN and all(one in names for one in ids):
        return ", ".join(names[one] for one in ids)
    return messages.RECORD_ONE if len(ids) == 1 else messages.RECORD_COUNT.format(count=f"{len(ids):,}")
