"""The page that imports records from a CSV file: the file, its columns, the table of what would happen, the button."""

from typing import Any

import reflex as rx

from ...records import csv_texts
from ...records.csv_file import MOST_BYTES
from ...records.csv_plan import RowCategory, targets
from ...ui.feedback import subject_of
from ...ui.icons import icon
from ...ui.notices import notice_place
from ..components import controls
from ..components.browser import csv_file
from ..components.elements import badge, heading
from ..components.table import Column, rows_table
from ..record_labels import back_label, import_label
from ..shell import back_link, side_page
from ..texts import CANCEL, NEXT_PAGE, PAGES_LABEL, PREVIOUS_PAGE
from .import_state import PIECE_BYTES, ImportState, ShownColumn, ShownDetail, ShownPlanRow

CATEGORIES = {
    "": csv_texts.ALL_ROWS,
    RowCategory.NEW.value: csv_texts.NEW_ROWS,
    RowCategory.CHANGED.value: csv_texts.CHANGED_ROWS,
    RowCategory.SAME.value: csv_texts.SAME_ROWS,
    RowCategory.WRONG.value: csv_texts.WRONG_ROWS,
}


def import_button(path: str, query: Any) -> rx.Component:
    """The link from a list to the page that imports its records; `query` is the list's query string."""
    return controls.button_link(
        icon("upload", class_name="icon-small"), csv_texts.IMPORT, href=path + query, variant="outline"
    )


def import_page(state: type[ImportState]) -> rx.Component:
    """The whole page; the file is dropped when the page is left."""
    has_file = rx.Var.create(state.columns).length() > 0
    return side_page(
        import_label(state.record_type),
        rx.el.p(csv_texts.IMPORT_TEXT, class_name="backoffice-muted"),
        rx.el.div(
            _file(state),
            rx.cond(has_file, _columns(state)),
            rx.cond(state.counts.all > 0, _preview(state)),
            class_name="csv-import",
            on_unmount=state.close,
        ),
        rx.cond(state.counts.all > 0, _foot(state)),
        back=back_link(back_label(state.record_type), state.back, at=state.record_type.staff_pages.import_page),
        at=state.record_type.tab or state.record_type.list_path,
    )


def _file(state: type[ImportState]) -> rx.Component:
    is_reading = rx.Var.create(state.received) < state.pieces
    begin: Any = state.begin  # mypy does not read a property of a class as its value
    return rx.el.section(
        csv_file(
            name=state.file_name,
            pieces=state.pieces,
            received=state.received,
            is_busy=state.is_checking | state.is_importing,
            most_bytes=MOST_BYTES,
            piece_bytes=PIECE_BYTES,
            on_begin=begin,
            on_piece=state.add_piece,
        ),
        rx.el.p(
            rx.cond(is_reading, csv_texts.FILE_READING, rx.cond(state.is_checking, csv_texts.FILE_CHECKING, "")),
            class_name="csv-status",
            role="status",
        ),
        rx.cond(state.error != "", _note(state.error, "backoffice-note backoffice-note-danger", "alert")),
        rx.cond(state.is_guessed, _note(csv_texts.ENCODING_GUESSED, "backoffice-note", "note")),
        class_name="backoffice-panel csv-panel",
        aria_label=csv_texts.FILE,
    )


def _note(text: Any, class_name: str, role: str) -> rx.Component:
    return rx.el.p(text, class_name=class_name, role=role)


def _columns(state: type[ImportState]) -> rx.Component:
    return rx.el.section(
        rx.el.details(
            rx.el.summary(heading(csv_texts.MATCHING, level="h2", size="sm")),
            rx.el.p(csv_texts.MATCHING_TEXT, class_name="backoffice-muted"),
            rx.el.ul(rx.foreach(state.columns, _column(state)), class_name="csv-columns"),
            custom_attrs={"open": (state.ignored != "") | (state.error != "")},
        ),
        rx.cond(
            state.ignored != "",
            rx.el.p(csv_texts.COLUMNS_IGNORED.format(columns=state.ignored), class_name="backoffice-note", role="note"),
        ),
        class_name="backoffice-panel csv-panel",
        aria_label=csv_texts.MATCHING,
    )


def _column(state: type[ImportState]) -> Any:
    """The function that draws one column of the file."""
    set_column: Any = state.set_column
    options = [rx.el.option(csv_texts.NOT_IMPORTED, value="")]
    options += [rx.el.option(label, value=target) for target, label in targets(state.record_type).items()]

    def draw(column: ShownColumn) -> rx.Component:
        return rx.el.li(
            rx.el.div(
                rx.el.span(column.name, class_name="cell-title"),
                rx.el.span(column.example, class_name="cell-note csv-example"),
            ),
            icon("arrow-right", class_name="icon-small"),
            controls.select(
                *options,
                value=column.target,
                on_change=lambda target: set_column(column.index, target),
                disabled=state.is_checking,
                size="sm",
                aria_label=column.name,
            ),
            key=column.index,
        )

    return draw


