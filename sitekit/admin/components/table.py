"""Lists: a table that becomes cards on a phone, with its head, pager and empty states.

A list shows the vars of a state that mixes in `ListState`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx

from ...ui.icons import icon
from ...ui.scripts import script
from .. import texts as admin_texts
from ..list_state import ListState
from . import controls
from .address import address_link, filter_select, sort_header, sort_select
from .bones import bones_of
from .dialog import address_button
from .elements import badge, heading

# The sizes of a page by their query parameter; 25 is the default.
PAGE_SIZES = {"": "25", "50": "50", "100": "100"}


@dataclass(frozen=True)
class Column:
    """One column: its label and its cells. `sort` is the name of the service's sort.

    `standard` is "ascending" or "descending" for the column by which the list is sorted by default.
    On a phone a row is a card: the `is_main` column is its title, the others follow with their labels. With columns
    `for_wide` screens, which a phone leaves out, the card has two lines: the title with the row's menu, and the rest;
    and a tablet has a table, without those `for_widest` screens.
    `lead` stands before the label in the head.
    """

    label: str
    cell: Callable[[Any], rx.Component | rx.Var[Any]]
    sort: str = ""
    standard: str = ""
    is_numeric: bool = False
    is_main: bool = False
    is_actions: bool = False
    for_wide: bool = False
    for_widest: bool = False
    lead: rx.Component | None = None


def list_head(title: str, description: Any, *actions: rx.Component, level: str = "h2") -> rx.Component:
    """The head of a tab: title, description, and the button to add a record. On a separate page it has level `h1`."""
    return rx.el.header(
        rx.el.div(heading(title, level=level, size="lg"), rx.el.p(description, class_name="backoffice-muted")),
        *actions,
        class_name="backoffice-head",
    )


def list_tools(*tools: rx.Component) -> rx.Component:
    """The row of search and filters above a list."""
    return rx.el.div(*tools, class_name="backoffice-tools", role="search")


def record_list(state: type[ListState], content: rx.Component, empty: rx.Component) -> rx.Component:
    """A list in each of its states: loading, failed, empty, or its content with a pager, or with nothing found.

    While it is loading, its content has bones in place of rows. The row that was just saved, whose element has the id
    as `data-row`, is scrolled into view and highlighted briefly.
    When the row with the focus is deleted, the one in its place gets it (`keep_focus.jsx`).
    """
    return rx.el.section(
        SavedRow.create(id=state.marked.id, number=state.marked.number),
        rx.cond(state.is_marked_hidden, _saved_elsewhere(state)),
        rx.cond(
            state.has_failed,
            list_failed(admin_texts.FAILED_TITLE, state.load),
            rx.cond(
                state.is_loading | (state.total > 0) | state.is_filtered,
                rx.fragment(content, rx.cond(state.total > 0, pager(state))),
                empty,
            ),
        ),
        # Screen readers speak only what comes into a region that was there before.
        rx.el.div(
            rx.cond(
                state.is_loading,
                rx.el.p(admin_texts.LOADING, class_name="visually-hidden"),
                rx.cond(~state.has_failed & (state.total == 0) & state.is_filtered, nothing_found(state)),
            ),
            role="status",
        ),
        class_name="backoffice-panel",
        aria_busy=rx.cond(state.is_loading, "true", "false"),
        custom_attrs={"data-place": state.place},
    )


class SavedRow(rx.Component):
    """Renders nothing; highlights the row with `data-row=id` when `number` changes."""

    library, tag = script("saved_row.jsx", "SavedRow")
    id: rx.Var[int]
    number: rx.Var[int]


def _saved_elsewhere(state: type[ListState]) -> rx.Component:
    return rx.el.div(rx.el.p(admin_texts.SAVED_ELSEWHERE), _clear(state), class_name="backoffice-note", role="status")


def _clear(state: type[ListState]) -> rx.Component:
    change = {"search": ""} | dict.fromkeys(state.filters, "")
    return address_button(admin_texts.CLEAR_SEARCH, change=change, variant="outline")


def data_table(state: type[ListState], columns: Sequence[Column], *, label: str, empty: rx.Component) -> rx.Component:
    """A list as a table. `label` names it for screen readers."""
    table = rows_table(state.rows, columns, table_bones(state, columns), label=label)
    return record_list(state, rx.fragment(_sort_choice(columns), table), empty)


def table_bones(state: Any, columns: Sequence[Column]) -> rx.Component:
    """What stands for the rows of a table."""
    cells = (
        rx.el.td(controls.bone(height="1.1rem", width="70%"), class_name=_cell_class(column)) for column in columns
    )
    return bones_of(state, rx.el.tr, *cells)


def rows_table(
    rows: Any,
    columns: Sequence[Column],
    *before: rx.Component,
    label: str,
    key: Callable[[Any], Any] = lambda row: row.id,
) -> rx.Component:
    """Only the table, for a few rows that are already loaded; `before` are rows before them."""
    head = rx.el.thead(rx.el.tr(*map(_head, columns), role="row"))
    body = rx.el.tbody(
        *before,
        rx.foreach(
            rows,
            lambda row: rx.el.tr(
                *(_cell(column, row) for column in columns),
                key=key(row),
                role="row",
                custom_attrs={"data-row": key(row)},
            ),
        ),
    )
    return rx.el.table(head, body, class_name="backoffice-table", aria_label=label, role="table")


def email_text(address: Any) -> rx.Component:
    """An email address, or nothing; a long one breaks before its @."""
    parts = address.split("@")
    text = rx.el.span(parts[0], rx.el.wbr(), "@", parts[1:].join("@"), class_name="cell-breaks")
    return rx.cond(address != "", text)


def person_text(name: Any) -> rx.Component:
    """The name of a person, or a text with the email address of one who has none; nothing for nobody."""
    return rx.cond(name.contains("@"), email_text(name), rx.cond(name != "", rx.el.span(name)))


def _head(column: Column) -> rx.Component:
    if column.sort:
        lead = [column.lead] if column.lead else []
        order = {"sort": column.sort, "standard": column.standard}
        return sort_header(*lead, label=column.label, is_numeric=column.is_numeric, **order)
    ends = {"data-is-numeric": "true"} if column.is_numeric or column.is_actions else {}
    return rx.el.th(column.label, scope="col", role="columnheader", class_name=_cell_class(column), custom_attrs=ends)


def _sort_choice(columns: Sequence[Column]) -> rx.Component:
    """The choice of an order on a narrow screen, where the heads are hidden."""
    sorts = [column for column in columns if column.sort]
    own = [f"{column.label}, {column.standard}" for column in sorts if column.standard] or [admin_texts.SORT_STANDARD]
    options = [["", own[0]]]
    for column in sorts:
        for value, direction in ((column.sort, "ascending"), (f"{column.sort} desc", "descending")):
            if direction != column.standard:
                options.append([value, f"{column.label}, {direction}"])
    return rx.el.div(
        rx.el.span(admin_texts.SORT_LABEL, aria_hidden="true"),
        sort_select(label=admin_texts.SORT_LABEL, options=options),
        class_name="sort-choice",
    )


def _cell(column: Column, row: Any) -> rx.Component:
    content = column.cell(row)
    # A text may be cut off.
    whole = {"title": content} if isinstance(content, rx.Var) and not column.is_numeric else {}
    return rx.el.td(
        rx.el.div(rx.el.div(content, class_name="cell-content", **whole), class_name="cell"),
        class_name=_cell_class(column),
        custom_attrs={"data-label": "" if column.is_main or column.is_actions else column.label},
        role="cell",
    )


def _cell_class(column: Column) -> str:
    kinds = {
        "cell-main": column.is_main,
        "cell-actions": column.is_actions,
        "cell-number": column.is_numeric,
        "cell-wide": column.for_wide or column.for_widest,
        "cell-widest": column.for_widest,
    }
    return " ".join(name for name, is_so in kinds.items() if is_so)


def pager(state: type[ListState]) -> rx.Component:
    """'26–50 of 240', the size of a page, 'Page 2 of 10', and links to the first, previous, next and last page."""
    is_first, is_last = state.page <= 1, state.page >= state.pages
    size = filter_select(admin_texts.PAGE_SIZE_LABEL, PAGE_SIZES, name="size", is_small=True)
    return rx.el.nav(
        rx.el.p(
            f"{state.first}–{state.last} of {state.total}",
            rx.cond(state.is_more, "+", ""),
            class_name="pager-count",
            aria_live="polite",
        ),
        rx.cond(
            state.total > int(PAGE_SIZES[""]),
            rx.el.div(rx.el.span(admin_texts.PAGE_SIZE_LABEL, aria_hidden="true"), size, class_name="pager-size"),
        ),
        rx.cond(
            state.pages > 1,
            rx.el.div(
                rx.el.p(f"Page {state.page} of {state.pages}", class_name="pager-page"),
                _page_link("chevron-first", admin_texts.FIRST_PAGE, 1, is_first),
                _page_link("chevron-left", admin_texts.PREVIOUS_PAGE, state.page - 1, is_first),
                _page_link("chevron-right", admin_texts.NEXT_PAGE, state.page + 1, is_last),
                _page_link("chevron-last", admin_texts.LAST_PAGE, state.pages, is_last),
                class_name="pager-links",
            ),
        ),
        class_name="pager",
        aria_label=admin_texts.PAGES_LABEL,
    )


def _page_link(image: str, label: str, page: Any, is_disabled: Any) -> rx.Component:
    return address_link(
        icon(image, class_name="icon-small"),
        rx.el.span(label, class_name="visually-hidden"),
        change={"page": page},
        is_disabled=is_disabled,
        title=label,
        class_name="pager-link",
    )


def status_badge(text: Any, is_active: Any) -> rx.Component:
    """A record's status: plain green text if active, else a grey badge."""
    active = badge(text, variant="solid", class_name="status-active")
    return rx.cond(is_active, active, badge(text, variant="subtle", class_name="status-other"))


