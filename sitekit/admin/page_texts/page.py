"""`/admin/texts`: the public pages, and the texts of one beside the page itself."""

from typing import Any

import reflex as rx

from ...base import paths
from ...ui.copy import NEW_TAB_NOTE
from ...ui.icons import icon
from ...ui.local_time import local_time
from ..components import controls
from ..components.address import address_gate, address_link
from ..components.browser import copy_button, page_frame
from ..components.confirm import confirm_button, question
from ..components.elements import heading, link
from ..components.forms import CharCount, long_field
from ..components.record_form import record_form
from ..components.table import Column, person_text, rows_table, table_bones
from ..csv.export_state import export_button
from ..csv.import_page import import_button
from ..form_address import EDIT
from ..record_rows import draft_mark
from ..shell import back_link, list_page, shell
from . import screen_texts as texts
from .fields import TextRow
from .state import PageRow, PageTextsState, SearchText, ShownText, TextFormState, TextPagesState

FORM = "text-form"


def texts_page() -> rx.Component:
    """The list of the public pages, and the changes that none of them shows any more."""
    state = TextPagesState
    tools = rx.cond(
        state.may_change | state.is_loading,
        rx.fragment(export_button(state), import_button(paths.ADMIN_TEXT_IMPORT, "")),
    )
    bones = table_bones(state, COLUMNS)
    table = rows_table(state.rows, COLUMNS, bones, label=texts.TITLE, key=lambda row: row.href)
    return list_page(
        texts.TITLE,
        rx.cond(state.is_loading | state.may_change, texts.TEXT_OF_LIST, texts.READ_ONLY),
        rx.cond(
            state.problem != "",
            rx.el.p(state.problem, class_name="backoffice-note", role="alert"),
            rx.fragment(rx.el.section(table, class_name="backoffice-panel"), _gone()),
        ),
        at=paths.ADMIN_TEXTS,
        actions=(tools,),
    )


def _page_name(row: PageRow) -> rx.Component:
    return link(row.name, href=row.href, class_name="cell-title")


def _changed(row: PageRow) -> rx.Component:
    return rx.cond(row.count > 0, rx.Var.create(row.count).to_string(), rx.el.span("0", class_name="backoffice-muted"))


def _last_change(row: PageRow) -> rx.Component:
    never = rx.el.span(texts.NONE, class_name="backoffice-muted")
    return rx.cond(row.changed_at != "", local_time(at=row.changed_at, is_age=True), never)


COLUMNS = (
    Column(texts.PAGE, _page_name, is_main=True),
    Column(texts.CHANGED, _changed, is_numeric=True),
    Column(texts.LAST_CHANGE, _last_change),
    Column(texts.CHANGED_BY, lambda row: person_text(row.by)),
)


def _gone() -> rx.Component:
    state = TextPagesState
    return rx.cond(
        rx.Var.create(state.gone).length() > 0,
        rx.el.section(
            heading(texts.GONE_TITLE, level="h2", size="sm"),
            rx.el.p(texts.GONE_TEXT, class_name="backoffice-muted"),
            rx.el.ul(rx.foreach(state.gone, _gone_text), class_name="texts-gone"),
        ),
    )


def _gone_text(row: TextRow) -> rx.Component:
    delete: Any = TextPagesState.delete
    return rx.el.li(
        rx.el.div(rx.el.p(row.text), rx.el.p(f"{texts.GONE_ORIGINAL} {row.name}", class_name="backoffice-muted")),
        rx.el.div(
            copy_button(text=row.text, label=texts.COPY, about=row.text, copied=texts.COPIED),
            rx.cond(
                TextPagesState.may_change,
                confirm_button(
                    texts.DELETE,
                    ask=question(texts.DELETE_CONFIRM, texts.DELETE, is_danger=True, name=row.text),
                    on_confirm=delete(row.id),
                    variant="outline",
                ),
            ),
            class_name="form-buttons",
        ),
        key=row.id,
    )


