"""The teams tab of the back office: the list of members, with links that open their dialog."""

from typing import Any, ClassVar

import reflex as rx

from ..backoffice.record_list_state import RecordListState
from ..backoffice.record_rows import page_tick, record_actions, record_tab, row_name
from ..content import backoffice as backoffice_words
from ..core import routes
from ..core.permissions import Actor
from ..ui.backoffice.address import filter_select, search_box
from ..ui.backoffice.dialog import NEW, address_button
from ..ui.backoffice.ordering import ordered_rows
from ..ui.backoffice.table import Column, data_table, email_text, nothing_yet, status_badge
from ..ui.icons import icon
from . import admin_texts as words
from .admin_dialog import EDIT, MemberDialogState, member_dialog
from .fields import MemberRow
from .service import MEMBERS, MEMBERS_CSV


class TeamTabState(RecordListState, rx.State):
    """One page of all members, active or not."""

    rows: list[MemberRow] = []

    kind: ClassVar = MEMBERS
    texts: ClassVar = MEMBERS.texts
    csv: ClassVar = MEMBERS_CSV

    async def _load(self, actor: Actor) -> list[Any]:
        """Read the list, and the member whose dialog is open; without one, clear the dialog."""
        events = await super()._load(actor)
        if self.router.url.query_parameters.get(EDIT):
            # The dialog has reported the same error.
            return [*([] if self.has_failed else events), MemberDialogState.open]
        dialog = await self.get_state(MemberDialogState)
        if dialog.shown:
            dialog._clear()
        return events


def teams_tab() -> rx.Component:
    """The tab: head, search and filter, table, and the dialog over it."""
    tab = record_tab(
        TeamTabState,
        words.TITLE,
        words.TEXT,
        ordered_rows(
            data_table(
                TeamTabState,
                COLUMNS,
                label=words.TITLE,
                empty=nothing_yet(words.EMPTY_TITLE, words.EMPTY_TEXT, _add_button()),
            ),
            on_place=TeamTabState.place_beside,
        ),
        add=_add_button(),
        import_page=routes.ADMIN_MEMBER_IMPORT,
        tools=(
            search_box(label=words.SEARCH),
            filter_select(words.STATUS, backoffice_words.STATUS_OPTIONS),
            page_tick(TeamTabState),
        ),
    )
    return rx.fragment(tab, member_dialog())


def _add_button() -> rx.Component:
    return address_button(icon("plus", class_name="icon-small"), words.ADD, change=_change(NEW))


def _change(member: int | str) -> dict[str, object]:
    """The change of the address that opens a dialog and keeps the list's page."""
    return {EDIT: member, "page": TeamTabState.page}


def _member(row: MemberRow) -> rx.Component:
    portrait = {"src": row.image_url, "fallback": routes.PLACEHOLDER_PERSON, "class_name": "cell-picture"}
    return row_name(TeamTabState, row, _change(row.id), **portrait, width=40, height=40)


def _status(row: MemberRow) -> rx.Component:
    return status_badge(rx.cond(row.is_active, words.ACTIVE, words.INACTIVE), row.is_active)


def _actions(row: MemberRow) -> rx.Component:
    return record_actions(TeamTabState, row, form=_change(row.id), new=_change(NEW))


COLUMNS = (
    Column(words.NAME, _member, sort="name", is_main=True),
    Column(words.DESIGNATION, lambda row: row.designation, sort="designation"),
    Column(words.EMAIL, lambda row: email_text(row.email), sort="email"),
    Column(words.ORDER, lambda row: row.display_order, sort="order", standard="ascending", is_numeric=True),
    Column(words.STATUS, _status, sort="status"),
    Column(backoffice_words.ACTIONS, _actions, is_actions=True),
)
