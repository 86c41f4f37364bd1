"""Small React components that run in the browser without eval."""

import reflex as rx

from .scripts import script


class BrokenImageFallback(rx.Component):
    """An image that shows `fallback` if it cannot be loaded, also if loading failed before hydration."""

    library, tag = script("image_fallback.jsx", "BrokenImageFallback")
    src: rx.Var[str]
    fallback: rx.Var[str]
    alt: rx.Var[str]
    width: rx.Var[int]
    height: rx.Var[int]
    loading: rx.Var[str]


class MoveFocus(rx.Component):
    """Moves the focus to the first element that matches the selector `to`, each time `when` changes."""

    library, tag = script("move_focus.jsx", "MoveFocus")
    to: rx.Var[str]
    when: rx.Var[int]
