"""The advisor form of the back office: every field of an advisor, new or being edited."""

from typing import ClassVar

import reflex as rx

from ..backoffice.form_state import FormState
from ..backoffice.record_fields import form_page
from . import admin_texts as words
from .service import ADVISORS


class AdvisorFormState(FormState, rx.State):
    """The state of the advisor form."""

    kind: ClassVar = ADVISORS


def new_advisor_page() -> rx.Component:
    """`/admin/advisors/new`."""
    return _page(words.ADD, words.CREATE, words.CREATING)


def edit_advisor_page() -> rx.Component:
    """`/admin/advisors/{id}/edit`."""
    return _page(words.EDIT_TITLE, words.UPDATE, words.UPDATING)


def _page(title: str, submit_label: str, busy_label: str) -> rx.Component:
    return form_page(
        AdvisorFormState,
        "advisor-form",
        title,
        words.BACK,
        submit_label=submit_label,
        busy_label=busy_label,
        watched=("slug",),
    )
