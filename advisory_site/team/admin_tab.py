"""The teams tab of the back office: the list of members, with links that open their dialog."""

from typing import Any, ClassVar

import reflex as rx

from ..backoffice.export_state import export_button
from ..backoffice.import_page import import_button
from ..backoffice.record_list_state import RecordListState
from ..backoffice.record_rows import bulk_bar, page_tick, row_items, row_lead, trash_link
from ..content import backoffice as backoffice_words
from ..core import routes
from ..core.permissions import Actor
from ..ui.backoffice.address import filter_select, search_box
from ..ui.backoffice.dialog import NEW, address_button
from ..ui.backoffice.ordering import ordered_rows
from ..ui.backoffice.row_actions import row_actions, title_link
from ..ui.backoffice.table import Column, data_table, email_text, list_head, list_tools, nothing_yet, status_badge
from ..ui.browser import BrokenImageFallback
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
    return rx.fragment(
        list_head(
            words.TITLE,
            words.TEXT,
            export_button(TeamTabState),
            import_button(routes.ADMIN_MEMBER_IMPORT, TeamTabState.place),
            _add_button(),
        ),
        list_tools(
            search_box(label=words.SEARCH, clear_label=backoffice_words.SEARCH_CLEAR),
            filter_select(words.STATUS, backoffice_words.STATUS_OPTIONS),
            page_tick(TeamTabState),
        ),
        ordered_rows(
            data_table(
                TeamTabState,
                COLUMNS,
                label=words.TITLE,
                failed=MEMBERS.texts.list_failed,
                empty=nothing_yet(words.EMPTY_TITLE, words.EMPTY_TEXT, _add_button()),
            ),
            on_place=TeamTabState.place_beside,
        ),
        trash_link(MEMBERS),
        bulk_bar(TeamTabState),
        member_dialog(),
    )


def _add_button() -> rx.Component:
    return address_button(icon("plus", class_name="icon-small"), words.ADD, change=_change(NEW))


def _change(member: int | str) -> dict[str, object]:
    """The change of the address that opens a dialog and keeps the list's page."""
    return {EDIT: member, "page": TeamTabState.page}


def _member(row: MemberRow) -> rx.Component:
    return rx.el.div(
        row_lead(TeamTabState, row),
        BrokenImageFallback.create(
            src=row.image_url,
            fallback=routes.PLACEHOLDER_PERSON,
            alt="",
            width=40,
            height=40,
            class_name="cell-picture",
        ),
        rx.el.div(
            title_link(row.name, _change(row.id)),
            rx.el.p(row.slug, class_name="cell-note"),
            class_name="cell-name",
        ),
        class_name="cell-person",
    )


def _status(row: MemberRow) -> rx.Component:
    return status_badge(rx.cond(row.is_active, words.ACTIVE, words.INACTIVE), row.is_active)


def _actions(row: MemberRow) -> rx.Component:
    return row_actions(
        row.name,
        form=_change(row.id),
        site=routes.team_profile_page(row.slug),
        is_public=row.is_active,
        sentence=MEMBERS.texts.delete_confirm,
        on_delete=TeamTabState.delete(row.id),
        items=row_items(TeamTabState, row, new=_change(NEW)),
    )


COLUMNS = (
    Column(words.NAME, _member, sort="name", is_main=True),
    Column(words.DESIGNATION, lambda row: row.designation, sort="designation"),
    Column(words.EMAIL, lambda row: email_text(row.email), sort="email"),
    Column(words.ORDER, lambda row: row.display_order, sort="order", standard="ascending", is_numeric=True),
    Column(words.STATUS, _status, sort="status"),
    Column(backoffice_words.ACTIONS, _actions, is_actions=True),
)
