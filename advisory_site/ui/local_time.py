"""Dates and times by the reader's clock: "21 Nov 2026, 7:26 pm".

On the server, and while hydrating, there is nothing: only the browser knows the zone.
"""

import reflex as rx

from .scripts import script


class LocalTime(rx.Component):
    """A moment given as an ISO text in UTC: date and time, with `is_short` the date alone.

    Its title names the zone. `has_zone` names it in the text, where people of several zones may speak of the moment.
    """

    library, tag = script("local_time.jsx", "LocalTime")
    at: rx.Var[str]
    is_short: rx.Var[bool] = rx.Var.create(False)
    has_zone: rx.Var[bool] = rx.Var.create(False)


local_time = LocalTime.create
