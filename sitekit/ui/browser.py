"""Small React components that run in the browser without eval."""

from typing import Any

import reflex as rx

from ..records.pictures.addresses import WIDTHS, Picture
from .scripts import script

Places = tuple[tuple[str, str], ...]


class BrokenImageFallback(rx.Component):
    """An image that shows `fallback` if it cannot be loaded, also if loading failed before hydration.

    If it was uploaded, `stored_width` and `stored_height` are those of its largest file, and the browser chooses among
    its sizes and formats: `places` are pairs of a media condition and a width, as in `sizes`. With the `fetch_priority`
    "high" it is preloaded. A crop behind the address is obeyed, unless it `is_whole`.
    """

    library, tag = script("picture.jsx", "BrokenImageFallback")
    src: rx.Var[str]
    fallback: rx.Var[str]
    alt: rx.Var[str]
    width: rx.Var[int]
    height: rx.Var[int]
    loading: rx.Var[str]
    fetch_priority: rx.Var[str]
    stored_width: rx.Var[int]
    stored_height: rx.Var[int]
    stored_widths: rx.Var[list[int]]
    places: rx.Var[list[list[str]]]
    is_whole: rx.Var[bool]


def shown_picture(
    picture: Picture, *, alt: Any, size: tuple[int, int], places: Places, fallback: str = "", **props: Any
) -> rx.Component:
    """A picture of a record, cropped to a size in pixels, which is that of its place before it is loaded.

    With `is_whole` the picture is not cropped.
    """
    return BrokenImageFallback.create(
        src=picture.image_url,
        fallback=fallback,
        alt=alt,
        width=size[0],
        height=size[1],
        stored_width=picture.width,
        stored_height=picture.height,
        stored_widths=list(WIDTHS),
        places=[list(position) for position in places],
        **{"loading": "lazy"} | props,
    )


class MoveFocus(rx.Component):
    """Moves the focus to the first element that matches the selector `to`, each time `when` changes."""

    library, tag = script("move_focus.jsx", "MoveFocus")
    to: rx.Var[str]
    when: rx.Var[int]


class FocusOnArrival(rx.Component):
    """Moves the focus to the first element that matches `to` when it is mounted, unless something has it."""

    library, tag = script("move_focus.jsx", "FocusOnArrival")
    to: rx.Var[str]


class KeepFocus(rx.Component):
    """Moves the focus on when what had it is removed, such as a button by what it did.

    It goes to what stands in that place or follows there; of a list to the row in the place of the one that is gone, or
    to the one that Undo brings back; from a notice to where it was before. Whatever moves the focus itself comes first.
    """

    library, tag = script("keep_focus.jsx", "KeepFocus")
