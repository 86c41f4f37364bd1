"""The fields of a public form: label, help and error, tied together for those who hear the page."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from ..content.contact import Field, Option


def text_field(field: Field, error: rx.Var[str], typed: rx.Var[str], *, kind: str = "text") -> rx.Component:
    """A text on one line. What was typed is the browser's; `typed` is where it begins."""
    placeholder = {"placeholder": field.placeholder} if field.placeholder else {}
    control = rx.el.input(
        type=kind, auto_complete=field.autocomplete, default_value=typed, **placeholder, **_ties(field, error)
    )
    return _framed(field, control, error)


def long_text_field(field: Field, error: rx.Var[str], typed: rx.Var[str], *, rows: int = 7) -> rx.Component:
    """A text on several lines."""
    return _framed(field, rx.el.textarea(rows=str(rows), default_value=typed, **_ties(field, error)), error)


def choice_field(
    field: Field, error: rx.Var[str], typed: rx.Var[str], *, none: str, options: Sequence[Option]
) -> rx.Component:
    """One of a few; `none` is what no choice is called."""
    choices = [rx.el.option(none, value=""), *(rx.el.option(one.label, value=one.value) for one in options)]
    return _framed(field, rx.el.select(*choices, default_value=typed, **_ties(field, error)), error)


def trap_field(field: Field) -> rx.Component:
    """A field that no person meets, neither by eye nor by ear nor by keyboard."""
    return rx.el.div(
        rx.el.label(field.label, rx.el.input(type="text", name=field.name, tab_index=-1, auto_complete="off")),
        class_name="off-stage",
        aria_hidden="true",
    )


def _ties(field: Field, error: rx.Var[str]) -> dict[str, Any]:
    """What ties a control to its label, its help and its error."""
    hint, complaint = _hint_id(field), _error_id(field)
    described_without_error = hint if field.help else ""
    described_with_error = f"{complaint} {hint}" if field.help else complaint
    return {
        "id": field.name,
        "name": field.name,
        "class_name": "input",
        "required": field.required,
        "aria_invalid": rx.cond(error != "", "true", "false"),
        "aria_describedby": rx.cond(error != "", described_with_error, described_without_error),
    }


def _framed(field: Field, control: rx.Component, error: rx.Var[str]) -> rx.Component:
    star = [rx.el.span(" *", class_name="required", aria_hidden="true")] if field.required else []
    return rx.el.div(
        rx.el.label(field.label, *star, html_for=field.name),
        *([rx.el.p(field.help, class_name="hint", id=_hint_id(field))] if field.help else []),
        control,
        rx.cond(error != "", rx.el.p(error, class_name="field-error", id=_error_id(field))),
        class_name="field",
    )


def _hint_id(field: Field) -> str:
    return f"{field.name}-hint"


def _error_id(field: Field) -> str:
    return f"{field.name}-error"
