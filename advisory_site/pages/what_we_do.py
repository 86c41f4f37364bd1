"""The What We Do page: four core services, then the eight support areas in full."""

import reflex as rx

from sitekit.server.framework.event_marks import public_event
from sitekit.ui.icons import icon
from sitekit.ui.public.record_page import PublicPage
from sitekit.ui.public.words import words_of

from .. import routes
from ..components import sections
from ..components.artwork import bearings_art
from ..components.layout import page
from ..components.mentions import Partner
from ..content import what_we_do as texts
from ..content.support import SUPPORT_AREAS
from ..team.partners import first_partner
from . import testimonials
from .testimonial_views import area_cases, partner_line
from .testimonials import AreaCases

NO_CASES = [AreaCases()] * len(SUPPORT_AREAS)


class WhatWeDoState(PublicPage, rx.State):
    """The companies of each support area, and the partner at the end of the page."""

    cases: list[AreaCases] = NO_CASES
    partner: Partner = Partner()

    @public_event
    async def load(self) -> None:
        """Read the records again."""
        self.cases, self.partner = await self._read(_records, "The records of What We Do") or (NO_CASES, Partner())


def _records() -> tuple[list[AreaCases], Partner]:
    partner = first_partner(texts.PARTNER_FIELD)
    return testimonials.cases_by_area(testimonials.read_cases()), partner


def what_we_do_page() -> rx.Component:
    """The page as a list of sections."""
    return page(
        routes.WHAT_WE_DO,
        sections.page_head(texts.HERO, bearings_art()),
        services(),
        sections.support_in_full(
            texts.SUPPORT_ID,
            texts.SUPPORT,
            SUPPORT_AREAS,
            [area_cases(WhatWeDoState.cases[number]) for number in range(len(SUPPORT_AREAS))],
            index_label=texts.INDEX_LABEL,
        ),
        sections.closing(
            texts.CLOSING, partner_line(WhatWeDoState.partner, texts.PARTNER_ANSWERS), look="closing-soft"
        ),
    )


def services() -> rx.Component:
    """The four services, two by two."""
    return sections.section(
        rx.el.h2(texts.SERVICES_TITLE, class_name="visually-hidden"),
        rx.el.div(*(_service(service) for service in texts.SERVICES), class_name="services"),
        tone="section-sunken",
    )


def _service(service: texts.Service) -> rx.Component:
    return rx.el.article(
        icon(service.icon),
        rx.el.h3(service.title, class_name="title-m"),
        rx.el.p(words_of(service.text)),
        rx.el.dl(
            rx.el.div(rx.el.dt(texts.OUTCOME_LABEL), rx.el.dd(words_of(service.outcome))),
            rx.el.div(rx.el.dt(texts.ASK_WHEN_LABEL), rx.el.dd(words_of(service.ask_when))),
            class_name="facts",
        ),
        class_name="service",
    )
