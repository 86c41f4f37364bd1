"""Labelled form fields with help and errors.

Inputs are uncontrolled: they start with the record's values, and the browser holds what is typed until it is sent. A
form of a record shows the vars of a state that mixes in `FormState`.
"""

import re
from typing import Any

import reflex as rx

from ...records.form_texts import CHOICE_NONE, Section
from ...ui.copy import HIDE, SHOW
from ...ui.scripts import script
from .. import texts
from . import controls
from .elements import heading

Text = str | rx.Var[str]


class BackofficeField(rx.Component):
    """A control with its label, and below it the hint, or what the surrounding `FormMarks` has for it."""

    library, tag = script("backoffice_field.jsx", "BackofficeField")
    name: rx.Var[str]
    label: rx.Var[str]
    hint: rx.Var[str]
    is_required: rx.Var[bool]
    entries_label: rx.Var[str]


class BackofficeError(rx.Component):
    """The error that the surrounding `FormMarks` has for a name without a control, such as a whole group."""

    library, tag = script("backoffice_field.jsx", "BackofficeError")
    name: rx.Var[str]


def text_field(
    name: Text,
    label: str,
    value: Any,
    *,
    hint: str = "",
    is_required: bool = False,
    suggestions: Any = None,
    **props: Any,
) -> rx.Component:
    """One line of text. `props` go to the input: `type_`, `key`, and attributes such as `auto_complete`.

    `suggestions` are values with their labels, as for a reference; any other text may be typed.
    """
    input_props = {name: props.pop(name) for name in ("type_", "key") if name in props}
    offered = rx.fragment()
    if suggestions is not None:
        props |= {"list": f"{name}-suggestions", "auto_complete": "off"}
        options = rx.foreach(suggestions.to(list[list[str]]), lambda suggestion: rx.el.option(value=suggestion[0]))
        offered = rx.el.datalist(options, id=props["list"])
    # Reflex would treat unknown props as styles.
    attributes = {re.sub("_(.)", lambda part: part[1].upper(), name): value for name, value in props.items()}
    entry = controls.text_input(name=name, default_value=value, custom_attrs=attributes, **input_props)
    return field(name, label, rx.fragment(entry, offered), hint=hint, is_required=is_required)


class PasswordInput(rx.Component):
    """A password input with a button that shows the text."""

    library, tag = script("password.jsx", "PasswordInput")
    name: rx.Var[str]
    label: rx.Var[str]
    show: rx.Var[str] = rx.Var.create(SHOW)
    hide: rx.Var[str] = rx.Var.create(HIDE)


def password_field(name: str, label: str, auto_complete: str, *, hint: str = "") -> rx.Component:
    """A required password input; `auto_complete` is the kind of password, for password managers."""
    control = PasswordInput.create(name=name, label=label.lower(), custom_attrs={"autoComplete": auto_complete})
    return field(name, label, control, hint=hint, is_required=True)


def long_field(
    name: Text,
    label: str,
    value: Any,
    *,
    hint: str = "",
    is_required: bool = False,
    rows: int = 4,
    auto_focus: bool = False,
) -> rx.Component:
    """Several lines of text."""
    control = controls.text_area(name=name, default_value=value, custom_attrs={"rows": rows, "autoFocus": auto_focus})
    return field(name, label, control, hint=hint, is_required=is_required, class_name="field-wide")


class CharCount(rx.Component):
    """How long the text in the input of this name is, once it has most of the characters that it may have."""

    library, tag = script("char_count.jsx", "CharCount")
    name: rx.Var[str]
    most: rx.Var[int]
    text: rx.Var[str] = rx.Var.create(texts.CHAR_COUNT)


class ChoiceInput(rx.Component):
    """A select with `choices`, and an input for any other text, which the select calls `own`.

    An empty choice is called `none`.
    """

    library, tag = script("choice.jsx", "ChoiceInput")
    name: rx.Var[str]
    choices: rx.Var[list[str]]
    none: rx.Var[str] = rx.Var.create(CHOICE_NONE)
    own: rx.Var[str] = rx.Var.create(texts.CHOICE_OWN)
    own_label: rx.Var[str]
    default_value: rx.Var[str]


class ReferenceInput(rx.Component):
    """A select of `options`, each a value with its label."""

    library, tag = script("reference.jsx", "ReferenceInput")
    name: rx.Var[str]
    options: rx.Var[list[list[str]]]
    default_value: rx.Var[str]


def check_field(name: str, label: str, value: Any, *, hint: str = "") -> rx.Component:
    """A checkbox; if it is not ticked, nothing is sent."""
    return controls.field_frame(
        controls.tick(label, name=name, value="on", custom_attrs={"defaultChecked": value}),
        hint=hint,
        class_name="field-check",
    )


def field(
    name: Text,
    label: str,
    control: rx.Component,
    *,
    hint: str = "",
    is_required: bool = False,
    class_name: str = "",
    entries_label: str = "",
) -> rx.Component:
    """Any control with its label, hint and error; with `entries_label`, also the entries of its list."""
    return BackofficeField.create(
        control,
        name=name,
        label=label,
        hint=hint,
        is_required=is_required,
        entries_label=entries_label,
        class_name=f"backoffice-field {class_name}".strip(),
    )


def field_group(text: Section, *fields: rx.Component) -> rx.Component:
    """A group of fields under a heading; in two columns on wide screens."""
    return rx.el.section(group_head(text), rx.el.div(*fields, class_name="field-grid"), class_name="field-group")


def group_head(text: Section) -> rx.Component:
    """The heading of a group of fields."""
    return rx.el.div(
        heading(text.title, level="h2", size="sm"),
        rx.el.p(text.text, class_name="backoffice-muted"),
        class_name="field-group-head",
    )
