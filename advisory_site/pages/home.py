"""The home page, as a table of contents."""

import reflex as rx

from ..content import home as words
from ..content import messages
from ..content.shared import SIGN_IN
from ..content.support import SUPPORT_AREAS
from ..core import routes
from ..ui.public import sections
from ..ui.public.layout import page
from ..ui.public.on_query import on_query


def home_page() -> rx.Component:
    """The page as a list of sections."""
    return page(
        routes.HOME,
        on_query(_confirmed(), query=routes.CONFIRMED),
        sections.hero(words.HERO, words.HERO_PRIMARY, words.HERO_SECONDARY),
        sections.stat_band(words.STATS_TITLE, words.STATS),
        sections.points(words.WHY_FOUNDERS, words.WHY_FOUNDERS_CARDS),
        sections.support_summary(routes.STRATEGIC_SUPPORT, words.SUPPORT, SUPPORT_AREAS, words.SUPPORT_LINK),
        sections.closing(words.CLOSING),
    )


def _confirmed() -> rx.Component:
    """The notice after an email address was confirmed."""
    notice = rx.el.div(
        rx.el.p(messages.EMAIL_CONFIRMED),
        rx.el.a(SIGN_IN, href=routes.AUTH),
        class_name="notice notice-inline",
    )
    return rx.el.div(notice, class_name="wrap", style={"paddingBlockStart": "var(--space-5)"})
