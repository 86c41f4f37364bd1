"""`/admin/trash`: the deleted records, to restore or to delete permanently."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

import reflex as rx
from sqlmodel import Session

from ...base import messages, paths
from ...base.errors import NotFound
from ...base.permissions import Action, Actor, Role, require
from ...base.text import capitalised, listed
from ...records import trash
from ...records.features import record_types
from ...records.listing import ListPage, ListQuery
from ...records.record_type import AnyRecordType
from ...records.trash import Restored, TrashRow
from ...server.framework.event_marks import EventReply
from ...ui.feedback import subject_of, undo_notice
from ...ui.icons import icon
from ...ui.local_time import local_time
from .. import texts as admin_texts
from ..components import controls
from ..components.address import filter_select, search_box
from ..components.confirm import confirm_button, question
from ..components.elements import link
from ..components.table import Column, data_table, list_tools, nothing_yet
from ..current_user import has_role
from ..db_calls import change
from ..guard import staff_event
from ..list_state import ListReplies, ListState
from ..shell import list_page
from ..user_accounts import user_accounts
from . import texts as trash_texts


class TrashState(ListState, rx.State):
    """One page of the deleted records."""

    rows: list[TrashRow] = []

    texts: ClassVar[ListReplies] = ListReplies(
        list_failed=messages.TRASH_FETCH_FAILED, deleted=messages.ERASED, delete_failed=messages.ERASE_FAILED
    )
    filters: ClassVar[Mapping[str, str]] = MappingProxyType({"filter": trash_texts.KIND})

    def _find(self, session: Session, actor: Actor, query: ListQuery) -> ListPage[TrashRow]:
        return trash.list_trash(session, actor, record_types(), query)

    def _delete(self, session: Session, actor: Actor, record_id: int) -> None:
        require(actor, Action.ERASE_RECORDS)
        record_type, record = self._record(record_id)
        trash.erase(session, actor, record_type, record)
        user_accounts().count_erased(session, actor)

    def _nothing_found(self, search: str, filters: Sequence[str]) -> str:
        return super()._nothing_found(search, filters) if search else trash_texts.NOTHING_OF_KIND

    @staff_event(failed=messages.RESTORE_FAILED, row="row_id", reloads=True)
    async def restore(self, row_id: int, *, actor: Actor) -> EventReply:
        """Restore a deleted record and reload the list."""
        record_type, record = self._record(row_id)
        restored, batch = await change(lambda session: trash.restore(session, actor, record_type, record))
        reply = undo_notice(_reply(record_type, restored), subject_of(self, row_id), batch)
        return [reply, *await self._load(actor)]

    def _record(self, row_id: int) -> tuple[AnyRecordType, int]:
        """The record type and the id of a row of the page; raises `NotFound` for any other row."""
        for row in self.rows:
            if row.id == row_id and row.of_table in record_types():
                return record_types()[row.of_table], row.record_id
        raise NotFound(messages.NOT_IN_TRASH)


def _reply(record_type: AnyRecordType, restored: Restored) -> str:
    """What was restored, and its address if another record has the old one."""
    if restored.slug == restored.former_slug:
        return messages.RESTORED.format(name=restored.name)
    page, noun = record_type.page(restored.slug), record_type.noun
    return messages.RESTORED_ELSEWHERE.format(name=restored.name, page=page, noun=noun)


def trash_page() -> rx.Component:
    """The page: head, search and filter, table."""
    categories = {"": trash_texts.KINDS_ALL} | {name: record_type.title for name, record_type in record_types().items()}
    records = listed([record_type.plural for record_type in record_types().values()])
    return list_page(
        trash_texts.TITLE,
        trash_texts.TEXT,
        list_tools(
            search_box(label=trash_texts.SEARCH),
            filter_select(trash_texts.KIND, categories),
        ),
        data_table(
            TrashState,
            COLUMNS,
            label=trash_texts.TITLE,
            empty=nothing_yet(trash_texts.EMPTY_TITLE, trash_texts.EMPTY_TEXT.format(Records=capitalised(records))),
        ),
        at=paths.ADMIN_TRASH,
    )


def _name(row: TrashRow) -> rx.Component:
    history = paths.history_page(row.of_table, row.record_id)
    return link(row.name, href=history, title=row.name, class_name="cell-title")


def _actions(row: TrashRow) -> rx.Component:
    of_it = rx.el.span(f" {row.name}", class_name="visually-hidden")
    return rx.el.div(
        controls.button(
            trash_texts.RESTORE,
            of_it,
            on_click=TrashState.restore(row.id),
            class_name="row-restore",
            variant="outline",
            size="sm",
        ),
        rx.cond(has_role(Role.ADMIN), _erase_button(row)),
        class_name="row-actions",
    )


def _erase_button(row: TrashRow) -> rx.Component:
    return confirm_button(
        icon("trash", class_name="icon-small"),
        rx.el.span(f"{trash_texts.ERASE}: {row.name}", class_name="visually-hidden"),
        ask=question(trash_texts.ERASE_CONFIRM.format(name=row.name), trash_texts.ERASE, is_danger=True),
        on_confirm=TrashState.delete(row.id),
        class_name="is-danger",
    )


COLUMNS = (
    Column(trash_texts.NAME, _name, sort="name", is_main=True),
    Column(trash_texts.KIND, lambda row: row.record_type, sort="kind"),
    Column(trash_texts.DELETED_BY, lambda row: rx.cond(row.by_name != "", row.by_name, trash_texts.BY_COMMAND)),
    Column(
        trash_texts.DELETED, lambda row: local_time(at=row.at), sort="deleted", standard="descending", is_numeric=True
    ),
    Column(trash_texts.KEPT_UNTIL, lambda row: local_time(at=row.erased_at, is_short=True), is_numeric=True),
    Column(admin_texts.ACTIONS, _actions, is_actions=True),
)
