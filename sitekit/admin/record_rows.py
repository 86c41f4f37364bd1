"""What every list of records has: head, the name and the actions of a row, the bar for ticked records, the trash."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from ..base import paths
from ..records import draft_texts
from ..records.csv_texts import EXPORT
from ..records.record_type import AnyRecordType
from ..records.trash import TRASH_KEPT
from ..ui.browser import BrokenImageFallback
from ..ui.icons import icon
from ..ui.local_time import local_time
from . import texts
from .components import controls
from .components.address import filter_select, search_box
from .components.confirm import confirm_button, question
from .components.elements import heading, link
from .components.menus import address_item, menu_item, menu_link
from .components.ordered_rows import row_handle
from .components.row_actions import row_actions, title_link
from .components.table import Column, list_head, list_tools, status_badge
from .components.unsaved import DRAFT
from .csv.export_state import export_button
from .csv.import_page import import_button
from .current_user import where_allowed
from .opened_form import COPY
from .record_labels import add_label, search_label
from .record_list_state import RecordListState
from .shell import with_help


def record_tab(
    state: type[RecordListState],
    title: str,
    text: str,
    records: rx.Component,
    *tools: rx.Component,
    add: rx.Component,
    note: rx.Component | None = None,
) -> rx.Component:
    """The tab of a record type: head, search, filters and other `tools`, list, trash, and the bar for ticked records.

    `note` says how the list is ordered.
    """
    import_link = import_button(state.record_type.staff_pages.import_page, state.place)
    return rx.fragment(
        list_head(
            title,
            with_help(text, state.record_type.list_page()),
            export_button(state),
            where_allowed(state.record_type.change_action, import_link, add),
        ),
        list_tools(
            search_box(label=search_label(state.record_type)),
            filter_select(texts.STATUS, texts.STATUS_OPTIONS),
            *tools,
            _page_tick(state),
            note or rx.fragment(),
        ),
        _new_drafts(state),
        records,
        where_allowed(state.record_type.change_action, _trash_link(state.record_type)),
        _bulk_bar(state),
    )


def add_link(state: type[RecordListState]) -> rx.Component:
    """The link to the page with the form of a new record."""
    record_type = state.record_type
    plus = icon("plus", class_name="icon-small")
    return controls.button_link(plus, add_label(record_type), href=record_type.staff_pages.new_page + state.place)


def active_badge(row: Any) -> rx.Component:
    """Whether a record is shown to visitors."""
    return status_badge(rx.cond(row.is_active, "Active", "Inactive"), row.is_active)


def record_columns(
    state: type[RecordListState],
    label: str,
    *columns: Column,
    form: Callable[[Any], Any] | None = None,
    new: Any = None,
    picture: Callable[[Any], dict[str, Any]] = lambda _row: {},
    status: Callable[[Any], rx.Component] = active_badge,
) -> tuple[Column, ...]:
    """The columns of a table: the name, under `label`, then `columns`, the status and the actions.

    `form` and `new` are as in `record_actions` and `picture` as in `row_picture`, each of a row; `status` makes
    the badge of a row.
    """
    form_of = form or (lambda row: form_page(state, row))
    return (
        Column(
            label,
            lambda row: _row_name(state, row, form_of(row), **picture(row)),
            sort="name",
            is_main=True,
            lead=_page_tick(state, is_in_head=True),
        ),
        *columns,
        Column(texts.STATUS, status, sort="status"),
        Column(
            texts.ACTIONS,
            lambda row: record_actions(state, row, form=form_of(row), new=new, **picture(row)),
            is_actions=True,
        ),
    )


def form_page(state: type[RecordListState], row: Any) -> Any:
    """The address of the form of a row, from which links lead back to the list as it is now."""
    return state.record_type.form_page(row.id, row.slug) + state.place


def _row_name(state: type[RecordListState], row: Any, form: Any, **picture: Any) -> rx.Component:
    """The main cell of a row: tick, `row_picture` if there is one, name and slug. `form` is as in `title_link`."""
    return rx.el.div(
        row_lead(state, row),
        *([row_picture(**picture)] if picture else []),
        rx.el.div(
            title_link(row.name, form),
            rx.el.p(row.slug, class_name="cell-note"),
            row_draft(state, row),
            class_name="cell-name",
        ),
        class_name="cell-person",
    )


def row_draft(state: type[RecordListState], row: Any) -> rx.Component:
    """The mark of a row whose record has a draft; goes below its name."""
    drafts = rx.Var.create(state.drafts)
    return rx.cond(drafts.contains(row.id), draft_mark(drafts[row.id]))


def draft_mark(draft: Any) -> rx.Component:
    """What is to happen with a draft, in words; of one that could not be published, why."""
    why = rx.cond(draft.is_blocked & (draft.problem != ""), f". {draft.problem}", "")
    return rx.el.span(draft.label, why, class_name=rx.cond(draft.is_blocked, "draft-mark is-blocked", "draft-mark"))


def _new_drafts(state: type[RecordListState]) -> rx.Component:
    """The drafts of records that do not exist yet, as rows above the list."""
    pages = state.record_type.staff_pages

    def row(draft: Any) -> rx.Component:
        return rx.el.li(
            link(draft.name, href=pages.new_page_with(DRAFT, draft.id), class_name="draft-name"),
            draft_mark(draft),
            rx.el.span(f"{draft.by_name}, ", local_time(at=draft.at, is_age=True), class_name="backoffice-muted"),
            key=draft.id,
        )

    return rx.cond(
        rx.Var.create(state.new_drafts).length() > 0,
        rx.el.section(
            heading(draft_texts.NEW_ONES, level="h2", size="sm"),
            rx.el.ul(rx.foreach(state.new_drafts, row)),
            class_name="new-drafts",
        ),
    )


def row_picture(picture: Any, fallback: str, look: str) -> rx.Component:
    """The small picture at an address, or the `fallback`; `look` is its class."""
    return BrokenImageFallback.create(src=picture, fallback=fallback, alt="", class_name=look, width=40, height=40)


def record_actions(
    state: type[RecordListState], row: Any, *, form: Any, new: Any = None, **picture: Any
) -> rx.Component:
    """The actions of a row; `form` leads to its form, and `new` to that of a new record, both as in `title_link`.

    Without `new` that is the page of the record type. The question before deleting names the row, with its `picture`,
    as in `row_picture`.
    """
    delete: Any = state.delete  # mypy does not read a property of a class as its value
    return row_actions(
        row.name,
        form=form,
        site=state.record_type.page(row.slug),
        is_public=row.is_active,
        ask=question(
            state.record_type.texts.delete_confirm,
            texts.DELETE,
            is_danger=True,
            name=row.name,
            note=texts.STAYS_IN_TRASH,
            days=TRASH_KEPT.days,
            **picture,
        ),
        on_delete=delete(row.id),
        deleting=state.record_type.change_action,
        items=_row_items(state, row, new or state.record_type.staff_pages.new_page),
    )


def row_lead(state: type[RecordListState], row: Any) -> rx.Component:
    """The checkbox of a row, and its handle if the rows are in their own order."""
    tick: Any = state.tick  # mypy does not read a property of a class as its value
    box = controls.tick(
        rx.el.span(f"{texts.TICK} {row.name}", class_name="visually-hidden"),
        is_checked=rx.Var.create(state.ticked).contains(row.id),
        on_tick=lambda is_ticked: tick(row.id, is_ticked),
    )
    handle = rx.cond(state.can_order, row_handle(row.name)) if state.record_type.is_ordered else rx.fragment()
    return rx.el.div(handle, box, class_name="row-lead")


def _row_items(state: type[RecordListState], row: Any, new: Any) -> tuple[rx.Component, ...]:
    """The menu's items to copy a row, to publish or hide it, and to see its history."""
    id_or_slug = row.slug if state.record_type.is_edited_by_slug else row.id
    set_public: Any = state.set_public
    duplicate = (icon("copy", class_name="icon-small"), texts.DUPLICATE)
    publish = (icon("eye", class_name="icon-small"), texts.PUBLISH)
    unpublish = (icon("eye-off", class_name="icon-small"), texts.UNPUBLISH)
    copy = (
        address_item(*duplicate, change=new | {COPY: id_or_slug})
        if isinstance(new, dict)
        else menu_link(*duplicate, href=f"{new}{rx.cond(state.place == '', '?', f'{state.place}&')}{COPY}={id_or_slug}")
    )
    publishing = rx.cond(
        row.is_active,
        menu_item(*unpublish, on_click=set_public(row.id, False)),
        menu_item(*publish, on_click=set_public(row.id, True)),
    )
    return (
        where_allowed(state.record_type.change_action, copy, publishing),
        menu_link(
            icon("clock", class_name="icon-small"),
            texts.HISTORY,
            href=paths.history_page(state.record_type.table_name, row.id) + state.place,
        ),
    )


