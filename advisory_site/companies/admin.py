"""The companies in the back office: the tab with the list, the form, the import."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

import reflex as rx

from sitekit.admin import texts as admin_texts
from sitekit.admin.components.address import filter_select
from sitekit.admin.components.table import Column, data_table, nothing_yet, order_note, status_badge
from sitekit.admin.csv.import_state import ImportState
from sitekit.admin.form_state import FormState
from sitekit.admin.record_list_state import RecordListState
from sitekit.admin.record_rows import add_link, record_columns, record_tab
from sitekit.base.text import one_line, record_id

from .. import routes
from .fields import CompanyRow
from .service import COMPANIES, COMPANIES_CSV

TITLE = "Company Management"
EMPTY_TITLE = "No companies yet"
EMPTY_TEXT = "Add the first one. It appears on the public site when its status is Active."
INDUSTRY = "Industry"


class CompanyFormState(FormState, rx.State):
    """The state of the form. The page address of a new company follows its name."""

    record_type: ClassVar = COMPANIES
    watched: ClassVar = ("name", "slug", "status", "industry", "location")

    def _suggestions(self, name: str, typed: Mapping[str, object]) -> dict[str, str]:
        is_new = not record_id(typed.get("record"))
        return {"slug": COMPANIES.slug_for(one_line(typed.get("name")))} if name == "name" and is_new else {}


class CompanyImportState(ImportState, rx.State):
    """The state of the import."""

    record_type: ClassVar = COMPANIES


class CompanyTabState(RecordListState, rx.State):
    """One page of all companies, active or not."""

    rows: list[CompanyRow] = []

    record_type: ClassVar = COMPANIES
    texts: ClassVar = COMPANIES.texts
    csv: ClassVar = COMPANIES_CSV
    filters: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"filter": admin_texts.STATUS, "industry": INDUSTRY, "country": "Country"}
    )


def companies_tab() -> rx.Component:
    """The tab: head, search and filters, table."""
    return record_tab(
        CompanyTabState,
        TITLE,
        "Manage portfolio companies and their details",
        data_table(
            CompanyTabState,
            COLUMNS,
            label=TITLE,
            empty=nothing_yet(EMPTY_TITLE, EMPTY_TEXT, add_link(CompanyTabState)),
        ),
        _facet("industry", "All industries"),
        _facet("country", "All countries"),
        add=add_link(CompanyTabState),
        note=order_note("Newest first"),
    )


def _facet(name: str, none: str) -> rx.Component:
    values = CompanyTabState.choices[name]
    return filter_select(CompanyTabState.filters[name], {"": none}, name=name, values=values)


def _mark(row: CompanyRow) -> dict[str, str]:
    return {"picture": row.mark_url, "fallback": routes.PLACEHOLDER_COMPANY, "look": "cell-mark"}


COLUMNS = record_columns(
    CompanyTabState,
    "Company",
    Column(INDUSTRY, lambda row: row.industry, sort="industry", for_wide=True),
    Column("Founded", lambda row: row.founded, sort="founded", is_numeric=True, for_wide=True),
    Column("Employees", lambda row: row.employees, is_numeric=True, for_widest=True),
    Column("Location", lambda row: row.location, sort="location"),
    Column("Founder", lambda row: row.founder, for_widest=True),
    picture=_mark,
    status=lambda row: status_badge(row.status, row.is_active),
)
