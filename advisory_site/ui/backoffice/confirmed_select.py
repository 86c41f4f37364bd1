"""A select for changes with consequences: nothing is sent until the choice is confirmed beside it."""

from typing import Annotated

import reflex as rx

from ..scripts import script


class ConfirmedSelect(rx.Component):
    """A select whose choice waits for the `SelectConfirmation` with the same id; Escape takes it back.

    When `answers` changes, a choice that was sent has been answered, and the select shows `value` again.
    """

    library, tag = script("confirmed_select.jsx", "ConfirmedSelect")
    id: rx.Var[str]
    value: rx.Var[str]
    options: rx.Var[list[list[str]]]
    label: rx.Var[str]
    answers: rx.Var[int]


class SelectConfirmation(rx.Component):
    """Shown while the select has an unconfirmed choice: its text in `notes`, and buttons that send it and cancel it."""

    library, tag = script("confirmed_select.jsx", "SelectConfirmation")
    id: rx.Var[str]
    options: rx.Var[list[list[str]]]
    subject: rx.Var[str]
    notes: rx.Var[dict[str, str]]
    labels: rx.Var[dict[str, str]]
    on_confirm: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str)]


confirmed_select = ConfirmedSelect.create
select_confirmation = SelectConfirmation.create
