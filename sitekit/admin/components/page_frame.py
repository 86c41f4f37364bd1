"""A page of the site in a frame, in which a press chooses a text."""

from typing import Annotated

import reflex as rx

from ...ui.scripts import script


class PageFrame(rx.Component):
    """The frame at `src`, a page with its texts marked.

    Pressing a text sets the query parameter `parameter` to what `choices` has for its name. The `chosen` one is marked
    and in view. A press on anything else sends `on_fixed` with the path of a link in it or beside it.
    """

    library, tag = script("page_frame.jsx", "PageFrame")
    src: rx.Var[str]
    title: rx.Var[str]
    parameter: rx.Var[str]
    choices: rx.Var[dict[str, int]]
    chosen: rx.Var[str]
    on_fixed: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str)]


page_frame = PageFrame.create
