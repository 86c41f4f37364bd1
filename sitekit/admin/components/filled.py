"""Parts of a form that depend on whether one of its inputs has a value."""

import reflex as rx

from ...ui.scripts import script


class WhenFilled(rx.Component):
    """Shows `filled` in place of its children while the input `name` of the form with the id `form` has a value."""

    library, tag = script("filled.jsx", "WhenFilled")
    form: rx.Var[str]
    name: rx.Var[str]
    filled: rx.Component
