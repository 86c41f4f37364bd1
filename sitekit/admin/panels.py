"""The panels of the overview: a head, and a list, its skeleton or a message."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from ..ui.icons import icon
from ..ui.local_time import local_time
from .components import controls
from .components.bones import bones
from .components.elements import link


def panel(head: rx.Component, *content: rx.Component, class_name: str = "", **props: Any) -> rx.Component:
    """A panel under a heading."""
    return rx.el.section(head, *content, class_name=f"work-panel {class_name}".strip(), **props)


def panel_head(title: str, note: Any = "", *actions: rx.Component) -> rx.Component:
    """The heading of a panel, with a note and links."""
    return rx.el.header(
        rx.el.h3(title),
        rx.el.p(note, class_name="backoffice-muted"),
        *actions,
        class_name="work-head",
    )


def panel_link(text: str, href: str) -> rx.Component:
    """A link in the head of a panel."""
    return link(text, icon("arrow-right", class_name="icon-small"), href=href, class_name="work-more")


def lines(rows: Any, line: Callable[[Any], rx.Component], *, name: str, empty: Any, is_loading: Any) -> rx.Component:
    """A list; `empty` is shown in place of no rows. `name` is as in `bones`."""
    texts = (controls.bone(height="1.1rem", width="70%"), controls.bone(height="1rem", width="40%"))
    waiting = bones(rx.el.li, rx.el.div(*texts), name=name, rows=rows, is_loading=is_loading)
    return rx.fragment(
        rx.el.ul(waiting, rx.foreach(rows, line), class_name="work-lines"),
        rx.cond(~is_loading & (rx.Var.create(rows).length() == 0), empty),
    )


def line(href: Any, title: Any, note: Any, at: Any) -> rx.Component:
    """One line: what to open, a note, and how long ago it was."""
    return rx.el.li(
        rx.el.div(
            link(title, href=href, class_name="cell-link"),
            rx.el.p(note, class_name="cell-note"),
        ),
        rx.el.p(local_time(at=at, is_age=True), class_name="work-age"),
    )


def nothing(sentence: str) -> rx.Component:
    """A message instead of a list."""
    return rx.el.p(sentence, class_name="backoffice-muted work-nothing")
