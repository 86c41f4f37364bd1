"""The Why Us page: mission, vision and purpose, four principles, and who we are not for."""

import reflex as rx

from ..content import why_us as words
from ..content.shared import Card
from ..core import routes
from ..framework.event_marks import public_event
from ..ui.public import sections
from ..ui.public.artwork import strait_art
from ..ui.public.layout import page
from ..ui.public.page_state import PublicPage
from . import proof
from .proof import Quotation
from .proof_views import voices


class WhyUsState(PublicPage, rx.State):
    """What founders say that Home does not show."""

    said: list[Quotation] = []

    @public_event
    async def load(self) -> None:
        """Read the quotations again."""
        self.said = await self._read(_quotations, "The quotations of Why Us") or []


def _quotations() -> list[Quotation]:
    return proof.quotations(proof.read_cases())[proof.ON_HOME :][: proof.ON_WHY_US]


def why_us_page() -> rx.Component:
    """The page as a list of sections."""
    return page(
        routes.WHY_US,
        sections.page_head(words.HERO, strait_art()),
        beliefs(),
        sections.principles(words.PRINCIPLES, words.PRINCIPLE_CARDS),
        fit(),
        sections.closing(words.CLOSING, voices(WhyUsState.said)),
    )


def beliefs() -> rx.Component:
    """The mission set large; vision and purpose side by side below it."""
    return sections.section(
        rx.el.h2(words.BELIEFS_TITLE, class_name="visually-hidden"),
        rx.el.div(_belief(words.MISSION), class_name="statement"),
        rx.el.div(*(_belief(card) for card in (words.VISION, words.PURPOSE)), class_name="pair beliefs"),
        tone="section-deep",
    )


def _belief(card: Card) -> rx.Component:
    return rx.el.div(rx.el.h3(card.title, class_name="eyebrow"), rx.el.p(card.text, class_name="belief"))


def fit() -> rx.Component:
    """For whom the firm is a good fit, and for whom not."""
    return sections.section(
        sections.section_head(words.FIT),
        rx.el.div(
            *(
                rx.el.div(rx.el.h3(side.title, class_name="title-s"), sections.ticks(side.bullets))
                for side in words.FIT_PASSAGES
            ),
            class_name="pair",
        ),
    )
