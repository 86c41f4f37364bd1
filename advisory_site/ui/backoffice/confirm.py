"""A button and a menu item that ask for confirmation in the browser's own dialog."""

from typing import Annotated

import reflex as rx

from ..scripts import script


class ConfirmButton(rx.Component):
    """Sends `on_confirm` if the user confirms `sentence`; takes Chakra's variant and size."""

    library, tag = script("confirm_button.jsx", "ConfirmButton")
    sentence: rx.Var[str]
    variant: rx.Var[str] = rx.Var.create("ghost")
    size: rx.Var[str] = rx.Var.create("sm")
    is_loading: rx.Var[bool]
    on_confirm: Annotated[rx.EventHandler, rx.event.no_args_event_spec]


class ConfirmItem(rx.Component):
    """An item of a menu that sends `on_confirm` if the user confirms `sentence`."""

    library, tag = script("confirm_button.jsx", "ConfirmItem")
    sentence: rx.Var[str]
    on_confirm: Annotated[rx.EventHandler, rx.event.no_args_event_spec]


confirm_button = ConfirmButton.create
confirm_item = ConfirmItem.create
