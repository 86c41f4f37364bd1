"""The Meet Our Team page: a card with links to the team and the contact page."""

import reflex as rx

from ..core import routes
from ..ui.icons import icon
from ..ui.public import sections
from ..ui.public.artwork import compass_art
from ..ui.public.layout import page
from ..ui.public.links import button
from . import texts as words


def meet_team_page() -> rx.Component:
    """The page."""
    return page(routes.MEET_OUR_TEAM, sections.page_head(words.MEET), team_card())


def team_card() -> rx.Component:
    """The card with two links."""
    return sections.section(
        rx.el.div(
            rx.el.div(
                compass_art(),
                icon(words.MEET_CARD.icon),
                rx.el.h2(words.MEET_CARD.title, class_name="title-l"),
                rx.el.p(words.MEET_CARD.text, class_name="lead"),
                rx.el.div(
                    button(words.MEET_TEAM_LINK),
                    button(words.MEET_CONTACT_LINK, quiet=True),
                    class_name="actions",
                ),
                class_name="panel panel-roomy",
            ),
        ),
        tone="section-follow",
    )
