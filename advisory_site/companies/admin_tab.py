"""The companies tab of the back office: a list to search, sort, edit and delete from."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

import reflex as rx

from ..backoffice.record_list_state import RecordListState
from ..backoffice.record_rows import page_tick, record_actions, record_tab, row_name
from ..content import backoffice as words
from ..core import routes
from ..ui.backoffice.address import filter_select, search_box
from ..ui.backoffice.chakra import button_link
from ..ui.backoffice.table import Column, data_table, nothing_yet, order_note, status_badge
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
    return record_tab(
        CompanyTabState,
        words.COMPANIES_TITLE,
        words.COMPANIES_TEXT,
        data_table(
            CompanyTabState,
            COLUMNS,
            label=words.COMPANIES_TITLE,
            empty=nothing_yet(words.COMPANIES_EMPTY_TITLE, words.COMPANIES_EMPTY_TEXT, _add_button()),
        ),
        add=_add_button(),
        import_page=routes.ADMIN_COMPANY_IMPORT,
        tools=(
            search_box(label=words.COMPANIES_SEARCH),
            filter_select(words.STATUS, words.STATUS_OPTIONS),
            _facet("industry", words.INDUSTRIES_ALL),
            _facet("country", words.COUNTRIES_ALL),
            page_tick(CompanyTabState),
            order_note(words.COMPANIES_ORDER),
        ),
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
    logo = {"src": row.logo_url, "fallback": routes.PLACEHOLDER_COMPANY, "class_name": "cell-mark"}
    return row_name(CompanyTabState, row, _form(row), **logo, width=24, height=24)


def _actions(row: CompanyRow) -> rx.Component:
    return record_actions(CompanyTabState, row, form=_form(row), new=routes.ADMIN_COMPANY_NEW)


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
