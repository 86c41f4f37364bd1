"""What every list of records has: head, the name and the actions of a row, the bar for ticked records, the trash."""

from typing import Any

import reflex as rx

from ..content import backoffice as words
from ..content.csv_texts import EXPORT
from ..core import routes
from ..records.record_type import AnyRecordType
from ..ui.backoffice.chakra import link, menu_link, rc
from ..ui.backoffice.confirm import confirm_button
from ..ui.backoffice.dialog import address_item
from ..ui.backoffice.ordering import row_handle
from ..ui.backoffice.row_actions import row_actions, title_link
from ..ui.backoffice.table import list_head, list_tools
from ..ui.browser import BrokenImageFallback
from ..ui.icons import icon
from .export_state import export_button
from .form_state import COPY
from .import_page import import_button
from .record_list_state import RecordListState


def record_tab(
    state: type[RecordListState],
    title: str,
    text: str,
    records: rx.Component,
    *,
    add: rx.Component,
    import_page: str,
    tools: tuple[rx.Component, ...],
) -> rx.Component:
    """The tab of a record type: head, tools, list, link to the trash, and the bar for ticked records."""
    return rx.fragment(
        list_head(title, text, export_button(state), import_button(import_page, state.place), add),
        list_tools(*tools),
        records,
        _trash_link(state.kind),
        _bulk_bar(state),
    )


def row_name(state: type[RecordListState], row: Any, form: Any, **picture: Any) -> rx.Component:
    """The main cell of a row: tick, picture, name and slug. `form` is as in `title_link`."""
    return rx.el.div(
        row_lead(state, row),
        BrokenImageFallback.create(alt="", **picture),
        rx.el.div(title_link(row.name, form), rx.el.p(row.slug, class_name="cell-note"), class_name="cell-name"),
        class_name="cell-person",
    )


def record_actions(state: type[RecordListState], row: Any, *, form: Any, new: Any) -> rx.Component:
    """The actions of a row; `form` leads to its form, and `new` to that of a new record, both as in `title_link`."""
    delete: Any = state.delete  # mypy does not read a property of a class as its value
    return row_actions(
        row.name,
        form=form,
        site=state.kind.page(row.slug),
        is_public=row.is_active,
        sentence=state.kind.texts.delete_confirm,
        on_delete=delete(row.id),
        items=_row_items(state, row, new),
    )


def row_lead(state: type[RecordListState], row: Any) -> rx.Component:
    """The checkbox of a row, and its handle if the rows are in their own order."""
    tick: Any = state.tick  # mypy does not read a property of a class as its value
    box = rc.checkbox(
        rx.el.span(f"{words.TICK} {row.name}", class_name="visually-hidden"),
        is_checked=rx.Var.create(state.ticked).contains(row.id),
        on_change=lambda is_ticked: tick(row.id, is_ticked),
    )
    handle = rx.cond(state.can_order, row_handle(row.name)) if state.kind.is_ordered else rx.fragment()
    return rx.el.div(handle, box, class_name="row-lead")


def _row_items(state: type[RecordListState], row: Any, new: Any) -> tuple[rx.Component, ...]:
    """The menu's items to copy a row, to publish or hide it, and to see its history."""
    wanted = row.slug if state.kind.is_edited_by_slug else row.id
    set_public: Any = state.set_public
    duplicate = (icon("copy", class_name="icon-small"), words.DUPLICATE)
    publish = (icon("eye", class_name="icon-small"), words.PUBLISH)
    unpublish = (icon("eye-off", class_name="icon-small"), words.UNPUBLISH)
    return (
        address_item(*duplicate, change=new | {COPY: wanted})
        if isinstance(new, dict)
        else menu_link(*duplicate, href=f"{new}{rx.cond(state.place == '', '?', f'{state.place}&')}{COPY}={wanted}"),
        rx.cond(
            row.is_active,
            rc.menu_item(*unpublish, on_click=set_public(row.id, False)),
            rc.menu_item(*publish, on_click=set_public(row.id, True)),
        ),
        menu_link(
            icon("clock", class_name="icon-small"),
            words.HISTORY,
            href=routes.history_page(state.kind.table_name, row.id) + state.place,
        ),
    )


def page_tick(state: type[RecordListState]) -> rx.Component:
    """The checkbox of all rows of the page."""
    shown, ticked = rx.Var.create(state.rows).length(), rx.Var.create(state.ticked).length()
    tick_page: Any = state.tick_page
    return rc.checkbox(
        words.TICK_PAGE,
        is_checked=(ticked > 0) & (ticked == shown),
        is_indeterminate=(ticked > 0) & (ticked < shown),
        is_disabled=shown == 0,
        on_change=tick_page,
        class_name="page-tick",
    )


def _trash_link(kind: AnyRecordType) -> rx.Component:
    """The link to the deleted records of a type, at the foot of their list."""
    href = f"{routes.ADMIN_TRASH}?filter={kind.table_name}"
    return link(icon("trash", class_name="icon-small"), words.TRASH, href=href, class_name="list-foot")


def _bulk_bar(state: type[RecordListState]) -> rx.Component:
    """The bar with what can be done with the ticked records, shown while there are any."""
    set_public: Any = state.set_ticked_public
    tick_page: Any = state.tick_page
    count = state.ticked_count
    is_page_full = rx.Var.create(state.ticked).length() == rx.Var.create(state.rows).length()
    bar = rx.el.div(
        rx.el.p(f"{count} {words.TICKED}", class_name="bulk-count", role="status"),
        rx.cond(
            is_page_full & (count < state.total),
            _button(f"{words.TICK_ALL} {state.total}", state.tick_all, "link"),
        ),
        rx.el.div(
            _button(words.PUBLISH, set_public(True)),
            _button(words.UNPUBLISH, set_public(False)),
            _button(EXPORT, state.export_ticked),
            confirm_button(
                words.MOVE_TO_TRASH,
                sentence=rx.cond(count == 1, words.TRASH_ONE_CONFIRM, words.TRASH_SEVERAL_CONFIRM.format(count=count)),
                on_confirm=state.delete_ticked,
                variant="outline",
                class_name="is-danger",
            ),
            _button(words.UNTICK, tick_page(False), "ghost"),
            class_name="bulk-buttons",
        ),
        class_name="bulk-bar",
        role="region",
        aria_label=words.BULK_LABEL,
    )
    return rx.cond(count > 0, bar)


def _button(label: str, on_click: Any, variant: str = "outline") -> rx.Component:
    return rc.button(label, on_click=on_click, variant=variant, size="sm", type_="button")