def _page_tick(state: type[RecordListState], *, is_in_head: bool = False) -> rx.Component:
    """The checkbox of all rows of the page: in the head of a table, or where no heads are shown, among the tools."""
    row_count, ticked = rx.Var.create(state.rows).length(), rx.Var.create(state.ticked).length()
    tick_page: Any = state.tick_page
    hidden = rx.el.span(texts.TICK_PAGE, class_name="visually-hidden")
    return controls.tick(
        hidden if is_in_head else texts.TICK_PAGE,
        is_checked=(ticked > 0) & (ticked == row_count),
        is_indeterminate=(ticked > 0) & (ticked < row_count),
        is_disabled=row_count == 0,
        on_tick=tick_page,
        class_name="head-tick" if is_in_head else "page-tick",
    )


def _trash_link(record_type: AnyRecordType) -> rx.Component:
    """The link to the deleted records of a type, at the foot of their list."""
    href = f"{paths.ADMIN_TRASH}?filter={record_type.table_name}"
    return link(icon("trash", class_name="icon-small"), texts.TRASH, href=href, class_name="list-foot")


def _bulk_bar(state: type[RecordListState]) -> rx.Component:
    """The bar with what can be done with the ticked records, shown while there are any."""
    set_public: Any = state.set_ticked_public
    tick_page: Any = state.tick_page
    count = state.ticked_count
    action = state.record_type.change_action
    trash = confirm_button(
        texts.MOVE_TO_TRASH,
        ask=question(
            rx.cond(count == 1, texts.TRASH_ONE_CONFIRM, texts.TRASH_SEVERAL_CONFIRM.format(count=count)),
            texts.MOVE_TO_TRASH,
            is_danger=True,
        ),
        on_confirm=state.delete_ticked,
        variant="outline",
        class_name="is-danger",
    )
    is_page_full = rx.Var.create(state.ticked).length() == rx.Var.create(state.rows).length()
    bar = rx.el.div(
        rx.el.p(f"{count} {texts.TICKED}", class_name="bulk-count", role="status"),
        rx.cond(
            is_page_full & (count < state.total),
            _button(f"{texts.TICK_ALL} {state.total}", state.tick_all, "link"),
        ),
        rx.el.div(
            where_allowed(
                action, _button(texts.PUBLISH, set_public(True)), _button(texts.UNPUBLISH, set_public(False))
            ),
            _button(EXPORT, state.export_ticked),
            where_allowed(action, trash),
            _button(texts.UNTICK, tick_page(False), "ghost"),
            class_name="bulk-buttons",
        ),
        class_name="bulk-bar",
        role="region",
        aria_label=texts.BULK_LABEL,
    )
    return rx.cond(count > 0, bar)


def _button(label: str, on_click: Any, variant: str = "outline") -> rx.Component:
    return controls.button(label, on_click=on_click, variant=variant, size="sm")
