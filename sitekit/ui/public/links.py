"""Links and link buttons; an external one opens a new tab, with a note for screen readers."""

from typing import Any

import reflex as rx

from ..copy import NEW_TAB_NOTE, Link
from ..icons import icon
from .words import before_last_word, last_word, words_of


def anchor(link: Link, *content: str | rx.Var[str] | rx.Component, **props: Any) -> rx.Component:
    """A plain link with its label, or other content."""
    spoken: list[str | rx.Var[str]] = [f" {words_of(link.context)}"] if link.context else []
    if link.external:
        spoken.append(f" ({NEW_TAB_NOTE})")
        props |= {"target": "_blank", "rel": "noopener"}
    hidden = [rx.el.span(text, class_name="visually-hidden") for text in spoken]
    return rx.el.a(*(content or [words_of(link.label)]), *hidden, href=link.href, **props)


def current_link(link: Link, route: str) -> rx.Component:
    """A link of a navigation, marked if it leads to the page's own route."""
    return anchor(link, aria_current="page") if link.href == route else anchor(link)


def button(link: Link, *, quiet: bool = False) -> rx.Component:
    """A link that looks like a button."""
    return anchor(link, class_name="button button-quiet" if quiet else "button")


def arrow_link(link: Link, *more: rx.Component) -> rx.Component:
    """A link with an arrow, which does not wrap from the last word; `more` follows."""
    end = rx.el.span(last_word(link.label), icon("arrow-right", class_name="icon-small"), class_name="arrow-link-end")
    return anchor(link, before_last_word(link.label), end, *more, class_name="arrow-link")


def back_link(link: Link) -> rx.Component:
    """A link back to a list."""
    return rx.el.a(icon("arrow-left", class_name="icon-small"), link.label, href=link.href, class_name="back-link")


def actions(*links: Link | None) -> rx.Component:
    """A primary button, followed by secondary ones; a missing link is left out."""
    present = [link for link in links if link is not None]
    return rx.el.div(*(button(link, quiet=index > 0) for index, link in enumerate(present)), class_name="actions")
