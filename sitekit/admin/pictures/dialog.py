"""The dialog of one picture: its description and credit, where it is used, replacing and deleting it."""

from typing import Any

import reflex as rx

from ...base import paths
from ...base.permissions import Action
from ...records.pictures import texts as media_texts
from ...ui.icons import icon
from ...ui.local_time import local_time
from ..components import controls
from ..components.browser import copy_button
from ..components.confirm import confirm_button, question
from ..components.dialog import address_dialog
from ..components.elements import heading, link
from ..components.forms import check_field, long_field, text_field
from ..components.record_form import backoffice_form, conflict_note, form_foot, hidden_number
from ..components.submit import submit_button
from ..current_user import changeable_form, where_allowed
from ..staff_form import typed_is_kept
from . import texts as picture_texts
from .library import PictureRow, UsingRecord
from .state import OPEN, PictureState

FORM = "picture-form"
SEARCH_PAUSE = 250  # ms without a key


def picture_dialog() -> rx.Component:
    """The dialog, open while the address has `open`."""
    state = PictureState
    heading = rx.cond(state.opened.name != "", _title(), picture_texts.HEADING)
    change = Action.CHANGE_MEDIA
    parts = (changeable_form(change, _form()), _use(), where_allowed(change, _replacement()), _facts())
    content = rx.el.div(*parts, class_name="picture-details")
    return address_dialog(content, parameter=OPEN, shown=state.shown, heading=heading)


def _title() -> Any:
    """What the picture shows, else the name of its file."""
    return rx.cond(PictureState.opened.alt != "", PictureState.opened.alt, PictureState.opened.name)


def _form() -> rx.Component:
    state = PictureState
    picture, texts = state.opened, state.form.texts
    return backoffice_form(
        state,
        FORM,
        typed_is_kept(state, FORM),
        hidden_number("record", state.form.id),
        hidden_number("version", state.form.version),
        rx.el.img(src=picture.address, alt="", class_name="picture-large"),
        rx.el.div(
            long_field("alt", media_texts.ALT, texts["alt"], hint=picture_texts.ALT_HINT, rows=2),
            check_field("is_decorative", media_texts.IS_DECORATIVE, texts["is_decorative"] == "on"),
            text_field("credit", picture_texts.CREDIT, texts["credit"], hint=picture_texts.CREDIT_HINT),
            class_name="field-grid",
        ),
        form_foot(
            state,
            _delete(),
            submit_button(state, picture_texts.SAVE, picture_texts.SAVING),
            conflict=conflict_note(state),
        ),
        sends=("alt", "is_decorative"),
    )


def _delete() -> rx.Component:
    return confirm_button(
        icon("trash", class_name="icon-small"),
        picture_texts.DELETE,
        ask=question(
            picture_texts.DELETE_CONFIRM,
            picture_texts.DELETE,
            is_danger=True,
            name=_title(),
            picture=PictureState.opened.address,
            fallback=paths.PLACEHOLDER_PERSON,
            look="cell-picture",
        ),
        on_confirm=PictureState.delete(PictureState.opened.id),
        class_name="is-danger",
    )


def _use() -> rx.Component:
    """The records that use the picture, and those whose older versions show it."""
    state = PictureState
    is_used, is_older = rx.Var.create(state.uses).length() > 0, rx.Var.create(state.older).length() > 0
    unused = rx.el.p(picture_texts.UNUSED_TEXT, class_name="backoffice-muted")
    return rx.el.section(
        heading(picture_texts.USED_HEADING, level="h3", size="sm"),
        rx.cond(is_used, _records(state.uses), unused),
        rx.cond(
            is_older, rx.fragment(heading(picture_texts.OLDER_HEADING, level="h3", size="sm"), _records(state.older))
        ),
        class_name="picture-use",
    )


def _replacement() -> rx.Component:
    """The search for another picture, which replaces this one everywhere."""
    state: Any = PictureState
    search = controls.text_input(
        type_="search",
        on_change=state.find_others.debounce(SEARCH_PAUSE),
        on_focus=state.find_others,
        placeholder=picture_texts.REPLACE_SEARCH,
        custom_attrs={"aria-label": picture_texts.REPLACE_SEARCH},
    )
    choices = rx.el.ul(
        rx.foreach(state.others, _other), class_name="picture-others", aria_label=picture_texts.REPLACE_HEADING
    )
    return rx.cond(
        state.uses.length() > 0,
        rx.el.section(
            heading(picture_texts.REPLACE_HEADING, level="h3", size="sm"),
            rx.el.p(picture_texts.REPLACE_TEXT, class_name="backoffice-muted"),
            search,
            rx.cond(state.others.length() > 0, choices),
            rx.el.p(
                rx.cond(state.is_searched & (state.others.length() == 0), picture_texts.NOTHING_FOUND, ""),
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
        rx.el.p(rx.cond(row.alt != "", row.alt, row.name)),
        confirm_button(
            picture_texts.REPLACE_WITH,
            rx.el.span(f" {row.name}", class_name="visually-hidden"),
            ask=question(picture_texts.REPLACE_CONFIRM, picture_texts.REPLACE_WITH),
            on_confirm=replace(PictureState.opened.id, row.id),
            variant="outline",
        ),
    )


def _records(records: Any) -> rx.Component:
    def record(use: UsingRecord) -> rx.Component:
        name = rx.cond(use.href != "", link(use.name, href=use.href), rx.el.span(use.name))
        note = rx.cond(use.is_deleted, f", {picture_texts.DELETED_NOTE}", "")
        return rx.el.li(name, rx.el.span(" ", use.record_type, note, class_name="cell-note"))

    return rx.el.ul(rx.foreach(records, record))


def _facts() -> rx.Component:
    """What is known of the file, and its address."""
    picture = PictureState.opened
    by = rx.cond(picture.by != "", f", {picture.by}", "")
    return rx.el.div(
        rx.el.dl(
            _fact(picture_texts.FACT_SIZE, rx.fragment(picture.pixels)),
            _fact(picture_texts.FACT_FILES, rx.fragment(picture.size)),
            _fact(picture_texts.FACT_ADDED, rx.fragment(local_time(at=picture.added), by)),
            class_name="picture-facts",
        ),
        copy_button(text=picture.address, label=picture_texts.COPY, about=picture.name, copied=picture_texts.COPIED),
        class_name="picture-about",
    )


def _fact(label: str, value: rx.Component) -> rx.Component:
    return rx.el.div(rx.el.dt(label), rx.el.dd(value))
