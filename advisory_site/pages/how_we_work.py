"""The How We Work page: four steps, three ways to engage us, eight tools."""

import reflex as rx

from sitekit.server.framework.event_marks import public_event
from sitekit.ui.copy import Link, Step
from sitekit.ui.public.links import arrow_link
from sitekit.ui.public.record_page import PublicPage
from sitekit.ui.public.words import words_of

from .. import routes
from ..components import sections
from ..components.artwork import course_art
from ..components.layout import page
from ..components.mentions import Partner
from ..content import how_we_work as texts
from ..team.partners import first_partner
from .testimonial_views import partner_line


class HowWeWorkState(PublicPage, rx.State):
    """The partner at the end of the page."""

    partner: Partner = Partner()

    @public_event
    async def load(self) -> None:
        """Read the partner again."""
        self.partner = (
            await self._read(lambda: first_partner(texts.PARTNER_FIELD), "The partner on How We Work") or Partner()
        )


def how_we_work_page() -> rx.Component:
    """The page as a list of sections."""
    return page(
        routes.HOW_WE_WORK,
        sections.page_head(texts.HERO, course_art()),
        steps(),
        engagements(),
        tools(),
        sections.closing(
            texts.CLOSING,
            partner_line(HowWeWorkState.partner, texts.PARTNER_ANSWERS),
            look="closing-turned section-deep",
        ),
    )


def steps() -> rx.Component:
    """Four steps in a row, each with its result for the founder."""
    return sections.section(
        rx.el.div(
            sections.section_head(texts.STEPS_HEADING),
            rx.el.ol(*(_step(step) for step in texts.STEPS), class_name="steps"),
            class_name="beside",
        ),
        tone="section-sunken",
    )


def _step(step: Step) -> rx.Component:
    return rx.el.li(
        rx.el.h3(step.title, class_name="title-m"),
        rx.el.p(words_of(step.text)),
        rx.el.p(words_of(texts.STEP_DETAILS_LABEL), class_name="label-line"),
        sections.ticks(step.details),
        class_name="step",
    )


def engagements() -> rx.Component:
    """The three engagement models; their length is set large, because founders ask for it first."""
    return sections.section(
        sections.section_head(texts.ENGAGEMENTS_HEADING),
        rx.el.div(*(_model(model) for model in texts.ENGAGEMENTS), class_name="models"),
        rx.el.p(words_of(texts.ENGAGEMENT_FEES), class_name="lead model-fees"),
    )


def _model(model: texts.EngagementModel) -> rx.Component:
    context = texts.ENGAGEMENT_LINK_CONTEXT.format(model=model.title)
    return rx.el.article(
        rx.el.h3(model.title, class_name="title-s"),
        rx.el.p(model.duration, class_name="model-length"),
        rx.el.p(words_of(model.text)),
        sections.ticks(model.includes),
        rx.el.p(
            rx.el.span(f"{texts.ENGAGEMENT_BEST_FOR_LABEL}: ", class_name="label"),
            words_of(model.best_for),
            class_name="model-for",
        ),
        rx.el.p(arrow_link(Link(texts.ENGAGEMENT_LINK, routes.CONTACT, context=context))),
        class_name="model",
    )


def tools() -> rx.Component:
    """The eight tools as an index."""
    return sections.section(
        rx.el.div(
            sections.section_head(texts.TOOLS_HEADING),
            rx.el.ul(
                *(
                    rx.el.li(rx.el.h3(tool.name, class_name="title-s"), rx.el.p(words_of(tool.text)))
                    for tool in texts.TOOLS
                ),
                class_name="tools",
            ),
            class_name="beside",
        ),
        tone="section-follow",
    )
