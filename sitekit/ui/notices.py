"""The places of notices: bottom left of the window, or in the form that they are about."""

from typing import Annotated, Any

import reflex as rx

from .scripts import script


class Notices(rx.Component):
    """Shows each new notice once, the newest on top, at most three, and announces it to screen readers.

    A notice replaces those with its subject or its text, takes the Undo from the others, and only it stays when the
    page is left. One without a text only removes the errors of its subject. It disappears after `ms` milliseconds, not
    while it is hovered or focused, or when it is dismissed; with 0 only when dismissed. One with an `undo` has an Undo
    button, which sends it to `on_undo`, as Ctrl or Cmd+Z does outside of a text field. `unstored` is said once if the
    browser cannot store the session or a draft.
    """

    library, tag = script("notices.jsx", "Notices")
    items: rx.Var[list[dict[str, Any]]]
    unstored: rx.Var[str]
    on_undo: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str)]


class NoticePlace(rx.Component):
    """Shows the errors about one subject in the flow of their form instead, so that they cover nothing of it.

    With `holds_success` also its success notices, for a form that stays open after saving.
    """

    library, tag = script("notices.jsx", "NoticePlace")
    subject: rx.Var[str]
    holds_success: rx.Var[bool]


notice_place = NoticePlace.create
