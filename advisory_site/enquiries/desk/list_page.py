"""`/admin/enquiries`: the list of enquiries."""

from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from sitekit.admin.components import controls
from sitekit.admin.components.address import filter_select, search_box
from sitekit.admin.components.elements import badge
from sitekit.admin.components.row_actions import title_link
from sitekit.admin.components.table import Column, data_table, email_text, list_tools, nothing_yet, person_text
from sitekit.admin.csv.export_state import ExportState, export_button
from sitekit.admin.current_user import where_allowed
from sitekit.admin.list_state import ListReplies, ListState
from sitekit.admin.shell import list_page
from sitekit.base.permissions import Actor
from sitekit.base.text import record_id
from sitekit.records.csv_export import CsvList
from sitekit.records.listing import ListPage, ListQuery
from sitekit.server.framework.event_marks import ChainedEvent
from sitekit.ui.icons import icon
from sitekit.ui.local_time import local_time

from ... import routes
from ...permissions import SiteAction
from .. import admin_texts, desk_texts, messages
from ..models import EnquiryState
from . import inbox
from .inbox import EnquiryRow
from .new_count import NewEnquiriesState

# Of an address that opened a dialog here.
OPEN = "open"


class EnquiryInboxState(ExportState, ListState, rx.State):
    """The state of the page: one page of enquiries."""

    rows: list[EnquiryRow] = []

    texts: ClassVar[ListReplies] = ListReplies(list_failed=messages.ENQUIRIES_FETCH_FAILED)
    csv: ClassVar[CsvList] = inbox.CSV

    def _find(self, session: Session, actor: Actor, query: ListQuery) -> ListPage[EnquiryRow]:
        return inbox.list_admin(session, actor, query)

    async def _load(self, actor: Actor) -> list[ChainedEvent]:
        if opened := record_id(self.router.url.query_parameters.get(OPEN)):
            return [rx.redirect(routes.enquiry_page(opened), replace=True)]
        return [*await super()._load(actor), NewEnquiriesState.load]


def enquiries_page() -> rx.Component:
    """The page: head, search and filter, table."""
    state = EnquiryInboxState
    owners = controls.button_link(desk_texts.OWNERS_TITLE, href=routes.ADMIN_STAGE_OWNERS, variant="outline")
    return list_page(
        admin_texts.TITLE,
        admin_texts.TEXT,
        list_tools(
            search_box(label=admin_texts.SEARCH),
            filter_select(admin_texts.STATUS, dict(admin_texts.FILTER_OPTIONS)),
        ),
        data_table(
            state,
            COLUMNS,
            label=admin_texts.TITLE,
            empty=nothing_yet(admin_texts.EMPTY_TITLE, admin_texts.EMPTY_TEXT),
        ),
        at=routes.ADMIN_ENQUIRIES,
        actions=(where_allowed(SiteAction.NAME_STAGE_OWNERS, owners), export_button(state)),
    )


def state_badge(state: Any) -> rx.Component:
    """Where an enquiry stands; most prominent while nobody has it."""
    text = rx.match(state, *admin_texts.STATES.items(), "")
    return badge(text, variant=rx.cond(state == EnquiryState.NEW.value, "solid", "subtle"))


def due_text(enquiry: Any) -> rx.Component:
    """When the next step is due, in words; what is overdue has a sign too."""
    overdue = rx.el.span(icon("alert", class_name="icon-small"), enquiry.due, class_name="is-overdue")
    return rx.cond(enquiry.due != "", rx.cond(enquiry.is_overdue, overdue, rx.el.span(enquiry.due, class_name="due")))


def failure_text(enquiry: Any, class_name: str = "is-overdue") -> rx.Component:
    """Why the reply was not sent, if it was not."""
    failed = rx.el.span(admin_texts.NOT_SENT, " ", enquiry.failure, class_name=class_name)
    return rx.cond(enquiry.failure != "", failed)


def _from(row: EnquiryRow) -> rx.Component:
    return rx.el.div(
        title_link(row.name, routes.enquiry_page(row.id) + EnquiryInboxState.place),
        rx.el.p(email_text(row.email), class_name="cell-note"),
        class_name="cell-name",
    )


def _stage(row: EnquiryRow) -> rx.Component:
    return rx.cond(row.stage != "", rx.el.span(row.stage, class_name="cell-short"))


def _message(row: EnquiryRow) -> rx.Component:
    """The beginning of the message, or in its place why the reply was not sent."""
    excerpt = rx.el.span(row.excerpt, class_name="cell-excerpt")
    return rx.cond(row.failure != "", failure_text(row, "cell-excerpt is-overdue"), excerpt)


def _status(row: EnquiryRow) -> rx.Component:
    return rx.el.div(state_badge(row.state), due_text(row), class_name="cell-state")


COLUMNS = (
    Column(admin_texts.FROM, _from, sort="name", is_main=True),
    Column(admin_texts.COMPANY, lambda row: row.company, sort="company"),
    Column(admin_texts.STAGE, _stage, sort="stage"),
    Column(admin_texts.MESSAGE, _message),
    Column(
        admin_texts.RECEIVED,
        lambda row: local_time(at=row.received, is_short=row.is_alone),
        sort="received",
        standard="descending",
        is_numeric=True,
    ),
    Column(desk_texts.OWNER, lambda row: rx.cond(row.owner != "", person_text(row.owner))),
    Column(admin_texts.STATUS, _status),
)
