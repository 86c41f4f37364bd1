"""The articles in the back office: the tab with the list, the form, the import."""

from dataclasses import replace
from typing import ClassVar

import reflex as rx

from sitekit.admin.components.table import Column, data_table, nothing_yet, order_note
from sitekit.admin.csv.import_state import ImportState
from sitekit.admin.form_state import FormState
from sitekit.admin.opened_form import FormReader
from sitekit.admin.record_list_state import RecordListState
from sitekit.admin.record_rows import add_link, record_columns, record_tab
from sitekit.base.db.database import now
from sitekit.base.times import date_text
from sitekit.records.record_form import RecordForm

from .fields import ArticleRow
from .service import ARTICLES, ARTICLES_CSV, author_of

TITLE = "Insights"


class ArticleReader(FormReader):
    """Reads the form of an article."""

    def blank(self) -> RecordForm:
        """Dated today, with the member who writes it as its author."""
        form = super().blank()
        begun = {"written_on": date_text(now()), "author": author_of(self.session, self.actor)}
        return replace(form, texts=form.texts | begun)


class ArticleFormState(FormState, rx.State):
    """The state of the form. The page address is checked while it is typed."""

    record_type: ClassVar = ARTICLES
    reader: ClassVar = ArticleReader
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


COLUMNS = record_columns(
    ArticleTabState,
    "Title",
    Column("Author", lambda row: row.author_name, sort="author"),
    Column("Date", lambda row: row.written_on, sort="date"),
)
