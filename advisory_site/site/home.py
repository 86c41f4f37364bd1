"""The home page, as a table of contents."""

import reflex as rx

from advisory_site import routes
from advisory_site.content import home as words
from advisory_site.content.support import SUPPORT_AREAS
from advisory_site.ui import sections
from advisory_site.ui.layout import page


def home_page() -> rx.Component:
    """Who we help, the numbers, why founders choose us, what we support, and the way in."""
    return page(
        routes.HOME,
        sections.hero(words.HERO, words.HERO_PRIMARY, words.HERO_SECONDARY),
        sections.stat_band(words.STATS_TITLE, words.STATS),
        sections.points(words.WHY_FOUNDERS, words.WHY_FOUNDERS_CARDS),
        sections.support_summary(routes.STRATEGIC_SUPPORT, words.SUPPORT, SUPPORT_AREAS, words.SUPPORT_LINK),
        sections.closing(words.CLOSING),
    )
