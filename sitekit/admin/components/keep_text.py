"""Two buttons that keep a text: one prints the page, one downloads the text as a file."""

import reflex as rx

from ...ui.scripts import script


class KeepText(rx.Component):
    """Prints the page, and downloads `text` as a file; both happen in the browser alone."""

    library, tag = script("keep_text.jsx", "KeepText")
    text: rx.Var[str]
    file_name: rx.Var[str]
    print_label: rx.Var[str]
    download_label: rx.Var[str]


keep_text = KeepText.create
