"""The team member dialog of the back office, opened by the address, for a new or an existing member."""

from typing import ClassVar

import reflex as rx

from ..backoffice.form_state import FormState
from ..backoffice.record_fields import form_of_record
from ..core import routes
from ..records.inputs import RecordForm
from ..ui.backoffice.dialog import NEW, address_dialog
from . import admin_texts as words
from .service import MEMBERS

EDIT = "edit"


class MemberDialogState(FormState, rx.State):
    """The state of the dialog. The address, sent with every event, names the member."""

    kind: ClassVar = MEMBERS

    def _address(self) -> str:
        """`NEW`, or a member's id."""
        return str(self.router.url.query_parameters.get(EDIT, ""))

    def _wanted(self) -> str:
        address = self._address()
        return "" if address == NEW else address

    def _address_of(self, form: RecordForm) -> str:
        return str(form.id)

    def _path_to(self, address: str, parameters: dict[str, str]) -> str:
        return routes.admin_tab(self.kind.tab, parameters | {EDIT: address})


def member_dialog() -> rx.Component:
    """The dialog, open while the address has `edit`."""
    state = MemberDialogState
    is_new = state.form.id == 0
    form = form_of_record(
        state,
        "member-form",
        focused="name",
        submit_label=rx.cond(is_new, words.CREATE, words.UPDATE),
        busy_label=rx.cond(is_new, words.CREATING, words.UPDATING),
    )
    return address_dialog(form, parameter=EDIT, shown=state.shown, heading=words.EDIT_TITLE, new_heading=words.ADD)