def order_note(text: str) -> rx.Component:
    """The order of a list that no column shows, until another is chosen."""
    return DefaultOrder.create(rx.el.p(text, class_name="order-note"))


class DefaultOrder(rx.Component):
    """Shows its children while the address sorts the list by nothing."""

    library, tag = script("sort_header.jsx", "DefaultOrder")


def nothing_yet(title: str, text: str, *actions: rx.Component) -> rx.Component:
    """The message of a list without any records, with a button to add the first."""
    return _notice(title, text, *actions)


def nothing_found(state: type[ListState]) -> rx.Component:
    """The message of a list whose search or filters match nothing."""
    message = rx.el.p(state.nothing_found, class_name="backoffice-empty-title")
    return rx.el.div(message, _clear(state), class_name="backoffice-empty")


def list_failed(title: str, again: Any) -> rx.Component:
    """What stands in place of a list that could not be read."""
    return _notice(
        title, admin_texts.FAILED_TEXT, controls.button(admin_texts.TRY_AGAIN, on_click=again, variant="outline")
    )


def _notice(title: str, text: str, *actions: rx.Component) -> rx.Component:
    return rx.el.div(
        rx.el.p(title, class_name="backoffice-empty-title"),
        rx.el.p(text, class_name="backoffice-muted"),
        *actions,
        class_name="backoffice-empty",
    )
