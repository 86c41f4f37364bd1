"""The page for an unknown address."""

import reflex as rx

from sitekit.ui.public.links import anchor, button

from ..components.layout import page
from ..content import not_found as texts


def not_found_page() -> rx.Component:
    """The code, the message, a link to Home, and links to frequent pages."""
    return page(
        "",
        rx.el.section(
            rx.el.div(
                rx.el.p(texts.CODE, class_name="lost-number"),
                rx.el.h1(texts.TITLE, class_name="title-l"),
                rx.el.p(texts.TEXT, class_name="lead"),
                button(texts.HOME_LINK),
                rx.el.ul(*(rx.el.li(anchor(link)) for link in texts.OTHER_LINKS), class_name="lost-links"),
                class_name="wrap lost",
            )
        ),
    )
