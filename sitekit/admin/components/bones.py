"""What stands for the rows of a list while it is loading."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from ...ui.scripts import script


class Bones(rx.Component):
    """Its child while something `is_loading`, as often as there were rows of this name the last time.

    `count` is their number now.
    """

    library, tag = script("bones.jsx", "Bones")
    name: rx.Var[str]
    is_loading: rx.Var[bool]
    count: rx.Var[int]


def bones(
    element: Callable[..., rx.Component], *content: rx.Component, name: str, rows: Any, is_loading: Any, **props: Any
) -> rx.Component:
    """An element for each row that a list had the last time, while it is loading.

    The browser keeps the number under the `name`, with which the server draws as many (`server/ssr/private_pages.py`).
    """
    bone = element(*content, custom_attrs={"data-bone": name, "aria-hidden": "true"}, **props)
    return Bones.create(bone, name=name, is_loading=is_loading, count=rx.Var.create(rows).length())


def bones_of(state: Any, element: Callable[..., rx.Component], *content: rx.Component, **props: Any) -> rx.Component:
    """The same for the `rows` of a state that `is_loading`."""
    return bones(element, *content, name=state.__name__, rows=state.rows, is_loading=state.is_loading, **props)
