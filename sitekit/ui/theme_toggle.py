"""The switch between the light and the dark theme."""

import reflex as rx

from .icons import icon

LABEL = "Switch between light and dark"


def theme_toggle() -> rx.Component:
    """The switch between light and dark; the choice is also kept in a cookie (`server/ssr/theme_variants.py`)."""
    return rx.el.button(
        icon("sun", class_name="theme-sun"),
        icon("moon", class_name="theme-moon"),
        type="button",
        on_click=rx.toggle_color_mode,
        class_name="icon-button theme-toggle",
        aria_label=LABEL,
    )
