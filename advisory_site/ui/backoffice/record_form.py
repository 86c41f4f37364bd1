"""The form of a record: fields, drafts, errors, conflicts and buttons."""

from typing import Any

import reflex as rx

from ...content import backoffice as words
from ...content import messages
from ...content.layout import NEW_TAB_NOTE
from ..feedback import NoticeState, subject_of
from ..icons import icon
from ..local_time import local_time
from ..marks import form_marks, mark_summary
from ..notices import notice_place
from ..scripts import script
from .address import address_link
from .chakra import button_link, link, rc
from .forms import FormVars
from .submit import submit_button
from .unsaved import OVERWRITE, STAY, unsaved_changes


class Renewed(rx.Component):
    """Remounts its children each time the counter `times` increases."""

    library, tag = script("renewed.jsx", "Renewed")
    times: rx.Var[int]


def record_form(
    state: type[FormVars],
    form_id: str,
    *fields: rx.Component,
    submit_label: Any,
    busy_label: Any,
    rail: tuple[rx.Component, ...] = (),
    watched: tuple[str, ...] = (),
) -> rx.Component:
    """The whole form: fields, protection of unsaved changes, errors, and the buttons.

    The fields of the `rail` are beside the others on wide screens, with the link to the record's page; below the
    others on narrow ones. A `watched` field is checked when typing pauses.
    """
    return backoffice_form(
        state,
        form_id,
        unsaved_changes(state, form_id, destination=state.destination, is_staying=state.is_staying),
        hidden_number("record", state.form.id),
        hidden_number("version", state.form.version),
        rx.el.input(type="hidden", name="then"),
        rx.cond(state.restoring.number > 0, _restoring(state)),
        rx.el.div(
            rx.el.div(_view_link(state, "form-view-above"), *fields, class_name="form-main"),
            _rail(state, rail),
            class_name="form-columns",
        ),
        _form_foot(state, submit_label, busy_label),
        watched=watched,
        sends=("record", *watched, *state.kind.compared_inputs),
    )


def backoffice_form(
    state: Any, form_id: str, *content: rx.Component, watched: tuple[str, ...] = (), sends: tuple[str, ...] = ()
) -> rx.Component:
    """A form that marks invalid fields, and is remounted when the `revision` of its state increases.

    The check of a field also gets the values of the fields in `sends`.
    """
    form = form_marks(
        rx.el.form(
            *content, id=form_id, on_submit=state.save, no_validate=True, method="post", class_name="backoffice-form"
        ),
        errors=state.errors,
        times_refused=state.times_refused,
        checks=state.checks,
        watched=list(watched),
        sends=list(sends),
        on_check=state.check.temporal,
        on_right=NoticeState.withdraw.temporal(subject_of(state)),
    )
    return Renewed.create(form, times=state.revision)


def hidden_number(name: str, number: Any) -> rx.Component:
    """A number that is sent with the form."""
    return rx.el.input(type="hidden", name=name, default_value=rx.Var.create(number).to_string())


def _rail(state: type[FormVars], fields: tuple[rx.Component, ...]) -> rx.Component:
    heading = rc.heading(words.ON_THE_SITE, as_="h2", size="sm")
    parts = rx.el.div(heading, _view_link(state, "form-view-beside"), rx.el.div(*fields, class_name="field-grid"))
    return rx.el.aside(parts, aria_label=words.ON_THE_SITE, class_name="form-rail")


def _view_link(state: type[FormVars], class_name: str) -> rx.Component:
    """The link to the record's page, while it has one. It has two places, each for some widths of the screen."""
    return rx.cond(
        state.saved.page != "",
        rx.el.a(
            words.VIEW_ON_SITE,
            rx.el.span(f" ({NEW_TAB_NOTE})", class_name="visually-hidden"),
            icon("external", class_name="icon-small"),
            href=state.saved.page,
            target="_blank",
            rel="noopener",
            class_name=f"form-view {class_name}",
        ),
    )


def _restoring(state: type[FormVars]) -> rx.Component:
    """The note that the values are those of an older version, and a button to show the stored ones."""
    shown = state.restoring
    return rx.el.div(
        rx.el.p(
            f"{words.RESTORING_VERSION} {shown.number}, {words.RESTORING_OF} ",
            local_time(at=shown.at),
            rx.cond(shown.name != "", f", {words.RESTORING_BY} {shown.name}", ""),
            ". ",
            words.RESTORING_UNSAVED,
        ),
        rc.button(words.SHOW_STORED, type_="button", variant="outline", size="sm", on_click=state.discard),
        class_name="backoffice-note form-restoring",
        role="status",
    )


def _last_save(state: type[FormVars]) -> rx.Component:
    """Who saved the record last and when, and the link to its history."""
    saved = state.saved
    who = rx.cond(saved.name != "", f"{words.LAST_SAVED_BY} {saved.name}", words.LAST_SAVED)
    return rx.cond(
        saved.at != "",
        rx.el.div(
            rx.el.p(rx.cond(saved.is_command, words.LAST_SAVED_BY_SYSTEM, who), ", ", local_time(at=saved.at)),
            link(words.HISTORY, href=state.history_path, class_name="form-history"),
            class_name="form-saved",
        ),
    )


def _form_foot(state: type[FormVars], submit_label: Any, busy_label: Any) -> rx.Component:
    return rx.el.div(
        conflict_note(state),
        notice_place(subject=subject_of(state), holds_success=True),
        mark_summary(),
        rx.el.div(
            button_link(words.CANCEL, href=state.back, variant="outline"),
            rc.button(words.SAVE_AND_CONTINUE, type_="button", variant="outline", custom_attrs={"data-then": STAY}),
            submit_button(state, submit_label, busy_label),
            class_name="form-buttons",
        ),
        _last_save(state),
        class_name="form-foot",
    )


def conflict_note(state: Any) -> rx.Component:
    """Shown if another user saved first: who and when, and buttons to view that version or overwrite it."""
    clash, (saved, after) = state.conflict, messages.SAVED_BY_SOMEBODY_ELSE
    who_and_when = rx.fragment(clash.name, f" {saved} ", local_time(at=clash.at), after)
    note = rx.el.div(
        rx.el.p(rx.cond(clash.at != "", who_and_when, clash.text)),
        rx.el.div(
            address_link(
                words.LOOK,
                change={},
                class_name="backoffice-button",
                custom_attrs={"target": "_blank", "rel": "noopener"},
            ),
            # Not a submit button, because Enter would press the first one of the form.
            rc.button(
                words.OVERWRITE, type_="button", variant="outline", size="sm", custom_attrs={"data-then": OVERWRITE}
            ),
            class_name="form-buttons",
        ),
        class_name="backoffice-note backoffice-note-danger",
        role="alert",
    )
    return rx.cond(clash.text != "", note)
