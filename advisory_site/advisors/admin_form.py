"""The advisor form of the back office: every field of an advisor, new or being edited."""

from typing import ClassVar

import reflex as rx

from ..backoffice.form_state import FormState
from ..backoffice.record_fields import rail_fields, record_fields
from ..backoffice.shell import form_page
from ..core import routes
from ..records.inputs import RecordForm
from ..records.record_type import AnyRecordType
from ..ui.backoffice.record_form import record_form
from . import admin_texts as words
from .service import ADVISORS


class AdvisorFormState(FormState, rx.State):
    """The state of the advisor form."""

    kind: ClassVar[AnyRecordType] = ADVISORS
    tab: ClassVar[str] = "advisors"

    def _wanted(self) -> str:
        return str(self.router.page.params.get("id", ""))

    def _address_of(self, form: RecordForm) -> str:
        return routes.advisor_edit_page(form.id)


def new_advisor_page() -> rx.Component:
    """`/admin/advisors/new`."""
    return _page(words.ADD, words.CREATE, words.CREATING)


def edit_advisor_page() -> rx.Component:
    """`/admin/advisors/{id}/edit`."""
    return _page(words.EDIT_TITLE, words.UPDATE, words.UPDATING)


def _page(title: str, submit_label: str, busy_label: str) -> rx.Component:
    form = record_form(
        AdvisorFormState,
        "advisor-form",
        *record_fields(AdvisorFormState),
        rail=rail_fields(AdvisorFormState),
        submit_label=submit_label,
        busy_label=busy_label,
        watched=("slug",),
    )
    return form_page(AdvisorFormState, title, AdvisorFormState.tab, words.BACK, form)
