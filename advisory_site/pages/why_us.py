"""The Why Us page: mission, vision and purpose, four principles, and who we are not for."""

import reflex as rx

from sitekit.server.framework.event_marks import public_event
from sitekit.ui.copy import Card
from sitekit.ui.public.record_page import PublicPage
from sitekit.ui.public.words import words_of

from .. import routes
from ..components import sections
from ..components.artwork import strait_art
from ..components.layout import page
from ..content import why_us as texts
from . import testimonials
from .testimonial_views import voices
from .testimonials import Quotation


class WhyUsState(PublicPage, rx.State):
    """What founders say that Home does not show."""

    said: list[Quotation] = []

    @public_event
    async def load(self) -> None:
        """Read the quotations again."""
        self.said = await self._read(_quotations, "The quotations of Why Us") or []


def _quotations() -> list[Quotation]:
    return testimonials.quotations(testimonials.read_cases())[testimonials.ON_HOME :][: testimonials.ON_WHY_US]


def why_us_page() -> rx.Component:
    """The page as a list of sections."""
    return page(
        routes.WHY_US,
        sections.page_head(texts.HERO, strait_art()),
        beliefs(),
        sections.principles(texts.PRINCIPLES, texts.PRINCIPLE_CARDS),
        fit(),
        sections.closing(texts.CLOSING, voices(WhyUsState.said)),
    )


def beliefs() -> rx.Component:
    """The mission set large; vision and purpose side by side below it."""
    return sections.section(
        rx.el.h2(words_of(texts.BELIEFS_TITLE), class_name="visually-hidden"),
        rx.el.div(_belief(texts.MISSION), class_name="statement"),
        rx.el.div(*(_belief(card) for card in (texts.VISION, texts.PURPOSE)), class_name="pair beliefs"),
        tone="section-deep",
    )


def _belief(card: Card) -> rx.Component:
    return rx.el.div(rx.el.h3(card.title, class_name="eyebrow"), rx.el.p(words_of(card.text), class_name="belief"))


def fit() -> rx.Component:
    """For whom the firm is a good fit, and for whom not."""
    return sections.section(
        sections.section_head(texts.FIT),
        rx.el.div(
            *(
                rx.el.div(rx.el.h3(words_of(side.title), class_name="title-s"), sections.ticks(side.bullets))
                for side in texts.FIT_PASSAGES
            ),
            class_name="pair",
        ),
    )
