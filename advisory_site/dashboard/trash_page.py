"""`/admin/trash`: the deleted records, to restore or to delete for good."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

import reflex as rx
from sqlmodel import Session

from ..accounts.guard import staff_event
from ..backoffice.db_calls import change
from ..backoffice.list_state import ListReplies, ListState
from ..backoffice.shell import list_page
from ..content import backoffice as backoffice_words
from ..content import messages
from ..core import routes
from ..core.errors import NotFound
from ..core.permissions import Actor
from ..core.text import iso_text
from ..framework.event_marks import EventReply
from ..records import trash
from ..records.listing import ListQuery, Page
from ..records.record_type import AnyRecordType
from ..records.trash import Restored, TrashRow
from ..ui.backoffice.address import filter_select, search_box
from ..ui.backoffice.chakra import link, rc
from ..ui.backoffice.confirm import confirm_button
from ..ui.backoffice.table import Column, data_table, list_tools, nothing_yet
from ..ui.feedback import error_notice, subject_of, undo_notice
from ..ui.icons import icon
from ..ui.local_time import local_time
from . import trash_texts as words
from .record_types import RECORD_TYPES


@dataclass(frozen=True)
class DeletedRecord:
    """A row of the list; times are ISO texts in UTC. `id` is that of the revision that deleted it."""

    id: int = 0
    of_table: str = ""
    record_id: int = 0
    kind: str = ""
    name: str = ""
    by: str = ""
    at: str = ""
    erased_at: str = ""


class TrashState(ListState, rx.State):
    """One page of the deleted records."""

    rows: list[DeletedRecord] = []

    texts: ClassVar[ListReplies] = ListReplies(
        list_failed=messages.TRASH_FETCH_FAILED, deleted=messages.ERASED, delete_failed=messages.ERASE_FAILED
    )
    filters: ClassVar[Mapping[str, str]] = MappingProxyType({"filter": words.KIND})

    def _find(self, session: Session, actor: Actor, query: ListQuery) -> Page[DeletedRecord]:
        page = trash.list_trash(session, actor, RECORD_TYPES, query)
        return Page(tuple(map(_shown, page.rows)), page.total, page.page, page.pages, page.size)

    def _delete(self, session: Session, actor: Actor, record_id: int) -> None:
        kind, record = self._record(record_id)
        trash.erase(session, actor, kind, record)

    @staff_event
    async def restore(self, row_id: int, *, actor: Actor) -> EventReply:
        """Restore a deleted record and reload the list, also after a failure: another user may have been first."""
        try:
            kind, record = self._record(row_id)
            restored, batch = await change(lambda session: trash.restore(session, actor, kind, record))
        except Exception as error:
            reply = error_notice(error, messages.RESTORE_FAILED, subject_of(self, row_id))
        else:
            reply = undo_notice(_reply(kind, restored), subject_of(self, row_id), batch)
        return [reply, *await self._load(actor)]

    def _record(self, row_id: int) -> tuple[AnyRecordType, int]:
        """The record type and the id of a row of the page; raises `NotFound` for any other row."""
        for row in self.rows:
            if row.id == row_id and row.of_table in RECORD_TYPES:
                return RECORD_TYPES[row.of_table], row.record_id
        raise NotFound(messages.NOT_IN_TRASH)

    async def _on_database_down(self, handler: str, error: Exception) -> EventReply:
        if handler == "restore":
            return error_notice(error, messages.RESTORE_FAILED, subject_of(self))
        return await super()._on_database_down(handler, error)


def _shown(row: TrashRow) -> DeletedRecord:
    kind = RECORD_TYPES[row.of_table].title
    by = row.by_name or words.BY_COMMAND
    return DeletedRecord(
        row.id, row.of_table, row.record_id, kind, row.name, by, iso_text(row.at), iso_text(row.erased_at)
    )


def _reply(kind: AnyRecordType, restored: Restored) -> str:
    """What was restored, and its address if another record has the old one."""
    if restored.slug == restored.former_slug:
        return messages.RESTORED.format(name=restored.name)
    page, noun = kind.page(restored.slug), kind.noun
    return messages.RESTORED_ELSEWHERE.format(name=restored.name, page=page, noun=noun)


def trash_page() -> rx.Component:
    """The page: back link, head, search and filter, table."""
    kinds = {"": words.KINDS_ALL} | {name: kind.title for name, kind in RECORD_TYPES.items()}
    return list_page(
        words.TITLE,
        words.TEXT,
        list_tools(
            search_box(label=words.SEARCH),
            filter_select(words.KIND, kinds),
        ),
        data_table(
            TrashState,
            COLUMNS,
            label=words.TITLE,
            empty=nothing_yet(words.EMPTY_TITLE, words.EMPTY_TEXT),
        ),
    )


def _name(row: DeletedRecord) -> rx.Component:
    history = routes.history_page(row.of_table, row.record_id)
    return link(row.name, href=history, title=row.name, class_name="cell-title")


def _actions(row: DeletedRecord) -> rx.Component:
    of_it = rx.el.span(f" {row.name}", class_name="visually-hidden")
    return rx.el.div(
        rc.button(
            words.RESTORE,
            of_it,
            on_click=TrashState.restore(row.id),
            class_name="row-restore",
            variant="outline",
            size="sm",
        ),
        confirm_button(
            icon("trash", class_name="icon-small"),
            rx.el.span(f"{words.ERASE}: {row.name}", class_name="visually-hidden"),
            sentence=words.ERASE_CONFIRM.format(name=row.name),
            on_confirm=TrashState.delete(row.id),
            class_name="is-danger",
        ),
        class_name="row-actions",
    )


COLUMNS = (
    Column(words.NAME, _name, sort="name", is_main=True),
    Column(words.KIND, lambda row: row.kind, sort="kind"),
    Column(words.DELETED_BY, lambda row: row.by),
    Column(words.DELETED, lambda row: local_time(at=row.at), sort="deleted", standard="descending", is_numeric=True),
    Column(words.KEPT_UNTIL, lambda row: local_time(at=row.erased_at, is_short=True), is_numeric=True),
    Column(backoffice_words.ACTIONS, _actions, is_actions=True),
)
