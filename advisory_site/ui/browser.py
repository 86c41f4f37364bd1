"""Small React components for what the browser must do by itself, without eval."""

import reflex as rx

from .scripts import script


class BrokenImageFallback(rx.Component):
    """An image that shows `fallback` when it cannot be loaded, also when that failed before hydration."""

    library, tag = script("image_fallback.jsx", "BrokenImageFallback")
    src: rx.Var[str]
    fallback: rx.Var[str]
    alt: rx.Var[str]
    width: rx.Var[int]
    height: rx.Var[int]
    loading: rx.Var[str]


class MoveFocus(rx.Component):
    """Moves the focus to the first element that fits the selector `to`, each time `when` changes."""

    library, tag = script("move_focus.jsx", "MoveFocus")
    to: rx.Var[str]
    when: rx.Var[int]
