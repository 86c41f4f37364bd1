"""The What We Do page: four core services, then the eight support areas in full."""

import reflex as rx

from ..content import what_we_do as words
from ..content.support import SUPPORT_AREAS
from ..core import routes
from ..ui.icons import icon
from ..ui.public import sections
from ..ui.public.artwork import bearings_art
from ..ui.public.layout import page


def what_we_do_page() -> rx.Component:
    """The page as a list of sections."""
    return page(
        routes.WHAT_WE_DO,
        sections.page_head(words.HERO, bearings_art()),
        services(),
        sections.support_in_full(words.SUPPORT_ID, words.SUPPORT, SUPPORT_AREAS),
        sections.closing(words.CLOSING),
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