def page_texts_page() -> rx.Component:
    """The texts of one page in reading order, and the page in a frame."""
    state = PageTextsState
    content = rx.el.div(
        rx.el.div(
            _search_result(),
            rx.el.ol(rx.foreach(state.rows, _text), aria_label=texts.TEXTS_OF_PAGE, class_name="texts-list"),
        ),
        rx.el.div(
            page_frame(
                src=state.frame,
                title=texts.FRAME_TITLE,
                parameter=EDIT,
                choices=rx.cond(state.may_change, state.choices, {}),
                chosen=state.chosen,
                on_fixed=state.press_fixed,
            ),
            rx.cond(state.is_fixed_pressed, _pressed()),
            class_name="texts-stage",
        ),
        class_name="texts-page",
    )
    return shell(
        back_link(texts.ALL_TEXTS, paths.ADMIN_TEXTS, at=paths.ADMIN_PAGE_TEXTS),
        address_gate(
            rx.fragment(heading(state.label, level="h1", size="lg"), content),
            shown=state.shown,
            wait=controls.spinner(),
        ),
        at=paths.ADMIN_TEXTS,
    )


def page_texts_title() -> Any:
    """The title of the page with the texts of one page, in the browser's tab."""
    return rx.cond(PageTextsState.label != "", f"{PageTextsState.label} | {texts.TITLE}", texts.TITLE)


def _pressed() -> rx.Component:
    record = PageTextsState.pressed
    edit = rx.fragment(" ", link(texts.EDIT_RECORD.format(name=record.name), href=record.href))
    return rx.el.p(
        texts.FIXED,
        rx.cond(record.href != "", edit),
        class_name="backoffice-note",
        role="status",
    )


def _search_result() -> rx.Component:
    """Title and description as a search result shows them."""
    state = PageTextsState
    has_any = (state.title.text != "") | (state.description.text != "")
    return rx.cond(
        has_any,
        rx.el.section(
            heading(texts.SEARCH_RESULT, level="h2", size="sm"),
            _search_text(state.title, texts.SEARCH_TITLE, "texts-search-title"),
            _search_text(state.description, texts.SEARCH_DESCRIPTION, "texts-search-description"),
            class_name="texts-search",
        ),
    )


def _search_text(text: SearchText, label: str, class_name: str) -> rx.Component:
    length = label.format(length=text.characters)
    return rx.cond(
        text.id > 0,
        rx.el.div(
            rx.el.p(length, class_name="cell-note"),
            rx.cond(text.id == TextFormState.form.id, _form(), _open_form(text.id, text.text, class_name)),
        ),
    )


def _text(row: ShownText) -> rx.Component:
    """A text, or its form while it is open."""
    shown = rx.el.div(
        _open_form(row.id, row.text, "texts-text"),
        rx.cond(row.is_changed, rx.el.span(texts.MARK_CHANGED, class_name="draft-mark")),
        rx.cond(row.draft.id > 0, draft_mark(row.draft)),
        rx.cond(row.is_seen, rx.fragment(), rx.el.p(texts.NOT_SEEN, class_name="cell-note")),
        rx.cond(row.after != "", rx.el.p(texts.SPOKEN_AFTER.format(text=row.after), class_name="cell-note")),
    )
    return rx.el.li(rx.cond(row.id == TextFormState.form.id, _form(row.slug), shown), key=row.id)


def _open_form(text_id: Any, text: Any, class_name: str) -> rx.Component:
    return rx.cond(
        PageTextsState.may_change,
        address_link(text, change={EDIT: text_id}, class_name=class_name),
        rx.el.p(text, class_name=class_name),
    )


def _form(slug: Any = "") -> rx.Component:
    state: Any = TextFormState
    see = rx.el.a(
        texts.OPEN_PAGE,
        rx.el.span(f" ({NEW_TAB_NOTE})", class_name="visually-hidden"),
        icon("external", class_name="icon-small"),
        href=f"{PageTextsState.frame}#text-{slug}",
        target="_blank",
        class_name="texts-see",
    )
    original = rx.el.div(
        rx.el.p(rx.el.span(texts.ORIGINAL_IS, class_name="backoffice-muted"), " ", state.original),
        controls.button(texts.USE_ORIGINAL, variant="outline", size="sm", on_click=state.use_original(state.form.id)),
        class_name="texts-original",
    )
    return record_form(
        state,
        FORM,
        rx.el.input(type="hidden", name="name", default_value=state.form.texts["name"]),
        rx.el.input(type="hidden", name="is_active", default_value="on"),
        long_field("text", texts.TEXT, state.form.texts["text"], is_required=True, rows=4, auto_focus=True),
        CharCount.create(name="text", most=state.most),
        rx.cond(state.is_changed, original),
        rx.cond(state.also_on != "", rx.el.p(state.also_on, class_name="backoffice-muted")),
        see,
        submit_label=texts.SAVE,
        busy_label=texts.SAVING,
        watched=state.watched,
        stays=True,
    )
