"""A button and a select that ask in a dialog before they act; the focus is on Cancel."""

from typing import Annotated, Any

import reflex as rx

from ...ui.scripts import script
from .. import texts

CONFIRM = "confirm.jsx"


class ConfirmButton(rx.Component):
    """Sends `on_confirm` if the user agrees to the `question`; takes Chakra's variant and size."""

    library, tag = script(CONFIRM, "ConfirmButton")
    question: rx.Var[dict[str, Any]]
    variant: rx.Var[str] = rx.Var.create("ghost")
    size: rx.Var[str] = rx.Var.create("sm")
    is_loading: rx.Var[bool]
    on_confirm: Annotated[rx.EventHandler, rx.event.no_args_event_spec]


class AskAgain(rx.Component):
    """Asks the `question` of a refusal, which `times` counts, if it has one; then the form is sent again as `then`."""

    library, tag = script(CONFIRM, "AskAgain")
    question: rx.Var[dict[str, Any]]
    times: rx.Var[int]
    then: rx.Var[str]


class TypedConfirmButton(ConfirmButton):
    """A `ConfirmButton` whose question has a text to be typed, which `on_confirm` gets as it was typed."""

    on_confirm: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str)]


class ConfirmSelect(rx.Component):
    """A select that sends a choice if the user agrees to its one of the `questions`, and else shows `value` again.

    A choice that was sent is shown until `answers` changes.
    """

    library, tag = script(CONFIRM, "ConfirmSelect")
    value: rx.Var[str]
    options: rx.Var[list[list[str]]]
    questions: rx.Var[dict[str, Any]]
    label: rx.Var[str]
    answers: rx.Var[int]
    on_confirm: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str)]


def question(sentence: Any, yes: Any, *, is_danger: bool = False, no: str = texts.CANCEL, **about: Any) -> rx.Var[Any]:
    """A question: its sentence, further lines of which are smaller, and the label of the button that agrees.

    `about` may have the `name` of what it is about, its `picture` with a `fallback` and the class `look`, a `note`, in
    which `{date}` is the day in so many `days`, and a text to be `typed` below a `label`; capitals do not matter.
    """
    return rx.Var.create({"sentence": sentence, "yes": yes, "no": no, "isDanger": is_danger, **about})


def confirm_button(*children: Any, ask: rx.Var[Any], on_confirm: Any, **look: Any) -> rx.Component:
    """A button that asks first; `ask` is its `question`."""
    return ConfirmButton.create(*children, question=ask, on_confirm=on_confirm, **look)


typed_confirm_button = TypedConfirmButton.create
confirm_select = ConfirmSelect.create
