"""The What We Do page: four core services, then the eight support areas in full."""

import reflex as rx

from ..content import what_we_do as words
from ..content.support import SUPPORT_AREAS
from ..core import routes
from ..framework.event_marks import public_event
from ..team.partners import Partner, first_partner
from ..ui.icons import icon
from ..ui.public import sections
from ..ui.public.artwork import bearings_art
from ..ui.public.layout import page
from ..ui.public.page_state import PublicPage
from . import proof
from .proof import AreaCases
from .proof_views import area_cases, partner_line

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
    partner = first_partner(words.PARTNER_FIELD)
    return proof.cases_by_area(proof.read_cases()), partner


def what_we_do_page() -> rx.Component:
    """The page as a list of sections."""
    return page(
        routes.WHAT_WE_DO,
        sections.page_head(words.HERO, bearings_art()),
        services(),
        sections.support_in_full(
            words.SUPPORT_ID,
            words.SUPPORT,
            SUPPORT_AREAS,
            [area_cases(WhatWeDoState.cases[number]) for number in range(len(SUPPORT_AREAS))],
            index_label=words.INDEX_LABEL,
        ),
        sections.closing(
            words.CLOSING, partner_line(WhatWeDoState.partner, words.PARTNER_ANSWERS), look="closing-soft"
        ),
    )


def services() -> rx.Component:
    """The four services, two by two."""
    return sections.section(
        rx.el.h2(words.SERVICES_TITLE, class_name="visually-hidden"),
        rx.el.div(*(_service(service) for service in words.SERVICES), class_name="services"),
        tone="section-sunken",
    )


def _service(service: words.Service) -> rx.Component:
    return rx.el.article(
        icon(service.icon),
        rx.el.h3(service.title, class_name="title-m"),
        rx.el.p(service.text),
        rx.el.dl(
            rx.el.div(rx.el.dt(words.OUTCOME_LABEL), rx.el.dd(service.outcome)),
            rx.el.div(rx.el.dt(words.ASK_WHEN_LABEL), rx.el.dd(service.ask_when)),
            class_name="facts",
        ),
        class_name="service",
    )
