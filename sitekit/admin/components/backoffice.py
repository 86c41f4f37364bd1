"""What surrounds the content of each page of the back office. No other page loads any of it."""

from typing import Any

import reflex as rx

from ...ui.scripts import script
from .browser import connection_bar


class Backoffice(rx.Component):
    """The page's content, the place of questions, and the keys of the back office."""

    library, tag = script("backoffice.jsx", "Backoffice")


def backoffice(*children: rx.Component, **props: Any) -> rx.Component:
    """The content of a back-office page."""
    return Backoffice.create(rx.el.div(connection_bar(), *children, class_name="backoffice", **props))
