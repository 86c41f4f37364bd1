"""The choice whether keys without Ctrl are shortcuts; stored in the browser."""

import reflex as rx

from ...ui.scripts import script


class SingleKeys(rx.Component):
    """A checkbox, ticked unless the shortcuts were turned off in this browser."""

    library, tag = script("single_keys.jsx", "SingleKeys")
    label: rx.Var[str]


single_keys = SingleKeys.create
