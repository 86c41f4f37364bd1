"""Fields of a public form: label, help and error, connected for screen readers."""

from collections.abc import Sequence

import reflex as rx

from ...content.shared import Field, Option
from ..scripts import script


class PublicField(rx.Component):
    """A labelled control; `FormMarks` around it says what is wrong with its value.

    What is typed is the browser's; `typed` is where it begins. `kind` is that of an input, `textarea` or `select`.
    """

    library, tag = script("public_field.jsx", "PublicField")
    name: rx.Var[str]
    label: rx.Var[str]
    help: rx.Var[str]
    kind: rx.Var[str]
    typed: rx.Var[str]
    required: rx.Var[bool]
    placeholder: rx.Var[str]
    auto_complete: rx.Var[str]
    rows: rx.Var[int]
    options: rx.Var[list[list[str]]]


def text_field(field: Field, typed: str | rx.Var[str], *, kind: str = "text") -> rx.Component:
    """A text on one line."""
    return _field(field, typed, kind=kind)


def long_text_field(field: Field, typed: str | rx.Var[str], *, rows: int = 7) -> rx.Component:
    """A text on several lines."""
    return _field(field, typed, kind="textarea", rows=rows)


def choice_field(field: Field, typed: str | rx.Var[str], *, none: str, options: Sequence[Option]) -> rx.Component:
    """One of a few; `none` is what no choice is called."""
    choices = [["", none], *([one.value, one.label] for one in options)]
    return _field(field, typed, kind="select", options=choices)


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
    """A field that no person meets, neither by eye nor by ear nor by keyboard."""
    return rx.el.div(
        rx.el.label(field.label, rx.el.input(type="text", name=field.name, tab_index=-1, auto_complete="off")),
        class_name="visually-removed",
        aria_hidden="true",
    )
