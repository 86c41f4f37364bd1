"""The company form of the back office: every field of a company, new or being edited."""

from collections.abc import Mapping
from typing import ClassVar

import reflex as rx

from ..backoffice.form_state import FormState
from ..backoffice.record_fields import form_page
from ..content import backoffice as words
from ..core.text import one_line, record_id
from .service import COMPANIES


class CompanyFormState(FormState, rx.State):
    """The state of the company form."""

    kind: ClassVar = COMPANIES

    def _suggestions(self, name: str, typed: Mapping[str, object]) -> dict[str, str]:
        is_new = not record_id(typed.get("record"))
        return {"slug": COMPANIES.slug_for(one_line(typed.get("name")))} if name == "name" and is_new else {}


def new_company_page() -> rx.Component:
    """`/admin/companies/new`."""
    return _page(words.COMPANY_NEW_TITLE, words.COMPANY_CREATE, words.COMPANY_CREATING)


def edit_company_page() -> rx.Component:
    """`/admin/companies/{slug}/edit`."""
    return _page(words.COMPANY_EDIT_TITLE, words.COMPANY_UPDATE, words.COMPANY_UPDATING)


def _page(title: str, submit_label: str, busy_label: str) -> rx.Component:
    return form_page(
        CompanyFormState,
        "company-form",
        title,
        words.COMPANY_BACK,
        submit_label=submit_label,
        busy_label=busy_label,
        watched=("name", "slug", "status"),
    )
