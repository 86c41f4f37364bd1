"""The How We Work page: four steps, three ways to engage us, eight tools."""

import reflex as rx

from ..content import how_we_work as words
from ..content.shared import Link, Step
from ..core import routes
from ..framework.event_marks import public_event
from ..team.partners import Partner, first_partner
from ..ui.public import sections
from ..ui.public.artwork import course_art
from ..ui.public.layout import page
from ..ui.public.links import arrow_link
from ..ui.public.page_state import PublicPage
from .proof_views import partner_line


class HowWeWorkState(PublicPage, rx.State):
    """The partner at the end of the page."""

    partner: Partner = Partner()

    @public_event
    async def load(self) -> None:
        """Read the partner again."""
        self.partner = (
            await self._read(lambda: first_partner(words.PARTNER_FIELD), "The partner on How We Work") or Partner()
        )


def how_we_work_page() -> rx.Component:
    """The page as a list of sections."""
    return page(
        routes.HOW_WE_WORK,
        sections.page_head(words.HERO, course_art()),
        steps(),
        engagements(),
        tools(),
        sections.closing(
            words.CLOSING,
            partner_line(HowWeWorkState.partner, words.PARTNER_ANSWERS),
            look="closing-turned section-deep",
        ),
    )


def steps() -> rx.Component:
    """Four steps in a row, each with its result for the founder."""
    return sections.section(
        rx.el.div(
            sections.section_head(words.STEPS_HEADING),
            rx.el.ol(*(_step(step) for step in words.STEPS), class_name="steps"),
            class_name="beside",
        ),
        tone="section-sunken",
    )


def _step(step: Step) -> rx.Component:
    return rx.el.li(
        rx.el.h3(step.title, class_name="title-m"),
        rx.el.p(step.text),
        rx.el.p(words.STEP_DETAILS_LABEL, class_name="label-line"),
        sections.ticks(step.details),
        class_name="step",
    )


def engagements() -> rx.Component:
    """The three engagement models; their length is set large, because founders ask for it first."""
    return sections.section(
        sections.section_head(words.ENGAGEMENTS_HEADING),
        rx.el.div(*(_model(model) for model in words.ENGAGEMENTS), class_name="models"),
        rx.el.p(words.ENGAGEMENT_FEES, class_name="lead model-fees"),
    )


def _model(model: words.EngagementModel) -> rx.Component:
    context = words.ENGAGEMENT_LINK_CONTEXT.format(model=model.title)
    return rx.el.article(
        rx.el.h3(model.title, class_name="title-s"),
        rx.el.p(model.duration, class_name="model-length"),
        rx.el.p(model.text),
        sections.ticks(model.includes),
        rx.el.p(
            rx.el.span(f"{words.ENGAGEMENT_BEST_FOR_LABEL}: ", class_name="label"),
            model.best_for,
            class_name="model-for",
        ),
        rx.el.p(arrow_link(Link(words.ENGAGEMENT_LINK, routes.CONTACT, context=context))),
        class_name="model",
    )


def tools() -> rx.Component:
    """The eight tools as an index."""
    return sections.section(
        rx.el.div(
            sections.section_head(words.TOOLS_HEADING),
            rx.el.ul(
                *(rx.el.li(rx.el.h3(tool.name, class_name="title-s"), rx.el.p(tool.text)) for tool in words.TOOLS),
                class_name="tools",
            ),
            class_name="beside",
        ),
        tone="section-follow",
    )
