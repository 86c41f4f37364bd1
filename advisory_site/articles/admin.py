"""The articles in the back office: the tab with the list, the form, the import."""

from typing import ClassVar

import reflex as rx

from sitekit.admin import texts as admin_texts
from sitekit.admin.components.table import Column, data_table, nothing_yet, order_note, status_badge
from sitekit.admin.csv.import_state import ImportState
from sitekit.admin.form_state import FormState
from sitekit.admin.record_list_state import RecordListState
from sitekit.admin.record_rows import add_link, page_tick, record_actions, record_tab, row_name

from .. import routes
from .fields import ArticleRow
from .service import ARTICLES, ARTICLES_CSV

TITLE = "Article Management"


class ArticleFormState(FormState, rx.State):
    """The state of the form. The page address is checked while it is typed."""

    record_type: ClassVar = ARTICLES
    watched: ClassVar = ("slug", "written_on")


class ArticleImportState(ImportState, rx.State):
    """The state of the import."""

    record_type: ClassVar = ARTICLES


class ArticleTabState(RecordListState, rx.State):
    """One page of all articles, active or not."""

    rows: list[ArticleRow] = []

    record_type: ClassVar = ARTICLES
    texts: ClassVar = ARTICLES.texts
    csv: ClassVar = ARTICLES_CSV


def articles_tab() -> rx.Component:
    """The tab: head, search and filter, table."""
    add = add_link(ArticleTabState)
    empty = nothing_yet("No articles yet", "Write the first one. Active articles appear under Insights.", add)
    table = data_table(ArticleTabState, COLUMNS, label=TITLE, empty=empty)
    note = order_note("Newest first")
    return record_tab(ArticleTabState, TITLE, "Cases, methods and opinions of the firm", table, add=add, note=note)


def _form(row: ArticleRow) -> str:
    return routes.article_edit_page(row.id) + ArticleTabState.place


def _name(row: ArticleRow) -> rx.Component:
    return row_name(ArticleTabState, row, _form(row))


def _status(row: ArticleRow) -> rx.Component:
    return status_badge(rx.cond(row.is_active, "Active", "Inactive"), row.is_active)


def _actions(row: ArticleRow) -> rx.Component:
    return record_actions(ArticleTabState, row, form=_form(row), new=ARTICLES.new_page)


COLUMNS = (
    Column("Title", _name, sort="name", is_main=True, lead=page_tick(ArticleTabState, is_in_head=True)),
    Column("Author", lambda row: row.author_name, sort="author"),
    Column("Date", lambda row: row.written_on, sort="date"),
    Column(admin_texts.STATUS, _status, sort="status"),
    Column(admin_texts.ACTIONS, _actions, is_actions=True),
)
