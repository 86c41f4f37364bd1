"""The dialog of one picture: its description, credit and focal point, where it is used, replacing and deleting it."""

from typing import Any

import reflex as rx

from ..backoffice.dialog_form import typed_is_kept
from ..content import media_texts
from ..ui.backoffice.chakra import link, rc
from ..ui.backoffice.confirm import confirm_button
from ..ui.backoffice.copy_button import copy_button
from ..ui.backoffice.dialog import address_dialog
from ..ui.backoffice.focal_point import focal_point
from ..ui.backoffice.forms import check_field, long_field, text_field
from ..ui.backoffice.record_form import backoffice_form, conflict_note, hidden_number
from ..ui.backoffice.submit import submit_button
from ..ui.feedback import subject_of
from ..ui.icons import icon
from ..ui.local_time import local_time
from ..ui.marks import mark_summary
from ..ui.notices import notice_place
from . import media_page_texts as words
from .media_library import PictureRow, RecordLink
from .media_state import OPEN, PictureState

FORM = "picture-form"
SEARCH_PAUSE = 250  # ms without a key
CROPS = [["portrait", words.CROP_PORTRAIT], ["mark", words.CROP_MARK], ["cover", words.CROP_COVER]]


def picture_dialog() -> rx.Component:
    """The dialog, open while the address has `open`."""
    state = PictureState
    heading = rx.cond(state.opened.name != "", state.opened.name, words.HEADING)
    content = rx.el.div(_form(), _use(), _replacement(), _facts(), class_name="picture-details")
    return address_dialog(content, parameter=OPEN, shown=state.shown, heading=heading)


def _form() -> rx.Component:
    state = PictureState
    picture, texts = state.opened, state.form.texts
    return backoffice_form(
        state,
        FORM,
        typed_is_kept(state, FORM),
        hidden_number("record", state.form.id),
        hidden_number("version", state.form.version),
        focal_point(
            src=picture.address,
            width=picture.width,
            height=picture.height,
            x=texts["focal_x"],
            y=texts["focal_y"],
            label=words.FOCUS,
            hint=words.FOCUS_HINT,
            value_text=words.FOCUS_VALUE,
            crops_label=words.CROPS,
            crops=CROPS,
        ),
        rx.el.div(
            long_field("alt", media_texts.ALT, texts["alt"], hint=media_texts.ALT_HINT, rows=2),
            check_field("is_decorative", media_texts.IS_DECORATIVE, texts["is_decorative"] == "on"),
            text_field("credit", words.CREDIT, texts["credit"], hint=words.CREDIT_HINT),
            class_name="field-grid",
        ),
        rx.el.div(
            conflict_note(state),
            notice_place(subject=subject_of(state), holds_success=True),
            mark_summary(),
            rx.el.div(submit_button(state, words.SAVE, words.SAVING), class_name="form-buttons"),
            class_name="form-foot",
        ),
        sends=("alt", "is_decorative"),
    )


def _use() -> rx.Component:
    """The records that use the picture, and those whose older versions show it."""
    state = PictureState
    is_used, is_older = rx.Var.create(state.uses).length() > 0, rx.Var.create(state.older).length() > 0
    unused = rx.el.p(words.UNUSED_TEXT, class_name="backoffice-muted")
    return rx.el.section(
        rc.heading(words.USED_HEADING, as_="h3", size="sm"),
        rx.cond(is_used, _records(state.uses), unused),
        rx.cond(is_older, rx.fragment(rc.heading(words.OLDER_HEADING, as_="h3", size="sm"), _records(state.older))),
        class_name="picture-use",
    )


def _replacement() -> rx.Component:
    """The search for another picture, which replaces this one everywhere."""
    state: Any = PictureState
    search = rc.input(
        type_="search",
        on_change=state.find_others.debounce(SEARCH_PAUSE),
        on_focus=state.find_others,
        placeholder=words.REPLACE_SEARCH,
        custom_attrs={"aria-label": words.REPLACE_SEARCH},
    )
    found = rx.el.ul(rx.foreach(state.others, _other), class_name="picture-others", aria_label=words.REPLACE_HEADING)
    return rx.cond(
        state.uses.length() > 0,
        rx.el.section(
            rc.heading(words.REPLACE_HEADING, as_="h3", size="sm"),
            rx.el.p(words.REPLACE_TEXT, class_name="backoffice-muted"),
            search,
            rx.cond(state.others.length() > 0, found),
            rx.el.p(
                rx.cond(state.is_searched & (state.others.length() == 0), words.NOTHING_FOUND, ""),
                role="status",
                class_name="backoffice-muted",
            ),
            class_name="picture-use",
        ),
    )


def _other(row: PictureRow) -> rx.Component:
    replace: Any = PictureState.replace
    return rx.el.li(
        rx.el.img(src=row.thumbnail, alt="", loading="lazy", class_name="picture-thumbnail"),
        rx.el.p(row.name),
        confirm_button(
            words.REPLACE_WITH,
            rx.el.span(f" {row.name}", class_name="visually-hidden"),
            sentence=words.REPLACE_CONFIRM,
            on_confirm=replace(PictureState.opened.id, row.id),
            variant="outline",
        ),
    )


def _records(records: Any) -> rx.Component:
    def record(one: RecordLink) -> rx.Component:
        name = rx.cond(one.href != "", link(one.name, href=one.href), rx.el.span(one.name))
        note = rx.cond(one.is_deleted, f", {words.DELETED_NOTE}", "")
        return rx.el.li(name, rx.el.span(" ", one.kind, note, class_name="cell-note"))

    return rx.el.ul(rx.foreach(records, record))


def _facts() -> rx.Component:
    """What is known of the file, and its address."""
    picture = PictureState.opened
    by = rx.cond(picture.by != "", f", {picture.by}", "")
    return rx.el.div(
        rx.el.dl(
            _fact(words.FACT_SIZE, rx.fragment(picture.pixels)),
            _fact(words.FACT_FILES, rx.fragment(picture.size)),
            _fact(words.FACT_ADDED, rx.fragment(local_time(at=picture.added), by)),
            class_name="picture-facts",
        ),
        rx.el.div(
            copy_button(text=picture.address, label=words.COPY, about=picture.name, copied=words.COPIED),
            confirm_button(
                icon("trash", class_name="icon-small"),
                words.DELETE,
                sentence=words.DELETE_CONFIRM,
                on_confirm=PictureState.delete(picture.id),
                class_name="is-danger",
            ),
            class_name="picture-acts",
        ),
        class_name="picture-about",
    )


def _fact(label: str, value: rx.Component) -> rx.Component:
    return rx.el.div(rx.el.dt(label), rx.el.dd(value))
