"""A greeting by the browser's clock; empty on the server and during hydration."""

import reflex as rx

from ...ui.scripts import script


class Greeting(rx.Component):
    """One of three texts: `morning` before 12:00, `afternoon` before 18:00, else `evening`."""

    library, tag = script("greeting.jsx", "Greeting")
    morning: rx.Var[str]
    afternoon: rx.Var[str]
    evening: rx.Var[str]


greeting = Greeting.create
