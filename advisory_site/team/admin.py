"""The team in the back office: the tab with the list, the dialog of a member over it, the import."""

from typing import Any, ClassVar

import reflex as rx

from sitekit.admin.components.dialog import NEW, address_button, address_dialog
from sitekit.admin.components.ordered_rows import ordered_rows
from sitekit.admin.components.table import Column, data_table, email_text, nothing_yet
from sitekit.admin.csv.import_state import ImportState
from sitekit.admin.form_address import EDIT, ParameterAddress
from sitekit.admin.form_state import FormState
from sitekit.admin.record_fields import form_of_record
from sitekit.admin.record_labels import add_label, edit_label
from sitekit.admin.record_list_state import RecordListState
from sitekit.admin.record_rows import record_columns, record_tab
from sitekit.base import paths
from sitekit.base.permissions import Actor
from sitekit.ui.icons import icon

from .fields import MemberRow
from .service import MEMBERS, MEMBERS_CSV

TITLE = "Team Management"
EMPTY_TITLE = "No team members yet"
EMPTY_TEXT = "Add the first one. Active members appear on the public team page."


class MemberDialogState(FormState, rx.State):
    """The state of the dialog. The address, sent with every event, names the member."""

    record_type: ClassVar = MEMBERS
    address: ClassVar = ParameterAddress(lambda _, parameters: paths.admin_tab(MEMBERS.tab, parameters), NEW)


class MemberImportState(ImportState, rx.State):
    """The state of the import."""

    record_type: ClassVar = MEMBERS


class TeamTabState(RecordListState, rx.State):
    """One page of all members, active or not."""

    rows: list[MemberRow] = []

    record_type: ClassVar = MEMBERS
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
        TITLE,
        "The people on the public team page, in the order shown there",
        ordered_rows(
            data_table(
                TeamTabState,
                COLUMNS,
                label=TITLE,
                empty=nothing_yet(EMPTY_TITLE, EMPTY_TEXT, _add_button()),
            ),
            on_place=TeamTabState.place_beside,
        ),
        add=_add_button(),
    )
    return rx.fragment(tab, member_dialog())


def member_dialog() -> rx.Component:
    """The dialog, open while the address has `edit`."""
    state = MemberDialogState
    edit, add = edit_label(MEMBERS), add_label(MEMBERS)
    form = form_of_record(state)
    name = rx.cond(state.form.id > 0, state.form.texts["name"], "")
    return address_dialog(form, parameter=EDIT, shown=state.shown, heading=edit, new_heading=add, name=name)


def _add_button() -> rx.Component:
    return address_button(icon("plus", class_name="icon-small"), add_label(MEMBERS), change=_change(NEW))


def _change(member: int | str) -> dict[str, object]:
    """The change of the address that opens a dialog and keeps the list's page."""
    return {EDIT: member, "page": TeamTabState.page}


def _portrait(row: MemberRow) -> dict[str, str]:
    return {"picture": row.image_url, "fallback": paths.PLACEHOLDER_PERSON, "look": "cell-picture"}


COLUMNS = record_columns(
    TeamTabState,
    "Name",
    Column("Designation", lambda row: row.designation, sort="designation"),
    Column("Email", lambda row: email_text(row.email), sort="email"),
    Column("Order", lambda row: row.display_order, sort="order", standard="ascending", is_numeric=True),
    form=lambda row: _change(row.id),
    new=_change(NEW),
    picture=_portrait,
)
