"""Sends an event at every interval and when a watched value changes."""

from typing import Annotated

import reflex as rx

from ...ui.scripts import script


class Ticker(rx.Component):
    """Renders nothing. Ticks while the tab is visible, when it becomes visible, and when `watched` changes."""

    library, tag = script("ticker.jsx", "Ticker")
    every: rx.Var[int]
    watched: rx.Var[str]
    on_tick: Annotated[rx.EventHandler, rx.event.no_args_event_spec]