def _preview(state: type[ImportState]) -> rx.Component:
    return rx.el.section(
        heading(csv_texts.PREVIEW, level="h2", size="sm"),
        rx.el.div(
            *(_filter(state, category, label) for category, label in CATEGORIES.items()),
            class_name="csv-filters",
            role="group",
            aria_label=csv_texts.ROW_KIND,
        ),
        rx.cond(
            rx.Var.create(state.rows).length() > 0,
            rows_table(state.rows, COLUMNS, label=csv_texts.PREVIEW, key=lambda row: row.number),
            rx.el.p(csv_texts.NO_SUCH_ROWS, class_name="backoffice-muted"),
        ),
        rx.cond(state.pages > 1, _pager(state)),
        class_name="backoffice-panel csv-panel",
        aria_label=csv_texts.PREVIEW,
        aria_busy=rx.cond(state.is_checking, "true", "false"),
    )


def _filter(state: type[ImportState], category: str, label: str) -> rx.Component:
    show: Any = state.show_rows
    is_chosen = state.filter == category
    return controls.button(
        label,
        rx.el.span(rx.Var.create(getattr(state.counts, category or "all")).to_string(), class_name="csv-count"),
        on_click=show(category, 1),
        variant=rx.cond(is_chosen, "solid", "outline"),
        size="sm",
        custom_attrs={"aria-pressed": is_chosen},
    )


def _pager(state: type[ImportState]) -> rx.Component:
    show: Any = state.show_rows

    def button(label: str, page: Any, is_disabled: Any) -> rx.Component:
        go = show(state.filter, page)
        return controls.button(label, on_click=go, is_disabled=is_disabled, variant="outline", size="sm")

    return rx.el.nav(
        rx.el.p(f"{state.page} / {state.pages}", class_name="pager-count", aria_live="polite"),
        rx.el.div(
            button(PREVIOUS_PAGE, state.page - 1, state.page <= 1),
            button(NEXT_PAGE, state.page + 1, state.page >= state.pages),
            class_name="pager-links",
        ),
        class_name="pager",
        aria_label=PAGES_LABEL,
    )


def _foot(state: type[ImportState]) -> rx.Component:
    number = state.counts.imported
    many = csv_texts.IMPORT_MANY.format(count=rx.Var.create(number).to_string())
    label = rx.match(number, (0, csv_texts.IMPORT_NONE), (1, csv_texts.IMPORT_ONE), many)
    return rx.el.div(
        notice_place(subject=subject_of(state)),
        rx.cond(
            state.counts.wrong > 0,
            rx.el.p(f"{csv_texts.WRONG_LEFT_OUT}".format(count=state.counts.wrong), class_name="csv-left-out"),
        ),
        rx.el.div(
            controls.button_link(CANCEL, href=state.back, variant="outline"),
            controls.button(
                label,
                on_click=state.import_records,
                is_disabled=(number == 0) | state.is_checking,
                is_loading=state.is_importing,
                loading_text=csv_texts.IMPORTING,
            ),
            class_name="form-buttons",
        ),
        class_name="form-foot csv-foot",
    )


def _badge(row: ShownPlanRow) -> rx.Component:
    badges = [
        (category, badge(label, class_name=f"csv-kind csv-kind-{category}"))
        for category, label in CATEGORIES.items()
        if category
    ]
    chosen: rx.Component = rx.match(row.category, *badges, rx.fragment())
    return chosen


def _details(row: ShownPlanRow) -> rx.Component:
    return rx.el.ul(rx.foreach(row.details, _detail), class_name="csv-details")


def _detail(detail: ShownDetail) -> rx.Component:
    label = rx.cond(detail.label != "", rx.el.span(detail.label, class_name="csv-label"))
    old = rx.el.del_(_hidden(csv_texts.OLD_VALUE), detail.old)
    new = rx.el.ins(_hidden(csv_texts.NEW_VALUE), rx.cond(detail.new != "", detail.new, csv_texts.NO_VALUE))
    cell = rx.cond(detail.old != "", rx.el.span(detail.old, class_name="csv-cell"))
    problem = rx.fragment(cell, rx.el.span(detail.problem, class_name="csv-problem"))
    change = rx.fragment(rx.cond(detail.old != "", rx.fragment(old, rx.el.span(" → ", aria_hidden="true"))), new)
    return rx.el.li(label, rx.el.span(rx.cond(detail.problem != "", problem, change), class_name="csv-change"))


def _hidden(text: str) -> rx.Component:
    return rx.el.span(f" {text} ", class_name="visually-hidden")


COLUMNS = (
    Column(csv_texts.ROW, lambda row: row.number, is_numeric=True),
    Column(csv_texts.ROW_NAME, lambda row: rx.el.span(row.name, class_name="cell-title"), is_main=True),
    Column(csv_texts.ROW_KIND, _badge),
    Column(csv_texts.ROW_CHANGES, _details),
)
