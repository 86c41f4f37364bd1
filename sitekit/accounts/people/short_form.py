"""Short forms of the profile and account pages: each has its own button, and stays open after saving."""

from typing import Any

import reflex as rx

from ...admin.components import controls
from ...admin.components.forms import field_group
from ...admin.components.record_form import backoffice_form
from ...admin.components.submit import submit_button
from ...admin.staff_form import StaffForm
from ...ui.feedback import subject_of
from ...ui.notices import notice_place
from . import texts


def short_form(state: type[StaffForm], form_id: str, text: Any, label: Any, *fields: rx.Component) -> rx.Component:
    """A form of a few fields, with its button and its notices."""
    foot = button_row(submit_button(state, label, texts.SAVING), about=state)
    return backoffice_form(state, form_id, field_group(text, *fields, foot), sends=state.compared)


def button_row(*buttons: rx.Component, about: Any) -> rx.Component:
    """The buttons at the end of a group of fields, below the notices `about` a state."""
    row = rx.el.div(*buttons, class_name="form-buttons")
    return rx.el.div(notice_place(subject=subject_of(about)), row, class_name="field-wide group-foot")


def form_buttons(state: Any, label: str, busy: str) -> rx.Component:
    """The submit button of a form whose state has `cancel`, beside a button for that."""
    return rx.el.div(
        controls.button(texts.CANCEL, on_click=state.cancel, variant="outline"),
        submit_button(state, label, busy),
        class_name="form-buttons field-wide",
    )
