"""The repeating group of a form: rows that are added, moved, collapsed, removed and taken back.

The server has the rows and the texts that they begin with; the browser has their order, and which are removed. It sends
the inputs of the rows that it shows, in their order, so the order shown is the one that is saved and kept in drafts. A
removed row can be taken back, with what was typed in it, until the next save; only then the server deletes it.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import reflex as rx

from ...content import backoffice as words
from ...content.shared import GroupText
from ...framework.memoization import OwnChildren
from ..scripts import script
from .forms import BackofficeError, FormVars, group_head


class RepeatingRows(OwnChildren):
    """The rows of a group, and the button that adds one. Its children have the keys of the rows.

    A row is named by its `label` and its number. At least `at_least` rows remain. When `saves` increases, `on_remove`
    is sent for each removed row. Many rows begin collapsed, but those of a draft that `is_restored`.
    """

    library, tag = script("repeating_rows.jsx", "RepeatingRows")
    group: rx.Var[str]
    label: rx.Var[str]
    add_label: rx.Var[str]
    at_least: rx.Var[int]
    is_restored: rx.Var[bool]
    saves: rx.Var[int]
    words: rx.Var[dict[str, str]] = rx.Var.create(dict(words.ROWS))
    on_add: Annotated[rx.EventHandler, rx.event.no_args_event_spec]
    on_remove: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(int)]


def repeating_group(
    state: type[FormVars],
    name: str,
    fields: Callable[[Any], Sequence[rx.Component]],
    *,
    text: GroupText,
    label: str,
    add_label: str,
    at_least: int = 0,
    note: rx.Component | None = None,
) -> rx.Component:
    """A group under a heading; `fields(entry)` renders the fields of one `backoffice.form_rows.Entry`."""
    add: Any = state.add_entry  # mypy does not read a property of a class as its value
    remove: Any = state.remove_entry
    rows = RepeatingRows.create(
        rx.foreach(state.entries[name], lambda row: rx.el.div(*fields(row), class_name="field-grid", key=row.key)),
        group=name,
        label=label,
        add_label=add_label,
        at_least=at_least,
        is_restored=state.is_restored,
        saves=state.saves,
        on_add=add(name),
        on_remove=lambda key: remove(name, key),
    )
    return rx.el.section(
        group_head(text),
        rx.el.div(*([note] if note else []), rows, BackofficeError.create(name=name), class_name="field-rows"),
        class_name="field-group",
    )
