"""Menus behind a button, and their items; Chakra, which gives them their behaviour, is fetched after the page."""

from typing import Annotated, Any, Self

import reflex as rx

from ...server.framework import chakra
from ...ui.scripts import script
from .address import AddressLink


class ActionMenu(chakra.Menu):
    """A button with the content of the first child, which opens a menu of the others."""

    library, tag = script("menus.jsx", "ActionMenu")
    lib_dependencies: list[str] = chakra.PACKAGES


class RowMenu(rx.Component):
    """A "..." button named `label` that opens a menu; its children are the menu's items."""

    library, tag = script("menus.jsx", "RowMenu")
    lib_dependencies: list[str] = chakra.PACKAGES
    label: rx.Var[str]


class MenuItem(chakra.MenuItem):
    """An item of a menu."""

    library, tag = script("menus.jsx", "MenuItem")


class MenuLink(MenuItem):
    """A link within the site as an item of a menu."""

    library, tag = script("menus.jsx", "MenuLink")
    to: rx.Var[str]

    @classmethod
    def create(cls, *children: Any, href: Any, **props: Any) -> Self:
        """A link to a path of the site, plain or var, that navigates without a reload."""
        return super().create(*children, to=href, **props)


class MenuDivider(chakra.MenuDivider):
    """A line between the items of a menu."""

    library, tag = script("menus.jsx", "MenuDivider")


class AddressItem(AddressLink):
    """Like `address_link`, but an item of a menu."""

    library, tag = script("menus.jsx", "AddressItem")


class ConfirmItem(rx.Component):
    """An item of a menu that sends `on_confirm` if the user agrees to the `question`."""

    library, tag = script("menus.jsx", "ConfirmItem")
    question: rx.Var[dict[str, Any]]
    on_confirm: Annotated[rx.EventHandler, rx.event.no_args_event_spec]


action_menu = ActionMenu.create
row_menu = RowMenu.create
menu_item = MenuItem.create
menu_link = MenuLink.create
menu_divider = MenuDivider.create
address_item = AddressItem.create


def confirm_item(*children: Any, ask: rx.Var[Any], on_confirm: Any, **look: Any) -> rx.Component:
    """An item of a menu that asks first; `ask` is its `question`."""
    return ConfirmItem.create(*children, question=ask, on_confirm=on_confirm, **look)
