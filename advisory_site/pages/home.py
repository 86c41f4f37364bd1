"""The home page, as a table of contents."""

import reflex as rx

from ..content import home as words
from ..content import messages
from ..content import proof as proof_words
from ..content.shared import SIGN_IN
from ..content.support import SUPPORT_AREAS
from ..core import routes
from ..framework.event_marks import public_event
from ..team.partners import Partner, read_partners
from ..ui.public import profile, sections
from ..ui.public.artwork import compass_art
from ..ui.public.layout import page
from ..ui.public.on_query import on_query
from ..ui.public.page_state import PublicPage
from . import proof
from .proof import Mark, Quotation
from .proof_views import marks_strip, people_line, quotation


class HomeState(PublicPage, rx.State):
    """What Home shows of the records; empty vars show nothing."""

    said: Quotation = Quotation()
    marks: list[Mark] = []
    faces: list[Partner] = []

    @public_event
    async def load(self) -> None:
        """Read the records again."""
        self.said, self.marks, self.faces = await self._read(_records, "The records of Home") or (Quotation(), [], [])


def _records() -> tuple[Quotation, list[Mark], list[Partner]]:
    cases = proof.read_cases()
    said = proof.quotations(cases)[: proof.ON_HOME]
    return (said or [Quotation()])[0], proof.marks(cases), read_partners()[: proof.MOST_FACES]


def home_page() -> rx.Component:
    """The page as a list of sections."""
    return page(
        routes.HOME,
        on_query(_confirmed(), query=routes.CONFIRMED),
        sections.hero(
            words.HERO,
            words.HERO_PRIMARY,
            words.HERO_SECONDARY,
            people=people_line(HomeState.faces),
            numbers=sections.stat_band(words.STATS_TITLE, words.STATS, words.STATS_SOURCE),
        ),
        _proof(),
        sections.points(words.WHY_FOUNDERS, words.WHY_FOUNDERS_CARDS),
        sections.support_summary(routes.STRATEGIC_SUPPORT, words.SUPPORT, SUPPORT_AREAS, words.SUPPORT_LINK),
        sections.closing(words.CLOSING, compass_art()),
    )


def _proof() -> rx.Component:
    """A founder's words set large, and the marks of companies."""
    is_said = HomeState.said.words != ""
    return rx.cond(
        is_said | profile.has_items(HomeState.marks),
        sections.section(
            rx.cond(
                is_said,
                rx.fragment(
                    rx.el.h2(proof_words.VOICES_TITLE, class_name="visually-hidden"), quotation(HomeState.said)
                ),
            ),
            marks_strip(HomeState.marks),
            tone="proof",
        ),
    )


def _confirmed() -> rx.Component:
    """The notice after an email address was confirmed."""
    notice = rx.el.div(
        rx.el.p(messages.EMAIL_CONFIRMED),
        rx.el.a(SIGN_IN, href=routes.AUTH),
        class_name="notice notice-inline",
    )
    return rx.el.div(notice, class_name="wrap", style={"paddingBlockStart": "var(--space-5)"})
