"""Dialogs: those that the address opens, so that they can be linked to, and those that a state opens."""

from typing import Annotated, Any
from urllib.parse import parse_qsl, urlencode

import reflex as rx

from ...ui.scripts import script
from .. import texts
from .address import AddressLink

NEW = "new"


class AddressButton(AddressLink):
    """Like `address_link`, but looks like a button; takes a button's variant and size."""

    library, tag = script("address_button.jsx", "AddressButton")
    variant: rx.Var[str]
    size: rx.Var[str]


class AddressDialog(rx.Component):
    """A dialog that is open while the address has the query parameter `parameter`.

    Closing it removes the parameter, unless the user keeps unsaved changes. `shown` is the value of the parameter that
    the content belongs to: until both are equal, a spinner is shown. With the `name` of a record, that is the heading,
    below the other one.
    """

    library, tag = script("address_dialog.jsx", "AddressDialog")
    parameter: rx.Var[str]
    shown: rx.Var[str]
    heading: rx.Var[str]
    new_heading: rx.Var[str]
    name: rx.Var[str]
    close_label: rx.Var[str] = rx.Var.create(texts.CLOSE)
    wait_label: rx.Var[str] = rx.Var.create(texts.LOADING)


class StateDialog(rx.Component):
    """A dialog that is open while `is_open`; closing it sends `on_close`. `first` selects what gets the focus."""

    library, tag = script("state_dialog.jsx", "StateDialog")
    is_open: rx.Var[bool]
    heading: rx.Var[str]
    first: rx.Var[str]
    close_label: rx.Var[str] = rx.Var.create(texts.CLOSE)
    on_close: Annotated[rx.EventHandler, rx.event.no_args_event_spec]


address_button = AddressButton.create


def address_dialog(
    content: rx.Component, *, parameter: str, shown: Any, heading: Any, new_heading: Any = None, name: Any = ""
) -> rx.Component:
    """A dialog around its content; `new_heading` is the heading where the parameter is `NEW`, `name` the record's."""
    return AddressDialog.create(
        content,
        parameter=parameter,
        shown=shown,
        heading=heading,
        new_heading=heading if new_heading is None else new_heading,
        name=name,
    )


def closed(path: str, query: str, parameter: str) -> str:
    """The address of a page without its dialog, with the same search, order and page of the list."""
    rest = [(name, value) for name, value in parse_qsl(query) if name != parameter]
    return f"{path}?{urlencode(rest)}" if rest else path
