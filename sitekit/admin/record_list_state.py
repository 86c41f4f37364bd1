"""The base state of a list of records of a type: tick, publish, hide, delete and order them."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from ..base import messages
from ..base.errors import NotFound
from ..base.permissions import Actor, may
from ..base.text import fold
from ..records import bulk, drafts, ordering
from ..records.bulk import BulkResult
from ..records.drafts import DraftMark
from ..records.listing import IDS, WITH_DRAFT, ListPage, ListQuery, list_parameters
from ..records.record_type import AnyRecordType
from ..server.framework.event_marks import ChainedEvent, EventReply
from ..ui.feedback import error_notice, subject_of, undo_notice
from .csv.export_state import ExportState
from .db_calls import change, read
from .guard import staff_event
from .list_state import ListState

NAMES_SHOWN = 3


class RecordListState(ExportState, ListState, rx.State, mixin=True):
    """Mix in before `rx.State`, declare `rows` with the row's dataclass, and set `record_type`, `texts` and `csv`.

    `ticked` are the ids of the ticked rows of the page, `ticked_count` their number, or that of all records of the
    search and filter after `tick_all`. Loading the list clears them. `can_order`: the rows are in their own order,
    which staff may change. `drafts` has the drafts of the rows by their ids, `new_drafts` those of records that do not
    exist yet, which the first page shows unless it is searched for others.
    """

    ticked: list[int] = []
    ticked_count: int = 0
    can_order: bool = False
    drafts: dict[int, DraftMark] = {}
    new_drafts: list[DraftMark] = []
    _all_ticked: list[int] = []

    record_type: ClassVar[AnyRecordType]

    def _find(self, session: Session, actor: Actor, query: ListQuery) -> ListPage[Any]:
        return self.record_type.list_admin(session, actor, query)

    def _choices(self, session: Session, actor: Actor) -> dict[str, list[str]]:
        return self.record_type.list_choices(session, actor)

    def _tab(self) -> str:
        return self.record_type.tab

    def _delete(self, session: Session, actor: Actor, record_id: int) -> None:
        self.record_type.delete(session, actor, record_id)

    async def _load(self, actor: Actor) -> list[ChainedEvent]:
        self._tick([])
        query = ListQuery.read(self.router.url.query_parameters)
        can_move = self.record_type.is_ordered and may(actor, self.record_type.change_action)
        self.can_order = can_move and query.sort in ("", "order") and not query.descending
        events = await super()._load(actor)
        if not self.has_failed:
            public = {row.id: row.is_active for row in self.rows}
            try:
                self.drafts, new = await read(lambda session: drafts.of_list(session, actor, self.record_type, public))
            except Exception as error:
                return await self._show_load_error(error)
            is_shown = query.page == 1 and query.filter in ("", WITH_DRAFT) and not query.facets
            search = fold(query.search)
            self.new_drafts = [draft for draft in new if is_shown and search in fold(draft.name)]
        return events

    @staff_event
    async def tick(self, record_id: int, is_ticked: bool, *, actor: Actor) -> None:
        """Tick or untick a row of the page."""
        others = [ticked_id for ticked_id in self.ticked if ticked_id != record_id]
        self._tick([*others, record_id] if is_ticked and record_id in self._names() else others)

    @staff_event
    async def tick_page(self, is_ticked: bool, *, actor: Actor) -> None:
        """Tick or untick all rows of the page."""
        self._tick(list(self._names()) if is_ticked else [])

    @staff_event(failed=lambda self, error, subject: error_notice(error, self.texts.list_failed, subject))
    async def tick_all(self, *, actor: Actor) -> None:
        """Tick all records of the search and filter, on all pages."""
        query = ListQuery.read(self.router.url.query_parameters)
        ids = await read(lambda session: bulk.ids_of(session, actor, self.record_type, query))
        self._tick(list(self._names()))
        self._all_ticked, self.ticked_count = ids, len(ids)

    @staff_event(failed=messages.RECORDS_FAILED, reloads=True)
    async def set_public(self, record_id: int, is_public: bool, *, actor: Actor) -> EventReply:
        """Publish or hide a record."""
        return await self._set_public(actor, [record_id], is_public)

    @staff_event(failed=messages.RECORDS_FAILED, reloads=True)
    async def set_ticked_public(self, is_public: bool, *, actor: Actor) -> EventReply:
        """Publish or hide the ticked records."""
        return await self._set_public(actor, self._all_ticked or self.ticked, is_public)

    @staff_event(failed=messages.RECORDS_FAILED, reloads=True)
    async def delete_ticked(self, *, actor: Actor) -> EventReply:
        """Delete the ticked records."""
        ids = self._all_ticked or self.ticked
        return await self._change(
            actor, ids, lambda session: bulk.delete(session, actor, self.record_type, ids), messages.RECORDS_DELETED
        )

    @staff_event(failed=lambda self, error, _subject: self._refuse_export(error))
    async def export_ticked(self, *, actor: Actor) -> AsyncIterator[EventReply]:
        """Download the ticked records."""
        if not self.ticked_count:
            return
        parameters = list_parameters(self.router.url.query_parameters)
        if not self._all_ticked:
            parameters[IDS] = ",".join(map(str, self.ticked))
        async for reply in self._export(actor, parameters):
            yield reply

    @staff_event(failed=messages.MOVE_FAILED, reloads=True)
    async def place_beside(self, record_id: int, beside: int, is_after: bool, *, actor: Actor) -> EventReply:
        """Place a record after another one, or before it."""
        if not self.record_type.is_ordered:
            return None
        name = self._names().get(record_id, messages.THE_RECORD)
        missing = messages.DELETED_ALREADY.format(failure=messages.MOVE_FAILED)
        number, batch = await change(
            lambda session: ordering.place(session, actor, self.record_type, record_id, beside, is_after, missing)
        )
        moved = messages.MOVED.format(name=name, place=number)
        return [undo_notice(moved, subject_of(self), batch), *await self._load(actor)]

    def _tick(self, ids: list[int]) -> None:
        self.ticked, self.ticked_count, self._all_ticked = ids, len(ids), []

    def _names(self) -> Mapping[int, str]:
        """The names of the rows on the page, by id."""
        return {row.id: row.name for row in self.rows}

    async def _set_public(self, actor: Actor, ids: list[int], is_public: bool) -> EventReply:
        return await self._change(
            actor,
            ids,
            lambda session: bulk.set_public(session, actor, self.record_type, ids, is_public),
            messages.RECORDS_PUBLISHED if is_public else messages.RECORDS_HIDDEN,
        )

    async def _change(
        self, actor: Actor, ids: list[int], what: Callable[[Session], BulkResult], done: str
    ) -> list[ChainedEvent]:
        """Change several records, report the changed and the unchanged ones, and reload the list."""
        names = self._names()
        result, batch = await change(what)
        left = {messages.RECORDS_GONE: result.missing, messages.RECORDS_UNDESCRIBED: result.undescribed}
        present = [record_id for record_id in ids if record_id not in {*result.missing, *result.undescribed}]
        reported = {sentence: group for sentence, group in {done: present, **left}.items() if group} or {done: []}
        text = " ".join(sentence.format(records=_listed(list(group), names)) for sentence, group in reported.items())
        subject = subject_of(self)
        reply = undo_notice(text, subject, batch) if present else error_notice(NotFound(text), text, subject)
        return [reply, *await self._load(actor)]


def _listed(ids: list[int], names: Mapping[int, str]) -> str:
    """The names of a few records, or the number of many."""
    if 0 < len(ids) <= NAMES_SHOWN and all(record_id in names for record_id in ids):
        return ", ".join(names[record_id] for record_id in ids)
    return messages.RECORD_ONE if len(ids) == 1 else messages.RECORD_COUNT.format(count=f"{len(ids):,}")
