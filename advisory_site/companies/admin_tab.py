"""The companies tab of the back office: a list to search, sort, edit and delete from."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

import reflex as rx

from ..backoffice.export_state import export_button
from ..backoffice.import_page import import_button
from ..backoffice.record_list_state import RecordListState
from ..backoffice.record_rows import bulk_bar, page_tick, row_items, row_lead, trash_link
from ..content import backoffice as words
from ..core import routes
from ..ui.backoffice.address import filter_select, search_box
from ..ui.backoffice.chakra import button_link
from ..ui.backoffice.row_actions import row_actions, title_link
from ..ui.backoffice.table import Column, data_table, list_head, list_tools, nothing_yet, order_note, status_badge
from ..ui.browser import BrokenImageFallback
from ..ui.icons import icon
from .fields import CompanyRow
from .service import COMPANIES, COMPANIES_CSV


class CompanyTabState(RecordListState, rx.State):
    """One page of all companies, active or not."""

    rows: list[CompanyRow] = []

    kind: ClassVar = COMPANIES
    texts: ClassVar = COMPANIES.texts
    csv: ClassVar = COMPANIES_CSV
    filters: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"filter": words.STATUS, "industry": words.INDUSTRY, "country": words.COUNTRY}
    )


def companies_tab() -> rx.Component:
    """The tab: head, search and filters, table."""
    return rx.fragment(
        list_head(
            words.COMPANIES_TITLE,
            words.COMPANIES_TEXT,
            export_button(CompanyTabState),
            import_button(routes.ADMIN_COMPANY_IMPORT, CompanyTabState.place),
            _add_button(),
        ),
        list_tools(
            search_box(label=words.COMPANIES_SEARCH, clear_label=words.SEARCH_CLEAR),
            filter_select(words.STATUS, words.STATUS_OPTIONS),
            _facet("industry", words.INDUSTRIES_ALL),
            _facet("country", words.COUNTRIES_ALL),
            page_tick(CompanyTabState),
            order_note(words.COMPANIES_ORDER),
        ),
        data_table(
            CompanyTabState,
            COLUMNS,
            label=words.COMPANIES_TITLE,
            failed=COMPANIES.texts.list_failed,
            empty=nothing_yet(words.COMPANIES_EMPTY_TITLE, words.COMPANIES_EMPTY_TEXT, _add_button()),
        ),
        trash_link(COMPANIES),
        bulk_bar(CompanyTabState),
    )


def _add_button() -> rx.Component:
    return button_link(
        icon("plus", class_name="icon-small"), words.COMPANY_ADD, href=routes.ADMIN_COMPANY_NEW + CompanyTabState.place
    )


def _facet(name: str, none: str) -> rx.Component:
    values = CompanyTabState.choices[name]
    return filter_select(CompanyTabState.filters[name], {"": none}, name=name, values=values)


def _form(row: CompanyRow) -> str:
    return routes.company_edit_page(row.slug) + CompanyTabState.place


def _company(row: CompanyRow) -> rx.Component:
    return rx.el.div(
        row_lead(CompanyTabState, row),
        BrokenImageFallback.create(
            src=row.logo_url, fallback=routes.PLACEHOLDER_COMPANY, alt="", width=24, height=24, class_name="cell-mark"
        ),
        rx.el.div(
            title_link(row.name, _form(row)),
            rx.el.p(row.slug, class_name="cell-note"),
            class_name="cell-name",
        ),
        class_name="cell-person",
    )


def _actions(row: CompanyRow) -> rx.Component:
    return row_actions(
        row.name,
        form=_form(row),
        site=routes.company_page(row.slug),
        is_public=row.is_active,
        sentence=COMPANIES.texts.delete_confirm,
        on_delete=CompanyTabState.delete(row.id),
        items=row_items(CompanyTabState, row, new=routes.ADMIN_COMPANY_NEW),
    )


COLUMNS = (
    Column(words.COMPANY, _company, sort="name", is_main=True),
    Column(words.INDUSTRY, lambda row: row.industry, sort="industry"),
    Column(words.FOUNDED, lambda row: row.founded, sort="founded", is_numeric=True),
    Column(words.EMPLOYEE_COUNT, lambda row: row.employees, is_numeric=True),
    Column(words.LOCATION, lambda row: row.location, sort="location"),
    Column(words.FOUNDER, lambda row: row.founder),
    Column(words.STATUS, lambda row: status_badge(row.status, row.is_active), sort="status"),
    Column(words.ACTIONS, _actions, is_actions=True),
)
