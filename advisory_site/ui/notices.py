"""Where notices appear: bottom left of the window, or in the form that they are about."""

from typing import Any

import reflex as rx

from .scripts import script


class Notices(rx.Component):
    """Shows each new notice once, in order of time, at most three, and reads it out.

    A notice replaces those with its subject or its text; one without a text only takes the errors of its subject away.
    It goes after `ms` milliseconds, not while it is pointed at, or when it is dismissed; with 0 only then.
    """

    library, tag = script("notices.jsx", "Notices")
    items: rx.Var[list[dict[str, Any]]]


class NoticePlace(rx.Component):
    """Where the errors about one subject stand instead: in the flow of their form, so that they cover nothing of it.

    With `holds_success` all replies about it do, as in a form that stays after saving.
    """

    library, tag = script("notices.jsx", "NoticePlace")
    subject: rx.Var[str]
    holds_success: rx.Var[bool]


notice_place = NoticePlace.create
