"""Dates and times in the browser's time zone: "21 Nov 2026, 7:26 pm", or how long ago: "3 hours ago".

Empty on the server and during hydration, because only the browser has the time zone.
"""

import reflex as rx

from .scripts import script


class LocalTime(rx.Component):
    """A time given as ISO text in UTC: date and time, with `is_short` only the date, with `is_age` how long ago it was.

    Its title names the time zone; with `has_zone` its text does too, for users in several time zones. On the day of
    `near`, a time that is shown near it, only the hour.
    """

    library, tag = script("local_time.jsx", "LocalTime")
    at: rx.Var[str]
    is_short: rx.Var[bool] = rx.Var.create(False)
    has_zone: rx.Var[bool] = rx.Var.create(False)
    is_age: rx.Var[bool] = rx.Var.create(False)
    near: rx.Var[str] = rx.Var.create("")


local_time = LocalTime.create
