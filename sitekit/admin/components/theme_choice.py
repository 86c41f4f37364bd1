"""The choice of a theme: light, dark or the system's; stored in the browser."""

import reflex as rx

from ...ui.scripts import script


class ThemeChoice(rx.Component):
    """Radio buttons bound to Reflex's colour mode; `options` are pairs of a mode and its label."""

    library, tag = script("theme_choice.jsx", "ThemeChoice")
    options: rx.Var[list[list[str]]]
    label: rx.Var[str]


def theme_choice(options: dict[str, str], label: str) -> rx.Component:
    """One radio button per theme."""
    return ThemeChoice.create(options=[[mode, text] for mode, text in options.items()], label=label)
