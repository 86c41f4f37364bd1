"""A button that copies a text."""

import reflex as rx

from ...ui.scripts import script


class CopyButton(rx.Component):
    """Copies `text` to the clipboard, and shows `copied` for a moment. `about` names what it copies the text of."""

    library, tag = script("copy_button.jsx", "CopyButton")
    text: rx.Var[str]
    label: rx.Var[str]
    about: rx.Var[str]
    copied: rx.Var[str]


copy_button = CopyButton.create
