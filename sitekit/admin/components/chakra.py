"""Chakra for the back office: its provider and links; `rc` has the components.

`backoffice(...)` wraps the content of a page that uses Chakra. No other page loads any of it.
"""

from typing import Any, Self

import reflex as rx

from ...server.framework.chakra import ChakraComponent, rc
from ...ui.scripts import script
from .browser import connection_bar
from .theme import THEME


class Backoffice(rx.Component):
    """Chakra's provider with our theme. Chakra's colour mode is fixed; our colours are custom properties (`theme`)."""

    library, tag = script("backoffice.jsx", "Backoffice")
    lib_dependencies: list[str] = [
        "@chakra-ui/system@2.5.7",
        "framer-motion@10.16.4",
        "@emotion/styled@11.14.1",
        "@emotion/cache@11.14.0",
    ]
    theme: rx.Var[dict[str, Any]] = rx.Var.create(THEME)


class BackofficeMenuLink(ChakraComponent):
    """A link within the site as an item of a menu."""

    tag = "MenuItem"
    alias = "ChakraMenuItem"
    href: rx.Var[str]

    @classmethod
    def create(cls, *children: Any, href: Any = "", **props: Any) -> Self:
        """A link to a path of the site, plain or var, that navigates without a reload."""
        as_router_link: rx.Var[Any] = rx.Var("RouterLink")
        attributes = {**props.pop("custom_attrs", {}), "as": as_router_link, "to": href}
        return super().create(*children, custom_attrs=attributes, **props)

    def add_imports(self) -> rx.ImportDict:
        """The router's link."""
        return {"react-router": [rx.ImportVar(tag="Link", alias="RouterLink")]}


menu_link = BackofficeMenuLink.create


def backoffice(*children: rx.Component, **props: Any) -> rx.Component:
    """The content of a back-office page inside Chakra's provider, which every Chakra component needs."""
    return Backoffice.create(rx.el.div(connection_bar(), *children, class_name="backoffice", **props))


__all__ = ["backoffice", "menu_link", "rc"]
