"""Fields of a public form: label, help and error, connected for screen readers."""

from collections.abc import Sequence

import reflex as rx

from ..copy import Field, Option
from ..scripts import script


class PublicField(rx.Component):
    """A labelled control; shows the error that the surrounding `FormMarks` has for it.

    Uncontrolled; `typed` is its initial value. `input_type` is the type of an input, `textarea` or `select`.
    """

    library, tag = script("public_field.jsx", "PublicField")
    name: rx.Var[str]
    label: rx.Var[str]
    help: rx.Var[str]
    input_type: rx.Var[str]
    typed: rx.Var[str]
    required: rx.Var[bool]
    placeholder: rx.Var[str]
    auto_complete: rx.Var[str]
    rows: rx.Var[int]
    options: rx.Var[list[list[str]]]


def text_field(field: Field, typed: str | rx.Var[str], *, input_type: str = "text") -> rx.Component:
    """A one-line text input."""
    return _field(field, typed, input_type=input_type)


def long_text_field(field: Field, typed: str | rx.Var[str]) -> rx.Component:
    """A text area."""
    return _field(field, typed, input_type="textarea", rows=7)


def choice_field(field: Field, typed: str | rx.Var[str], *, none: str, options: Sequence[Option]) -> rx.Component:
    """A select; `none` is the label of the empty option."""
    choices = [["", none], *([option.value, option.label] for option in options)]
    return _field(field, typed, input_type="select", options=choices)


def _field(field: Field, typed: str | rx.Var[str], **props: object) -> rx.Component:
    return PublicField.create(
        name=field.name,
        label=field.label,
        help=field.help,
        typed=typed,
        required=field.required,
        placeholder=field.placeholder,
        auto_complete=field.autocomplete,
        **props,
    )


def honeypot_field(field: Field) -> rx.Component:
    """A honeypot: a field hidden from view, from screen readers and from the keyboard."""
    return rx.el.div(
        rx.el.label(field.label, rx.el.input(type="text", name=field.name, tab_index=-1, auto_complete="off")),
        class_name="visually-removed",
        aria_hidden="true",
    )
