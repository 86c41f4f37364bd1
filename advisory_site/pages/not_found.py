"""The page for an unknown address."""

import reflex as rx

from ..content import not_found as words
from ..ui.public.layout import page
from ..ui.public.links import anchor, button


def not_found_page() -> rx.Component:
    """The code, the message, a link to Home, and links to frequent pages."""
    return page(
        "",
        rx.el.section(
            rx.el.div(
                rx.el.p(words.CODE, class_name="lost-number"),
                rx.el.h1(words.TITLE, class_name="title-l"),
                rx.el.p(words.TEXT, class_name="lead"),
                button(words.HOME_LINK),
                rx.el.ul(*(rx.el.li(anchor(link)) for link in words.OTHER_LINKS), class_name="lost-links"),
                class_name="wrap lost",
            )
        ),
    )
