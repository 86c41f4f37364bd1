"""The menu of small screens: a <details> that works without scripts; scripts add Escape and focus."""

import reflex as rx

from ..scripts import script


class MenuBehaviour(rx.Component):
    """Adds the behaviour of a menu button to the surrounding <details>: `aria-expanded`, Escape, closing on a choice.

    It changes the document only after it was mounted, so server and browser render the same HTML.
    """

    library, tag = script("menu_behaviour.jsx", "MenuBehaviour")


def menu(*panel: rx.Component, toggle: tuple[rx.Component, ...]) -> rx.Component:
    """The toggle and the panel that it opens."""
    return rx.el.details(
        rx.el.summary(*toggle, class_name="icon-button"),
        rx.el.div(*panel, class_name="menu-panel"),
        MenuBehaviour.create(),
        class_name="menu",
    )
