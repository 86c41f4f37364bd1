"""The submit button of a form, which cannot be pressed twice."""

from typing import Any

import reflex as rx

from ...base import messages
from ...ui.scripts import script


class SubmitButton(rx.Component):
    """A submit button; shows `busy_label` from the first press until the reply.

    `answered`, `times_refused` and `is_busy` are those of `ui.form.Form`. While the input `filled` has a value, the
    labels are those for that.
    """

    library, tag = script("submit.jsx", "SubmitButton")
    answered: rx.Var[str]
    times_refused: rx.Var[int]
    is_busy: rx.Var[bool]
    label: rx.Var[str]
    busy_label: rx.Var[str]
    filled: rx.Var[str]
    filled_label: rx.Var[str]
    filled_busy_label: rx.Var[str]
    waiting_label: rx.Var[str] = rx.Var.create(messages.WAITING_FOR_CONNECTION)
    size: rx.Var[str]
    variant: rx.Var[str]
    is_wide: rx.Var[bool]


class PurposeButton(rx.Component):
    """A button of a form that is submitted for another purpose, such as its draft; the handler gets it as `then`."""

    library, tag = script("submit.jsx", "PurposeButton")
    purpose: rx.Var[str]
    waiting_label: rx.Var[str] = rx.Var.create(messages.WAITING_FOR_CONNECTION)
    size: rx.Var[str]
    variant: rx.Var[str] = rx.Var.create("outline")


purpose_button = PurposeButton.create


class WhenFilled(rx.Component):
    """Shows `filled` in place of its children while the input `name` of the form with the id `form` has a value."""

    library, tag = script("filled.jsx", "WhenFilled")
    form: rx.Var[str]
    name: rx.Var[str]
    filled: rx.Component


def submit_button(state: Any, label: Any, busy_label: Any, **look: Any) -> rx.Component:
    """The submit button of a form whose state is a `Form`."""
    return SubmitButton.create(
        answered=state.answered,
        times_refused=state.times_refused,
        is_busy=state.is_busy,
        label=label,
        busy_label=busy_label,
        **look,
    )
