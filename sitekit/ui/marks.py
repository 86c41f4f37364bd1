"""Marks invalid fields of a form until their value is valid."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import reflex as rx

from ..base import messages
from .scripts import script

MOST_CHECKS = 20
LONGEST_NAME = 200


class FormMarks(rx.Component):
    """Wraps a form; its fields look up their marks by name.

    When `times_refused` changes, the fields in `errors` are marked, and the first gets the focus. A marked or `watched`
    field is checked by `on_check(name, edit, typed)` when typing in it pauses; `checks` holds the results by name. A
    result is shown only while the field still has the value that was checked, and a suggestion is filled in only where
    nothing was typed, or over a text that the form itself has `proposed`. `typed` has the values of the field and of
    those in `sends`, which are validated together. Without `on_check` a mark is removed as soon as its field is edited,
    and all are removed when `saves` changes. `on_right` is sent when the last mark is removed. `drawn` are the
    errors that the page was rendered with.
    """

    library, tag = script("marks.jsx", "FormMarks")
    drawn: rx.Var[dict[str, str]]
    errors: rx.Var[dict[str, str]]
    times_refused: rx.Var[int]
    saves: rx.Var[int] = rx.Var.create(0)
    checks: rx.Var[dict[str, Any]]
    watched: rx.Var[list[str]] = rx.Var.create([])
    sends: rx.Var[list[str]] = rx.Var.create([])
    proposed: rx.Var[dict[str, str]] = rx.Var.create({})
    on_check: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str, int, dict)]
    on_right: Annotated[rx.EventHandler, rx.event.no_args_event_spec]


class MarkSummary(rx.Component):
    """The number of marked fields of the surrounding form, with a link to each; shown beside the button."""

    library, tag = script("marks.jsx", "MarkSummary")
    one: rx.Var[str] = rx.Var.create(messages.FIELD_TO_CORRECT)
    many: rx.Var[str] = rx.Var.create(messages.FIELDS_TO_CORRECT)


form_marks = FormMarks.create
mark_summary = MarkSummary.create


@dataclass(frozen=True)
class FieldCheck:
    """The result of checking a field while it is typed.

    `edit` is the browser's number of the value: the result for an older value is not shown. `suggestions` are texts for
    other fields.
    """

    edit: int = 0
    error: str = ""
    hint: str = ""
    suggestions: dict[str, str] = field(default_factory=dict)


def with_check(checks: Mapping[str, FieldCheck], name: str, check: FieldCheck) -> dict[str, FieldCheck]:
    """Add a result; only the latest ones are kept."""
    others = [(field_name, answer) for field_name, answer in checks.items() if field_name != name]
    return {**dict(others[1 - MOST_CHECKS :]), name[:LONGEST_NAME]: check}
