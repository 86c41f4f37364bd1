"""Puts the cursor of a text that is begun already where writing goes on."""

import reflex as rx

from ...ui.scripts import script


class Caret(rx.Component):
    """Puts the cursor of the text area that matches `to` after its first paragraph, each time `when` changes.

    Also when somebody clicks below the text while it is as it was begun.
    """

    library, tag = script("caret.jsx", "Caret")
    to: rx.Var[str]
    when: rx.Var[int]


caret = Caret.create
