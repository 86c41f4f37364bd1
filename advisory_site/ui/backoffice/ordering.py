"""Rows that are put in order by dragging and by keys."""

from typing import Annotated, Any

import reflex as rx

from ...content import backoffice as words
from ..icons import icon
from ..scripts import script


class OrderedRows(rx.Component):
    """Rows with `data-row`; sends `on_place(id, id of another row, whether after it)` when a row is moved."""

    library, tag = script("ordered_rows.jsx", "OrderedRows")
    on_place: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(int, int, bool)]


ordered_rows = OrderedRows.create


def row_handle(name: Any) -> rx.Component:
    """The handle of a row: drag it, or press Alt with an arrow key."""
    return rx.el.button(
        icon("grip", class_name="icon-small"),
        rx.el.span(f"{words.MOVE} {name}", class_name="visually-hidden"),
        type="button",
        title=words.MOVE_HINT,
        class_name="row-handle",
        custom_attrs={"aria-keyshortcuts": "Alt+ArrowUp Alt+ArrowDown"},
    )
