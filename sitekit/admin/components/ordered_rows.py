"""Rows that are put in order by dragging and by keys."""

from typing import Annotated, Any

import reflex as rx

from ...ui.icons import icon
from ...ui.scripts import script
from .. import texts


class OrderedRows(rx.Component):
    """Rows with `data-row`; sends `on_place(id, id of another row, whether after it)` when a row is moved.

    It says so when a row cannot be moved further.
    """

    library, tag = script("ordered_rows.jsx", "OrderedRows")
    words: rx.Var[dict[str, str]] = rx.Var.create({"first": texts.FIRST_ROW, "last": texts.LAST_ROW})
    on_place: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(int, int, bool)]


ordered_rows = OrderedRows.create


def row_handle(name: Any) -> rx.Component:
    """The handle of a row: drag it, or press Alt with an arrow key."""
    return rx.el.button(
        icon("grip", class_name="icon-small"),
        rx.el.span(f"{texts.MOVE} {name}", class_name="visually-hidden"),
        type="button",
        title=texts.MOVE_HINT,
        class_name="row-handle",
        custom_attrs={"aria-keyshortcuts": "Alt+ArrowUp Alt+ArrowDown"},
    )
