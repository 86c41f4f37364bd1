"""`/admin/enquiries`: the list of enquiries, and a dialog for the one that the address names."""

from functools import partial
from typing import ClassVar

import reflex as rx
from sqlmodel import Session

from ..accounts.guard import staff_event
from ..backoffice.db_calls import read
from ..backoffice.export_state import ExportState, export_button
from ..backoffice.list_state import ListReplies, ListState
from ..backoffice.shell import list_page
from ..content import messages
from ..core import routes
from ..core.permissions import Actor
from ..framework.event_marks import ChainedEvent, EventReply
from ..records.csv_export import CsvList
from ..records.listing import ListQuery, Page
from ..ui.backoffice.address import filter_select, search_box
from ..ui.backoffice.chakra import rc
from ..ui.backoffice.dialog import closed
from ..ui.backoffice.row_actions import title_link
from ..ui.backoffice.table import Column, data_table, email_text, list_tools, nothing_yet
from ..ui.feedback import error_notice, show_error, subject_of
from ..ui.local_time import local_time
from . import admin_texts as words
from . import inbox
from .admin_dialog import OPEN, enquiry_dialog
from .inbox import EnquiryRow, EnquiryView
from .new_count import NewEnquiriesState


class EnquiryInboxState(ExportState, ListState, rx.State):
    """The state of the page: one page of enquiries, and the open one."""

    rows: list[EnquiryRow] = []
    opened: EnquiryView = EnquiryView()
    shown: str = ""
    _acted_on: str = ""

    texts: ClassVar[ListReplies] = ListReplies(
        list_failed=messages.ENQUIRIES_FETCH_FAILED,
        deleted=messages.ENQUIRY_DELETED,
        delete_failed=messages.ENQUIRY_DELETE_FAILED,
    )
    csv: ClassVar[CsvList] = inbox.CSV

    @staff_event
    async def set_handled(self, enquiry_id: int, is_handled: bool, *, actor: Actor) -> EventReply:
        """Mark an enquiry as handled or new."""
        self._acted_on = str(enquiry_id)
        mark = partial(inbox.set_handled, actor=actor, enquiry_id=enquiry_id, is_handled=is_handled)
        return await self._act(actor, enquiry_id, mark, messages.ENQUIRY_UPDATED, messages.ENQUIRY_UPDATE_FAILED)

    def _find(self, session: Session, actor: Actor, query: ListQuery) -> Page[EnquiryRow]:
        return inbox.list_admin(session, actor, query)

    def _delete(self, session: Session, actor: Actor, record_id: int) -> None:
        self._acted_on = str(record_id)
        inbox.delete(session, actor, record_id)

    async def _on_database_down(self, handler: str, error: Exception) -> EventReply:
        sentences = {"set_handled": messages.ENQUIRY_UPDATE_FAILED, "export": self.csv.texts.failed}
        if handler in sentences:
            return error_notice(error, sentences[handler], subject_of(self))
        return await super()._on_database_down(handler, error)

    async def _load(self, actor: Actor) -> list[ChainedEvent]:
        return [*await super()._load(actor), *await self._open(actor), NewEnquiriesState.load]

    async def _open(self, actor: Actor) -> list[ChainedEvent]:
        """Read the enquiry that the address names; close the dialog if it cannot be read."""
        wanted = str(self.router.url.query_parameters.get(OPEN, ""))
        acted_on, self._acted_on = self._acted_on, ""
        if not wanted:
            self.opened, self.shown = EnquiryView(), ""
            return []
        leave = rx.redirect(closed(routes.ADMIN_ENQUIRIES, self.router.url.query, OPEN))
        try:
            self.opened = await read(lambda session: inbox.get(session, actor, wanted))
        except Exception as error:
            # The action that was just performed has its own reply.
            if wanted == acted_on:
                return [leave]
            await show_error(self, error, messages.ENQUIRY_FETCH_FAILED, subject_of(self, wanted))
            return [leave]
        self.shown = wanted
        return []


def enquiries_page() -> rx.Component:
    """The page: back link, head, search and filter, table, dialog."""
    state = EnquiryInboxState
    return list_page(
        words.TITLE,
        words.TEXT,
        list_tools(
            search_box(label=words.SEARCH),
            filter_select(words.STATUS, dict(words.FILTER_OPTIONS)),
        ),
        data_table(
            state,
            COLUMNS,
            label=words.TITLE,
            empty=nothing_yet(words.EMPTY_TITLE, words.EMPTY_TEXT),
        ),
        enquiry_dialog(state.opened, state.shown, state.set_handled, state.delete),
        actions=(export_button(state),),
    )


def _from(row: EnquiryRow) -> rx.Component:
    return rx.el.div(
        title_link(row.name, {OPEN: row.id, "page": EnquiryInboxState.page}),
        rx.el.p(email_text(row.email), class_name="cell-note"),
        class_name="cell-name",
    )


def _stage(row: EnquiryRow) -> rx.Component:
    return rx.cond(row.stage != "", rx.el.span(row.stage, class_name="cell-short"))


def _status(row: EnquiryRow) -> rx.Component:
    new, handled = rc.badge(words.NEW, variant="solid"), rc.badge(words.HANDLED, variant="subtle")
    return rx.cond(row.is_new, new, handled)


COLUMNS = (
    Column(words.FROM, _from, sort="name", is_main=True),
    Column(words.COMPANY, lambda row: row.company, sort="company"),
    Column(words.STAGE, _stage, sort="stage"),
    Column(words.MESSAGE, lambda row: rx.el.span(row.excerpt, class_name="cell-excerpt")),
    Column(
        words.RECEIVED,
        lambda row: local_time(at=row.received, is_short=True),
        sort="received",
        standard="descending",
        is_numeric=True,
    ),
    Column(words.STATUS, _status),
)
