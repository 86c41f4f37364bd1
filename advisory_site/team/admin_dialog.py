"""The team member dialog of the back office, opened by the address, for a new or an existing member."""

from typing import ClassVar

import reflex as rx

from ..backoffice.form_state import FormState
from ..backoffice.record_fields import rail_fields, record_fields
from ..core import routes
from ..records.inputs import RecordForm
from ..records.record_type import AnyRecordType
from ..ui.backoffice.dialog import NEW, address_dialog
from ..ui.backoffice.record_form import record_form
from . import admin_texts as words
from .service import MEMBERS

EDIT = "edit"


class MemberDialogState(FormState, rx.State):
    """The state of the dialog. The address, sent with every event, names the member."""

    kind: ClassVar[AnyRecordType] = MEMBERS
    tab: ClassVar[str] = "teams"

    def _address(self) -> str:
        """`NEW`, or a member's id."""
        return str(self.router.url.query_parameters.get(EDIT, ""))

    def _wanted(self) -> str:
        address = self._address()
        return "" if address == NEW else address

    def _address_of(self, form: RecordForm) -> str:
        return str(form.id)

    def _path_to(self, address: str, parameters: dict[str, str]) -> str:
        return routes.admin_tab(self.tab, parameters | {EDIT: address})


def member_dialog() -> rx.Component:
    """The dialog, open while the address has `edit`."""
    state = MemberDialogState
    is_new = state.form.id == 0
    form = record_form(
        state,
        "member-form",
        *record_fields(state, focused="name"),
        rail=rail_fields(state),
        submit_label=rx.cond(is_new, words.CREATE, words.UPDATE),
        busy_label=rx.cond(is_new, words.CREATING, words.UPDATING),
    )
    return address_dialog(form, parameter=EDIT, shown=state.shown, heading=words.EDIT_TITLE, new_heading=words.ADD)
